/** The desktop host with a real engine, over a double of `electron`: its window is safe, and tray and IPC work. */
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Result } from '../../src/api/errors.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import type { Clock } from '../../src/engine/ports.ts';
import { createElectronTransport } from '../../src/ipc/client/electron-transport.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { DESKTOP_CHANNELS, type PreloadApi } from '../../src/ipc/protocol/preload-api.ts';
import { type AppRequest, startApp } from '../../src/main/start-app.ts';
import type { Start } from '../../src/main/system/launch-args.ts';
import { SERVER_PROGRAM } from '../../src/main/try-out/built-in-server-launcher.ts';
import type { FromServer } from '../../src/main/try-out/process-messages.ts';
import {
  app,
  desktop,
  droppedPaths,
  type Frame,
  invokeFrom,
  resetDesktop,
  screen,
  utilityProcess,
} from '../support/electron/index.ts';
import { image } from '../support/media/media.ts';
import { startServer } from '../support/server/server.ts';
import { sleepingClock } from '../support/sleeping-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('desktop');
const SHORT_MS = 1_000;
const ONE = {
  bounds: { x: 0, y: 0, width: 1280, height: 800 },
  scaleFactor: 1,
  nativeOrigin: { x: 0, y: 0 },
  shows: null,
};
const PAGE: Frame = { url: 'app://linkshot/index.html', parent: null };
let profileDir = '';
let profiles = 0;
const logged: string[] = [];

/** Its pauses end at once; its time limits are the system's. */
const brisk: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms < SHORT_MS ? 0 : ms, signal),
};

const startWith = (change: Partial<AppRequest>, ...args: string[]): Promise<void> => {
  const rendererDir = join(root, 'renderer');
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
  writeFileSync(join(root, 'secret.txt'), 'secret');
  const { argv } = process;
  // This process has the test runner's arguments, which would be files to share.
  process.argv = [process.execPath, ...args];
  const started = startApp({
    profileDir,
    rendererDir,
    serverDir: root,
    iconDir: join(root, 'icons'),
    log: (line) => logged.push(line),
    clock: brisk,
    ...change,
  });
  process.argv = argv;
  return started;
};

const start = (...args: string[]): Promise<void> => startWith({}, ...args);

const call = (command: string, input: unknown, frame: Frame | null = PAGE): Promise<unknown> =>
  invokeFrom(frame, DESKTOP_CHANNELS.call, command, input);

const page = async () => {
  await import('../../src/preload/index.ts');
  return createElectronTransport(desktop.exposed.get('linkshot') as PreloadApi<File>);
};

/** Besides the overlay windows. */
const mainWindow = () => desktop.windows.find(({ url }) => url.startsWith('app://linkshot/index.html'));

const quit = async (): Promise<void> => {
  app.quit();
  await expect.poll(() => desktop.exitCode).not.toBeNull();
};

/** A built-in server that gives this answer; null: none. */
const standInServer = (answer: FromServer | null) => {
  const serverDir = join(root, 'server');
  mkdirSync(serverDir, { recursive: true });
  writeFileSync(join(serverDir, SERVER_PROGRAM), '');
  const servers: (EventEmitter & { readonly env: object | undefined })[] = [];
  const fork = vi.spyOn(utilityProcess, 'fork').mockImplementation((_program, _args, options) => {
    const server = Object.assign(new EventEmitter(), {
      env: options?.env,
      postMessage: () => void (answer && queueMicrotask(() => server.emit('message', answer))),
      kill: () => true,
    });
    servers.push(server);
    return server as never;
  });
  onTestFinished(() => fork.mockRestore());
  return { serverDir, servers };
};

beforeEach(() => {
  resetDesktop();
  logged.length = 0;
  profiles += 1;
  profileDir = join(root, `profile-${profiles}`);
});
afterEach(async () => {
  if (desktop.windows.length > 0 && desktop.exitCode === null) await quit();
});

