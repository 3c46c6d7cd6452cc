/** Keeps the staged objects of running uploads open between their parts, each closed soon after its last use. */
import type { ObjectId, ObjectStore, StagedObject } from '../storage/object-store.ts';

const IDLE_MS = 2_000;

interface Entry {
  readonly opened: Promise<StagedObject>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

export interface StagedFiles {
  /** Lends the staged object for the time `use` runs. */
  using<T>(id: ObjectId, use: (staged: StagedObject) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const createStagedFiles = (objects: Pick<ObjectStore, 'openStaged'>): StagedFiles => {
  const entries = new Map<ObjectId, Entry>();

  const shut = async (id: ObjectId, entry: Entry): Promise<void> => {
    clearTimeout(entry.idle);
    if (entries.get(id) === entry) entries.delete(id);
    await entry.opened.then(
      (staged) => staged.close(),
      () => {},
    );
  };

  const borrow = (id: ObjectId): Entry => {
    const entry = entries.get(id) ?? { opened: objects.openStaged(id), users: 0, idle: undefined };
    entries.set(id, entry);
    clearTimeout(entry.idle);
    entry.users += 1;
    return entry;
  };

  return {
    using: async (id, use) => {
      const entry = borrow(id);
      try {
        return await use(await entry.opened);
      } catch (error) {
        // The next user opens it anew.
        if (entries.get(id) === entry) entries.delete(id);
        throw error;
      } finally {
        entry.users -= 1;
        if (entry.users === 0) {
          const wait = entries.get(id) === entry ? IDLE_MS : 0;
          entry.idle = setTimeout(() => void shut(id, entry), wait).unref();
        }
      }
    },
    close: async () => {
      await Promise.all([...entries].map(([id, entry]) => shut(id, entry)));
    },
  };
};
