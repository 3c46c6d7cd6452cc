/** `npm start` on the desktop: what it asks the app that it has started to do. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectApp } from '../../scripts/desktop.ts';
import { startTryOutServer, type TryOutServer } from '../../src/host/try-out-server.ts';
import { afterEveryTest } from '../support/ends.ts';
import { openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('desktop-run');
const servers: Promise<TryOutServer>[] = [];
afterEveryTest(async () => {
  for (const server of servers.splice(0)) await (await server).close();
});

/** The built-in server of an app, which is started on first use. */
const appServer = (profileDir: string) => {
  let begun: Promise<TryOutServer> | null = null;
  return () => {
    begun ??= startTryOutServer(profileDir);
    if (!servers.includes(begun)) servers.push(begun);
    return begun;
  };
};

it('lets the app start its built-in server, and starts none beside it on the same data', async () => {
  const profileDir = join(folder, 'one');
  const tryOut = appServer(profileDir);
  const host = await openTestHost(profileDir, { tryOut });
  await connectApp({ profileDir, service: 'try-out' }, new AbortController().signal);
  expect(host.engine.state().connection).toMatchObject({ state: 'connected' });
  expect(servers).toHaveLength(1);
  expect(host.engine.state().accounts.map(({ connection }) => connection.server)).toEqual([(await tryOut()).server]);
  expect(host.shown()).toBe(1);
});

it('shows the window where the app has no server', async () => {
  const profileDir = join(folder, 'two');
  const host = await openTestHost(profileDir);
  await connectApp({ profileDir, service: 'try-out' }, new AbortController().signal);
  expect(host.engine.state().connection.state).toBe('none');
  expect(host.shown()).toBe(1);
});

it('ends when the app ends before it is reached', async () => {
  const ended = new AbortController();
  const connecting = connectApp({ profileDir: join(folder, 'three'), service: 'try-out' }, ended.signal);
  ended.abort();
  await connecting;
  expect(servers).toEqual([]);
});