describe('the window', () => {
  it('shows only the pages of the app and cannot be navigated elsewhere', async () => {
    await start();
    const window = mainWindow();
    expect(window?.url).toBe('app://linkshot/index.html');
    await expect.poll(() => window?.isShown).toBe(true);
    const contents = window?.webContents;
    expect(contents?.openHandler?.({} as never)).toEqual({ action: 'deny' });
    const led = (url: string) => {
      let isPrevented = false;
      contents?.emit('will-navigate', { url, preventDefault: () => (isPrevented = true) });
      return isPrevented ? 'denied' : 'allowed';
    };
    expect(led('https://evil.example/')).toBe('denied');
    expect(led('file:///etc/passwd')).toBe('denied');
    expect(led('app://linkshot.evil.example/')).toBe('denied');
    expect(led('app://linkshot/index.html')).toBe('allowed');
  });

  it('is granted no permission but to write the clipboard after a click', async () => {
    await start();
    const contents = mainWindow()?.webContents;
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal'] as const) {
      expect(contents?.session.checkHandler?.(null, permission as never, '', {} as never)).toBe(false);
      let granted = true;
      contents?.session.requestHandler?.(
        null as never,
        permission as never,
        (answer) => (granted = answer),
        {} as never,
      );
      expect(granted).toBe(false);
    }
    expect(contents?.session.checkHandler?.(null, 'clipboard-sanitized-write', '', {} as never)).toBe(true);
  });

  it('hides when it is closed, and is shown again by a second start', async () => {
    await start();
    const window = mainWindow();
    let isPrevented = false;
    window?.emit('close', { preventDefault: () => (isPrevented = true) });
    expect(isPrevented).toBe(true);
    await expect.poll(() => window?.isShown).toBe(false);

    await start();
    expect(desktop.exitCode).toBe(0);
    expect(desktop.windows.filter(({ url }) => url.includes('/index.html'))).toHaveLength(1);
    await expect.poll(() => window?.isShown).toBe(true);
    desktop.exitCode = null;
  });
});

describe('IPC', () => {
  it('answers the main frame of the own page only', async () => {
    await start();
    expect(await call('app.state', {})).toMatchObject({ ok: true, value: { capabilities: { tray: true } } });
    const strangers: (Frame | null)[] = [
      null,
      { url: 'https://evil.example/', parent: null },
      { url: 'app://evil/index.html', parent: null },
      { url: 'app://linkshot/index.html', parent: PAGE },
    ];
    for (const frame of strangers) {
      for (const channel of [DESKTOP_CHANNELS.call, DESKTOP_CHANNELS.offerPath, DESKTOP_CHANNELS.writeSlice])
        expect(await invokeFrom(frame, channel, 'app.state', {})).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
    }
  });

  it('refuses what does not fit a schema, and commands that are not a page’s', async () => {
    await start();
    for (const input of [undefined, null, [], { ids: 1 }, { ids: ['x'] }])
      expect(await call('queue.cancel', input)).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
    expect(await call('queue.addPaths', { paths: ['/etc/passwd'] })).toMatchObject({ ok: false });
    expect(await invokeFrom(PAGE, DESKTOP_CHANNELS.writeSlice, '../x', -1, 'text')).toMatchObject({ ok: false });
    expect(await invokeFrom(PAGE, DESKTOP_CHANNELS.offerPath, 'relative.png')).toMatchObject({ ok: false });
    expect(await invokeFrom(PAGE, DESKTOP_CHANNELS.offerPath, '/dev/null')).toMatchObject({
      error: { code: 'SOURCE_NOT_A_FILE' },
    });
  });
});

describe('the page’s address', () => {
  const get = async (url: string): Promise<{ status: number; text: string; headers: Headers }> => {
    const reply = await desktop.protocols.get('app')?.(new Request(url));
    return { status: reply?.status ?? 0, text: (await reply?.text()) ?? '', headers: reply?.headers ?? new Headers() };
  };

  it('serves the renderer with a strict CSP, and no other file of the disk', async () => {
    await start();
    const index = await get('app://linkshot/index.html');
    expect(index.text).toContain('<title>Linkshot</title>');
    expect(index.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const path of ['../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt', 'thumbnails/..%2f..%2fsecret', 'none'])
      expect((await get(`app://linkshot/${path}`)).text).not.toContain('secret');
    expect((await get('app://evil/index.html')).status).toBe(404);
  });
});

