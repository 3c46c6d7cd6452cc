/**
 * Extracts files, folders or text from a drop or a paste, or the reason why there are none; names pasted files. Reads
 * nothing from the disk.
 */

import { timestampOf } from '../../ipc/protocol/file-name-timestamp.ts';
import type { PlainNote } from '../stores/messages/toasts.ts';

/** A folder as the page reads it, and as a host can resolve it to a path (null: it cannot). */
interface CarriedFolder {
  readonly entry: FileSystemDirectoryEntry;
  readonly named: File | null;
}

export interface DroppedItems {
  readonly files: readonly File[];
  readonly folders: readonly CarriedFolder[];
  readonly text: string | null;
  /** Why other content was ignored; null when nothing was. */
  readonly refused: PlainNote | null;
}

/** Marks drags of the app's own items, which must not be uploaded again. */
export const OWN_DRAG = 'application/x-linkshot-item';

const folderOf = (item: DataTransferItem): CarriedFolder | null => {
  const entry = item.webkitGetAsEntry();
  return entry?.isDirectory ? { entry: entry as FileSystemDirectoryEntry, named: item.getAsFile() } : null;
};

/** Must be called during the event: the browser empties the transfer afterwards. */
export const readTransfer = (transfer: DataTransfer): DroppedItems => {
  const files: File[] = [];
  const folders: CarriedFolder[] = [];
  for (const item of [...transfer.items].filter(({ kind }) => kind === 'file')) {
    const folder = folderOf(item);
    const file = folder ? null : item.getAsFile();
    if (folder) folders.push(folder);
    else if (file) files.push(file);
  }
  const things = { files, folders, text: null, refused: null };
  if (files.length + folders.length > 0 || transfer.types.includes(OWN_DRAG)) return things;
  if (transfer.types.includes('text/uri-list')) {
    // WebKitGTK hides the addresses of files, and does not pass on the files (CVE-2025-13947).
    const isHidden = transfer.getData('text/uri-list') === '';
    return { ...things, refused: isHidden ? 'fileWithheld' : 'addressDropped' };
  }
  return { ...things, text: transfer.getData('text/plain') || null };
};

export const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;

/** The name browsers give every image from the clipboard. */
const NAMELESS = /^image\.[a-z0-9]+$/i;

/** Whether a field gets the text of a paste: programs copy cells of a table as text and, beside it, as an image. */
export const isTextForField = (transfer: DataTransfer): boolean => {
  const { files, folders } = readTransfer(transfer);
  const isPictured = folders.length === 0 && files.every(({ name }) => NAMELESS.test(name));
  return isPictured && transfer.getData('text/plain') !== '';
};

/** Names a pasted image after the time of the paste; a file with its own name keeps it. */
export const namePasted = (picture: Blob, at: Date, name: (stamp: string) => string): File => {
  if (picture instanceof File && !NAMELESS.test(picture.name)) return picture;
  const extension = picture.type.split('/')[1]?.replace(/[^a-z0-9].*$/, '') || 'png';
  const { date, time } = timestampOf(at);
  return new File([picture], `${name(`${date} ${time}`)}.${extension}`, {
    type: picture.type,
    lastModified: at.getTime(),
  });
};
