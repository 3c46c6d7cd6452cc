/** Nodes behind HAProxy serve what they can while all of them lack something. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPostgresUrl } from '../../support/engines/databases.ts';
import { startHaproxy, whyNoHaproxy } from '../../support/engines/haproxy.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { startNodes, type TestNodes } from '../../support/server/nodes.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot =
  whyNoPostgres() ??
  whyNoHaproxy() ??
  (process.env['LINKSHOT_TEST_S3'] === undefined ? null : 'it takes the store away, which is in this process');

describe.skipIf(whyNot !== null)(`nodes behind HAProxy${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  let nodes: TestNodes;
  let proxy: Awaited<ReturnType<typeof startHaproxy>>;
  beforeAll(async () => {
    nodes = await startNodes(temporaryFolder('haproxy'), { count: 2, databaseUrl: await runPostgresUrl('haproxy') });
    proxy = await startHaproxy(nodes.nodes.map(({ url }) => Number(new URL(url).port)));
  });
  afterAll(async () => {
    await proxy?.stop();
    await nodes?.stop();
  });

  it('show lists while no node reaches the store, and answer uploads 503 with Retry-After', async () => {
    const user = await nodes.user();
    const isAnyReady = async (): Promise<boolean> => (await fetch(`${proxy.url}/haproxy`)).status === 200;
    const publish = async () => sendFile(proxy.url, { key: user.apiKey, bytes: await pngBytes() });
    await expect.poll(isAnyReady).toBe(true);
    const { body } = await publish();
    nodes.double?.fault(() => ({ kind: 'refuse', status: 503, code: 'SlowDown' }));
    await expect.poll(isAnyReady).toBe(false);
    const list = { path: '/api/v1/content', key: user.apiKey };
    const listed = await ask<{ items: readonly { id: string }[] }>(proxy.url, list);
    expect([listed.status, listed.body.items.map(({ id }) => id)]).toEqual([200, [body.content.id]]);
    const refused = await publish();
    expect([refused.status, refused.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    nodes.double?.fault(() => null);
    await expect.poll(isAnyReady).toBe(true);
    expect((await publish()).status).toBe(201);
  });
});
