/** What a drop or a paste carries: files, folders, text, or why there is none. Nothing is read from the disk here. */

import { timestampOf } from '../../ipc/protocol/timestamp.ts';
import type { PlainNote } from '../stores/messages/toasts.ts';

/** A folder, as the page can read it, and as a host can name it (null: it cannot). */
interface CarriedFolder {
  readonly entry: FileSystemDirectoryEntry;
  readonly named: File | null;
}

export interface DroppedItems {
  readonly files: readonly File[];
  readonly folders: readonly CarriedFolder[];
  readonly text: string | null;
  /** What else it was; null when all of it is taken, or it was nothing. */
  readonly refused: PlainNote | null;
}

/** The kind of data by which a drag of an item of ours is known; none is to be shared once more. */
export const OWN_DRAG = 'application/x-linkshot-item';

const folderOf = (item: DataTransferItem): CarriedFolder | null => {
  const entry = item.webkitGetAsEntry();
  return entry?.isDirectory ? { entry: entry as FileSystemDirectoryEntry, named: item.getAsFile() } : null;
};

/** Must be called while the event is being handled: afterwards the browser empties the transfer. */
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
  if (transfer.types.includes('text/uri-list')) return { ...things, refused: 'addressDropped' };
  return { ...things, text: transfer.getData('text/plain') || null };
};

export const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;

/** Browsers give every picture from the clipboard this name. */
const NAMELESS = /^image\.[a-z0-9]+$/i;

/** A picture from the clipboard as a file with a name that says when it was pasted; a named file stays as it is. */
export const namePasted = (picture: Blob, at: Date, name: (stamp: string) => string): File => {
  if (picture instanceof File && !NAMELESS.test(picture.name)) return picture;
  const extension = picture.type.split('/')[1]?.replace(/[^a-z0-9].*$/, '') || 'png';
  const { date, time } = timestampOf(at);
  return new File([picture], `${name(`${date} ${time}`)}.${extension}`, {
    type: picture.type,
    lastModified: at.getTime(),
  });
};
