/**
 * Starts the browser host: the engine of a profile and the HTTP server of its page. Also starts the built-in try-out
 * server when the user asks for it, when the caller requests it for a profile without an account, and when links of an
 * earlier try-out must keep working.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { err, failure, ok, type Result } from '../api/errors.ts';
import { OVERLAY_TITLES } from '../common/overlay-titles.ts';
import { createRaiseWindow } from '../engine/capture/x11/raise-window.ts';
import type { ConnectRequest, Engine } from '../engine/engine.ts';
import { openPortalHotkeys } from '../engine/hotkeys/portal-hotkeys.ts';
import { openX11Hotkeys } from '../engine/hotkeys/x11-hotkeys.ts';
import { silentNotifier, systemClock } from '../engine/node-ports.ts';
import type { Opener, SecretStore } from '../engine/ports.ts';
import { canShowInput } from '../engine/recording/input-display/open-input-display.ts';
import { askSystemDesktop } from '../engine/wayland-desktop-abilities.ts';
import { logErrors, openAppLog } from '../host/app-log.ts';
import { openDesktopClipboard } from '../host/desktop-clipboard.ts';
import { createClipboardReader } from '../host/read-clipboard-with-programs.ts';
import { startHostCore } from '../host/start-host-core.ts';
import { wasTriedOut } from '../host/try-out-folder.ts';
import { startTryOutServer, type TryOutServer } from '../host/try-out-server.ts';
import type { Capabilities } from '../ipc/protocol/app-state.ts';
import { KEY_FRAGMENT } from '../ipc/protocol/page-key.ts';
import { createBrowserHostServer } from './browser-host-server.ts';
import { openPageForCaptures } from './open-page-for-captures.ts';
import { createPagePresence } from './page-presence.ts';

export interface BrowserHostRequest {
  readonly profileDir: string;
  readonly rendererDir: string;
  /** 0: any free port. */
  readonly port: number;
  /**
   * A service to connect to; `try-out`: the embedded one, unless the profile has a service; `profile`: only what the
   * profile has.
   */
  readonly service: Omit<ConnectRequest, 'keep'> | 'try-out' | 'profile';
  /** Such as `https://linkshot.example.org`: other devices open the page there, and a proxy passes their requests on. */
  readonly origin?: string;
  /** In development another server sends the page, which stays open over restarts of the host. */
  readonly page?: { readonly key: string; readonly address: string };
  /** How long an open page may take to show a capture before another one is opened; two seconds by default. */
  readonly pagePatienceMs?: number;
  /** Called once this process owns the profile. */
  readonly secrets: () => Promise<SecretStore>;
  readonly opener: Opener;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

export interface BrowserHost {
  /** Address of the page, with the key of this run in its fragment. */
  readonly address: string;
  readonly service: 'try-out' | 'other';
  close(): Promise<void>;
}

const CAPABILITIES: Omit<Capabilities, 'hotkey' | 'clipboard' | 'overlay' | 'windows' | 'recording' | 'inputDisplay'> =
  {
    tray: false,
    panels: false,
    pins: false,
    folders: false,
    fileManager: false,
    explorerMenu: false,
    terminalCommand: false,
    tryOut: true,
  };

const LAUNCHER = resolve(import.meta.dirname, '../../bin/linkshot');

/** A desktop that does not answer must not hold up the start. */
const DESKTOP_MS = 10_000;

const OVERLAY_WINDOW_TITLES = Object.values(OVERLAY_TITLES).flatMap((titles) => Object.values(titles));

/** The built-in server, started on first use. */
const createTryOut = (profileDir: string) => {
  let begun: Promise<TryOutServer> | null = null;
  return {
    begin: (): Promise<TryOutServer> => {
      begun ??= startTryOutServer(profileDir).catch((error: Error) => {
        begun = null;
        throw error;
      });
      return begun;
    },
    close: async (): Promise<void> => (await begun)?.close(),
  };
};

/** Whether the built-in server is used; `failed`: it does not start, which the page shows where the user asks for it. */
const connectTo = async (
  { service, log }: BrowserHostRequest,
  engine: Engine,
  begin: () => Promise<TryOutServer>,
): Promise<'used' | 'unused' | 'failed'> => {
  const never = new AbortController().signal;
  if (typeof service === 'object') {
    const connected = await engine.connection.connect({ ...service, keep: 'store' }, never);
    if (!connected.ok) log(`${service.server}: ${connected.error.detail}`);
    return 'unused';
  }
  if (service === 'profile' || engine.state().accounts.length > 0) return 'unused';
  const place = await begin().catch((error: Error) => {
    log(`The built-in server does not start: ${error.message}. Linkshot opens without it.`);
    return null;
  });
  if (place === null) return 'failed';
  const connected = await engine.connection.embed(place, never);
  if (!connected.ok) log(`The built-in server does not respond: ${connected.error.detail}`);
  return 'used';
};

