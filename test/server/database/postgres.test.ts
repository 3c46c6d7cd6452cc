/**
 * Records in PostgreSQL: transactions are whole or not at all, rows that are decided about are locked, and an engine that
 * is away, slow or cut off is an error that can be told from others.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccounts } from '../../../src/server/accounts/accounts.ts';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import { inspectPostgres, openPostgres, type PostgresDatabase } from '../../../src/server/database/postgres.ts';
import { raw, sql } from '../../../src/server/database/sql-template.ts';
import { profileStore } from '../../../src/server/lists/public-profile-store.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { startPgBouncer, whyNoPgBouncer } from '../../support/engines/pgbouncer.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { startTcpFaultProxy } from '../../support/engines/tcp-fault-proxy.ts';

const whyNot = whyNoPostgres();
const whyNoPool = whyNot ?? whyNoPgBouncer();
const unless = (why: string | null): string => (why === null ? '' : ` [skipped: ${why}]`);

const add = (id: string) => sql`INSERT INTO "things" ("id", "count") VALUES (${id}, ${0})`;
const portOf = (url: string): number => Number(new URL(url).port);
const through = (url: string, port: number): string => url.replace(/:\d+\//, `:${port}/`);

describe.skipIf(whyNot !== null)(`records in PostgreSQL${unless(whyNot)}`, () => {
  let url = '';
  const open: PostgresDatabase[] = [];
  const connect = async (address = url, options: { poolSize?: number; prepared?: boolean } = {}) => {
    const records = await openPostgres({ url: address, poolSize: 5, prepared: true, ...options });
    open.push(records);
    return records;
  };
  beforeAll(async () => {
    url = await runPostgresUrl('records');
    await queryPostgres(url, 'CREATE TABLE "things" ("id" TEXT PRIMARY KEY, "count" BIGINT NOT NULL, "bytes" BYTEA)');
  });
  afterEach(async () => {
    for (const records of open.splice(0)) await records.close();
    await queryPostgres(url, 'DELETE FROM "things"');
  });
  afterAll(async () => {
    await queryPostgres(url, 'DROP TABLE "things"');
  });

  it('answer as SQLite does: numbers for integers and sums, 0 and 1 for truth, buffers for bytes', async () => {
    const records = await connect();
    expect(await records.run(add('a'))).toBe(1);
    const bytes = Buffer.from([0, 255]);
    expect(
      await records.get(
        sql`INSERT INTO "things" ("id", "count", "bytes") VALUES (${'b'}, ${2 ** 53 - 1}, ${bytes}) RETURNING "count"`,
      ),
    ).toEqual({ count: 2 ** 53 - 1 });
    expect(
      await records.all(
        sql`SELECT count(*) AS "n", sum("count") AS "all", count(*) = 2 AS "both" FROM "things" WHERE "id" <> ${'c'}`,
      ),
    ).toEqual([{ n: 2, all: 2 ** 53 - 1, both: 1 }]);
    expect(await records.get<{ bytes: Buffer }>(sql`SELECT "bytes" FROM "things" WHERE "id" = ${'b'}`)).toEqual({
      bytes,
    });
    expect(await records.get(sql`SELECT "id" FROM "things" WHERE "id" = ${'c'}`)).toBeUndefined();
    expect(await records.run(sql`DELETE FROM "things"`)).toBe(2);
    expect(records.version()).toBeNull();
  });

  it('commit a transaction whole, with what follows it, or not at all', async () => {
    const records = await connect();
    const done: string[] = [];
    const failed = records.transaction(async (tx) => {
      tx.afterCommit(() => done.push('failed'));
      await tx.run(add('x'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    let kept: typeof records | { run: typeof records.run } = records;
    await records.transaction(async (tx) => {
      kept = tx;
      tx.afterCommit(() => done.push('committed'));
      await tx.run(add('y'));
      expect(await records.all(sql`SELECT "id" FROM "things"`)).toEqual([]);
      expect(done).toEqual([]);
    });
    expect(done).toEqual(['committed']);
    expect(await records.all(sql`SELECT "id" FROM "things"`)).toEqual([{ id: 'y' }]);
    await expect(kept.run(add('late'))).rejects.toThrow('over');
  });

  it('do not report a transaction as committed in which a statement failed and was caught', async () => {
    const records = await connect();
    await records.run(add('a'));
    const caught = records.transaction(async (tx) => {
      await tx.run(add('b'));
      await tx.run(add('a')).catch(() => {});
    });
    await expect(caught).rejects.toThrow('rolled back');
    expect(await records.all(sql`SELECT "id" FROM "things"`)).toEqual([{ id: 'a' }]);
    expect(records.pool().inUse).toBe(0);
  });

  it('tell a duplicate from other errors', async () => {
    const records = await connect();
    await records.run(add('a'));
    const kinds = await Promise.all(
      [add('a'), sql`SELECT * FROM "nothing"`].map((query) =>
        records.run(query).then(
          () => 'none',
          (error: unknown) => records.dialect.kindOf(error),
        ),
      ),
    );
    expect(kinds).toEqual(['unique', null]);
  });

  it('lock the row that is decided about: of 50 parallel openings at two nodes one wins', async () => {
    const nodes = [await connect(), await connect()];
    await nodes[0]?.run(add('one-time'));
    const take = (records: PostgresDatabase) =>
      records.transaction(async (tx) => {
        const row = await tx.get<{ count: number }>(
          sql`SELECT "count" FROM "things" WHERE "id" = ${'one-time'} ${tx.dialect.forUpdate}`,
        );
        if (row === undefined || row.count > 0) return false;
        await tx.run(sql`UPDATE "things" SET "count" = "count" + 1 WHERE "id" = ${'one-time'}`);
        return true;
      });
    const taken = await Promise.all(Array.from({ length: 50 }, (_, at) => take(nodes[at % 2] as PostgresDatabase)));
    expect(taken.filter((is) => is)).toHaveLength(1);
  });

  it('let rows be added that refer to a locked one', async () => {
    await queryPostgres(
      url,
      'CREATE TABLE "parts" ("thing" TEXT NOT NULL REFERENCES "things" ("id") ON DELETE CASCADE)',
    );
    onTestFinished(async () => void (await queryPostgres(url, 'DROP TABLE "parts"')));
    const records = await connect();
    await records.run(add('a'));
    await records.transaction(async (tx) => {
      await tx.get(sql`SELECT "id" FROM "things" WHERE "id" = ${'a'} ${tx.dialect.forUpdate}`);
      // It would wait for a lock that ends after it.
      expect(await records.run(sql`INSERT INTO "parts" ("thing") VALUES (${'a'})`)).toBe(1);
    });
  });

  it('find an account by its name in either case, whatever the locale of the database, also after an earlier version', async () => {
    await queryPostgres(url, `CREATE DATABASE "turkish" TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'`);
    onTestFinished(async () => void (await queryPostgres(url, 'DROP DATABASE "turkish" WITH (FORCE)')));
    const turkish = url.replace(/[^/]*$/, 'turkish');
    await connect(turkish);
    // As the version before has left it.
    await queryPostgres(turkish, 'DROP INDEX "accountsByAsciiName"');
    await queryPostgres(turkish, 'UPDATE "schemaVersion" SET "version" = 7');
    const values = ['first', 'second', 'third'].map(
      (id, at) => `('${id}-id', '${['irfan', 'IRFAN', 'IDA'][at]}', '', 'free', 0)`,
    );
    await queryPostgres(
      turkish,
      `INSERT INTO "accounts" ("id", "username", "name", "plan", "createdAt") VALUES ${values.join(', ')}`,
    );
    const records = await connect(turkish);
    const accounts = createAccounts({ records, clock: systemClock, random: systemRandom });
    const idOf = async (name: string) => (await accounts.find(name))?.id;
    expect([await idOf('Irfan'), await idOf('IRFAN-second-I'), await idOf('ida'), await idOf('IDA')]).toEqual([
      'first-id',
      'second-id',
      'third-id',
      'third-id',
    ]);
    expect((await profileStore(records).byUsername('iDA'))?.id).toBe('third-id');
    expect((await accounts.setPlan('IDA', 'pro', null)).id).toBe('third-id');
    await expect(accounts.add({ username: 'Ida', plan: 'free', passwordHash: null })).rejects.toThrow('exists already');
    expect((await accounts.add({ username: 'IVI', plan: 'free', passwordHash: null })).username).toBe('IVI');
  });

  it('are refused in another encoding than UTF-8, before anything is written', async () => {
    await queryPostgres(url, `CREATE DATABASE "latin" TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
    onTestFinished(async () => void (await queryPostgres(url, 'DROP DATABASE "latin" WITH (FORCE)')));
    const settings = { url: url.replace(/[^/]*$/, 'latin'), poolSize: 1, prepared: true };
    const advice = "The database has the encoding LATIN1. Create it with ENCODING 'UTF8' TEMPLATE template0.";
    await expect(openPostgres(settings)).rejects.toThrow(advice);
    await expect(inspectPostgres(settings, async () => 'inspected')).rejects.toThrow(advice);
    expect(await queryPostgres(settings.url, `SELECT 1 FROM pg_tables WHERE "schemaname" = 'public'`)).toEqual([]);
  });

  it('of a cluster without a locale hold every character', async () => {
    await queryPostgres(url, `CREATE DATABASE "bytes" TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
    onTestFinished(async () => void (await queryPostgres(url, 'DROP DATABASE "bytes" WITH (FORCE)')));
    const records = await openPostgres({ url: url.replace(/[^/]*$/, 'bytes'), poolSize: 1, prepared: true });
    onTestFinished(() => records.close());
    const text = 'release 🎉 ёж';
    expect(await records.get(sql`SELECT ${text} AS "text"`)).toEqual({ text });
  });

  it('have no NUL: it is replaced where it is stored, and nothing is found by it', async () => {
    const records = await connect();
    await records.run(add('a\0b'));
    await records.run(add('c'));
    expect(await records.all(sql`SELECT "id" FROM "things" ORDER BY "id"`)).toEqual([{ id: 'a\uFFFDb' }, { id: 'c' }]);
    expect(await records.get(sql`SELECT "id" FROM "things" WHERE "id" = ${'c\0'}`)).toBeUndefined();
    expect(await records.run(sql`UPDATE "things" SET "count" = 1 WHERE "id" = ${'\0c'}`)).toBe(0);
  });

  it('run a transaction again that met another one in a deadlock', async () => {
    const records = await connect();
    for (const id of ['a', 'b']) await records.run(add(id));
    const attempts: string[] = [];
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    const raise = async (first: string, second: string) =>
      await records.transaction(async (tx) => {
        attempts.push(first);
        await tx.run(sql`UPDATE "things" SET "count" = "count" + 1 WHERE "id" = ${first}`);
        arrived += 1;
        if (arrived === 2) both.resolve();
        await both.promise;
        await tx.run(sql`UPDATE "things" SET "count" = "count" + 1 WHERE "id" = ${second}`);
      });
    await Promise.all([raise('a', 'b'), raise('b', 'a')]);
    expect(attempts).toHaveLength(3);
    expect(await records.all(sql`SELECT "count" FROM "things"`)).toEqual([{ count: 2 }, { count: 2 }]);
  });

  it('run a single statement again that met a transaction in a deadlock', async () => {
    const records = await connect();
    for (const id of ['a', 'b']) await records.run(add(id));
    const lock = (id: string) => sql`SELECT "id" FROM "things" WHERE "id" = ${id} FOR UPDATE`;
    let attempts = 0;
    const locked = Promise.withResolvers<void>();
    const statement = locked.promise.then(() =>
      // Locks "a" and then waits for "b".
      records.run(sql`UPDATE "things" SET "count" = "count" + 1 WHERE "id" IN (
        SELECT "id" FROM "things" ORDER BY "id" FOR UPDATE)`),
    );
    await records.transaction(async (tx) => {
      attempts += 1;
      await tx.get(lock('b'));
      locked.resolve();
      const isWaiting = sql`SELECT 1 FROM pg_stat_activity
        WHERE "datname" = current_database() AND "wait_event_type" = 'Lock' AND "query" LIKE 'UPDATE%'`;
      if (attempts === 1) await expect.poll(() => records.get(isWaiting)).toBeDefined();
      await tx.get(lock('a'));
    });
    expect(await statement).toBe(2);
    expect(await records.all(sql`SELECT "count" FROM "things"`)).toEqual([{ count: 1 }, { count: 1 }]);
  });

  it('migrate an empty database once, however many nodes start at the same time, and refuse a newer one', async () => {
    const empty = through(url, portOf(url)).replace(/[^/]+$/, 'nodes_start');
    await queryPostgres(url, 'CREATE DATABASE nodes_start');
    await Promise.all(Array.from({ length: 5 }, () => connect(empty)));
    expect(await queryPostgres(empty, 'SELECT count(*)::int AS "n" FROM "schemaVersion"')).toEqual([{ n: 1 }]);
    await queryPostgres(empty, 'UPDATE "schemaVersion" SET "version" = 99');
    await connect(empty);
    await queryPostgres(empty, 'UPDATE "schemaVersion" SET "minReader" = 99');
    await expect(connect(empty)).rejects.toThrow(/newer version \(schema 99, known \d+\)/);
  });

  it('see at the end of their wait what the node has made that migrated meanwhile', async () => {
    const empty = through(url, portOf(url)).replace(/[^/]+$/, 'nodes_wait');
    await queryPostgres(url, 'CREATE DATABASE nodes_wait');
    const other = new pg.Client({ connectionString: empty });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(7145310255)');
    const waiting = connect(empty, { poolSize: 1 });
    const waits = () => queryPostgres(empty, `SELECT 1 FROM pg_locks WHERE "locktype" = 'advisory' AND NOT "granted"`);
    await expect.poll(waits).toHaveLength(1);
    await other.query('CREATE TABLE "schemaVersion" ("version" BIGINT NOT NULL, "minReader" BIGINT NOT NULL)');
    await other.query('INSERT INTO "schemaVersion" VALUES (99, 1)');
    await other.query('COMMIT');
    await waiting;
    expect(await queryPostgres(empty, `SELECT 1 FROM pg_class WHERE "relname" = 'accounts'`)).toEqual([]);
  });

  it('give a migration the time that it needs, and the wait for a table an end', async () => {
    const empty = through(url, portOf(url)).replace(/[^/]+$/, 'nodes_migrate');
    await queryPostgres(url, 'CREATE DATABASE nodes_migrate');
    await queryPostgres(
      empty,
      `CREATE TABLE "seen" ("limits" TEXT);
      CREATE FUNCTION see() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO "seen" VALUES (concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout')));
      END $$;
      CREATE EVENT TRIGGER "seeing" ON ddl_command_start EXECUTE FUNCTION see()`,
    );
    await connect(empty, { poolSize: 1 });
    expect(await queryPostgres(empty, 'SELECT DISTINCT "limits" FROM "seen"')).toEqual([{ limits: '0 10s' }]);
  });

  it('wait in a patient transaction for a statement however long it takes, and otherwise not', async () => {
    const records = await connect();
    const run = async (patient: boolean): Promise<unknown> => {
      const asked = Promise.withResolvers<void>();
      const done = records.transaction(
        async (tx) => {
          // What is not waited for has no end that a slow machine could see first.
          const slow = tx.get(sql`SELECT 1 AS "one" FROM pg_sleep(${patient ? 0.2 : 3_600})`);
          asked.resolve();
          return await slow;
        },
        { patient },
      );
      done.catch(() => {});
      await asked.promise;
      await vi.advanceTimersByTimeAsync(60_000);
      return await done;
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      expect(await run(true)).toEqual({ one: 1 });
      await expect(run(false)).rejects.toThrow('Query read timeout');
    } finally {
      vi.useRealTimers();
    }
  });

  it('say in a sentence without the password why the start fails', async () => {
    const wrong = (path: string, port = portOf(url)): string => `postgres://linkshot:s3cret@127.0.0.1:${port}/${path}`;
    const reasons: string[] = [];
    for (const address of [wrong('nowhere'), wrong('records', 1), wrong('records').replace('linkshot', 'stranger')]) {
      reasons.push(await connect(address).then(String, (error: Error) => error.message));
    }
    expect(reasons[0]).toContain('has no database nowhere at 127.0.0.1');
    expect(reasons[1]).toContain('does not answer for records at 127.0.0.1:1');
    expect(reasons[2]).toContain('refuses the user');
    expect(reasons.join()).not.toContain('s3cret');
  });

  /** The next connection fails with `error`; resolves with its settings of TLS once it is made. */
  const failNextConnection = (error: Error): Promise<unknown> => {
    const made = Promise.withResolvers<unknown>();
    const next = vi.spyOn(pg.Client.prototype, 'connect');
    onTestFinished(() => next.mockRestore());
    next.mockImplementationOnce(function (this: pg.Client, done: (error: Error) => void) {
      made.resolve(this.ssl);
      done(error);
    } as typeof pg.Client.prototype.connect);
    return made.promise;
  };

  it('say in a sentence whose certificate is not trusted, and where that is set', async () => {
    const untrusted = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    void failNextConnection(untrusted);
    await expect(connect()).rejects.toThrow(
      /^The certificate of PostgreSQL for \S+ at 127\.0\.0\.1:\d+ is not trusted \(self-signed certificate\)[.:;].*sslrootcert/,
    );
  });

  it.each(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'])(
    'say in a sentence that the certificate is for another host (%s)',
    async (code) => {
      void failNextConnection(Object.assign(new Error('Host: db. is not in the certificate'), { code }));
      await expect(connect()).rejects.toThrow(
        /^The certificate of PostgreSQL for \S+ at 127\.0\.0\.1:\d+ is for another host \(.*\): .*host in database\.url/,
      );
    },
  );

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'verify the certificate with sslmode=%s, and the driver warns of nothing',
    async (mode) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      onTestFinished(() => warn.mockRestore());
      const tls = failNextConnection(new Error('not connected'));
      await expect(connect(`${url}?sslmode=${mode}`)).rejects.toThrow('not connected');
      expect(await tls).toEqual({});
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it('say what to do where a pooler mixes up the prepared statements of connections', async () => {
    const records = await connect(url, { poolSize: 1 });
    const advice = 'PgBouncer 1.21 or newer, or set database.prepared to false';
    const look = () => records.all(sql`SELECT "id" FROM "things"`);
    await look();
    // As the pooler does with what this connection has prepared, and with what another one has.
    await records.run(sql`DEALLOCATE ALL`);
    await expect(look()).rejects.toThrow(advice);
    const take = raw(`DO $$ BEGIN FOR number IN 0..99 LOOP
      BEGIN EXECUTE 'PREPARE linkshot_0_' || number || ' AS SELECT 1';
      EXCEPTION WHEN duplicate_prepared_statement THEN NULL; END;
    END LOOP; END $$`);
    await records.run(take);
    await expect(records.all(sql`SELECT "count" FROM "things"`)).rejects.toThrow(advice);
  });

  it('are unavailable while PostgreSQL is away, lose nothing that was acknowledged, and go on by themselves', async () => {
    const proxy = await startTcpFaultProxy(portOf(url));
    onTestFinished(() => proxy.close());
    const records = await connect(through(url, proxy.port));
    await records.run(add('before'));
    proxy.away();
    const away = await records.run(add('away')).catch((error: unknown) => records.dialect.kindOf(error));
    const inTransaction = await records
      .transaction((tx) => tx.run(add('away')))
      .catch((error: unknown) => records.dialect.kindOf(error));
    expect([away, inTransaction]).toEqual(['unavailable', 'unavailable']);
    await proxy.back();
    await records.run(add('after'));
    expect(await records.all(sql`SELECT "id" FROM "things" ORDER BY "id"`)).toEqual([
      { id: 'after' },
      { id: 'before' },
    ]);
  });

  it('are unavailable while PostgreSQL refuses the user, and go on by themselves', async () => {
    await connect();
    await queryPostgres(url, 'CREATE ROLE "records_guest" LOGIN SUPERUSER');
    onTestFinished(async () => void (await queryPostgres(url, 'DROP ROLE "records_guest"')));
    const records = await connect(url.replace(/\/\/[^@]*@/, '//records_guest@'));
    await queryPostgres(url, 'ALTER ROLE "records_guest" NOLOGIN');
    await queryPostgres(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'records_guest'`);
    const failures: unknown[] = [];
    for (let tries = 0; tries < 2; tries += 1)
      failures.push(await records.run(add('a')).catch((error: unknown) => error));
    // The first one may have met the connection that was ended.
    expect(failures[1]).toMatchObject({ code: '28000' });
    expect(failures.map((error) => records.dialect.kindOf(error))).toEqual(['unavailable', 'unavailable']);
    await queryPostgres(url, 'ALTER ROLE "records_guest" LOGIN');
    await records.run(add('a'));
  });

  it('report a commit whose answer is lost as unavailable, and use no broken connection again', async () => {
    const proxy = await startTcpFaultProxy(portOf(url));
    onTestFinished(() => proxy.close());
    const records = await connect(through(url, proxy.port), { poolSize: 1 });
    const lost = proxy.loseAnswerTo('COMMIT\0');
    const done: string[] = [];
    const kind = await records
      .transaction(async (tx) => {
        tx.afterCommit(() => done.push('acknowledged'));
        await tx.run(add('a'));
      })
      .catch((error: unknown) => records.dialect.kindOf(error));
    await lost;
    expect(kind).toBe('unavailable');
    expect(done).toEqual([]);
    expect(await records.all(sql`SELECT "id" FROM "things"`)).toEqual([{ id: 'a' }]);
  });

  it('say of every error of a connection, and of every refusal of one, that the engine is away', async () => {
    const { dialect } = await connect(url);
    const connection = ['ECONNABORTED', 'EPROTO', 'ENETDOWN', 'ERR_SSL_DECRYPTION_FAILED', '40003', '08007'];
    const refusal = ['28P01', '28000', '3D000', '57P04', '57P05', '58000', '58030'];
    const certificate = ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'];
    const others = ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID'];
    const codes = [...connection, ...refusal, ...certificate, ...others];
    const kindOfCode = (code: string) => dialect.kindOf(Object.assign(new Error('broken'), { code }));
    expect(codes.filter((code) => kindOfCode(code) !== 'unavailable')).toEqual([]);
    expect([kindOfCode('53200'), kindOfCode('42601')]).toEqual(['busy', null]);
    const sasl = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    expect(dialect.kindOf(sasl)).toBe('unavailable');
  });

  it('report a commit that a pooler answers with an error of its own as unavailable', async () => {
    const records = await connect(url, { poolSize: 1 });
    const original = pg.Client.prototype.query;
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    query.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const answer: unknown = Reflect.apply(original, this, args);
      if (args[0] !== 'COMMIT') return answer;
      const fatal = Object.assign(new pg.DatabaseError('server conn crashed?', 0, 'error'), {
        ...{ severity: 'FATAL', code: 'XX000' },
      });
      return Promise.resolve(answer).then(() => Promise.reject(fatal));
    } as typeof original);
    const kind = await records
      .transaction((tx) => tx.run(add('a')))
      .catch((error: unknown) => records.dialect.kindOf(error));
    expect(kind).toBe('unavailable');
  });

  it('roll back when the connection breaks within a transaction', async () => {
    const proxy = await startTcpFaultProxy(portOf(url));
    onTestFinished(() => proxy.close());
    const records = await connect(through(url, proxy.port));
    const kind = await records
      .transaction(async (tx) => {
        await tx.run(add('a'));
        proxy.cut();
        await tx.run(add('b'));
      })
      .catch((error: unknown) => records.dialect.kindOf(error));
    expect(kind).toBe('unavailable');
    await expect.poll(() => records.all(sql`SELECT "id" FROM "things"`)).toEqual([]);
    expect(records.pool().inUse).toBe(0);
  });

  it('wait for a connection of the pool in turn, and show how many wait', async () => {
    const records = await connect(url, { poolSize: 2 });
    await records.run(add('a'));
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('BEGIN');
    await other.query('LOCK TABLE "things"');
    const slow = Array.from({ length: 4 }, () => records.all(sql`SELECT "id" FROM "things"`));
    await expect.poll(() => records.pool()).toEqual({ connections: 2, inUse: 2, waiting: 2 });
    await other.query('COMMIT');
    expect(await Promise.all(slow)).toEqual(slow.map(() => [{ id: 'a' }]));
    expect(records.pool()).toMatchObject({ inUse: 0, waiting: 0 });
  });

  it.skipIf(whyNoPool !== null)(`work behind PgBouncer in transaction mode${unless(whyNoPool)}`, async () => {
    const bouncer = await startPgBouncer(portOf(url));
    onTestFinished(() => bouncer.stop());
    const records = await connect(through(url, bouncer.port), { poolSize: 20, prepared: false });
    await records.run(add('sum'));
    const raise = () =>
      records.transaction(async (tx) => {
        const row = await tx.get<{ count: number }>(
          sql`SELECT "count" FROM "things" WHERE "id" = ${'sum'} ${tx.dialect.forUpdate}`,
        );
        await tx.run(sql`UPDATE "things" SET "count" = ${(row?.count ?? 0) + 1} WHERE "id" = ${'sum'}`);
      });
    await Promise.all(Array.from({ length: 100 }, raise));
    expect(await records.get(sql`SELECT "count" FROM "things" WHERE "id" = ${'sum'}`)).toEqual({ count: 100 });
  });
});
