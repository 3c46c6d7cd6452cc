/** The clipboard as far as a browser lets a page reach it. Nothing here throws: a refusal is an answer. */

export interface PageClipboard {
  /** Answers whether the text is on the clipboard now. */
  write(text: string): Promise<boolean>;
  /** Answers whether the PNG is on the clipboard now; without the focus no browser allows it. */
  writePicture(png: Promise<Blob>): Promise<boolean>;
  /** Calls back whenever the person comes back to the page. */
  onFocus(listener: () => void): void;
  /** What is on the clipboard, or null where the browser did not allow reading it. */
  read(): Promise<Copied | null>;
}

/** Text stands for nothing else where there is a picture: programs put a description beside it. */
interface Copied {
  readonly pictures: readonly Blob[];
  readonly text: string | null;
}

const firstOf = async (items: readonly ClipboardItem[], type: string): Promise<string | null> => {
  const item = items.find(({ types }) => types.includes(type));
  return (item && (await (await item.getType(type)).text())) || null;
};

/** For pages without the clipboard API: it works while a click or a key press is being handled. */
const writeBySelection = (document: Document, text: string): boolean => {
  const holder = document.createElement('textarea');
  const focused = document.activeElement;
  holder.value = text;
  holder.readOnly = true;
  holder.style.position = 'fixed';
  holder.style.opacity = '0';
  document.body.append(holder);
  holder.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    holder.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
};

export const createPageClipboard = (window: Window): PageClipboard => {
  const { navigator, document } = window;
  // A page that is not a secure context has no such object, whatever the types say.
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
