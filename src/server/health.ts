/** `GET /healthz` for the operator's monitoring: 200 while the database and the object store work, else 503. */
import type { ServerDeps } from './deps.ts';
import type { App } from './http/route-of-endpoint.ts';

/** Real checks: reads a page of the database, and requires the folders to exist and to be writable. */
const probes = ({ database, objects }: ServerDeps) => ({
  database: async () => void database.prepare('SELECT count(*) FROM sqlite_schema').get(),
  storage: () => objects.probe(),
});

export const registerHealth = (app: App, deps: ServerDeps): void => {
  const parts = Object.entries(probes(deps));

  app.get('/healthz', { config: { unmetered: true }, schema: { hide: true } }, async (_request, reply) => {
    const states = await Promise.all(
      parts.map(async ([name, ask]) => {
        try {
          await ask();
          return [name, 'ok'] as const;
        } catch (error) {
          deps.log(`The ${name} does not answer: ${error instanceof Error ? error.message : String(error)}`);
          return [name, 'failing'] as const;
        }
      }),
    );
    const isWell = states.every(([, state]) => state === 'ok');
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isWell ? 'ok' : 'failing', ...Object.fromEntries(states) });
  });
};
