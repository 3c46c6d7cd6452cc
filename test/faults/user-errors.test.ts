/** The user changes their mind, or quits, at the worst moment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES, type Scope } from '../../src/api/account.ts';
import { connectTo, until } from '../support/engine.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
import { faultScenes, PART, uploadsOf } from './scene.ts';

const scene = faultScenes();

describe('cancelling in the middle of complete', () => {
  it('fault 42: requests the outcome: a published item stays visible and can be deleted', async () => {
    const { proxy, picture, add, item, engine, published, user, service, expectPublished } = await scene();
    proxy.fault = ({ operation, nth }) => (operation === 'complete' && nth === 0 ? { do: 'swallow' } : null);
    const file = await picture(1);
    const id = await add(file);
    await until(async () => (await uploadsOf(service.data, user.accountId))[0]?.state === 'COMPLETED');
    expect(item(id)?.state).toBe('completing');
    // The reply never comes; the connection is dead, and the user cancels.
    engine.queue.cancel({ ids: [id] });
    proxy.cut();
    await until(() => item(id)?.state === 'linked');
    const [only] = await published();
    expect(item(id)).toMatchObject({ content: { id: only?.id } });
    expect(must(engine.library.search({ text: '' })).items).toMatchObject([{ id }]);
    await expectPublished(file);
    expect(must(await engine.library.delete({ ids: [id], when: 'now' }, soon())).answers).toMatchObject([
      { failure: null },
    ]);
    await expectPublished();
  });

  it('fault 42: before the service has started publishes nothing, and its upload is cancelled', async () => {
    const { proxy, picture, add, item, engine, user, service, expectPublished } = await scene();
    proxy.fault = ({ operation }) => (operation === 'complete' ? { do: 'answer', status: 502, body: 'not now' } : null);
    const id = await add(await picture(1));
    await until(() => item(id)?.state === 'completing' && item(id)?.error !== null);
    engine.queue.cancel({ ids: [id] });
    await until(() => item(id) === undefined);
    expect(await uploadsOf(service.data, user.accountId)).toMatchObject([{ state: 'CANCELLED' }]);
    await expectPublished();
  });

  it('fault 42: while the service is unreachable waits for the outcome, even over a lost connection', async () => {
    const { proxy, picture, add, item, engine, user, service, expectPublished } = await scene();
    proxy.fault = ({ operation, nth }) => {
      if (operation === 'complete' && nth === 0) return { do: 'lose-answer' };
      return operation === 'status' && nth < 3 ? { do: 'reset', at: 0 } : null;
    };
    const file = await picture(1);
    const id = await add(file);
    await until(async () => (await uploadsOf(service.data, user.accountId))[0]?.state === 'COMPLETED');
    engine.queue.cancel({ ids: [id] });
    await until(() => item(id)?.state === 'linked');
    await expectPublished(file);
  });
});

describe('cancelling a published item whose settings are not applied yet', () => {
  /** A note that waits for the request after its publication. */
  const waiting = async (scopes: readonly Scope[] = SCOPES) => {
    const parts = await scene({ connect: 'later' });
    const { engine, proxy, service, user, item } = parts;
    await connectTo(engine, proxy.url, (await service.key(user, { scopes })).apiKey);
    proxy.fault = ({ method }) => (method === 'PATCH' ? { do: 'reset', at: 0 } : null);
    const id = must(await engine.note.add({ text: 'regretted', share: { allowDownload: false } })).id;
    await until(() => item(id)?.state === 'published' && item(id)?.error !== null);
    return { ...parts, id };
  };

  it('fault 42: without the permission to delete links it, and says which permission is missing', async () => {
    const { engine, proxy, item, id } = await waiting(SCOPES.filter((scope) => scope !== 'content:delete'));
    engine.queue.cancel({ ids: [id] });
    proxy.fault = () => null;
    await until(
      () => item(id)?.state === 'linked',
      () => item(id),
    );
    expect(item(id)).toMatchObject({ intent: 'run', content: { allowDownload: false } });
    expect(must(engine.library.search({ text: '' })).items).toMatchObject([{ id }]);
    expect(engine.state().notices).toMatchObject([
      { code: 'SCOPE_MISSING', params: { scope: 'content:delete', name: 'regretted' } },
    ]);
  });

  it('fault 42: without its account shows the reason, and deletes it when the account is connected again', async () => {
    const { engine, proxy, service, user, item, errorOf, id, published } = await waiting();
    must(await engine.connection.disconnect({}));
    engine.queue.cancel({ ids: [id] });
    await until(() => errorOf(id) === 'NOT_CONNECTED');
    expect(item(id)).toMatchObject({ intent: 'cancel', error: { retryAt: null } });
    await connectTo(engine, proxy.url, (await service.key(user)).apiKey);
    await until(
      () => item(id) === undefined,
      () => item(id),
    );
    expect(await published()).toEqual([]);
    expect(engine.state().notices).toEqual([]);
  });

  it('fault 42: without its account can be tried again, and a second time removes it with a notice', async () => {
    const { engine, item, errorOf, id, published } = await waiting();
    must(await engine.connection.disconnect({}));
    engine.queue.cancel({ ids: [id] });
    await until(() => errorOf(id) === 'NOT_CONNECTED');
    engine.queue.retry({ ids: [id] });
    expect(item(id)).toMatchObject({ intent: 'cancel', error: null });
    await until(() => errorOf(id) === 'NOT_CONNECTED');
    engine.queue.cancel({ ids: [id] });
    expect(item(id)).toBeUndefined();
    expect(engine.state().notices).toMatchObject([{ code: 'MAYBE_PUBLISHED', params: { name: 'regretted' } }]);
    expect(await published()).toHaveLength(1);
  });
});

it('fault 43: a quit that hangs is ended by the watchdog, and the next start continues where it stopped', async () => {
  const { proxy, picture, user, folder, service, expectPublished } = await scene({ connect: 'later' });
  proxy.fault = ({ operation, nth }) => (operation === 'part' && nth >= 1 ? { do: 'stall', at: PART / 2 } : null);
  const file = await picture(3);
  const profile = join(folder, 'hanging');
  const run = (script: URL, ...more: readonly string[]) => {
    const child = spawn(process.execPath, [fileURLToPath(script), profile, proxy.url, user.apiKey, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const app = run(new URL('./hanging-app.ts', import.meta.url), file.path);
  await until(async () => ((await uploadsOf(service.data, user.accountId))[0]?.receivedBytes ?? 0) > 0);
  const exited = once(app, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  app.kill('SIGTERM');
  expect(await exited).toEqual([null, 'SIGKILL']);

  proxy.fault = () => null;
  const [code] = (await once(run(new URL('../support/processes/engine-process.ts', import.meta.url)), 'exit')) as [
    number | null,
  ];
  expect(code).toBe(0);
  expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
  await expectPublished(file);
});
