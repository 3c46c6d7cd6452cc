/** A transaction keeps what it counts while another node sweeps the same table between any two of its statements. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../../src/server/accounts/accounts.ts';
import { createTrials } from '../../../src/server/accounts/plan-trial.ts';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { openPostgres } from '../../../src/server/database/postgres.ts';
import type { TrialNetwork } from '../../../src/server/limits/address-networks.ts';
import { attemptCounter, EVERYWHERE } from '../../../src/server/limits/attempt-counter.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';

const whyNot = whyNoPostgres();
const clock = systemClock;
const LOCK_NOT_AVAILABLE = '55P03';
/** The window of every row that a test has prepared ended long ago. */
const LONG_AGO = 1;

describe.skipIf(whyNot !== null)(`beside a node that sweeps${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  let url = '';
  beforeAll(async () => {
    url = await runPostgresUrl('swept_between');
  });

  /** The records; after each statement of a transaction another node sweeps the table, and passes over what is locked. */
  const sweptRecords = async (table: string, column: string): Promise<ServerDatabase> => {
    const records = await openPostgres({ url, poolSize: 2, prepared: false });
    onTestFinished(() => records.close());
    const sweep = async (): Promise<void> => {
      const text = `SET lock_timeout = 100; DELETE FROM "${table}" WHERE "${column}" <= ${LONG_AGO}`;
      await queryPostgres(url, text).catch((error: { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
      });
    };
    const then = async <T>(statement: Promise<T>): Promise<T> => {
      const result = await statement;
      await sweep();
      return result;
    };
    return {
      ...records,
      transaction: (work) =>
        records.transaction((tx) =>
          work({
            ...tx,
            all: (query) => then(tx.all(query)),
            get: (query) => then(tx.get(query)),
            run: (query) => then(tx.run(query)),
          }),
        ),
    };
  };

  it.each(['count', 'countSlowly', 'countAlways'] as const)('a wrong password is counted (%s)', async (count) => {
    const records = await sweptRecords('wrongSignIns', 'startedAt');
    await queryPostgres(
      url,
      `INSERT INTO "wrongSignIns" ("username", "ip", "startedAt", "count") VALUES ('${count}', '*', ${LONG_AGO}, 3)`,
    );
    await records.transaction(async (tx) => {
      await attemptCounter(tx, clock, 'wrongSignIns')[count](count, EVERYWHERE, 10);
    });
    expect(
      await queryPostgres(url, `SELECT "count"::int AS "count" FROM "wrongSignIns" WHERE "username" = '${count}'`),
    ).toEqual([{ count: 1 }]);
  });

  it('a network gets one trial', async () => {
    const records = await sweptRecords('trialNetworks', 'takenAt');
    const network = '192.0.2.1' as TrialNetwork;
    await queryPostgres(url, `INSERT INTO "trialNetworks" ("network", "takenAt") VALUES ('${network}', ${LONG_AGO})`);
    const accounts = createAccounts({ records, clock, random: systemRandom });
    const account = (username: string) => accounts.add({ username, plan: 'free', passwordHash: null });
    const [first, second] = [await account('first'), await account('second')];
    const trials = createTrials({ records, clock });
    expect((await trials.start(first.id, network)).trialStartsAt).not.toBeNull();
    await expect(trials.start(second.id, network)).rejects.toMatchObject({ code: 'TRIAL_UNAVAILABLE' });
  });
});
