/** Browser clipboard access. Never throws: a refusal is a return value. */

export interface PageClipboard {
  /** Resolves to whether the text is on the clipboard. */
  write(text: string): Promise<boolean>;
  /** Resolves to whether the PNG is on the clipboard; browsers require focus. */
  writePicture(png: Promise<Blob>): Promise<boolean>;
  /** Calls back whenever the page gets focus. */
  onFocus(listener: () => void): void;
  /** The clipboard's content, or null if the browser did not allow reading it. */
  read(): Promise<Copied | null>;
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

/** Fallback without the clipboard API; works only while a click or key event is handled. */
const writeBySelection = (document: Document, text: string): boolean => {
  const textarea = document.createElement('textarea');
  const focused = document.activeElement;
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
    if (focused instanceof HTMLElement) focused.focus();
  }
};

export const createPageClipboard = (window: Window): PageClipboard => {
  const { navigator, document } = window;
  // Insecure contexts lack this object, despite its type.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return {
    write: async (text) => {
      try {
        await clipboard.writeText(text);
        return true;
      } catch {
        return writeBySelection(document, text);
      }
    },
    writePicture: async (png) => {
      try {
        await clipboard.write([new ClipboardItem({ 'image/png': png })]);
        return true;
      } catch {
        return false;
      }
    },
    onFocus: (listener) => window.addEventListener('focus', listener),
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
