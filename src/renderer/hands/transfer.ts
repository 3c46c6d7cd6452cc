/** What a drop or a paste carries: files, text, or the reason why there is neither. Nothing is read from the disk here. */

import { stampOf } from '../../contract/stamp.ts';
import type { PlainNote } from '../stores/toasts.ts';

export interface Carried {
  /** Folders too, where the host takes them. */
  readonly files: readonly File[];
  readonly text: string | null;
  /** What else it was; null when all of it is taken, or it was nothing. */
  readonly refused: PlainNote | null;
}

/** The kind of data by which a drag of an item of ours is known; none is to be shared once more. */
export const OWN_DRAG = 'application/x-linkshot-item';

const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory ?? false;

/** Must be called while the event is being handled: afterwards the browser empties the transfer. */
export const readTransfer = (transfer: DataTransfer, folders: 'taken' | 'refused'): Carried => {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const files = items
    .filter((item) => folders === 'taken' || !isFolder(item))
    .map((item) => item.getAsFile())
    .filter((file) => file !== null);
  if (folders === 'refused' && items.some(isFolder)) return { files, text: null, refused: 'folderDropped' };
  if (files.length > 0) return { files, text: null, refused: null };
  if (transfer.types.includes(OWN_DRAG)) return { files, text: null, refused: null };
  if (transfer.types.includes('text/uri-list')) return { files, text: null, refused: 'addressDropped' };
  return { files, text: transfer.getData('text/plain') || null, refused: null };
};

export const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;

/** Browsers give every picture from the clipboard this name. */
const NAMELESS = /^image\.[a-z0-9]+$/i;

/** A picture from the clipboard as a file with a name that says when it was pasted; a named file stays as it is. */
export const namePasted = (picture: Blob, at: Date, name: (stamp: string) => string): File => {
  if (picture instanceof File && !NAMELESS.test(picture.name)) return picture;
  const extension = picture.type.split('/')[1]?.replace(/[^a-z0-9].*$/, '') || 'png';
  const { date, time } = stampOf(at);
  return new File([picture], `${name(`${date} ${time}`)}.${extension}`, {
    type: picture.type,
    lastModified: at.getTime(),
  });
};
