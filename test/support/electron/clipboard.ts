/** `clipboard` and `ClipboardItem`: the desktop's clipboard; text and pictures replace each other. */
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';

type Content = string | Blob | Electron.ClipboardBookmark | Promise<string | Blob>;

export class ClipboardItem {
  readonly #contents: Readonly<Record<string, Content>>;
  readonly types: string[];
  constructor(contents: Record<string, Content>) {
    this.#contents = contents;
    this.types = Object.keys(contents);
  }
  async getType(type: string): Promise<Blob> {
    const content = await this.#contents[type];
    if (content === undefined) throw new Error(`The clipboard item has no ${type}`);
    return content instanceof Blob ? content : new Blob([String(content)], { type });
  }
}

const bytes = async (item: ClipboardItem, type: string): Promise<Buffer | null> =>
  item.types.includes(type) ? Buffer.from(await (await item.getType(type)).arrayBuffer()) : null;

export const clipboard = {
  clear: (): void => {
    desktop.clipboard = '';
    desktop.clipboardPicture = null;
  },
  has: async (type: string): Promise<boolean> =>
    type === 'image/png' ? desktop.clipboardPicture !== null : type === 'text/plain' && desktop.clipboard !== '',
  writeText: async (text: string): Promise<void> => {
    desktop.clipboard = text;
    desktop.clipboardPicture = null;
  },
  readText: async (): Promise<string> => desktop.clipboard,
  write: async ([item]: ClipboardItem[]): Promise<void> => {
    const [text, picture] = item ? [await bytes(item, 'text/plain'), await bytes(item, 'image/png')] : [null, null];
    desktop.clipboard = text?.toString() ?? '';
    desktop.clipboardPicture = picture;
  },
  read: async (): Promise<ClipboardItem[]> => {
    const { clipboard: text, clipboardPicture: picture } = desktop;
    const contents = {
      ...(text === '' ? {} : { 'text/plain': text }),
      ...(picture ? { 'image/png': new Blob([new Uint8Array(picture)], { type: 'image/png' }) } : {}),
    };
    return Object.keys(contents).length > 0 ? [new ClipboardItem(contents)] : [];
  },
} satisfies Pick<
  Record<keyof Electron.Clipboard, unknown>,
  'clear' | 'has' | 'read' | 'readText' | 'write' | 'writeText'
>;
