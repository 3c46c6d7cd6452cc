/**
 * Copies the tables of a data folder, except those of objects, master keys, deletions and the id of the store, into a
 * PostgreSQL database that has no accounts yet, in one transaction, and compares every row. `compareTarget` tells
 * whether the database is empty, has the same rows already, or has others.
 */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { ServerDatabase, Sql, Transaction } from '../../database/database-interface.ts';
import { join, type Query, raw, sql } from '../../database/sql-template.ts';

/** Those of the objects are written with the objects; what is to be deleted stays behind with its queue. */
const NOT_COPIED: ReadonlySet<string> = new Set(['objects', 'masterKeys', 'deletions', 'storeId']);
const PARAMETERS_AT_ONCE = 10_000;
const FETCHED_AT_ONCE = 1_000;

type Value = string | number | Buffer | null;
type Row = Readonly<Record<string, Value>>;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Rows by table. */
export type Counts = Readonly<Record<string, number>>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The tables of the folder, each after those that it refers to. */
const tablesOf = (database: Database.Database): readonly Table[] => {
  const names = database
    .prepare<[], string>(
      `SELECT "name" FROM sqlite_schema WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%' ORDER BY "name"`,
    )
    .pluck()
    .all()
    .filter((name) => !NOT_COPIED.has(name));
  const referred = (name: string): string[] =>
    (database.pragma(`foreign_key_list(${quoted(name)})`) as { table: string }[]).map(({ table }) => table);
  const ordered: string[] = [];
  const add = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const other of referred(name)) if (other !== name) add(other);
    ordered.push(name);
  };
  for (const name of names) add(name);
  return ordered.map((name) => ({
    name,
    columns: (database.pragma(`table_info(${quoted(name)})`) as { name: string }[]).map((column) => column.name),
  }));
};

const columnList = ({ columns }: Table): string => columns.map(quoted).join(', ');

const selectAll = (table: Table): string => `SELECT ${columnList(table)} FROM ${quoted(table.name)}`;

/** PostgreSQL stores no NUL in a text. */
const storable = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value);

const rowsOf = function* (database: Database.Database, table: Table): Generator<readonly Value[]> {
  for (const row of database.prepare<[], Row>(selectAll(table)).iterate())
    yield table.columns.map((column) => storable(row[column] ?? null));
};

/** Counts rows and mixes their hashes, in any order. */
const createDigest = () => {
  const mixed = Buffer.alloc(32);
  let count = 0;
  return {
    add: (values: readonly Value[]): void => {
      const text = JSON.stringify(values.map((value) => (Buffer.isBuffer(value) ? [value.toString('hex')] : value)));
      const hash = createHash('sha256').update(text).digest();
      for (let at = 0; at < mixed.length; at += 1) mixed[at] = (mixed[at] ?? 0) ^ (hash[at] ?? 0);
      count += 1;
    },
    count: () => count,
    /** The same for the same rows. */
    text: (): string => `${count} ${mixed.toString('hex')}`,
  };
};
type Digest = ReturnType<typeof createDigest>;

const insertRows = async (tx: Sql, table: Table, rows: readonly (readonly Value[])[]): Promise<void> => {
  if (rows.length === 0) return;
  const tuples = rows.map((values): Query => sql`(${join([...values])})`);
  await tx.run(sql`INSERT INTO ${raw(quoted(table.name))} (${raw(columnList(table))}) VALUES ${join(tuples)}`);
};

const copyTable = async (tx: Sql, database: Database.Database, table: Table): Promise<Digest> => {
  const digest = createDigest();
  const atOnce = Math.max(1, Math.floor(PARAMETERS_AT_ONCE / table.columns.length));
  let batch: (readonly Value[])[] = [];
  for (const values of rowsOf(database, table)) {
    digest.add(values);
    batch.push(values);
    if (batch.length < atOnce) continue;
    await insertRows(tx, table, batch);
    batch = [];
  }
  await insertRows(tx, table, batch);
  return digest;
};

