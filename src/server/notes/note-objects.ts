/**
 * Reads and writes the texts of notes in the object store: an edit of the text writes a new object, completely and
 * durably, before a row refers to it.
 */
import { buffer } from 'node:stream/consumers';
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { writeObject } from '../storage/write-and-discard-object.ts';

export const createNoteObjects = ({ objects, random }: Pick<ServerDeps, 'objects' | 'random'>) => ({
  /** Resolves when the object is permanent. Leaves nothing behind when it rejects. */
  write: (bytes: Buffer): Promise<ObjectId> => writeObject({ objects, random }, bytes),
  /** Rejects when the object is deleted: the note was edited or deleted meanwhile. */
  read: (item: { readonly objectId: ObjectId; readonly size: number }, signal: AbortSignal): Promise<Buffer> =>
    buffer(objects.read(item.objectId, { start: 0, end: item.size - 1 }, signal)),
});
