/** Writes an object from memory: a note's text, a preview, the archive of a folder. */
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from './object-store.ts';

/** Resolves when the object is permanent. Leaves nothing behind when it rejects. */
export const writeObject = async (
  { objects, random }: Pick<ServerDeps, 'objects' | 'random'>,
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
    await objects.remove(id);
    throw error;
  }
};
