/**
 * The server's database in one SQLite file. Reads outside of transactions use one connection; writes and transactions
 * take turns at another one, so that no other statement becomes part of a transaction. A database in memory has a
 * single connection.
 */
import { clearImmediate, setImmediate } from 'node:timers';
import Database from 'better-sqlite3';
import type {
  Dialect,
  RecordsErrorKind,
  ServerDatabase,
  Sql,
  Transaction,
  TransactionOptions,
} from './database-interface.ts';
import { closedOnFailure, connect, openSqliteFile, SCHEMA_VERSION, schemaVersionOf } from './open-sqlite-file.ts';
import { empty, type Query, sql } from './sql-template.ts';

/** Texts of statements vary only with the lengths of lists. */
const STATEMENTS_KEPT = 1_000;

const KINDS: Readonly<Record<string, RecordsErrorKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'missing',
  SQLITE_FULL: 'full',
  SQLITE_BUSY: 'busy',
  SQLITE_BUSY_SNAPSHOT: 'busy',
  SQLITE_IOERR_WRITE: 'busy',
  SQLITE_IOERR_FSYNC: 'busy',
};

/** One transaction writes at a time, so its rows need no lock. */
const DIALECT: Dialect = {
  name: 'sqlite',
  forUpdate: empty,
  skipLocked: empty,
  indexOf: (text, part) => sql`instr(${text}, ${part})`,
  hasElement: (array, element) => sql`EXISTS (SELECT 1 FROM json_each(${array}) WHERE "value" = ${element} ->> '$')`,
  lower: (text) => sql`lower(${text})`,
  kindOf: (error) => (error instanceof Error && 'code' in error ? (KINDS[String(error.code)] ?? null) : null),
};

interface Statements {
  of(query: Query): Database.Statement<unknown[]>;
}

const createStatements = (database: Database.Database): Statements => {
  const kept = new Map<string, Database.Statement<unknown[]>>();
  return {
    of: (query) => {
      const text = query.sql;
      const known = kept.get(text);
      if (known !== undefined) return known;
      const statement = database.prepare<unknown[]>(text);
      if (kept.size >= STATEMENTS_KEPT) kept.clear();
      kept.set(text, statement);
      return statement;
    },
  };
};

/** One user at a time, first come, first served. */
const createTurns = () => {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    isTaken: () => isTaken,
    /** Call `end` afterwards. */
    take: async (): Promise<void> => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    end: (): void => {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    },
  };
};

/**
 * A path for `openSqlite`. Its one connection also reads, so statements outside of a transaction see what is not committed.
 */
export const IN_MEMORY = ':memory:';

const openReader = (path: string): Database.Database =>
  closedOnFailure(connect(path), (reader) => void reader.pragma('query_only = ON'));

/** Reads `path` as it is, without a migration; close it. Rejects statements that write. */
export const readSqlite = (path: string): Sql & { close(): void } => {
  const reader = new Database(path, { readonly: true, fileMustExist: true });
  const { of } = createStatements(reader);
  return {
    dialect: DIALECT,
    all: async <Row>(query: Query) => of(query).all(...query.values) as Row[],
    get: async <Row>(query: Query) => of(query).get(...query.values) as Row | undefined,
    run: async (query) => of(query).run(...query.values).changes,
    close: () => void reader.close(),
  };
};

/**
 * Opens `path` (created when missing) and migrates it to the newest schema. Throws when a newer server has written it.
 * Every commit survives a power cut, unless its transaction asks for less.
 */
export const openSqlite = (path: string): ServerDatabase => {
  const writer = openSqliteFile(path);
  const reader = path === IN_MEMORY ? writer : openReader(path);
  const written = createStatements(writer);
  const read = createStatements(reader);
  const readVersion = reader.prepare<[], number>('PRAGMA data_version').pluck();
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((text) => writer.prepare(text));
  const turns = createTurns();

  /** Runs one statement at the writer, between the transactions. */
  const write = async <T>(run: () => T): Promise<T> => {
    if (!turns.isTaken()) return run();
    await turns.take();
    try {
      return run();
    } finally {
      turns.end();
    }
  };

  /** The statements of one transaction, until `end`. */
  const createTransaction = () => {
    const afterwards: (() => void)[] = [];
    let isOver = false;
    const statement = (query: Query) => {
      if (isOver) throw new Error('The transaction of this statement is over.');
      return written.of(query);
    };
    const tx: Transaction = {
      dialect: DIALECT,
      all: async <Row>(query: Query) => statement(query).all(...query.values) as Row[],
      get: async <Row>(query: Query) => statement(query).get(...query.values) as Row | undefined,
      run: async (query) => statement(query).run(...query.values).changes,
      afterCommit: (work) => void afterwards.push(work),
    };
    const end = (): void => {
      isOver = true;
    };
    return { tx, afterwards, end };
  };

  const transaction = async <T>(
    work: (tx: Transaction) => Promise<T>,
    { durable = true }: TransactionOptions = {},
  ): Promise<T> => {
    await turns.take();
    const { tx, afterwards, end } = createTransaction();
    // Its statements are answered at once, so it is over before the event loop turns: unless it awaits something else,
    // while every other writer waits.
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const turned = setImmediate(() =>
      late.reject(new Error('A transaction may await nothing but its own statements.')),
    );
    try {
      // The log is written in order, so the next durable commit makes this one durable too.
      if (!durable) writer.pragma('synchronous = NORMAL');
      begin?.run();
      const result = await Promise.race([work(tx), late.promise]);
      end();
      commit?.run();
      for (const run of afterwards) run();
      return result;
    } catch (error) {
      end();
      if (writer.inTransaction) rollback?.run();
      throw error;
    } finally {
      if (!durable) writer.pragma('synchronous = FULL');
      clearImmediate(turned);
      turns.end();
    }
  };

  const sql: Sql = {
    dialect: DIALECT,
    all: async <Row>(query: Query) => {
      const statement = read.of(query);
      if (statement.readonly) return statement.all(...query.values) as Row[];
      return await write(() => written.of(query).all(...query.values) as Row[]);
    },
    get: async <Row>(query: Query) => {
      const statement = read.of(query);
      if (statement.readonly) return statement.get(...query.values) as Row | undefined;
      return await write(() => written.of(query).get(...query.values) as Row | undefined);
    },
    run: async (query) => await write(() => written.of(query).run(...query.values).changes),
  };

  return {
    ...sql,
    transaction,
    version: () => (reader === writer ? null : (readVersion.get() ?? null)),
    checkSchema: async () => {
      const version = schemaVersionOf(reader);
      if (version !== SCHEMA_VERSION)
        throw new Error(`The schema is ${version}; this version needs ${SCHEMA_VERSION}.`);
    },
    close: async () => {
      await turns.take();
      reader.close();
      writer.close();
    },
  };
};
