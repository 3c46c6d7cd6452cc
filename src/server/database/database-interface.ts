/**
 * Defines `ServerDatabase`, the interface to the server's database that SQLite and PostgreSQL implement, and the kinds
 * of its errors. A store such as `uploadStore` can be created for one transaction, so that all its statements run in
 * that transaction.
 */
import type { Sql as Query } from 'sql-template-tag';

/**
 * A row or statement was refused as a duplicate, what a new row refers to is not there, the disk is full, another writer was
 * in the way, the engine is away.
 */
export type RecordsErrorKind = 'unique' | 'missing' | 'full' | 'busy' | 'unavailable';

/** The database cannot be used as it is set up; the message is a sentence for the operator. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** What differs between the engines. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Ends a SELECT of the rows that a transaction decides about. */
  readonly forUpdate: Query;
  /** The same, without the rows that another transaction has locked. */
  readonly skipLocked: Query;
  /**
   * Where `part` first begins within `text`, counted from 1; 0: nowhere. For what a request gives, instead of LIKE: that tries
   * every way to match a pattern, and refuses a long one.
   */
  indexOf(text: Query, part: Query): Query;
  /** Whether an array of strings has one; both are JSON as `JSON.stringify` writes it. */
  hasElement(array: Query, element: Query): Query;
  /** `text` with its ASCII letters in lower case, whatever the locale of the database makes of them. */
  lower(text: Query): Query;
  /** Null: another error. */
  kindOf(error: unknown): RecordsErrorKind | null;
}

/**
 * Runs statements. One SQL text serves both engines: identifiers in double quotes (PostgreSQL folds others), `ON CONFLICT
 * (columns)`, CASE instead of scalar min and max, a cast where the type of a parameter cannot be inferred. Values are text, numbers (safe integers), buffers and null. Rejects with the error of the engine,
 * which `dialect.kindOf` classifies.
 */
export interface Sql {
  readonly dialect: Dialect;
  all<Row>(query: Query): Promise<Row[]>;
  /** The first row. */
  get<Row>(query: Query): Promise<Row | undefined>;
  /** Resolves with the number of inserted, changed or deleted rows. */
  run(query: Query): Promise<number>;
}

export interface Transaction extends Sql {
  /** Runs `work`, which must not throw, once the transaction is committed; never after a rollback. */
  afterCommit(work: () => void): void;
}

export interface TransactionOptions {
  /** False: a power cut may undo the commit until a later durable one. True by default. */
  readonly durable?: boolean;
  /** True: its statements take and wait as long as they need. False by default: none outlives the request of a client. */
  readonly patient?: boolean;
}

/** What the metrics show of a pool of connections. */
export interface PoolUse {
  readonly connections: number;
  readonly inUse: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** A statement outside of a transaction, or a whole transaction, has ended. */
export type ObserveDatabase = (kind: 'statement' | 'transaction', seconds: number, isFailed: boolean) => void;

/** Outside of a transaction each statement sees what was committed before it. */
export interface ServerDatabase extends Sql {
  /**
   * Commits when `work` resolves and rolls back when it rejects. `work` awaits nothing but `tx`, and PostgreSQL may run
   * it again. A row that it decides about is read with `dialect.forUpdate`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Changes with every commit of any process: what was read at one version is valid as long as the version is the same.
   * Null: unknown, remember nothing.
   */
  version(): number | null;
  /** Rejects when a newer server has migrated the records to a schema that this one does not know. */
  checkSchema(): Promise<void>;
  /** Of an engine with connections over a network. */
  pool?(): PoolUse;
  close(): Promise<void>;
}
