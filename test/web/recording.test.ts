/** A recording in review in a browser player: in full, by range, and only for the user's own page. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordingId } from '../../src/api/ids.ts';
import { mediaKeyOf } from '../../src/ipc/protocol/page-key.ts';
import { createBrowserHostServer } from '../../src/web/browser-host-server.ts';
import { createPagePresence } from '../../src/web/page-presence.ts';
import { until } from '../support/engine.ts';
import { goodMp4 } from '../support/media/media.ts';
import { openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('web-recording');
const key = 'the-key-of-this-run-of-Linkshot';
const id = randomUUID() as string as RecordingId;
let app: Awaited<ReturnType<typeof createBrowserHostServer>>;
let origin = '';
let file: Buffer;

beforeAll(async () => {
  const rendererDir = join(root, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
  // As after a crash.
  const folder = join(root, 'profile', 'recordings', id);
  mkdirSync(folder, { recursive: true });
  copyFileSync(await goodMp4(), join(folder, '0.mp4'));
  const host = await openTestHost(join(root, 'profile'));
  await until(() => host.engine.state().recording?.state === 'review');
  file = readFileSync(host.engine.recording.file(id) ?? '');
  app = await createBrowserHostServer({ ...host, presence: createPagePresence(), rendererDir, key, log: () => {} });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => app.close());

const ask = async (range?: string, path = `/recordings/${id}`) => {
  const reply = await fetch(`${origin}${path}?key=${mediaKeyOf(key)}`, { headers: { ...(range && { range }) } });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
};

it('is served completely, is not stored, and can only be played by the page that it is served to', async () => {
  const { reply, bytes } = await ask();
  expect(reply.status).toBe(200);
  expect(bytes.equals(file)).toBe(true);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    'content-security-policy': expect.stringContaining("media-src 'self'"),
  });
});

it.each([
  ['bytes=0-99', 0, 99],
  ['bytes=1000-', 1_000, null],
  ['bytes=-64', -64, null],
])('is served in the part %s that a player seeks', async (range, first, last) => {
  const { reply, bytes } = await ask(range);
  expect(reply.status).toBe(206);
  expect(bytes.equals(file.subarray(first, last === null ? undefined : last + 1))).toBe(true);
  const start = first < 0 ? file.length + first : first;
  expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${last ?? file.length - 1}/${file.length}`);
});

it('has no part behind its end, no other name, and no other reader', async () => {
  const beyond = await ask(`bytes=${file.length}-`);
  expect([beyond.reply.status, beyond.reply.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
  for (const path of [`/recordings/${randomUUID()}`, '/recordings/..%2f..%2fabout.json', '/recordings/about.json'])
    expect((await ask(undefined, path)).reply.status).toBe(404);
  expect((await fetch(`${origin}/recordings/${id}`)).status).toBe(401);
});
