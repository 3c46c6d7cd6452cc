/**
 * Drops files onto a page by events of the page itself, without user activation: for WebKitGTK, which gives pages no file
 * of a drop from another program (2.50), and for systems without X.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
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
