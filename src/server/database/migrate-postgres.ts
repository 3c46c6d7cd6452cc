/**
 * Creates the tables in PostgreSQL, or migrates them to the newest version. Of nodes that start together, one migrates
 * and the others wait. Throws for PostgreSQL before 14, for a database that is not in UTF-8, and for tables that a newer
 * version has changed in a way that this version cannot use.
 */

import { POSTGRES_MIGRATIONS } from '../migrations/postgres/index.ts';
import type { ServerDatabase, Sql, Transaction } from './database-interface.ts';
import { join, raw, sql } from './sql-template.ts';

/** The schema that this version reads and writes: the number of migrations. */
export const POSTGRES_SCHEMA = POSTGRES_MIGRATIONS.length;

const OLDEST_SERVER = 140_000;
/** Any number that only these migrations use; `pg_advisory_xact_lock` also holds behind PgBouncer. */
const LOCK = 7_145_310_255;
const TABLE_LOCK_MS = 10_000;

interface Schema {
  readonly version: number;
  /** The oldest version that may read and write it; a node of a version between the two serves on. */
  readonly minReader: number;
}

/** Undefined: the database is empty. */
const schemaOf = async (records: Sql): Promise<Schema | undefined> => {
  // Read from the catalog: in a session that has asked before, `to_regclass` does not see what another one has made since.
  const found = await records.get(
    sql`SELECT 1 FROM pg_catalog.pg_class WHERE "relname" = 'schemaVersion' AND pg_table_is_visible("oid")`,
  );
  if (found === undefined) return undefined;
  return await records.get<Schema>(sql`SELECT "version", "minReader" FROM "schemaVersion"`);
};

/** Throws with a sentence when this version cannot work with the schema. */
export const checkPostgresSchema = async (records: Sql): Promise<number> => {
  const schema = await schemaOf(records);
  const version = schema?.version ?? 0;
  if (schema !== undefined && schema.minReader > POSTGRES_SCHEMA) {
    throw new Error(
      `The database was written by a newer version (schema ${version}, known ${POSTGRES_SCHEMA}); use that version.`,
    );
  }
  return version;
};

/** SQL_ASCII, which a cluster without a locale has, stores the UTF-8 that it is sent. Others lack characters. */
const ENCODINGS: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/** Throws with a sentence for a server or a database that no version works with. */
export const checkPostgresServer = async (records: Sql): Promise<void> => {
  const server = await records.get<{ version: string; encoding: string }>(
    sql`SELECT current_setting('server_version_num') AS "version", current_setting('server_encoding') AS "encoding"`,
  );
  if (Number(server?.version) < OLDEST_SERVER) throw new Error('The server needs PostgreSQL 14 or newer.');
  if (!ENCODINGS.has(server?.encoding ?? '')) {
    throw new Error(
      `The database has the encoding ${server?.encoding}. Create it with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
};

/** Those whose rows the server reads and writes; only a migration writes `schemaVersion`. */
const TABLES = POSTGRES_MIGRATIONS.flatMap((text) =>
  [...text.matchAll(/^CREATE (?:UNLOGGED )?TABLE "(\w+)"/gm)].map(([, name = '']) => name),
).filter((name) => name !== 'schemaVersion');

/** The tables that the user may not read and write: another one has made them, as by a restore. */
export const closedTables = async (records: Sql): Promise<readonly string[]> => {
  const rows = await records.all<{ name: string }>(
    sql`SELECT "relname" AS "name" FROM pg_catalog.pg_class
      WHERE "relname" IN (${join(TABLES)}) AND pg_table_is_visible("oid") AND NOT (
        has_table_privilege("oid", 'SELECT') AND has_table_privilege("oid", 'INSERT')
        AND has_table_privilege("oid", 'UPDATE') AND has_table_privilege("oid", 'DELETE'))
      ORDER BY "relname"`,
  );
  return rows.map(({ name }) => name);
};

/** Throws with a sentence for a database that this version cannot work with. */
export const migratePostgres = async (records: ServerDatabase): Promise<void> => {
  await checkPostgresServer(records);
  // Without a lock, so that a node starts while another one migrates or backs up.
  if ((await checkPostgresSchema(records)) >= POSTGRES_SCHEMA) return;
  const migrate = async (tx: Transaction): Promise<void> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`);
    // Requests of other nodes wait for whoever waits for a table, for example until a backup has ended.
    await tx.run(raw(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`));
    const version = await checkPostgresSchema(tx);
    for (const text of POSTGRES_MIGRATIONS.slice(version)) {
      for (const statement of statementsOf(text)) await tx.run(raw(statement));
    }
    if (version >= POSTGRES_SCHEMA) return;
    // Additive migrations keep `minReader`; one that older versions cannot work with raises it.
    await tx.run(sql`DELETE FROM "schemaVersion"`);
    await tx.run(sql`INSERT INTO "schemaVersion" ("version", "minReader") VALUES (${POSTGRES_SCHEMA}, ${1})`);
  };
  // An index of many rows takes minutes.
  await records.transaction(migrate, { patient: true });
};

const statementsOf = (text: string): readonly string[] =>
  text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
