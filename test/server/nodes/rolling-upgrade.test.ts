/** Servers of this version serve on while a newer one, which has one migration more, starts beside them. */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { POSTGRES_SCHEMA } from '../../../src/server/database/migrate-postgres.ts';
import { openPostgres } from '../../../src/server/database/postgres.ts';
import { raw, sql } from '../../../src/server/database/sql-template.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { startS3Double } from '../../support/server/s3-double.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';

const whyNot = whyNoPostgres();
const WORKERS = 4;
/** Of each worker before and after the migration. */
const ROUNDS = 4;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What the first start of the next version does: it adds a column to every table that is read as a whole. */
const migrateFurther = async (url: string): Promise<void> => {
  const records = await openPostgres({ url, poolSize: 2, prepared: false });
  try {
    await records.transaction(async (tx) => {
      for (const table of ['accounts', 'keys', 'uploads', 'content', 'objects', 'sessions']) {
        await tx.run(raw(`ALTER TABLE "${table}" ADD COLUMN "newer" TEXT`));
      }
      await tx.run(sql`UPDATE "schemaVersion" SET "version" = ${POSTGRES_SCHEMA + 1}`);
    });
  } finally {
    await records.close();
  }
};

describe.skipIf(whyNot !== null)(`servers on one PostgreSQL${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it('answer every request while and after a newer one adds columns', async () => {
    const url = await runPostgresUrl('rolling_upgrade');
    const double = await startS3Double();
    ends.push(double.close);
    const keyText = randomBytes(32).toString('base64url');
    const many = 1_000_000;
    const limits = { requestsPerMinute: many, uploadRequestsPerMinute: many, uploadsAtOnce: many, partsAtOnce: many };
    const config = { database: { url }, objects: { s3: double.settings }, limits };
    const servers: RunningServer[] = [];
    for (let at = 0; at < 2; at += 1) {
      const service = await startServer({ keyText, config });
      ends.push(service.stop);
      servers.push(service);
    }
    const user = await (servers[0] as RunningServer).user();
    const bytes = await pngBytes();
    const problems: unknown[] = [];
    let turn = 0;
    const next = (): string => (servers[turn++ % servers.length] as RunningServer).url;
    const round = async (): Promise<void> => {
      const published = await uploader(next(), user).publish(bytes);
      const path = `/api/v1/content/${published.body.content?.id}`;
      const answers = [
        published,
        await ask(next(), { path: '/api/v1/content', key: user.apiKey }),
        await ask<Content>(next(), { method: 'PATCH', path, key: user.apiKey, body: { title: 'Another title' } }),
        await ask(next(), { method: 'DELETE', path, key: user.apiKey }),
      ];
      for (const { status, body } of answers) if (status >= 300) problems.push([status, body]);
    };
    const isMigrated = Promise.withResolvers<void>();
    let before = 0;
    const work = async (): Promise<void> => {
      for (let rounds = 0; rounds < ROUNDS; rounds += 1) await round();
      before += 1;
      if (before === WORKERS) isMigrated.resolve(migrateFurther(url));
      let isDone = false;
      void isMigrated.promise.then(() => {
        isDone = true;
      });
      while (!isDone) await round();
      for (let rounds = 0; rounds < ROUNDS; rounds += 1) await round();
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    expect(problems).toEqual([]);
    for (const service of servers) expect((await ask(service.url, { path: '/readyz' })).status).toBe(200);
    await servers[1]?.stop();
    const again = await startServer({ keyText, config });
    ends.push(again.stop);
    expect((await uploader(again.url, user).publish(bytes)).status).toBe(200);
    expect(await queryPostgres(url, 'SELECT "version"::int AS "version" FROM "schemaVersion"')).toEqual([
      { version: POSTGRES_SCHEMA + 1 },
    ]);
  });
});
