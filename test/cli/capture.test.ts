/** `linkshot capture` on a real X screen, against a real server: the link leads to the displayed pixels. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { err, failure, ok } from '../../src/api/errors.ts';
import { errorMessageOf } from '../../src/cli/error-messages.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { connectToInstance, type InstanceTransport } from '../../src/ipc/host/instance-socket.ts';
import type { CommandInput, CommandName } from '../../src/ipc/protocol/command-table.ts';
import { startBrowserHost } from '../../src/web/start-browser-host.ts';
import { performCommand, runCommand } from '../support/command-line.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeState } from '../support/window/app-state.ts';

const root = temporaryFolder('cli-capture');
let server: RunningServer;
let user: User;
let screen: XScreen;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
  screen = await openXScreen(640, 480);
});
afterAll(async () => {
  await screen.close();
  await server.stop();
});

const capture = (words: readonly string[], display = screen.display) =>
  runCommand(['capture', ...words, '--json', '--profile', join(root, 'profile'), '--server', server.url], {
    LINKSHOT_KEY: user.apiKey,
    DISPLAY: display,
  });

const pixelsBehind = async (id: unknown): Promise<Buffer> => {
  const answer = await fetch(`${server.url}/api/media/${String(id)}`, {
    headers: { authorization: `Bearer ${user.apiKey}` },
  });
  return sharp(await answer.arrayBuffer())
    .raw()
    .toBuffer();
};

describe('capture', () => {
  it('prints the link of a region, and every pixel of it is behind the link', async () => {
    const { code, json } = await capture(['--region', '100,57,333,211']);
    const [line] = json();
    const name = expect.stringMatching(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    expect({ code, line }).toMatchObject({ code: 0, line: { id: expect.any(String), name, type: 'IMAGE' } });
    expect((await fetch(String(line?.['url']))).status).toBe(200);
    const shown = screen.pixels({ x: 100, y: 57, width: 333, height: 211 });
    expect((await pixelsBehind(line?.['id'])).equals(shown)).toBe(true);
  });

  it('takes a whole screen by its number', async () => {
    const { json } = await capture(['--screen', '1', '--visibility', 'private']);
    const shown = screen.pixels({ x: 0, y: 0, width: 640, height: 480 });
    expect((await pixelsBehind(json()[0]?.['id'])).equals(shown)).toBe(true);
  });

  it('--scroll takes what does not scroll once, and says where it ended', async () => {
    const { code, json } = await capture(['--scroll', '--region', '100,57,333,211']);
    const [line] = json();
    expect({ code, line }).toMatchObject({
      code: 0,
      line: { id: expect.any(String), scrolled: { ended: 'end', length: 211 } },
    });
    const shown = screen.pixels({ x: 100, y: 57, width: 333, height: 211 });
    expect((await pixelsBehind(line?.['id'])).equals(shown)).toBe(true);
  });

  it('reports the error on one line and exits with 1', async () => {
    for (const region of ['600,400,100,100', '-99999,0,99999,99999']) {
      const beyond = await capture(['--region', region]);
      expect(beyond.code).toBe(1);
      expect(beyond.json()).toMatchObject([{ error: { code: 'CAPTURE_AREA_INVALID' } }]);
    }
    const blind = await capture(['--screen'], '');
    expect(blind.code).toBe(1);
    expect(blind.json()).toMatchObject([{ error: { code: 'CAPTURE_UNAVAILABLE' } }]);
  });

  it('sets the limit of views, the end and the ban of downloads that its options and preset name', async () => {
    const { apiKey } = await server.user({ plan: 'pro' });
    const profile = ['--profile', join(root, 'limited'), '--server', server.url];
    const environment = { LINKSHOT_KEY: apiKey, DISPLAY: screen.display };
    const preset = { id: 'two', name: 'two views', link: { viewLimit: 2, allowDownload: false } };
    const set = ['config', 'set', 'presets', JSON.stringify([preset]), ...profile];
    expect(await performCommand(set, environment)).toMatchObject({ code: 0 });
    const taken = async (...words: string[]) => {
      const { json } = await performCommand(
        ['capture', '--region', '0,0,40,30', ...words, '--json', ...profile],
        environment,
      );
      const { body } = await ask<Content>(server.url, { path: `/api/v1/content/${json()[0]?.['id']}`, key: apiKey });
      return body;
    };
    expect(await taken('--views', '3', '--expires', '2h', '--downloads', 'forbidden')).toMatchObject({
      ...{ viewLimit: 3, allowDownload: false, expiresAt: expect.any(String) },
    });
    expect(await taken('--preset', 'two views', '--views', '5')).toMatchObject({ viewLimit: 5, allowDownload: false });
  });

  it('counts a duration of --expires from the end of its delay', async () => {
    const taken: CommandInput<'capture.take'>[] = [];
    const app = {
      call: async (command: CommandName, input: CommandInput<'capture.take'>) => {
        if (command === 'capture.take') taken.push(input);
        return command === 'app.state' ? ok(makeState()) : err(failure('CANCELLED', 'Not taken.'));
      },
      ...{ on: () => () => {}, isLost: () => false, close: () => {} },
    } as unknown as InstanceTransport;
    const begun = Date.now();
    const words = ['capture', '--region', '0,0,40,30', '--delay', '60', '--expires', '1h'];
    await performCommand([...words, '--profile', join(root, 'delayed')], {}, '', { instance: async () => app });
    expect(Date.parse(taken[0]?.share?.expiresAt ?? '')).toBeGreaterThanOrEqual(begun + 3_660_000);
  });

  it('is not taken where the plan has no limit of views', async () => {
    const profile = join(root, 'free');
    const { code, json } = await performCommand(
      ['capture', '--screen', '--views', '3', '--json', '--profile', profile, '--server', server.url],
      { LINKSHOT_KEY: (await server.user()).apiKey, DISPLAY: screen.display },
    );
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'PLAN_FEATURE_REQUIRED' } }]);
  });

  it('names the editor as the place of a screenshot that could not be queued', () => {
    const refused = failure('KEY_STORE_FAILED', '', { params: { keptIn: 'editor' } });
    expect(errorMessageOf(refused, 'nothing')).toMatch(/Set LINKSHOT_KEY.* The screenshot is kept: .* editor\.$/);
  });

  it('stays in the queue when no service answers, and the message names it and the reason', async () => {
    const profile = join(root, 'unanswered');
    const { code, json } = await performCommand(
      ['capture', '--screen', '--json', '--profile', profile, '--server', 'http://127.0.0.1:9'],
      { LINKSHOT_KEY: user.apiKey, DISPLAY: screen.display },
      undefined,
      { clock: hurriedClock() },
    );
    expect(code).toBe(1);
    const [line] = json() as { error: { message: string; file: string } }[];
    expect(line?.error.message).toMatch(/Check the address.* stays in the queue; linkshot resume/);
    const resumed = await performCommand(['resume', '--json', '--profile', profile, '--server', server.url], {
      LINKSHOT_KEY: user.apiKey,
    });
    expect(resumed.json()).toMatchObject([{ name: line?.error.file, url: expect.any(String) }]);
  });
});

it('a screenshot is kept by a stop before the service has answered, and published by `resume`', async () => {
  const stop = new AbortController();
  const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const profile = join(root, 'stopped');
  const { code, json } = await performCommand(
    ['capture', '--screen', '--json', '--profile', profile],
    {
      LINKSHOT_SERVER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      ...{ LINKSHOT_KEY: user.apiKey, DISPLAY: screen.display },
    },
    undefined,
    { signal: stop.signal },
  );
  silent.closeAllConnections();
  silent.close();
  expect(code).toBe(130);
  const [line] = json() as { error: { code: string; message: string; file: string } }[];
  expect(line?.error).toMatchObject({ code: 'CANCELLED', message: expect.stringContaining('linkshot resume') });
  const resumed = await performCommand(['resume', '--json', '--profile', profile, '--server', server.url], {
    LINKSHOT_KEY: user.apiKey,
  });
  expect(resumed.json()).toMatchObject([{ name: line?.error.file, url: expect.any(String) }]);
});

describe('capture --select', () => {
  it('without a running app explains what to do', async () => {
    const { code, json } = await capture(['--select']);
    expect(code).toBe(1);
    const [line] = json();
    expect(line).toMatchObject({ error: { code: 'CAPTURE_UNAVAILABLE' } });
    expect(JSON.stringify(line)).toContain('Open Linkshot');
  });

  it('freezes the screen in the running app, whose choice --last then repeats', async () => {
    const profileDir = join(root, 'running');
    const rendererDir = join(root, 'renderer');
    mkdirSync(rendererDir, { recursive: true });
    writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
    const opened: string[] = [];
    const started = await startBrowserHost({
      ...{ profileDir, rendererDir, port: 0, secrets: async () => createMemoryKeyStore(), log: () => {} },
      service: { server: server.url, key: user.apiKey },
      opener: { open: async (url) => ok(void opened.push(url)) },
      environment: { ...process.env, DISPLAY: screen.display },
    });
    if (!started.ok) throw new Error(started.error.detail);
    onTestFinished(started.value.close);
    const inApp = (...words: string[]) =>
      runCommand(['capture', ...words, '--json', '--profile', profileDir], { DISPLAY: screen.display });

    expect((await inApp('--last')).json()).toMatchObject([{ error: { code: 'CAPTURE_AREA_INVALID' } }]);
    const elsewhere = await runCommand(['capture', '--select', '--json', '--profile', profileDir], {
      ...{ DISPLAY: screen.display, LINKSHOT_SERVER: 'http://127.0.0.1:9', LINKSHOT_KEY: 'lsk_another' },
    });
    expect(elsewhere.json()).toMatchObject([
      { error: { code: 'COMMAND_INVALID', message: expect.stringContaining(`is connected to ${server.url}, and`) } },
    ]);
    expect((await inApp('--select')).json()).toEqual([{ state: 'choosing' }]);
    // The page was not open.
    await expect.poll(() => opened).toEqual([started.value.address]);
    const app = await connectToInstance(profileDir);
    onTestFinished(() => app?.close());
    const state = await app?.call('app.state', {});
    const session = state?.ok ? state.value.capture : null;
    if (session?.state !== 'choosing') throw new Error('The screen is not frozen.');
    expect((await inApp('--select')).json()).toMatchObject([{ error: { code: 'CAPTURE_BUSY' } }]);

    const area = { x: 33, y: 44, width: 55, height: 66 };
    expect(await app?.call('capture.choose', { id: session.id, area, way: 'publish' })).toMatchObject({ ok: true });
    const { json } = await inApp('--last');
    expect((await pixelsBehind(json()[0]?.['id'])).equals(screen.pixels(area))).toBe(true);
  });

  it.each([
    [['--select', '--visibility', 'private'], '--visibility cannot be used with --select'],
    [['--scroll', '--window', '--pointer'], '--pointer cannot be used with --scroll'],
    [['--scroll', '--screen', '1'], '--scroll requires what to scroll'],
    [['--sideways', '--window'], '--sideways requires --scroll'],
    [['--window', '--last'], 'Choose one of --window and --last'],
    [['--region', '100,100,800,600', '--screen'], 'Choose one of --region and --screen'],
  ])('refuses %o as a wrong command line, because one of them would mean nothing', async (words, sentence) => {
    const { code, json } = await capture(words);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'COMMAND_INVALID', message: expect.stringContaining(sentence) } }]);
  });
});
