/** The texts of notes in the object store: one object a revision, written whole and durable before a row names it. */
import { buffer } from 'node:stream/consumers';
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from '../storage/object-store.ts';

export const createNoteObjects = ({ objects, random }: Pick<ServerDeps, 'objects' | 'random'>) => ({
  /** Resolves when the object is permanent. Nothing is left behind when it rejects. */
  write: async (bytes: Buffer): Promise<ObjectId> => {
    const id = random.uuid() as ObjectId;
    try {
      const staged = await objects.stage(id, bytes.length);
      try {
        await staged.write(0, bytes);
      } finally {
        await staged.close();
      }
      await objects.commit(id);
      return id;
    } catch (error) {
      await objects.remove(id);
      throw error;
    }
  },
  /** Rejects when the object is gone: the note was edited or deleted meanwhile. */
  read: (item: { readonly objectId: ObjectId; readonly size: number }, signal: AbortSignal): Promise<Buffer> =>
    buffer(objects.read(item.objectId, { start: 0, end: item.size - 1 }, signal)),
});
