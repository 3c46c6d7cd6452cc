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
    const queue = createDeletions({ database, objects, clock: { now: () => Date.now() }, log: () => {}, node: 'a' });
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
    let queue = createDeletions({ database, objects, clock, log: () => {}, node: 'a' });
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
      queue = createDeletions({ database: again, objects, clock, log: () => {}, node: 'a' });
      await queue.run();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(objects.removed).toEqual([ID]);
    expect(queue.pending()).toBe(0);
    await queue.close();
  });

  it('claims a deletion first, so that two processes carry each out once', async () => {
    const { path, database } = openNext();
    const { database: second } = openNext(path);
    const clock = { now: () => 1_000_000 };
    const removed: string[] = [];
    const slow = {
      remove: (id: ObjectId) => new Promise<void>((done) => setImmediate(() => done(void removed.push(id)))),
    };
    const queues = [
      createDeletions({ database, objects: slow, clock, log: () => {}, node: 'a' }),
      createDeletions({ database: second, objects: slow, clock, log: () => {}, node: 'b' }),
    ];
    const ids = Array.from({ length: 120 }, (_, n) => `object-${n}`);
    for (const id of ids) queues[0]?.enqueue(id as ObjectId);
    await Promise.all(queues.map((queue) => queue.run()));
    expect(removed.toSorted()).toEqual(ids.toSorted());
    for (const queue of queues) await queue.close();
  });

  it('that was killed carries its claims out at its next start, and others do when these have ended', async () => {
    const { path, database } = openNext();
    let now = 1_000_000;
    const clock = { now: () => now };
    const never = { remove: () => new Promise<void>(() => {}) };
    const killed = createDeletions({ database, objects: never, clock, log: () => {}, node: 'a' });
    killed.enqueue(ID);
    void killed.run();
    const { database: again } = openNext(path);
    const objects = failing(0);
    const other = createDeletions({ database: again, objects, clock, log: () => {}, node: 'b' });
    await other.run();
    expect(objects.removed).toEqual([]);
    const restarted = createDeletions({ database: again, objects, clock, log: () => {}, node: 'a' });
    await restarted.run();
    expect(objects.removed).toEqual([ID]);
    killed.enqueue('another' as ObjectId);
    again.prepare(`UPDATE deletions SET claimedBy = 'c', dueAt = ? WHERE objectId = 'another'`).run(now + 60_000);
    await restarted.run();
    now += 60_000;
    await other.run();
    expect(objects.removed).toEqual([ID, 'another']);
    await Promise.all([other.close(), restarted.close()]);
  });
});
