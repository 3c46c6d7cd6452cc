/** Whenever the process is killed, the next start publishes exactly one note with the requested link settings. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { Fault, Passing } from '../../faults/fault.ts';
import { startFaultProxy } from '../../faults/fault-proxy.ts';
import { editRow } from '../../support/server/items.ts';
import { startServer } from '../../support/server/server.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../support/processes/note-process.ts', import.meta.url));
const root = temporaryFolder('note-kill');

const ended = async (child: ChildProcess) =>
  (child.exitCode ?? child.signalCode ?? (await once(child, 'exit'))[0]) as unknown;

it.each([
  ['posts the note', 'POST', 'after it is done'],
  ['sets what publishing cannot carry', 'PATCH', 'before it is done'],
])('a process that is killed while it %s (%s), %s', async (_, method, moment) => {
  const service = await startServer({ config: { limits: { requestsPerMinute: 100_000 } } });
  const proxy = await startFaultProxy(service.url);
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await proxy.close();
    await service.stop();
  });
  const { apiKey } = await service.user({ plan: 'pro' });
  const profile = join(root, randomUUID());
  const run = (...more: string[]) => {
    const child = spawn(process.execPath, [SCRIPT, profile, proxy.url, apiKey, ...more], { stdio: 'inherit' });
    children.add(child);
    return child;
  };

  const isMoment = (request: Passing) => request.method === method && request.path.startsWith('/api/v1/');
  let isKilled = false;
  const first = run('once, and limited\n', JSON.stringify({ viewLimit: 3, title: 'Once' }));
  proxy.fault = (request): Fault | null => {
    if (isKilled || !isMoment(request)) return null;
    isKilled = true;
    first.kill('SIGKILL');
    return moment === 'before it is done' ? { do: 'reset', at: 0 } : { do: 'lose-answer' };
  };
  await ended(first);
  expect(isKilled).toBe(true);
  // The request reaches the server, if it does, a moment after its sender has died.
  await expect.poll(() => proxy.requests.find(isMoment)?.isOver).toBe(true);
  await editRow(service, 'DELETE FROM idempotencyRecords');
  expect(await ended(run())).toBe(0);
  const rows = await queryData<{ title: string; viewLimit: number }>(
    service.data,
    'SELECT title, viewLimit FROM content',
  );
  expect(rows).toEqual([{ title: 'Once', viewLimit: 3 }]);
});
