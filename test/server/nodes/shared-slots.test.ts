/** The slots of an account are counted exactly over all nodes, also after their renewals, and after PostgreSQL has lost them. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import { openPostgres, type PostgresDatabase } from '../../../src/server/database/postgres.ts';
import type { SlotRequest } from '../../../src/server/limits/concurrency-slots.ts';
import { createSharedSlots } from '../../../src/server/limits/shared-concurrency-slots.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';

const whyNot = whyNoPostgres();
const RENEW_MS = 5_000;
const NAMES = ['0', '1', '2'];

describe.skipIf(whyNot !== null)(`slots of two nodes${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  let url = '';
  beforeAll(async () => {
    url = await runPostgresUrl('shared_slots');
  });
  beforeEach(async () => {
    await queryPostgres(url, 'DELETE FROM "slots"');
    // Renewals happen when the test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  const startNode = async (node: string) => {
    const records: PostgresDatabase = await openPostgres({ url, poolSize: 2, prepared: false });
    onTestFinished(() => records.close());
    const replaced: string[] = [];
    let renewals = 0;
    const counted: PostgresDatabase = {
      ...records,
      run: async (query) => {
        const changed = await records.run(query);
        if (query.sql.includes('jsonb_set')) renewals += 1;
        return changed;
      },
    };
    const slots = createSharedSlots({ records: counted, random: systemRandom, node, log: () => {} });
    const take = (name: string, { kind = 'part' as SlotRequest['kind'], takesOver = true } = {}) =>
      slots.take({
        ...{ accountId: 'account' as AccountId, kind, name, limit: NAMES.length, takesOver },
        replaced: () => void replaced.push(name),
      });
    const held = async (name: string, options?: Parameters<typeof take>[1]) => {
      const slot = await take(name, options);
      if (typeof slot === 'string') throw new Error(`The slot is ${slot}.`);
      return slot;
    };
    return { take, held, replaced, renewals: () => renewals };
  };
  const holders = async () =>
    (await queryPostgres<{ name: string }>(url, 'SELECT "key" AS "name" FROM "slots", jsonb_each("holders")'))
      .map(({ name }) => name)
      .sort();

  it('are not taken back by requests that were replaced, once the newer ones have ended', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    for (const name of NAMES) await a.held(name);
    for (const name of NAMES) await (await b.held(name)).release();
    vi.advanceTimersByTime(RENEW_MS);
    await expect.poll(() => a.renewals()).toBe(NAMES.length);
    await expect.poll(() => [...a.replaced].sort()).toEqual(NAMES);
    expect(await holders()).toEqual([]);
    vi.advanceTimersByTime(RENEW_MS);
    for (const name of ['3', '4', '5']) await b.held(name);
    expect(await b.take('6')).toBe('busy');
    expect(a.renewals()).toBe(NAMES.length);
  });

  it('stay held by a request whose renewals were late, until another one needs them', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const end = () => queryPostgres(url, `UPDATE "slots" SET "holders" = jsonb_set("holders", '{0,until}', '1')`);
    await a.held('0');
    await end();
    vi.advanceTimersByTime(RENEW_MS);
    await expect.poll(() => a.renewals()).toBe(1);
    for (const name of ['1', '2']) await b.held(name);
    expect([await b.take('3'), a.replaced]).toEqual(['busy', []]);
    await end();
    await b.held('3');
    vi.advanceTimersByTime(RENEW_MS);
    await expect.poll(() => a.replaced).toEqual(['0']);
    expect(await holders()).toEqual(['1', '2', '3']);
  });

  it('that no other request may take over are taken again when PostgreSQL has lost them', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const options = { kind: 'file', takesOver: false } as const;
    const slot = await a.held('0', options);
    await queryPostgres(url, 'TRUNCATE "slots"');
    vi.advanceTimersByTime(RENEW_MS);
    await expect.poll(holders).toEqual(['0']);
    expect([await b.take('0', options), a.replaced]).toEqual(['running', []]);
    await slot.release();
    await b.held('0', options);
  });
});