/** Where a service has taken the place of the try-out: its links open, its items can be finished, changed and deleted. */
const resumeTryOut = async (engine: Engine, begin: () => Promise<TryOutServer>): Promise<void> => {
  const place = await begin();
  // With no account at all the window asks for one.
  if (engine.state().accounts.length > 0) await engine.connection.embed(place, new AbortController().signal);
};

/** A server that could not listen cannot try another port. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A port of this profile, so that tabs, bookmarks and restored sessions of earlier starts find the page. */
const PORT_FILE = 'browser-port';
const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

const listen = async (app: FastifyInstance, profileDir: string, port: number): Promise<void> => {
  const host = '127.0.0.1';
  const path = join(profileDir, PORT_FILE);
  if (port !== 0) return void (await app.listen({ host, port }));
  const before = await readFile(path, 'utf8').catch(() => '');
  const known = isPort(before) && (await isFree(Number(before))) ? Number(before) : 0;
  await app.listen({ host, port: known });
  // Without the file the next start takes another port.
  await writeFile(path, String((app.server.address() as AddressInfo).port), { mode: 0o600 }).catch(() => {});
};

/** Fails with PROFILE_BUSY where another process owns the profile, and as `createEngine` does. */
export const startBrowserHost = async (request: BrowserHostRequest): Promise<Result<BrowserHost>> => {
  const { profileDir, rendererDir, port, origin, page, secrets, opener, environment } = request;
  const log = openAppLog(profileDir, systemClock, request.log);
  if (!existsSync(join(rendererDir, 'index.html')))
    return err(failure('APP_FAILED', 'The page is not built yet. Run: npm run build'));
  /** Known once the page can be opened. */
  const announced = Promise.withResolvers<string>();
  const hotkeys = (await openX11Hotkeys(environment)) ?? (await openPortalHotkeys(environment));
  const desktop = await askSystemDesktop(environment, AbortSignal.timeout(DESKTOP_MS)).catch(() => null);
  const copied = createClipboardReader(process.platform, environment);
  // Whoever opens the page on another device wants the link on that device.
  const clipboard = origin === undefined ? await openDesktopClipboard(process.platform, environment, copied) : null;
  const tryOut = createTryOut(profileDir);
  const opened = await startHostCore({
    profileDir,
    secrets,
    clipboard,
    copied,
    notifier: silentNotifier,
    opener,
    environment,
    ...(existsSync(LAUNCHER) && { launcher: LAUNCHER }),
    commandLine: async () => (await import('../cli/run-for-launcher.ts')).runForLauncher,
    ...(hotkeys && { hotkeys }),
    capabilities: {
      ...CAPABILITIES,
      // Without a way to capture, no button offers it.
      overlay: desktop?.screenshots === 'none' ? 'none' : 'page',
      windows: desktop?.windows ?? true,
      recording: desktop?.recordings !== 'none',
      inputDisplay: canShowInput({ platform: process.platform, environment }),
      hotkey: hotkeys !== null,
      clipboard: clipboard === null ? 'page' : 'both',
    },
    show: async () => opener.open(await announced.promise),
    tryOut: tryOut.begin,
    log,
  });
  if (!opened.ok) return opened;
  const host = opened.value;
  logErrors(host.engine, log);
  // Its second half, for pictures, reveals nothing of the first.
  const key = page?.key ?? randomBytes(64).toString('hex');
  const presence = createPagePresence();
  const app = await createBrowserHostServer({
    ...host,
    presence,
    rendererDir,
    key,
    ...(origin !== undefined && { origin }),
    log,
  });
  try {
    await listen(app, profileDir, port);
  } catch (error) {
    await host.close();
    return err(failure('APP_FAILED', `Port ${port} cannot be used: ${(error as Error).message}`));
  }
  const builtIn = await connectTo({ ...request, log }, host.engine, tryOut.begin);
  // The page does not wait for it.
  const resumed =
    builtIn === 'unused' && request.service !== 'profile' && wasTriedOut(profileDir)
      ? resumeTryOut(host.engine, tryOut.begin).catch((error: Error) =>
          log(`Links to this computer do not open: ${error.message}`),
        )
      : null;
  const here = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const address = page?.address ?? `${origin ?? here}/${KEY_FRAGMENT}${key}`;
  announced.resolve(address);
  const ending = new AbortController();
  const raiseWindow = createRaiseWindow(environment, request.pagePatienceMs);
  openPageForCaptures({
    engine: host.engine,
    presence,
    open: () => void opener.open(address),
    raise: raiseWindow && (() => raiseWindow(OVERLAY_WINDOW_TITLES, ending.signal)),
  });
  return ok({
    address,
    service: builtIn === 'used' ? 'try-out' : 'other',
    close: async () => {
      ending.abort();
      await resumed;
      await app.close();
      await host.close();
      await tryOut.close();
    },
  });
};
