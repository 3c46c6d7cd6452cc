/**
 * The database in PostgreSQL, directly or behind PgBouncer in transaction mode: no session state outlives a transaction
 * except named prepared statements, which can be switched off. Transactions are READ COMMITTED, lock the rows that they
 * select with `dialect.forUpdate`, and run again after a deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '../../base/common/error-text.ts';
import {
  type Dialect,
  type ObserveDatabase,
  type PoolUse,
  type RecordsErrorKind,
  type ServerDatabase,
  type Sql,
  type Transaction,
  type TransactionOptions,
  UnusableDatabaseError,
} from './database-interface.ts';
import { checkPostgresSchema, checkPostgresServer, migratePostgres, POSTGRES_SCHEMA } from './migrate-postgres.ts';
import { type Query, raw, sql } from './sql-template.ts';

/** The configuration key `database` with an address. */
export interface PostgresSettings {
  /** `postgres://user:password@host:port/name?sslmode=...` */
  readonly url: string;
  /** Connections of this node at most. */
  readonly poolSize: number;
  /** Named statements; false behind PgBouncer before 1.21. */
  readonly prepared: boolean;
}

export interface PostgresDatabase extends ServerDatabase {
  pool(): PoolUse;
}

/** The server has no answer for a request that waits longer for a connection. */
const CONNECT_MS = 5_000;
/** Longer than any statement takes; a connection that is dead and does not say so ends by it. */
const STATEMENT_MS = 15_000;
const IDLE_MS = 30_000;
/** How often a transaction is run again that met another one. */
const RETRIES = 8;
const FIRST_RETRY_MS = 5;
/** Names of statements cost memory in every session. */
const NAMES_MAX = 1_000;

/** What a node that dies or loses its network leaves behind is rolled back soon, and no row is waited for without end. */
const BEGIN = [
  'BEGIN ISOLATION LEVEL READ COMMITTED',
  `SET LOCAL statement_timeout = ${STATEMENT_MS - 1_000}`,
  'SET LOCAL lock_timeout = 10000',
  'SET LOCAL idle_in_transaction_session_timeout = 20000',
].join('; ');
const BEGIN_UNSYNCED = `${BEGIN}; SET LOCAL synchronous_commit = off`;
const BEGIN_PATIENT = `${BEGIN}; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0`;
const PATIENT_MS = 24 * 3_600_000;

/** By SQLSTATE (PostgreSQL's appendix A), and by Node's code for an error of the connection. */
const KINDS: Readonly<Record<string, RecordsErrorKind>> = {
  '23505': 'unique',
  '23503': 'missing',
  '53100': 'full',
  '53400': 'full',
  '53000': 'busy',
  '53200': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '40003': 'unavailable',
  '53300': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  '25P03': 'unavailable',
  '25006': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable',
  '57P05': 'unavailable',
  // It refuses this server until the operator acts, or its own disk fails it.
  '28P01': 'unavailable',
  '28000': 'unavailable',
  '3D000': 'unavailable',
  '58000': 'unavailable',
  '58030': 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOENT: 'unavailable',
  ECONNABORTED: 'unavailable',
  ENETDOWN: 'unavailable',
  EHOSTDOWN: 'unavailable',
  ENOTCONN: 'unavailable',
  EPROTO: 'unavailable',
};
/** OpenSSL's codes, which Node passes on, of a certificate that is not trusted. */
const UNTRUSTED =
  /^(?:CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;
/** pg's own errors have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support|There was an error establishing|SASL: )/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const kindOf = (error: unknown): RecordsErrorKind | null => {
  if (error instanceof AggregateError) return kindOf(error.errors[0]);
  const code = codeOf(error);
  // Of a socket, not of a file.
  if (code === 'ENOENT' && !(error instanceof Error && 'syscall' in error && error.syscall === 'connect')) return null;
  const kind = KINDS[code] ?? (/^08...$|^ERR_(?:SSL|TLS)_/.test(code) || UNTRUSTED.test(code) ? 'unavailable' : null);
  if (kind !== null) return kind;
  return error instanceof Error && code === '' && LOST.test(error.message) ? 'unavailable' : null;
};

/** The connection broke while a transaction was committed: nothing that it refers to may be removed. */
class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
  /** SQLSTATE "transaction_resolution_unknown". */
  readonly code = '08007';

  constructor(cause: unknown) {
    super(`Whether the transaction was committed is unknown: ${String(cause)}`, { cause });
  }
}

