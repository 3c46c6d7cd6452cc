/** Writes an object from memory to the store, and discards the object of an item that was not published. */

import type { Random } from '../clock-and-random.ts';
import type { ServerDatabase } from '../database/database-interface.ts';
import type { ObjectId, ObjectStore } from './object-store-interface.ts';

/**
 * Removes an object whose item was not published because of `error`. When the records went away during the commit, the item
 * may be there: then it is left to the sweep, as after an error of the store. Does not reject.
 */
export const discardObject = async (
  { objects, records }: { readonly objects: ObjectStore; readonly records: Pick<ServerDatabase, 'dialect'> },
  id: ObjectId,
  error: unknown = null,
): Promise<void> => {
  const isUnknown = records.dialect.kindOf(error) === 'unavailable';
  if (isUnknown) await objects.abandon(id);
  else await removeOrAbandon(objects, id);
};

/** What cannot be removed now is left to the sweep. */
const removeOrAbandon = async (objects: ObjectStore, id: ObjectId): Promise<void> => {
  const isRemoved = await objects.remove(id).then(
    () => true,
    () => false,
  );
  if (!isRemoved) await objects.abandon(id);
};

// Writes an object from memory: a note's text, a preview, the archive of a folder.

/** Resolves when the object is permanent. Leaves nothing behind when it rejects. */
export const writeObject = async (
  { objects, random }: { readonly objects: ObjectStore; readonly random: Random },
  bytes: Uint8Array,
): Promise<ObjectId> => {
  const id = random.uuid() as ObjectId;
  try {
    const sink = await objects.stageStream(id);
    try {
      await sink.append(bytes);
      await sink.finish();
    } finally {
      await sink.close();
    }
    await objects.commit(id);
    return id;
  } catch (error) {
    await removeOrAbandon(objects, id);
    throw error;
  }
};