describe('from a dropped file to the link', () => {
  it('uploads a file by its path, copies the link, and offers it in the tray', async () => {
    const server = await startServer();
    await start();
    const instance = await connectToInstance(profileDir);
    const embedded = await instance?.call('connection.embed', {
      server: server.url,
      key: (await server.user()).apiKey,
    });
    expect(embedded).toMatchObject({ ok: true, value: { state: 'connected', keyPlace: 'embedded' } });
    instance?.close();

    const transport = await page();
    const file = new File([], 'shot.png');
    droppedPaths.set(file, await image('png'));
    const offered = await transport.offer(file, () => {}, new AbortController().signal);
    if (!offered.ok) throw new Error(offered.error.detail);
    const added = await transport.call('queue.add', { tokens: [offered.value] });
    expect(added.ok).toBe(true);
    await expect.poll(() => desktop.clipboard).toMatch(/\/s\/\w+/);

    const recent = () => desktop.trays[0]?.menu.find(({ label }) => label === 'Recent links')?.submenu?.items[0];
    await expect.poll(() => recent()?.label).toContain('png');
    const first = desktop.clipboard;
    const link = `${first}?v=2`;
    const found = await transport.call('library.search', { text: '' });
    const ids = found.ok ? found.value.items.map(({ id }) => id) : [];
    await transport.call('library.update', { ids, change: { visibility: 'private' } });
    await expect.poll(() => desktop.clipboard).toBe(link);
    desktop.clipboard = '';
    recent()
      ?.submenu?.items.find(({ label }) => label === 'Copy link')
      ?.click();
    await expect.poll(() => desktop.clipboard).toBe(link);

    // No notification while the window is in use.
    expect(desktop.notices).toEqual([]);
    recent()
      ?.submenu?.items.find(({ label }) => label === 'Open in the browser')
      ?.click();
    await expect.poll(() => desktop.opened).toEqual([link]);
    await quit();
    await server.stop();
  });

  it('queues a dropped folder as a folder of code', async () => {
    await start();
    const folder = join(root, 'dropped');
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.ts'), 'export {};');
    const transport = await page();
    const file = new File([], 'dropped');
    droppedPaths.set(file, folder);
    const offered = await transport.offer(file, () => {}, new AbortController().signal);
    if (!offered.ok) throw new Error(offered.error.detail);
    expect(await transport.call('queue.add', { tokens: [offered.value] })).toMatchObject({ ok: true });
    expect(await call('app.state', {})).toMatchObject({
      value: { queue: { items: [{ job: { kind: 'folder' }, source: { owner: 'user', path: folder } }] } },
    });
  });

  it('lets the user choose a folder of code in its dialog, and shows what would be shared', async () => {
    await start();
    const folder = join(root, 'chosen');
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.ts'), 'export {};');
    writeFileSync(join(folder, '.env'), 'PASSWORD=1');
    expect(await call('folder.choose', {})).toEqual({ ok: true, value: { folder: null } });
    desktop.picked.push(folder);
    const chosen = await (await page()).call('folder.choose', {});
    if (!chosen.ok || !chosen.value.folder) throw new Error('No folder was chosen.');
    const { token, name } = chosen.value.folder;
    expect(name).toBe('chosen');
    expect(await call('folder.preview', { token })).toMatchObject({
      value: { goes: [{ path: 'main.ts' }], skipped: [{ path: '.env', reason: 'secret' }] },
    });
  });

  it('streams a pasted picture, which has no path', async () => {
    await start();
    const transport = await page();
    const bytes = new Uint8Array(5 * 1024 * 1024).fill(7);
    const offered = await transport.offer(new File([bytes], 'pasted.png'), () => {}, new AbortController().signal);
    if (!offered.ok) throw new Error(offered.error.detail);
    await transport.call('queue.add', { tokens: [offered.value] });
    const state = (await call('app.state', {})) as Result<{ queue: { items: unknown[] } }>;
    expect(state).toMatchObject({
      value: { queue: { items: [{ name: 'pasted.png', size: bytes.length, source: { owner: 'spool' } }] } },
    });
  });
});

