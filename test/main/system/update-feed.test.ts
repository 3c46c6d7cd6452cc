/** Updates from a feed: electron-updater itself, over HTTP, with Electron's part doubled. Installers are small files here. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire, registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AppImageUpdater, NsisUpdater } from 'electron-updater';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createUpdateStatus } from '../../../src/main/system/update-status.ts';
import { followUpdates, trustOf, type Updater } from '../../../src/main/system/updates.ts';
import type * as ElectronDouble from '../../support/electron/index.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// electron-updater is loaded by Node itself, past the alias of Vitest.
const double = new URL('../../support/electron/index.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'electron' ? { url: double, shortCircuit: true } : next(name, context)),
});
const { default: loaded } = await import('electron-updater');
// The double that electron-updater meets, which is not the one that Vitest loads.
const { app, desktop, resetDesktop } = createRequire(import.meta.url)('electron') as typeof ElectronDouble;

const FIRST_MS = 60_000;
const AGAIN_MS = 6 * 60 * 60_000;
const INSTALLER = Buffer.alloc(300_000, 'an installer signed by Linkshot\n');
const FOREIGN = Buffer.alloc(300_000, 'an installer signed by another publisher\n');
const PUBLISHER = 'publisherName:\n  - Linkshot\n';

interface Release {
  readonly version: string;
  readonly bytes: Buffer;
  /** What the feed says of the bytes, where it is not their hash. */
  readonly sha512?: string;
}

