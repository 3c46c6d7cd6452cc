/**
 * Gives files and folders to a page by events of the page itself, without user activation: for WebKitGTK, which gives pages
 * no file of a drop from another program (2.50) and whose driver chooses no folder, and for systems without X.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Tab } from './tab.ts';

interface DroppedFile {
  readonly name: string;
  readonly base64: string;
}

const dispatch = async (files: readonly DroppedFile[]): Promise<void> => {
  const transfer = new DataTransfer();
  for (const { name, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const type = /\.png$/i.test(name) ? 'image/png' : /\.mp4$/i.test(name) ? 'video/mp4' : 'text/plain';
    transfer.items.add(new File([bytes], name, { type }));
  }
  const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body;
  for (const type of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
};

export const dropByEvents = async (tab: Tab, paths: readonly string[]): Promise<void> => {
  const files = paths.map(async (path) => ({
    name: basename(path),
    base64: (await readFile(path)).toString('base64'),
  }));
  await tab.evaluate(dispatch, await Promise.all(files));
};

/** In the page: the field for folders has these files, as if they had been chosen. */
const choose = async (files: readonly DroppedFile[]): Promise<void> => {
  const field = document.querySelector<HTMLInputElement>('input[webkitdirectory]');
  if (field === null) throw new Error('The page has no field for a folder.');
  const chosen = files.map(({ name, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const file = new File([bytes], name.slice(name.lastIndexOf('/') + 1));
    return Object.defineProperty(file, 'webkitRelativePath', { value: name });
  });
  Object.defineProperty(field, 'files', { configurable: true, value: chosen });
  field.dispatchEvent(new Event('change', { bubbles: true }));
  Reflect.deleteProperty(field, 'files');
};

export const chooseFolderByEvents = async (tab: Tab, folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const inside = path.slice(folder.length + 1).replaceAll(sep, '/');
      return { name: `${basename(folder)}/${inside}`, base64: (await readFile(path)).toString('base64') };
    });
  await tab.evaluate(choose, await Promise.all(files));
};
