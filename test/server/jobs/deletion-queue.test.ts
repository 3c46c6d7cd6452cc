/** The deletion queue: enqueued objects are eventually deleted, despite errors and restarts. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { createDeletionQueue } from '../../../src/server/jobs/deletion-queue.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open: ServerDatabase[] = [];
afterEach(async () => {
  for (const records of open.splice(0)) await records.close();
});

const openNext = async (data = temporaryFolder('deletions')) => {
  const records = await openRecordsOf(data);
  open.push(records);
  return { data, records };
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
    const { records } = await openNext();
    const objects = failing(0);
    const queue = createDeletionQueue({ records, objects, clock: { now: () => Date.now() }, log: () => {}, node: 'a' });
    const rolledBack = records.transaction(async (tx) => {
      await queue.enqueue(tx, 'kept' as ObjectId);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await records.transaction(async (tx) => {
      await queue.enqueue(tx, ID);
      expect(objects.removed).toEqual([]);
    });
    await expect.poll(() => objects.removed).toEqual([ID]);
    await expect.poll(() => queue.pending()).toBe(0);
    await queue.close();
  });

  it('tries again with growing pauses until five failures are over, across restarts', async () => {
    let now = 1_000_000;
    const clock = { now: () => now };
    const objects = failing(5);
    const { data, records } = await openNext();
    let queue = createDeletionQueue({ records, objects, clock, log: () => {}, node: 'a' });
    await records.transaction((tx) => queue.enqueue(tx, ID));
    await queue.run();
    const pauses: number[] = [];
    for (let restart = 0; restart < 5; restart += 1) {
      await queue.close();
      const { records: again } = await openNext(data);
      const row = await again.get<{ dueAt: number }>(sql`SELECT "dueAt" FROM "deletions"`);
      expect(row).toBeDefined();
      pauses.push((row?.dueAt ?? 0) - now);
      now = row?.dueAt ?? 0;
      queue = createDeletionQueue({ records: again, objects, clock, log: () => {}, node: 'a' });
      await queue.run();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(objects.removed).toEqual([ID]);
    expect(await queue.pending()).toBe(0);
    await queue.close();
  });

  it('counts failures alone as tries, and not what a slow batch has claimed and not reached', async () => {
    let now = 1_000_000;
    const { records } = await openNext();
    const lines: string[] = [];
    const rows = () =>
      records.all<{ attempts: number; dueAt: number }>(sql`SELECT "attempts", "dueAt" FROM "deletions"`);
    const seen = new Set<number>();
    /** As slow as for a large video; the last one fails. */
    const objects = {
      remove: async (): Promise<void> => {
        now += 26_000;
        const left = await rows();
        for (const { attempts } of left) seen.add(attempts);
        if (left.length === 1) throw new Error('EIO');
      },
    };
    const log = (line: string) => void lines.push(line);
    const queue = createDeletionQueue({ records, objects, clock: { now: () => now }, log, node: 'a' });
    await records.transaction(async (tx) => {
      for (let n = 0; n < 10; n += 1) await queue.enqueue(tx, `object-${n}` as ObjectId);
    });
    await queue.run();
    expect(seen).toEqual(new Set([0]));
    expect(await rows()).toEqual([{ attempts: 1, dueAt: now + 1_000 }]);
    expect(lines).toEqual([expect.stringMatching(/failed \(try 1\): Error: EIO$/)]);
    await queue.close();
  });

  it('tries again when the clock is set back meanwhile', async () => {
    let now = 1_000_000_000;
    const objects = failing(1);
    const { records } = await openNext();
    const queue = createDeletionQueue({ records, objects, clock: { now: () => now }, log: () => {}, node: 'a' });
    await records.transaction((tx) => queue.enqueue(tx, ID));
    await queue.run();
    expect(objects.removed).toEqual([]);
    now -= 24 * 3_600_000;
    await queue.run();
    expect(objects.removed).toEqual([ID]);
    await queue.close();
  });

  it('claims a deletion first, so that two processes carry each out once', async () => {
    const { data, records } = await openNext();
    const { records: second } = await openNext(data);
    const clock = { now: () => 1_000_000 };
    const removed: string[] = [];
    const slow = {
      remove: (id: ObjectId) => new Promise<void>((done) => setImmediate(() => done(void removed.push(id)))),
    };
    const queues = [
      createDeletionQueue({ records, objects: slow, clock, log: () => {}, node: 'a' }),
      createDeletionQueue({ records: second, objects: slow, clock, log: () => {}, node: 'b' }),
    ];
    const ids = Array.from({ length: 120 }, (_, n) => `object-${n}`);
    await records.transaction(async (tx) => {
      for (const id of ids) await queues[0]?.enqueue(tx, id as ObjectId);
    });
    await Promise.all(queues.map((queue) => queue.run()));
    expect(removed.toSorted()).toEqual(ids.toSorted());
    for (const queue of queues) await queue.close();
  });

  it('that was killed carries its claims out at its next start, and others do when these have ended', async () => {
    const { data, records } = await openNext();
    let now = 1_000_000;
    const clock = { now: () => now };
    const begun = Promise.withResolvers<void>();
    const never = {
      remove: () => {
        begun.resolve();
        return new Promise<void>(() => {});
      },
    };
    const killed = createDeletionQueue({ records, objects: never, clock, log: () => {}, node: 'a' });
    await records.transaction((tx) => killed.enqueue(tx, ID));
    await begun.promise;
    const { records: again } = await openNext(data);
    const objects = failing(0);
    const other = createDeletionQueue({ records: again, objects, clock, log: () => {}, node: 'b' });
    await other.run();
    expect(objects.removed).toEqual([]);
    const restarted = createDeletionQueue({ records: again, objects, clock, log: () => {}, node: 'a' });
    await restarted.run();
    expect(objects.removed).toEqual([ID]);
    await records.transaction((tx) => killed.enqueue(tx, 'another' as ObjectId));
    await again.run(
      sql`UPDATE "deletions" SET "claimedBy" = 'c', "dueAt" = ${now + 60_000} WHERE "objectId" = 'another'`,
    );
    await restarted.run();
    now += 60_000;
    await other.run();
    expect(objects.removed).toEqual([ID, 'another']);
    await Promise.all([other.close(), restarted.close()]);
  });
});