/** A feed as electron-builder publishes it: the newest version in a small YAML file beside the installers. */
const startFeed = async (ending: 'exe' | 'AppImage', first: Release) => {
  let release = first;
  let cutAfter: number | null = null;
  const asked: string[] = [];
  const file = () => `Linkshot-${release.version}.${ending}`;
  const server = createServer(({ url = '/' }, response) => {
    const name = decodeURIComponent(new URL(url, 'http://feed').pathname.slice(1));
    // It is named after the system that asks, which is the one that this test runs on.
    const isChannel = /^latest(-\w+)?\.yml$/.test(name);
    asked.push(isChannel ? 'channel' : name);
    if (isChannel) {
      const sha512 = release.sha512 ?? createHash('sha512').update(release.bytes).digest('base64');
      const entry = `  - url: ${file()}\n    sha512: ${sha512}\n    size: ${release.bytes.length}\n`;
      return void response.end(
        `version: ${release.version}\nfiles:\n${entry}path: ${file()}\nsha512: ${sha512}\nreleaseDate: '2026-11-01'\n`,
      );
    }
    if (name !== file()) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': release.bytes.length });
    if (cutAfter === null) return void response.end(release.bytes);
    response.write(release.bytes.subarray(0, cutAfter), () => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    publish: (next: Release) => {
      release = next;
    },
    /** Ends the connection in the middle of an installer; null: no longer. */
    cut: (after: number | null) => {
      cutAfter = after;
    },
  };
};

type Feed = Awaited<ReturnType<typeof startFeed>>;

/** The app packed as `packaging`, with this feed in its resources, until the test is over. */
const openApp = (packaging: 'win32' | 'portable' | 'linux', feed: Feed, config: string) => {
  const folder = temporaryFolder('updates');
  const resourcesDir = join(folder, 'resources');
  const caches = join(folder, 'caches');
  mkdirSync(resourcesDir);
  const text = `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: linkshot-updater\n${config}`;
  writeFileSync(join(resourcesDir, 'app-update.yml'), text);
  vi.stubEnv('XDG_CACHE_HOME', caches);
  vi.stubEnv('LOCALAPPDATA', caches);
  vi.stubEnv('APPIMAGE', join(folder, 'Linkshot.AppImage'));
  Object.assign(process, { resourcesPath: resourcesDir });
  Object.assign(desktop, { isPackaged: true });
  desktop.paths.set('userData', folder);

  const made: NsisUpdater | AppImageUpdater =
    packaging === 'linux' ? new loaded.AppImageUpdater() : new loaded.NsisUpdater();
  const judged: string[] = [];
  if (made instanceof loaded.NsisUpdater) {
    // PowerShell's answer about the signature of a file: null for a good one, else why it is refused.
    made.verifyUpdateCodeSignature = async ([publisher = ''], path) => {
      judged.push(publisher);
      return readFileSync(path).includes(`signed by ${publisher}\n`)
        ? null
        : 'publisherNames: Linkshot, raw info: another';
    };
  }
  const installed: string[] = [];
  vi.spyOn(made as unknown as { install: () => boolean }, 'install').mockImplementation(() => {
    installed.push((made as unknown as { installerPath: string }).installerPath);
    return true;
  });
  const trust = trustOf(packaging, text);
  if (trust === null) throw new Error('There is a feed.');
  const clock = sleepingClock();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const notified: string[] = [];
  const logged: string[] = [];
  const status = createUpdateStatus({ now: clock.now });
  followUpdates(
    {
      ...{ updater: made as unknown as Updater, trust, clock, updateStatus: status },
      announce: (state, version) => void notified.push(`${state} ${version}`),
      log: (line) => logged.push(line),
    },
    ending.signal,
  );
  const pending = join(caches, 'linkshot-updater', 'pending');
  const downloads = (): string[] => {
    try {
      return readdirSync(pending).filter((name) => /\.(exe|AppImage)$/.test(name));
    } catch {
      return [];
    }
  };
  return { clock, notified, logged, status, judged, installed, downloads, pending };
};

beforeEach(resetDesktop);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('updates on Windows, whose publisher the packed configuration names', () => {
  it('downloads a good update, announces it once, and installs it when the app quits', async () => {
    const feed = await startFeed('exe', { version: '0.2.0', bytes: INSTALLER });
    const opened = openApp('win32', feed, PUBLISHER);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.notified).toEqual(['ready 0.2.0']);
    expect(opened.status.read()).toMatchObject({ state: 'ready', version: '0.2.0' });
    expect(opened.judged).toEqual(['Linkshot']);
    const [name = ''] = opened.downloads();
    expect(readFileSync(join(opened.pending, name)).equals(INSTALLER)).toBe(true);

    expect(opened.installed).toEqual([]);
    app.quit();
    await expect.poll(() => opened.installed).toEqual([join(opened.pending, name)]);
  });

  it('refuses an update with the signature of another publisher, and installs nothing', async () => {
    const feed = await startFeed('exe', { version: '0.2.0', bytes: FOREIGN });
    const opened = openApp('win32', feed, PUBLISHER);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.logged.join('\n')).toContain('not signed by the application owner');
    expect([opened.notified, opened.downloads()]).toEqual([[], []]);
    expect(opened.status.read()).toMatchObject({ state: 'found', version: '0.2.0' });
    app.quit();
    expect(opened.installed).toEqual([]);

    feed.publish({ version: '0.2.1', bytes: INSTALLER });
    await opened.clock.advance(AGAIN_MS);
    await expect.poll(() => opened.notified).toEqual(['ready 0.2.1']);
  });

  it('refuses an update whose bytes are not those that the feed announces', async () => {
    const sha512 = createHash('sha512').update(FOREIGN).digest('base64');
    const feed = await startFeed('exe', { version: '0.2.0', bytes: INSTALLER, sha512 });
    const opened = openApp('win32', feed, PUBLISHER);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.logged.join('\n')).toContain('sha512 checksum mismatch');
    expect([opened.notified, opened.downloads(), opened.judged]).toEqual([[], [], []]);
    expect(opened.status.read()).toMatchObject({ state: 'found', version: '0.2.0' });
  });

  it.each(['0.0.9', '0.1.0', '0.2.0-beta.1'])(
    'loads nothing while the feed has %s and this is 0.1.0',
    async (version) => {
      const feed = await startFeed('exe', { version, bytes: INSTALLER });
      const opened = openApp('win32', feed, PUBLISHER);
      await opened.clock.advance(FIRST_MS);
      await expect.poll(() => opened.status.read().state).toBe('current');
      expect([opened.notified, feed.asked]).toEqual([[], ['channel']]);
    },
  );

  it('starts an interrupted download again at the next check, and announces it only when it is whole', async () => {
    const feed = await startFeed('exe', { version: '0.2.0', bytes: INSTALLER });
    feed.cut(100_000);
    const opened = openApp('win32', feed, PUBLISHER);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.logged.length).toBeGreaterThan(0);
    expect([opened.notified, opened.downloads(), opened.judged]).toEqual([[], [], []]);
    expect(opened.status.read()).toMatchObject({ state: 'found', version: '0.2.0' });

    feed.cut(null);
    await opened.clock.advance(AGAIN_MS);
    await expect.poll(() => opened.notified).toEqual(['ready 0.2.0']);
    expect(opened.status.read()).toMatchObject({ state: 'ready', version: '0.2.0' });
    const [name = ''] = opened.downloads();
    expect(readFileSync(join(opened.pending, name)).equals(INSTALLER)).toBe(true);

    await opened.clock.advance(AGAIN_MS);
    await expect.poll(() => feed.asked.filter((name) => name === 'channel').length).toBe(3);
    await expect.poll(() => opened.status.read().state).toBe('ready');
  });

  it('continues to check after the feed was unavailable', async () => {
    const feed = await startFeed('exe', { version: '0.2.0', bytes: INSTALLER });
    const opened = openApp('win32', { ...feed, url: 'http://127.0.0.1:1/' }, PUBLISHER);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.logged.length).toBe(1);
    await opened.clock.advance(AGAIN_MS);
    await expect.poll(() => opened.logged.length).toBe(2);
    expect(opened.status.read().state).toBe('not-checked');
  });
});

describe('updates that the system does not check, or could not install', () => {
  it.each([
    ['a Windows package without a publisher', 'win32', 'exe', ''],
    ['a portable program, which an installer does not update', 'portable', 'exe', PUBLISHER],
    ['an AppImage', 'linux', 'AppImage', ''],
  ] as const)('are announced for %s, and never downloaded or installed', async (_, packaging, ending, config) => {
    const feed = await startFeed(ending, { version: '0.2.0', bytes: INSTALLER });
    const opened = openApp(packaging, feed, config);
    await opened.clock.advance(FIRST_MS);
    await expect.poll(() => opened.notified).toEqual(['there 0.2.0']);
    app.quit();
    expect([opened.installed, opened.downloads(), feed.asked]).toEqual([[], [], ['channel']]);
  });
});
