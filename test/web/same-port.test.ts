/** The window of the browser host keeps its address: tabs, bookmarks and restored sessions find it after a restart. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { startBrowserHost } from '../../src/web/start-browser-host.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('same-port');
const rendererDir = join(root, 'renderer');
mkdirSync(rendererDir);
writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');

const start = async (profileDir: string) => {
  const started = await startBrowserHost({
    ...{
      profileDir,
      rendererDir,
      port: 0,
      service: 'profile',
      secrets: async () => createMemoryKeyStore(),
      environment: {},
    },
    opener: { open: async () => ok(undefined) },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  return started.value;
};
/** As after a start before, at a port that no other test gets while this one has closed it. */
const startAtOwnPort = async (profileDir: string) => {
  const port = await freePort();
  mkdirSync(profileDir);
  writeFileSync(join(profileDir, 'browser-port'), `${port}`);
  const host = await start(profileDir);
  expect(originOf(host)).toBe(`http://127.0.0.1:${port}`);
  return host;
};
const originOf = ({ address }: { readonly address: string }): string => new URL(address).origin;

it('listens at the port of the last start, with another key', async () => {
  const profile = join(root, 'again');
  const first = await startAtOwnPort(profile);
  await first.close();
  const second = await start(profile);
  expect(originOf(second)).toBe(originOf(first));
  expect(second.address).not.toBe(first.address);
  await second.close();
});

it.each(['', 'x', '99999', '-1'])('takes a free port where the noted one is no port (%j)', async (noted) => {
  const profile = join(root, `noted-${noted}`);
  mkdirSync(profile);
  writeFileSync(join(profile, 'browser-port'), noted);
  const host = await start(profile);
  expect((await fetch(originOf(host))).status).toBe(200);
  await host.close();
});

it('takes a free port where another program has the last one', async () => {
  const profile = join(root, 'taken');
  const first = await startAtOwnPort(profile);
  await first.close();
  const other = createServer().listen(Number(new URL(first.address).port), '127.0.0.1');
  await once(other, 'listening');
  const second = await start(profile);
  expect(originOf(second)).not.toBe(originOf(first));
  expect(readFileSync(join(profile, 'browser-port'), 'utf8')).toBe(new URL(second.address).port);
  await second.close();
  other.close();
});