/** Whether an error of COMMIT is the answer of PostgreSQL itself, which has then rolled back. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== '40003';

/** Lost against another transaction; run again it may win. */
const isLost = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** No key of a row changes, so rows that refer to it may be added meanwhile. */
const DIALECT: Dialect = {
  name: 'postgres',
  forUpdate: raw('FOR NO KEY UPDATE'),
  skipLocked: raw('FOR NO KEY UPDATE SKIP LOCKED'),
  indexOf: (text, part) => sql`strpos(${text}, ${part})`,
  // As JSON and not JSONB, which refuses some characters.
  hasElement: (
    array,
    element,
  ) => sql`EXISTS (SELECT 1 FROM json_array_elements(CAST(${array} AS JSON)) AS "each"("value")
    WHERE CAST("value" AS TEXT) = ${element})`,
  lower: (text) => sql`lower(${text} COLLATE "C")`,
  kindOf,
};

const [BOOL, INT8, NUMERIC] = [16, 20, 1_700];

/** As SQLite has them: numbers for integers and sums of them, 0 and 1 for truth. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (id === INT8 || id === NUMERIC) return Number;
      if (id === BOOL) return (text: string) => (text === 't' ? 1 : 0);
    }
    return pg.types.getTypeParser(id, format);
  }) as typeof pg.types.getTypeParser,
};

/** A newer server has added a column since the statement was prepared, and its rows look different now. */
const isOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan');

/** A named statement exists already, or not any more, on a connection whose statements only this process names. */
const isOfPooler = (error: unknown): boolean => ['42P05', '26000'].includes(codeOf(error));

/** PostgreSQL has no NUL in a text; as both engines replace half of a surrogate pair. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** The name of each text, the same in all connections. */
const createNames = () => {
  const names = new Map<string, number>();
  let generation = 0;
  return {
    of: (text: string): string | undefined => {
      const number = names.get(text) ?? names.size;
      if (number >= NAMES_MAX) return undefined;
      names.set(text, number);
      return `linkshot_${generation}_${number}`;
    },
    /** Gives all texts new names: every statement is prepared once more. */
    renew: (): void => {
      generation += 1;
    },
  };
};

/**
 * The driver verifies the certificate in these modes as with `verify-full`, which a later version of it will not, and warns
 * of that in lines that are no JSON.
 */
const verifying = (url: string): string =>
  /[?&]uselibpqcompat=true(?:&|$)/.test(url)
    ? url
    : url.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');

const poolFor = ({ url, poolSize }: PostgresSettings): pg.Pool =>
  new pg.Pool({
    connectionString: verifying(url),
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: 'linkshot',
    keepAlive: true,
    types,
  });

/**
 * Connects and migrates to the newest schema. Throws with a sentence for the operator where that fails: nothing answers,
 * the password is wrong, the database is missing, not in UTF-8, too old, or of a newer version.
 */
export const openPostgres = async (
  settings: PostgresSettings,
  observe: ObserveDatabase = () => {},
): Promise<PostgresDatabase> => {
  const records = connectPostgres(settings, observe);
  try {
    await migratePostgres(records);
    return records;
  } catch (error) {
    await records.close();
    throw new Error(whyNot(error, settings.url), { cause: error });
  }
};

/**
 * Connects and migrates nothing. Calls `use` with the records, their schema, and the one that this version writes; 0: there
 * are no records yet. Rejects as `openPostgres`, with an `UnusableDatabaseError`, and as `use` does.
 */
export const inspectPostgres = async <T>(
  settings: PostgresSettings,
  use: (records: Sql, schema: { readonly version: number; readonly known: number }) => Promise<T>,
): Promise<T> => {
  const records = connectPostgres(settings);
  try {
    await checkPostgresServer(records);
    return await use(records, { version: await checkPostgresSchema(records), known: POSTGRES_SCHEMA });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) && kindOf(error) === null) throw error;
    throw new UnusableDatabaseError(whyNot(error, settings.url), { cause: error });
  } finally {
    await records.close();
  }
};

