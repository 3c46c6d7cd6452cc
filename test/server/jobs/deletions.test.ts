/** The deletion queue: enqueued objects are eventually deleted, despite errors and restarts. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/server/database.ts';
import { createDeletions } from '../../../src/server/jobs/deletions.ts';
import type { ObjectId } from '../../../src/server/storage/object-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('deletions');
let files = 0;
let open: { close(): void }[] = [];
afterEach(() => {
  for (const database of open) database.close();
  open = [];
});

const openNext = (path = join(folder, `${files++}.sqlite`)) => {
  const database = openDatabase(path);
  open.push(database);
  return { path, database };
};

const ID = 'an-object' as ObjectId;

/** A store whose first removals fail. */
const failing = (failures: number) => {
  const store = {
    tries: 0,
    removed: [] as ObjectId[],
    remove: async (id: ObjectId): Promise<void> => {
      store.tries += 1;
      if (store.tries <= failures) throw new Error('EIO');
      store.removed.push(id);
    },
  };
  return store;
};

describe('the deletion queue', () => {
  it('deletes after the transaction, and not at all when that is rolled back', async () => {
    const { database } = openNext();
    const objects = failing(0);
    const queue = createDeletions({ database, objects, clock: { now: () => Date.now() }, log: () => {} });
    const rolledBack = database.transaction(() => {
      queue.enqueue('kept' as ObjectId);
      throw new Error('rolled back');
    });
    expect(rolledBack).toThrow('rolled back');
    database.transaction(() => queue.enqueue(ID))();
    expect(objects.removed).toEqual([]);
    await expect.poll(() => objects.removed).toEqual([ID]);
    expect(queue.pending()).toBe(0);
    await queue.close();
  });

  it('tries again with growing pauses until five failures are over, across restarts', async () => {
    let now = 1_000_000;
    const clock = { now: () => now };
    const objects = failing(5);
    const { path, database } = openNext();
    let queue = createDeletions({ database, objects, clock, log: () => {} });
    queue.enqueue(ID);
    await queue.run();
    const pauses: number[] = [];
    for (let restart = 0; restart < 5; restart += 1) {
      await queue.close();
      const { database: again } = openNext(path);
      const [row] = again.prepare<[], { dueAt: number }>('SELECT dueAt FROM deletions').all();
      expect(row).toBeDefined();
      pauses.push((row?.dueAt ?? 0) - now);
      now = row?.dueAt ?? 0;
      queue = createDeletions({ database: again, objects, clock, log: () => {} });
      await queue.run();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(objects.removed).toEqual([ID]);
    expect(queue.pending()).toBe(0);
    await queue.close();
  });
});
