/** The operator's own instrumentation is loaded with `--import`, as docs/scale.md describes for OpenTelemetry. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { serverCommand, startServerProcess } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Writes a line for each process that loads it, and for each request that the process gets. */
const hookFor = (file: string): string => `
  import { subscribe } from 'node:diagnostics_channel';
  import { appendFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const write = (line) => appendFileSync(${JSON.stringify(file)}, line + '\\n');
  if (isMainThread) write('loaded ' + process.pid);
  subscribe('http.server.request.start', ({ request }) => write(request.method + ' ' + request.url.split('?')[0]));
`;

it('a module of the operator that is imported first sees each request, and no file that the inspector opens', async () => {
  const folder = temporaryFolder('tracing');
  const [data, hook, seen] = [join(folder, 'data'), join(folder, 'hook.mjs'), join(folder, 'seen')];
  writeFileSync(hook, hookFor(seen));
  const { id = '' } = await serverCommand('account', 'add', 'traced', '--plan', 'pro', '--data', data);
  const { apiKey = '' } = await serverCommand(
    ...['key', 'add', '--account', 'traced', '--scopes', 'content:read,content:write', '--data', data],
  );
  const service = await startServerProcess(data, { nodeArgs: [`--import=${pathToFileURL(hook)}`] });
  try {
    const user = { accountId: id as AccountId, apiKey };
    expect((await uploader(service.url, user).publish(await pngBytes())).status).toBe(200);
    expect((await ask(service.url, { path: '/livez' })).status).toBe(200);
  } finally {
    await service.end('SIGTERM');
  }
  const lines = readFileSync(seen, 'utf8').trim().split('\n');
  expect(lines).toEqual(expect.arrayContaining(['POST /api/v1/uploads/resumable', 'GET /livez']));
  expect(lines.filter((line) => line.startsWith('loaded'))).toEqual([`loaded ${service.pid}`]);
});
