/** Records in SQLite: transactions are alone, whole or not at all, and the version follows every commit. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { connect } from '../../../src/server/database/open-sqlite-file.ts';
import { raw, sql } from '../../../src/server/database/sql-template.ts';
import { IN_MEMORY, openSqlite } from '../../../src/server/database/sqlite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('records');
let files = 0;
const open: ServerDatabase[] = [];
afterEach(async () => {
  for (const records of open.splice(0)) await records.close();
});

const openNext = async () => {
  const path = join(folder, `${files++}.sqlite`);
  const records = openSqlite(path);
  open.push(records);
  await records.run(sql`CREATE TABLE "things" ("id" TEXT PRIMARY KEY, "count" INTEGER NOT NULL)`);
  return { path, records };
};

const add = (id: string) => sql`INSERT INTO "things" ("id", "count") VALUES (${id}, ${0})`;
const idsOf = async (records: Pick<ServerDatabase, 'all'>) =>
  (await records.all<{ id: string }>(sql`SELECT "id" FROM "things" ORDER BY "id"`)).map(({ id }) => id);

describe('records in SQLite', () => {
  it('answer with rows, the first row, or the number of changed rows', async () => {
    const { records } = await openNext();
    expect(await records.run(add('a'))).toBe(1);
    expect(
      await records.get(sql`INSERT INTO "things" ("id", "count") VALUES (${'b'}, ${2}) RETURNING "count"`),
    ).toEqual({
      count: 2,
    });
    expect(await records.all(sql`UPDATE "things" SET "count" = "count" + ${1} RETURNING "id", "count"`)).toEqual([
      { id: 'a', count: 1 },
      { id: 'b', count: 3 },
    ]);
    expect(await records.get(sql`SELECT "id" FROM "things" WHERE "id" = ${'c'}`)).toBeUndefined();
    expect(await records.run(sql`DELETE FROM "things"`)).toBe(2);
  });

  it('keep the statements of others out of a transaction, which sees its own', async () => {
    const { records } = await openNext();
    const rolledBack = records.transaction(async (tx) => {
      await tx.run(add('in'));
      expect(await idsOf(tx)).toEqual(['in']);
      expect(await idsOf(records)).toEqual([]);
      throw new Error('rolled back');
    });
    const written = records.run(add('beside'));
    const committed = records.transaction(async (tx) => {
      await tx.run(add('later'));
      return await idsOf(tx);
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await written;
    expect(await committed).toEqual(['beside', 'later']);
    expect(await idsOf(records)).toEqual(['beside', 'later']);
  });

  it('run what waits for the commit after it, and never after a rollback', async () => {
    const { records } = await openNext();
    const seen: string[] = [];
    await records.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('committed'));
      await tx.run(add('a'));
      expect(seen).toEqual([]);
    });
    await records
      .transaction(async (tx) => {
        tx.afterCommit(() => seen.push('rolled back'));
        await tx.run(add('a'));
      })
      .catch(() => {});
    expect(seen).toEqual(['committed']);
  });

  it('refuse a transaction that awaits anything but its own statements, and go on', async () => {
    const { records } = await openNext();
    const { promise: never } = Promise.withResolvers<void>();
    const waiting = records.transaction(async (tx) => {
      await tx.run(add('lost'));
      await never;
    });
    await expect(waiting).rejects.toThrow('may await nothing but its own statements');
    await records.run(add('kept'));
    expect(await idsOf(records)).toEqual(['kept']);
  });

  it('refuse a statement of a transaction that is over', async () => {
    const { records } = await openNext();
    const tx = await records.transaction(async (inner) => inner);
    await expect(tx.run(add('late'))).rejects.toThrow('is over');
    expect(await idsOf(records)).toEqual([]);
  });

  it('change their version with every commit, of this process and of others, and only then', async () => {
    const { path, records } = await openNext();
    const before = records.version();
    await idsOf(records);
    await records
      .transaction(async (tx) => {
        await tx.run(add('a'));
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(records.version()).toBe(before);
    await records.run(add('a'));
    const afterOwn = records.version();
    expect(afterOwn).not.toBe(before);
    const other = connect(path);
    other.exec(`INSERT INTO things VALUES ('b', 1)`);
    other.close();
    expect(records.version()).not.toBe(afterOwn);
  });

  it('classify a duplicate, a full disk and another writer', async () => {
    const { path, records } = await openNext();
    const kindOf = async (work: Promise<unknown>) =>
      records.dialect.kindOf(
        await work.then(
          () => null,
          (error) => error,
        ),
      );
    await records.run(add('a'));
    expect(await kindOf(records.run(add('a')))).toBe('unique');
    const ofWriter = <Row>(pragma: string) => records.transaction((tx) => tx.get<Row>(raw(`PRAGMA ${pragma}`)));
    const pages = await ofWriter<{ page_count: number }>('page_count');
    await ofWriter(`max_page_count = ${pages?.page_count}`);
    expect(await kindOf(records.run(add('b'.repeat(1_000_000))))).toBe('full');
    await ofWriter('busy_timeout = 0');
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await kindOf(records.transaction(async (tx) => tx.run(add('c'))))).toBe('busy');
    other.close();
    expect(await kindOf(records.run(sql`SELECT nonsense`))).toBeNull();
  });

  it('commit without waiting for the disk only where that is asked for', async () => {
    const { records } = await openNext();
    const synchronous = async (durable?: boolean) => {
      const options = durable === undefined ? undefined : { durable };
      const row = await records.transaction(
        (tx) => tx.get<{ synchronous: number }>(raw('PRAGMA synchronous')),
        options,
      );
      return row?.synchronous;
    };
    expect([await synchronous(), await synchronous(false), await synchronous(true)]).toEqual([2, 1, 2]);
    const failed = records.transaction(() => Promise.reject(new Error('rolled back')), { durable: false });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await synchronous()).toBe(2);
  });

  it('in memory keep what they were given', async () => {
    const records = openSqlite(IN_MEMORY);
    open.push(records);
    const count = sql`SELECT count(*) AS "count" FROM "masterKeys"`;
    await records.run(sql`INSERT INTO "masterKeys" ("keyId", "usedSince") VALUES ('a', 1)`);
    expect(await records.get(count)).toEqual({ count: 1 });
    expect(records.version()).toBeNull();
    await records.checkSchema();
  });

  it('close after the transactions that have begun', async () => {
    const { records } = await openNext();
    open.splice(0);
    const written = records.transaction(async (tx) => {
      await tx.run(add('a'));
      return await idsOf(tx);
    });
    await Promise.all([records.close(), setImmediate()]);
    expect(await written).toEqual(['a']);
  });
});
