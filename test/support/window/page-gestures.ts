/** Simulates drops and pastes in a page with real `DataTransfer` objects. */
import type { Page } from 'playwright-core';

/** Its content is `size` zero bytes, or the text. */
interface HeldFile {
  readonly name: string;
  readonly type: string;
  readonly size?: number;
  readonly text?: string;
}

export interface Hand {
  readonly files?: readonly HeldFile[];
  /** Other kinds of data by MIME type, e.g. `text/plain`. */
  readonly data?: Readonly<Record<string, string>>;
}

const act = (page: Page, hand: Hand, events: readonly string[]): Promise<void> =>
  page.evaluate(
    ([{ files = [], data = {} }, names]) => {
      const carried = new DataTransfer();
      for (const { name, type, size = 0, text } of files)
        carried.items.add(new File([text ?? new Uint8Array(size)], name, { type }));
      for (const [type, text] of Object.entries(data)) carried.setData(type, text);
      const focused = document.activeElement ?? document.body;
      const target = focused.shadowRoot?.activeElement ?? focused;
      const common = { bubbles: true, cancelable: true, composed: true };
      for (const name of names) {
        const event =
          name === 'paste'
            ? new ClipboardEvent(name, { ...common, clipboardData: carried })
            : new DragEvent(name, { ...common, dataTransfer: carried });
        target.dispatchEvent(event);
      }
    },
    [hand, events] as const,
  );

export const dragOver = (page: Page, hand: Hand): Promise<void> => act(page, hand, ['dragenter', 'dragover']);
export const drop = (page: Page, hand: Hand): Promise<void> => act(page, hand, ['dragenter', 'dragover', 'drop']);
export const paste = (page: Page, hand: Hand): Promise<void> => act(page, hand, ['paste']);
