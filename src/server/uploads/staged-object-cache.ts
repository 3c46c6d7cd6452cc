/** Keeps the object of each active upload open from one part to the next, and closes it soon after its last use. */
import type { ObjectId, ObjectStore, StagedObject } from '../storage/object-store-interface.ts';

const IDLE_MS = 2_000;

interface Entry {
  readonly opened: Promise<StagedObject>;
  /** Resolves when the object is closed. */
  readonly closed: PromiseWithResolvers<void>;
  users: number;
  idle: NodeJS.Timeout | undefined;
  /** The next user reopens the object. */
  isSpent: boolean;
}

export interface StagedObjectCache {
  /** Opens the staged object for as long as `use` runs. */
  using<T>(id: ObjectId, use: (staged: StagedObject) => Promise<T>): Promise<T>;
  /** Resolves when the object is closed, after its last user. */
  release(id: ObjectId): Promise<void>;
  close(): Promise<void>;
}

export const createStagedObjectCache = (objects: Pick<ObjectStore, 'openStaged'>): StagedObjectCache => {
  const entries = new Map<ObjectId, Entry>();

  const open = (id: ObjectId, before: Entry | undefined): Entry => {
    const opened =
      before === undefined ? objects.openStaged(id) : before.closed.promise.then(() => objects.openStaged(id));
    // Its users receive the error.
    opened.catch(() => {});
    return { opened, closed: Promise.withResolvers(), users: 0, idle: undefined, isSpent: false };
  };

  /** All counted bytes were synced before, so a failing close loses nothing. */
  const shut = async (id: ObjectId, entry: Entry): Promise<void> => {
    entry.isSpent = true;
    await entry.opened.then((staged) => staged.close()).catch(() => {});
    if (entries.get(id) === entry) entries.delete(id);
    entry.closed.resolve();
  };

  const borrow = (id: ObjectId): Entry => {
    const known = entries.get(id);
    const entry = known === undefined || known.isSpent ? open(id, known) : known;
    entries.set(id, entry);
    clearTimeout(entry.idle);
    entry.users += 1;
    return entry;
  };

  const giveBack = async (id: ObjectId, entry: Entry): Promise<void> => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.isSpent) await shut(id, entry);
    else entry.idle = setTimeout(() => void shut(id, entry), IDLE_MS).unref();
  };

  const release = async (id: ObjectId): Promise<void> => {
    const entry = entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.idle);
    const isIdle = entry.users === 0 && !entry.isSpent;
    entry.isSpent = true;
    if (isIdle) await shut(id, entry);
    else await entry.closed.promise;
  };

  return {
    using: async (id, use) => {
      const entry = borrow(id);
      try {
        return await use(await entry.opened);
      } catch (error) {
        entry.isSpent = true;
        throw error;
      } finally {
        await giveBack(id, entry);
      }
    },
    release,
    close: async () => {
      await Promise.all([...entries.keys()].map(release));
    },
  };
};