const digestOfSource = (database: Database.Database, table: Table): Digest => {
  const digest = createDigest();
  for (const values of rowsOf(database, table)) digest.add(values);
  return digest;
};

/** Reads with a cursor, which needs a transaction. */
const digestOfTarget = async (tx: Transaction, table: Table): Promise<Digest> => {
  const digest = createDigest();
  const cursor = quoted(`move ${table.name}`);
  await tx.run(raw(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectAll(table)}`));
  for (;;) {
    const rows = await tx.all<Row>(raw(`FETCH ${FETCHED_AT_ONCE} FROM ${cursor}`));
    for (const row of rows) digest.add(table.columns.map((column) => row[column] ?? null));
    if (rows.length < FETCHED_AT_ONCE) break;
  }
  await tx.run(raw(`CLOSE ${cursor}`));
  return digest;
};

/** New rows get numbers after all that the folder has ever used. */
const advanceSequences = async (tx: Sql, database: Database.Database, { name }: Table): Promise<void> => {
  const columns = await tx.all<{ column: string }>(
    sql`SELECT column_name::text AS "column" FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${name} AND is_identity = 'YES'`,
  );
  const hasSequences = database.prepare(`SELECT 1 FROM sqlite_schema WHERE "name" = 'sqlite_sequence'`).get();
  for (const { column } of columns) {
    const used = database
      .prepare(`SELECT max(${quoted(column)}) FROM ${quoted(name)}`)
      .pluck()
      .get() as number | null;
    const given =
      hasSequences === undefined
        ? null
        : ((database.prepare('SELECT "seq" FROM sqlite_sequence WHERE "name" = ?').pluck().get(name) ?? null) as
            | number
            | null);
    const last = Math.max(used ?? 0, given ?? 0);
    if (last === 0) continue;
    await tx.get(sql`SELECT setval(pg_get_serial_sequence(${quoted(name)}, ${column})::regclass, ${last}::bigint)`);
  }
};

const isEmpty = async (target: Sql): Promise<boolean> =>
  (await target.get(sql`SELECT "id" FROM "accounts" LIMIT 1`)) === undefined;

/** `empty`: there are no accounts yet; `moved`: every row is as in the folder; `other`: anything else. */
export const compareTarget = async (
  target: ServerDatabase,
  database: Database.Database,
): Promise<'empty' | 'moved' | 'other'> => {
  if (await isEmpty(target)) return 'empty';
  return await target.transaction(async (tx) => {
    for (const table of tablesOf(database)) {
      const there = await digestOfTarget(tx, table);
      if (digestOfSource(database, table).text() !== there.text()) return 'other';
    }
    return 'moved';
  });
};

/**
 * Copies all tables and calls `alsoIn` in the same transaction. Rejects, with nothing written, when there are accounts
 * already or when a table differs afterwards. Resolves with the rows of each table.
 */
export const copyTables = async (
  target: ServerDatabase,
  database: Database.Database,
  alsoIn: (tx: Transaction) => Promise<void>,
): Promise<Counts> =>
  await target.transaction(
    async (tx) => {
      await tx.run(sql`LOCK TABLE "accounts" IN EXCLUSIVE MODE`);
      if (!(await isEmpty(tx)))
        throw new Error('An account was added to the database in the meantime; it must have none.');
      const counts: Record<string, number> = {};
      for (const table of tablesOf(database)) {
        // Without accounts these are only what a server that has run on the empty database has left.
        await tx.run(sql`DELETE FROM ${raw(quoted(table.name))}`);
        const copied = await copyTable(tx, database, table);
        const there = await digestOfTarget(tx, table);
        if (copied.text() !== there.text()) {
          throw new Error(
            `The table ${table.name} has ${there.count()} rows in the database and ${copied.count()} in the folder, or some differ.`,
          );
        }
        await advanceSequences(tx, database, table);
        counts[table.name] = copied.count();
      }
      await alsoIn(tx);
      return counts;
    },
    // A table of many rows takes minutes.
    { patient: true },
  );
