/** `npm start` on the desktop: what it asks the app that it has started to do, and what it does without an answer. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectApp, runDesktop } from '../../scripts/desktop.ts';
import { startTryOutServer, type TryOutServer } from '../../src/host/try-out-server.ts';
import { afterEveryTest } from '../support/ends.ts';
import { itWith } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { startServer } from '../support/server/server.ts';
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

it('starts no try-out where there are accounts and the user has not chosen one of them', async () => {
  const profileDir = join(folder, 'unchosen');
  const host = await openTestHost(profileDir, { tryOut: appServer(profileDir) });
  const service = await startServer();
  onTestFinished(async () => {
    await host.close();
    await service.stop();
  });
  const never = new AbortController().signal;
  for (const { apiKey } of [await service.user(), await service.user()])
    await host.engine.connection.connect({ server: service.url, key: apiKey, keep: 'store' }, never);
  await host.engine.connection.disconnect({});
  expect(host.engine.state().accounts).toHaveLength(1);
  expect(await connectApp({ profileDir, service: 'try-out' }, never)).toBe(true);
  expect(host.engine.state().connection.state).toBe('none');
  expect(servers).toEqual([]);
  expect(host.shown()).toBe(1);
});

it('shows the window where the app has no server', async () => {
  const profileDir = join(folder, 'two');
  const host = await openTestHost(profileDir);
  const reached = vi.fn();
  expect(await connectApp({ profileDir, service: 'try-out' }, new AbortController().signal, reached)).toBe(true);
  expect(reached).toHaveBeenCalledOnce();
  expect(host.engine.state().connection.state).toBe('none');
  expect(host.shown()).toBe(1);
});

it('ends when the app ends before it is reached', async () => {
  const ended = new AbortController();
  const connecting = connectApp({ profileDir: join(folder, 'three'), service: 'try-out' }, ended.signal);
  ended.abort();
  expect(await connecting).toBe(false);
  expect(servers).toEqual([]);
});

/** Runs this script of the shell as Electron. */
const runScript = async (name: string, lines: readonly string[]) => {
  const root = join(folder, name);
  mkdirSync(root);
  const binary = join(root, 'electron');
  writeFileSync(binary, ['#!/bin/sh', 'cd "$1"', 'echo "$*" >>arguments', ...lines].join('\n'), { mode: 0o700 });
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const listeners = process.listenerCount('SIGTERM');
  const run = { binary, root, profileDir: join(root, 'profile'), args: [], patienceMs: 100 };
  return {
    root,
    end: await runDesktop({ ...run, service: 'try-out' }),
    starts: readFileSync(join(root, 'arguments'), 'utf8').trim().split('\n'),
    said: said.mock.calls.flat().join('\n'),
    leftListeners: process.listenerCount('SIGTERM') - listeners,
  };
};

itWith('programs of Linux')('says that Electron could not start where it fails before the app is reached', async () => {
  const run = await runScript('failing', ['exit 133']);
  expect(run.end).toEqual({ hasRun: false, code: 133 });
  expect(run.said).toBe('');
  // The browser host, which is started instead, closes itself on a signal.
  expect(run.leftListeners).toBe(0);
});

itWith('programs of Linux')('shows the hidden window of an app that runs and does not answer', async () => {
  mkdirSync(join(folder, 'pipes'));
  const pipe = join(folder, 'pipes/shown');
  execFileSync('mkfifo', [pipe]);
  const untilShown = `case "$*" in *--hidden*) read -r _ <'${pipe}' ;; *) echo shown >'${pipe}' ;; esac`;
  const { root, ...run } = await runScript('silent', [untilShown]);
  const start = `${root} --profile ${join(root, 'profile')}`;
  // Each of the two writes its own line: either may be first.
  expect(run.starts.toSorted()).toEqual([start, `${start} --hidden`]);
  expect(run.end).toEqual({ hasRun: true, code: 0 });
  expect(run.said).toContain('does not answer');
});
