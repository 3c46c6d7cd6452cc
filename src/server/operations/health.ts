/**
 * Health checks for proxies and monitoring: `/livez`, `/readyz` and `/healthz`. They need no key and count against no
 * request budget.
 */

import { messageOf } from '../../base/common/error-text.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';

type Probes = Readonly<Record<string, () => Promise<void>>>;

/** Real checks: reads from the database, and asks the store whether it could accept an object. */
const healthProbes = ({ records, objects }: ServerDeps): Probes => ({
  database: async () =>
    void (await records.get(sql`SELECT count(*) AS "accounts" FROM (SELECT "id" FROM "accounts" LIMIT 1) AS "some"`)),
  storage: () => objects.probe(),
});

/** A newer version may have migrated the database beside this server. */
const schemaProbe = ({ records }: ServerDeps): Probes => ({ schema: records.checkSchema });

/**
 * `GET /livez` is 200 while the process runs. `GET /readyz` is 200 while records and objects answer and the schema fits,
 * and 503 from the moment of a stop. `GET /healthz` is 200 while database and objects answer, else 503.
 */
export const registerHealth = (app: App, deps: ServerDeps, isStopping: () => boolean): void => {
  const stateOf = async (name: string, ask: () => Promise<void>) => {
    try {
      await ask();
      return [name, 'ok'] as const;
    } catch (error) {
      deps.log(`The ${name} does not answer: ${messageOf(error)}`, {
        level: 'warn',
      });
      return [name, 'failing'] as const;
    }
  };

  const ask = async (probes: Probes) => {
    const states = await Promise.all(Object.entries(probes).map(([name, probe]) => stateOf(name, probe)));
    const isWell = states.every(([, state]) => state === 'ok');
    return { code: isWell ? 200 : 503, body: { status: isWell ? 'ok' : 'failing', ...Object.fromEntries(states) } };
  };

  const answerAt = (path: string, answer: () => Promise<{ readonly code: number; readonly body: object }>): void => {
    const options = { config: { unmetered: true, whileStopping: true } as const, schema: { hide: true } };
    app.get(path, options, async (_request, reply) => {
      const { code, body } = await answer();
      return reply.code(code).header('cache-control', 'no-store').send(body);
    });
  };

  const stopping = { code: 503, body: { status: 'stopping' } };
  const health = healthProbes(deps);
  const readiness = { ...health, ...schemaProbe(deps) };
  answerAt('/livez', async () => ({ code: 200, body: { status: 'ok' } }));
  answerAt('/readyz', async () => (isStopping() ? stopping : await ask(readiness)));
  answerAt('/healthz', async () => await ask(health));
};
