/**
 * Reads and writes the clipboard from the page, in a browser and in the app's windows. A write that the browser refuses
 * can wait for the next click, key press or focus. Never throws: a refusal is a return value.
 */
import { focusedElement } from '../keyboard/focused-element.ts';
import { isPlainKey } from '../keyboard/key-events.ts';
import { type CopiesOfPages, createCopiesOfPages } from './copies-of-pages.ts';

export interface PageClipboard {
  /**
   * Resolves to whether the text is on the clipboard. Browsers allow it for a moment after a click or a key, and Safari
   * only while the event is handled: text that is not there yet is passed as a promise.
   */
  write(text: string | Promise<string>): Promise<boolean>;
  /** Whether the browser can write pictures at all; it may refuse a single one all the same. */
  readonly canWritePictures: boolean;
  /** Whether the page is focused, as browsers require for every write. */
  hasFocus(): boolean;
  /** Resolves to whether the PNG is on the clipboard; browsers require focus. */
  writePicture(png: Promise<Blob>): Promise<boolean>;
  /**
   * Calls `write` when the browser may allow it: at the next click, key or focus, and again until it resolves to true.
   * Only the newest waits. False: nothing waits, because another page has copied the item or capture `id` already.
   */
  writeLater(write: () => Promise<boolean>, ends: WaitEnds, id?: string): boolean;
  /** Call when the item or capture is on the clipboard, so that no other page copies it, or what is older, later. */
  tellCopied(id: string): void;
  /** The clipboard's content, or null if the browser did not allow reading it. */
  read(): Promise<Copied | null>;
}

interface WaitEnds {
  /** The user went to another window, and may copy something there: `write` is not called any more. */
  readonly onLeft: () => void;
  /** Something else is copied in a page of this browser, or waits in this one. */
  readonly onDropped: () => void;
}

/** Text is ignored next to an image: programs add a description. */
interface Copied {
  readonly pictures: readonly Blob[];
  readonly text: string | null;
}

const firstOf = async (items: readonly ClipboardItem[], type: string): Promise<string | null> => {
  const item = items.find(({ types }) => types.includes(type));
  return (item && (await (await item.getType(type)).text())) || null;
};

/** Fallback without the clipboard API; works only in a focused page while a click or key event is handled. */
const writeBySelection = (document: Document, text: string): boolean => {
  if (!document.hasFocus()) return false;
  const textarea = document.createElement('textarea');
  const focused = focusedElement(document);
  textarea.value = text;
  textarea.readOnly = true;
  textarea.style.position = 'fixed';
  textarea.style.opacity = '0';
  document.body.append(textarea);
  textarea.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    textarea.remove();
    focused?.focus();
  }
};

/** Calls back at events that may allow the page to write to the clipboard. */
const onPermission = (window: Window, listener: () => void): void => {
  const { document } = window;
  window.addEventListener('focus', listener);
  // A touch allows it when it ends, a mouse when it is pressed.
  for (const name of ['pointerdown', 'pointerup'] as const) document.addEventListener(name, listener, true);
  document.addEventListener(
    'keydown',
    // The user may be about to copy something else.
    (event) => {
      if (isPlainKey(event)) listener();
    },
    true,
  );
};

const createLaterWrite = (
  window: Window,
  copies: CopiesOfPages,
): Pick<PageClipboard, 'writeLater'> & { supersede(): void } => {
  let waiting: (WaitEnds & { readonly write: () => Promise<boolean>; readonly isLeft: boolean }) | null = null;
  let isWriting = false;
  const attempt = async (): Promise<void> => {
    const before = waiting;
    if (before === null || before.isLeft || isWriting) return;
    isWriting = true;
    const isWritten = await before.write().catch(() => false);
    isWriting = false;
    if (isWritten && waiting?.write === before.write) waiting = null;
  };
  const drop = (): void => {
    waiting?.onDropped();
    waiting = null;
  };
  const leave = (): void => {
    if (waiting === null || waiting.isLeft) return;
    waiting = { ...waiting, isLeft: true };
    waiting.onLeft();
  };
  onPermission(window, () => void attempt());
  copies.onHeard(drop);
  window.addEventListener('blur', leave);
  /** Something is on the clipboard now. A copy that `attempt` makes is the waiting one itself. */
  const supersede = (): void => {
    if (!isWriting) drop();
    copies.tell(null);
  };
  for (const name of ['copy', 'cut'] as const) window.document.addEventListener(name, supersede);
  return {
    supersede,
    writeLater: (write, ends, id) => {
      drop();
      if (id !== undefined && copies.hasHeardOf(id)) return false;
      waiting = { ...ends, write, isLeft: false };
      return true;
    },
  };
};

const writeText = async (clipboard: Clipboard, text: string | Promise<string>): Promise<void> => {
  if (typeof text === 'string') return clipboard.writeText(text);
  const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
  // A browser that refuses at once does not look at it.
  blob.catch(() => {});
  await clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
};

export const createPageClipboard = (window: Window, copies = createCopiesOfPages()): PageClipboard => {
  const { navigator, document } = window;
  // Insecure contexts lack this object, despite its type.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const later = createLaterWrite(window, copies);
  return {
    write: async (text) => {
      try {
        await writeText(clipboard, text);
        later.supersede();
        return true;
      } catch {
        const words = await Promise.resolve(text).catch(() => null);
        return words !== null && writeBySelection(document, words);
      }
    },
    canWritePictures: typeof clipboard?.write === 'function' && 'ClipboardItem' in window,
    hasFocus: () => document.hasFocus(),
    writePicture: async (png) => {
      try {
        await clipboard.write([new ClipboardItem({ 'image/png': png })]);
        later.supersede();
        return true;
      } catch {
        return false;
      }
    },
    writeLater: later.writeLater,
    tellCopied: copies.tell,
    read: async () => {
      try {
        const items = await clipboard.read();
        const pictures = items.flatMap((item) => {
          const type = item.types.find((name) => name.startsWith('image/'));
          return type === undefined ? [] : [item.getType(type)];
        });
        const text = pictures.length > 0 ? null : await firstOf(items, 'text/plain');
        return { pictures: await Promise.all(pictures), text };
      } catch {
        return null;
      }
    },
  };
};
