/** The frozen screen in a browser tab: exact pixels, for the user's own page only, and the page opens by itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { KEY_PROTOCOL_PREFIX, mediaKeyOf, PAGE_PROTOCOL } from '../../src/ipc/protocol/page-key.ts';
import { createBrowserHostServer } from '../../src/web/browser-host-server.ts';
import { openPageForCaptures } from '../../src/web/open-page-for-captures.ts';
import { createPagePresence } from '../../src/web/page-presence.ts';
import { until } from '../support/engine.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { paintScreen } from '../support/screen/painted-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const never = new AbortController().signal;
const DISPLAYS = [
  { x: 0, y: 0, width: 40, height: 30 },
  { x: 40, y: 0, width: 20, height: 30 },
];
const root = temporaryFolder('web-capture');
const key = 'the-key-of-this-run-of-Linkshot';
const screen = paintScreen(DISPLAYS);
const presence = createPagePresence();
let opened = 0;
let host: OpenedHost;
let app: Awaited<ReturnType<typeof createBrowserHostServer>>;
let origin = '';

beforeAll(async () => {
  const rendererDir = join(root, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
  host = await openTestHost(join(root, 'profile'), { capturer: screen });
  app = await createBrowserHostServer({ ...host, presence, rendererDir, key, log: () => {} });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  openPageForCaptures({
    ...{ engine: host.engine, presence },
    open: () => {
      opened += 1;
    },
    raise: null,
  });
});
afterAll(() => app.close());

const WITH_KEY = `?key=${mediaKeyOf(key)}`;
const ask = (path: string, headers: Record<string, string> = {}, query = WITH_KEY) =>
  fetch(origin + path + query, { headers });
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const freeze = async (): Promise<string> => {
  const started = await host.engine.capture.start({ mode: 'region' }, never);
  const { capture } = host.engine.state();
  if (!started.ok || capture?.state !== 'choosing') throw new Error('The screen is not frozen.');
  return capture.id;
};

describe('a frozen screen', () => {
  it('is sent pixel by pixel only to the page, is not stored, and is dropped with the session', async () => {
    const id = await freeze();
    for (const [index, area] of DISPLAYS.entries()) {
      const reply = await ask(`/captures/${id}/${index + 1}`);
      expect(reply.headers.get('content-type')).toBe('application/octet-stream');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      const raw = { width: area.width, height: area.height, channels: 4 } as const;
      const rgb = await sharp(await bytesOf(reply), { raw })
        .removeAlpha()
        .raw()
        .toBuffer();
      expect(rgb.equals(screen.expected(area))).toBe(true);
    }
    expect((await ask(`/captures/${id}/1`, {}, '')).status).toBe(401);
    expect((await ask(`/captures/${id}/1`, { origin: 'http://evil.example' })).status).toBe(403);
    for (const path of [`/captures/${id}/3`, `/captures/${id}/0`, `/captures/${id}/picture`, '/captures/%2e%2e/1'])
      expect((await ask(path)).status).toBe(404);
    await host.engine.capture.cancel();
    expect((await ask(`/captures/${id}/1`)).status).toBe(404);
  });

  it('leads to a picture that the editor of the page reads as PNG', async () => {
    const [area] = DISPLAYS as [(typeof DISPLAYS)[0]];
    const id = (await freeze()) as never;
    await host.engine.capture.choose({ id, area, way: 'edit' }, never);
    const { capture } = host.engine.state();
    const reply = await ask(`/captures/${capture?.state === 'editing' ? capture.id : ''}/picture`);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const rgb = await sharp(await bytesOf(reply))
      .raw()
      .toBuffer();
    expect(rgb.equals(screen.expected(area))).toBe(true);
    await host.engine.capture.cancel();
  });
});

describe('a session', () => {
  it('opens the page unless one is open already', async () => {
    const before = opened;
    await freeze();
    await until(() => opened === before + 1);
    // Requested again while it is open: a user who closed the page gets a new one.
    await host.engine.capture.start({ mode: 'region' }, never);
    await until(() => opened === before + 2);
    await host.engine.capture.cancel();

    const page = new WebSocket(`${origin.replace('http', 'ws')}/bridge`, [PAGE_PROTOCOL, KEY_PROTOCOL_PREFIX + key], {
      headers: { origin },
    });
    await until(() => presence.isAnyone());
    await freeze();
    let isSent = false;
    host.engine.on((event) => {
      if (event.type === 'state' && event.state.capture !== null) isSent = true;
    });
    await until(() => isSent);
    expect(opened).toBe(before + 2);
    await host.engine.capture.cancel();
    page.close();
    await until(() => !presence.isAnyone());
  });
});