describe('a pinned image', () => {
  it('of the clipboard is shown by its own page, and the tray closes it', async () => {
    await start('--hidden');
    const png = readFileSync(await image('png', 40, 30));
    desktop.clipboardPicture = png;
    expect(await call('pin.clipboard', {})).toMatchObject({ ok: true });
    const id = desktop.windows.map(({ url }) => url.split('pin.html#')[1]).find((found) => found !== undefined) ?? '';
    const frame: Frame = { url: `app://linkshot/pin.html#${id}`, parent: null };
    expect(await call('pin.read', { id }, frame)).toMatchObject({ value: { width: 40, height: 30, zoom: 1 } });
    const handler = desktop.protocols.get('app');
    const reply = await handler?.(new Request(`app://linkshot/pins/${id}`) as never);
    expect(Buffer.from(await (reply as Response).arrayBuffer())).toEqual(png);
    expect(await call('pin.act', { id, action: 'share' }, frame)).toMatchObject({ ok: true });
    expect(await call('app.state', {})).toMatchObject({
      value: { capabilities: { pins: true }, queue: { items: [{ size: png.length, source: { owner: 'spool' } }] } },
    });
    desktop.trays[0]?.menu.find(({ label }) => label === 'Close all pinned images')?.click();
    expect(await call('pin.read', { id }, frame)).toMatchObject({ ok: false });
  });

  const askToShow = async (): Promise<void> => {
    const instance = await connectToInstance(profileDir);
    expect(await instance?.call('app.show', {})).toMatchObject({ ok: true });
    instance?.close();
  };
  it.each([
    ['a second start', () => void app.emit('second-instance', {}, [], '', { paths: [], link: null, isHidden: false })],
    ['`npm start`', askToShow],
  ])('that lets clicks through gets them back at %s where there is no tray', async (_, startAgain) => {
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'])
      vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    await start('--hidden');
    desktop.clipboardPicture = readFileSync(await image('png', 40, 30));
    await call('pin.clipboard', {});
    const pinned = desktop.windows.find(({ url }) => url.includes('pin.html#'));
    const frame: Frame = { url: pinned?.url ?? '', parent: null };
    await call('pin.act', { id: pinned?.url.split('#')[1], action: 'letThrough' }, frame);
    expect(pinned?.ignoresMouse).toBe(true);
    await startAgain();
    await expect.poll(() => pinned?.ignoresMouse).toBe(false);
  });

  it('is not offered where windows cannot be placed', async () => {
    process.env['WAYLAND_DISPLAY'] = 'wayland-0';
    process.env['XDG_SESSION_TYPE'] = 'wayland';
    try {
      await start('--hidden');
      expect(await call('app.state', {})).toMatchObject({ value: { capabilities: { pins: false } } });
      expect(await call('pin.clipboard', {})).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    } finally {
      delete process.env['WAYLAND_DISPLAY'];
      delete process.env['XDG_SESSION_TYPE'];
    }
  });
});

describe('the secrets in its environment', () => {
  const SECRETS = ['LINKSHOT_KEY', 'LINKSHOT_PASSWORD'];

  it('are not passed on to the built-in server', async () => {
    const { serverDir, servers } = standInServer({ kind: 'failed', detail: 'No.' });
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of [...SECRETS, 'LINKSHOT_OTHER']) vi.stubEnv(name, 'lsk_secret');
    await startWith({ serverDir }, '--hidden');
    expect(await call('connection.tryOut', {})).toMatchObject({ ok: false });
    const given = Object.keys(servers[0]?.env ?? {});
    expect(given.filter((name) => SECRETS.includes(name))).toEqual([]);
    expect(given).toContain('LINKSHOT_OTHER');
    expect(Object.keys(process.env).filter((name) => SECRETS.includes(name))).toEqual([]);
  });
});

describe('without a window', () => {
  it('keeps running in the tray, also while displays come and go', async () => {
    await start('--hidden');
    expect(mainWindow()).toBeUndefined();
    desktop.screens = [
      ...desktop.screens,
      { ...ONE, bounds: { ...ONE.bounds, x: 1280 }, nativeOrigin: { x: 1280, y: 0 } },
    ];
    screen.emit('display-added', {}, {});
    expect(desktop.windows).toHaveLength(2);
    expect(desktop.trays).toHaveLength(1);
  });
});