/** Connects when it is first used, and migrates nothing. */
const connectPostgres = (settings: PostgresSettings, observe: ObserveDatabase = () => {}): PostgresDatabase => {
  const pool = poolFor(settings);
  // A connection that breaks while nothing uses it is replaced when the next one is needed.
  pool.on('error', () => {});
  const names = settings.prepared ? createNames() : null;

  const send = async (
    client: pg.ClientBase | pg.Pool,
    query: Query,
    limit: { readonly query_timeout?: number } = {},
  ): Promise<pg.QueryResult> => {
    const text = query.text;
    const name = names?.of(text);
    const named = name === undefined ? {} : { name };
    try {
      return await client.query({ text, values: query.values.map(storable), ...named, ...limit });
    } catch (error) {
      if (isOutdated(error) && name === names?.of(text)) names?.renew();
      if (name !== undefined && isOfPooler(error)) {
        throw new UnusableDatabaseError(
          `A pooler mixes up the prepared statements of connections (${messageOf(error)}): use PgBouncer 1.21 or newer, or set database.prepared to false. Before 1.24 it needs max_prepared_statements above 0.`,
          { cause: error },
        );
      }
      throw error;
    }
  };

  const timed = async <T>(kind: 'statement' | 'transaction', run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    let isFailed = true;
    try {
      const result = await run();
      isFailed = false;
      return result;
    } finally {
      observe(kind, (performance.now() - began) / 1_000, isFailed);
    }
  };

  const sqlOf = (send: (query: Query) => Promise<pg.QueryResult>): Sql => ({
    dialect: DIALECT,
    all: async <Row>(query: Query) => (await send(query)).rows as Row[],
    get: async <Row>(query: Query) => (await send(query)).rows[0] as Row | undefined,
    run: async (query) => (await send(query)).rowCount ?? 0,
  });

  /** One attempt, on one connection. */
  const attempt = async <T>(
    work: (tx: Transaction) => Promise<T>,
    { durable = true, patient = false }: TransactionOptions,
  ): Promise<T> => {
    const client = await pool.connect();
    // A connection may break between two statements of the transaction.
    const ignore = (): void => {};
    client.on('error', ignore);
    const afterwards: (() => void)[] = [];
    let isOver = false;
    let isUsable = false;
    const tx: Transaction = {
      ...sqlOf(async (query) => {
        if (isOver) throw new Error('The transaction of this statement is over.');
        return await send(client, query, patient ? { query_timeout: PATIENT_MS } : {});
      }),
      afterCommit: (run) => void afterwards.push(run),
    };
    try {
      await client.query(patient ? BEGIN_PATIENT : durable ? BEGIN : BEGIN_UNSYNCED);
      const result = await work(tx);
      isOver = true;
      const { command } = await client.query('COMMIT').catch((error: unknown) => {
        throw isRolledBack(error) ? error : new UnknownOutcomeError(error);
      });
      // A statement that failed and was caught leaves a transaction that can only be rolled back.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back, because a statement of it had failed.');
      isUsable = true;
      for (const run of afterwards) run();
      return result;
    } catch (error) {
      isOver = true;
      // Whatever broke the connection has also ended the transaction.
      if (kindOf(error) !== 'unavailable')
        isUsable = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  };

  /** Runs what has had no effect when it was in another one's way. */
  const untilDone = async <T>(run: () => Promise<T>): Promise<T> => {
    for (let retry = 0; ; retry += 1) {
      try {
        return await run();
      } catch (error) {
        if (!(isLost(error) || isOutdated(error)) || retry >= RETRIES) throw error;
        await sleep(FIRST_RETRY_MS * 2 ** retry);
      }
    }
  };

  const transaction = <T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> =>
    untilDone(() => attempt(work, options));

  const sql = sqlOf((query) => timed('statement', () => untilDone(() => send(pool, query))));
  return {
    ...sql,
    transaction: (work, options) => timed('transaction', () => transaction(work, options)),
    version: () => null,
    checkSchema: async () => void (await checkPostgresSchema(sql)),
    close: () => pool.end(),
    pool: () => ({
      connections: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
};

/** Where the records are, for the operator: never with the password. */
const placeOf = (url: string): string => {
  if (!URL.canParse(url)) return 'database.url';
  const { hostname, port, pathname } = new URL(url);
  return `${pathname.slice(1) || 'the database'} at ${hostname}:${port || '5432'}`;
};

const whyNot = (error: unknown, url: string): string => {
  const [place, code] = [placeOf(url), codeOf(error)];
  const reason = error instanceof Error ? error.message || code : String(error);
  switch (code) {
    case '28P01':
    case '28000':
      return `PostgreSQL refuses the user of database.url for ${place} (${reason}).`;
    case '3D000':
      return `PostgreSQL has no database ${place}; create it, for example with "createdb --encoding=UTF8 --template=template0".`;
    case '42501':
      return `The user of database.url lacks a right in ${place} (${reason}): it must be allowed to create tables, and own those of the server.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return `The certificate of PostgreSQL for ${place} is for another host (${reason}): name a host in database.url that it is for, or renew it for this host.`;
    default:
      if (UNTRUSTED.test(code))
        return `The certificate of PostgreSQL for ${place} is not trusted (${reason}): renew it, or name the file of its authority in database.url (sslrootcert).`;
      return kindOf(error) === 'unavailable'
        ? `PostgreSQL does not answer for ${place} (${reason || code || 'no answer'}). Check database.url, and whether it runs.`
        : reason;
  }
};
