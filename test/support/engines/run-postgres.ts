/** The PostgreSQL cluster that all test files of a run share, with a migrated template for their databases. */
import pg from 'pg';
import { openPostgres } from '../../../src/server/database/postgres.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startPostgres } from './postgres-cluster.ts';

const TEMPLATE = 'migrated';

export const startRunPostgres = async () => {
  const cluster = await startPostgres();
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  // It ends with the cluster.
  admin.on('error', () => {});
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const records = await openPostgres({ url: cluster.url(TEMPLATE), poolSize: 1, prepared: false });
  await records.close();
  const made = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  /** One after another: only one may copy the template. */
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    await done;
  };
  const checked = (name: string): string => {
    if (!/^[a-z_0-9]+$/.test(name)) throw new Error(`${name} is no name of a database.`);
    return name;
  };
  let bouncer: ReturnType<typeof startPgBouncer> | undefined;
  const database = async (name: string): Promise<string> => {
    await inTurn(async () => {
      if (made.has(checked(name))) return;
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      made.add(name);
    });
    return cluster.url(name);
  };
  return {
    /** The address of a database, made from the template when it is first asked for. */
    database,
    /** The same behind PgBouncer in transaction mode. */
    behindPgBouncer: async (name: string): Promise<string> => {
      bouncer ??= startPgBouncer(cluster.port);
      const { port } = await bouncer;
      return Object.assign(new URL(await database(name)), { port }).href;
    },
    /** Removes a database, whoever uses it. */
    forget: (name: string): Promise<void> =>
      inTurn(async () => {
        if (made.delete(checked(name))) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }),
    remove: async (): Promise<void> => {
      await (await bouncer?.catch(() => undefined))?.stop();
      await admin.end();
      await cluster.remove();
    },
  };
};