describe('quitting', () => {
  it('closes the profile, the tray and the hotkey, and then exits', async () => {
    await start();
    const quitItem = desktop.trays[0]?.menu.find(({ label }) => label === 'Quit Linkshot');
    quitItem?.click();
    await expect.poll(() => desktop.exitCode).toBe(0);
    expect(desktop.trays).toEqual([]);
    expect(desktop.handlers.size).toBe(0);
    expect(await connectToInstance(profileDir)).toBeNull();
    expect(desktop.relaunched).toEqual([]);
  });

  it('hides the window at once, and answers what its page saves then', async () => {
    const clock = sleepingClock();
    await startWith({ clock });
    const window = mainWindow();
    await expect.poll(() => window?.isShown).toBe(true);
    app.quit();
    expect(window?.isShown).toBe(false);
    await clock.advance(200);
    const note = { text: 'typed last', title: '', format: null, language: null, share: {} };
    expect(await call('note.saveUnpublished', note)).toMatchObject({ ok: true });
    app.emit('activate');
    expect(window?.isShown).toBe(false);
    await clock.advance(100);
    await expect.poll(() => desktop.exitCode).toBe(0);
    expect(desktop.handlers.size).toBe(0);
  });

  it('fault 43: that hangs is ended by the watchdog, with the start that has come meanwhile', async () => {
    const clock = sleepingClock();
    const { serverDir, servers } = standInServer(null);
    await startWith({ clock, serverDir }, '--hidden');
    const asked = call('connection.tryOut', {});
    await expect.poll(() => servers).toHaveLength(1);
    app.quit();
    app.emit('second-instance', {}, [], '', { paths: [], link: null, isHidden: false });
    await clock.advance(29_999);
    expect(desktop.exitCode).toBeNull();
    await clock.advance(1);
    expect(desktop.exitCode).toBe(1);
    expect(desktop.relaunched).toHaveLength(1);
    servers[0]?.emit('exit', 1);
    await asked;
    await expect.poll(() => desktop.exitCode).toBe(0);
    expect(desktop.relaunched).toHaveLength(1);
  });

  it('starts again for the files that are opened just before and while it closes', async () => {
    await startWith({ sameProfile: ['--profile', profileDir] });
    const paths = [join(root, 'before.png'), join(root, 'while.png')];
    const [before, later] = paths.map((path): Start => ({ paths: [path], link: null, isHidden: false }));
    app.emit('second-instance', {}, [], '', before);
    app.quit();
    app.emit('second-instance', {}, [], '', later);
    await expect.poll(() => desktop.exitCode).toBe(0);
    const args = [app.getAppPath(), '--profile', profileDir, '--', ...paths];
    expect(desktop.relaunched).toEqual([{ execPath: process.execPath, args }]);
  });

  it('starts again for a link and for a hidden start, each as it was', async () => {
    await start();
    const link = 'linkshot://open/library';
    app.quit();
    app.emit('second-instance', {}, [], '', { paths: [], link: null, isHidden: true });
    app.emit('open-url', { preventDefault() {} }, link);
    await expect.poll(() => desktop.exitCode).toBe(0);
    const words = desktop.relaunched.map(({ args }) => args?.slice(1));
    expect(words).toEqual([
      ['--', link],
      ['--hidden', '--'],
    ]);
  });

  it('twice waits for the first to close everything', async () => {
    await start();
    app.quit();
    app.quit();
    expect(desktop.exitCode).toBeNull();
    await expect.poll(() => desktop.exitCode).toBe(0);
    expect(await connectToInstance(profileDir)).toBeNull();
  });

  it('reports the error when the profile cannot be opened', async () => {
    mkdirSync(profileDir, { recursive: true });
    writeFileSync(join(profileDir, 'spool'), 'not a folder');
    await start();
    expect(desktop.errorBoxes.join()).toContain('The profile cannot be opened');
    expect(desktop.exitCode).toBe(1);
    expect(desktop.windows).toEqual([]);
  });
});
