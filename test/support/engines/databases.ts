/** The databases of the run's PostgreSQL, each copied from a template that has the schema already. */
import pg from 'pg';
import { RUN_ADDRESS } from '../browser/chromium.ts';

const askRun = async (path: string, method: 'GET' | 'DELETE' = 'GET'): Promise<string> => {
  const address = process.env[RUN_ADDRESS];
  if (address === undefined) throw new Error('This run has no shared resources; see for-the-run.ts.');
  const answer = await fetch(`${address}/${path}`, { method });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};

/**
 * The address of a database of the run's cluster, directly or behind PgBouncer. Either starts when it is first asked for.
 */
export const runPostgresUrl = (database: string, way: 'postgres' | 'pgbouncer' = 'postgres'): Promise<string> =>
  askRun(`${way}/${database}`);

/** Removes a database, whoever still uses it. */
export const forgetRunDatabase = async (database: string, url: string): Promise<void> => {
  const client = kept.get(url);
  kept.delete(url);
  await (await client?.catch(() => undefined))?.end();
  await askRun(`postgres/${database}`, 'DELETE');
};

const [BOOL, INT8] = [16, 20];
/** As SQLite has them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') => {
    if (id === INT8 && format !== 'binary') return Number;
    if (id === BOOL && format !== 'binary') return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(id, format);
  }) as typeof pg.types.getTypeParser,
};

const kept = new Map<string, Promise<pg.Client>>();

/** Like `queryPostgres`, over a connection that stays open until `forgetRunDatabase`. */
export const queryRunDatabase = async <Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> => {
  const known = kept.get(url) ?? connected(url);
  kept.set(url, known);
  return (await (await known).query<Row>(text, [...values])).rows;
};

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, types });
  const forget = (): void => void kept.delete(url);
  client.on('error', forget);
  try {
    await client.connect();
    return client;
  } catch (error) {
    forget();
    throw error;
  }
};

/** Runs statements at a PostgreSQL; for tests that look or change what no request can. */
export const queryPostgres = async <Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
};
