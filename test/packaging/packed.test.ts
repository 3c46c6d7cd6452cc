/**
 * The app as electron-builder packs it, around a stand-in for Electron's own program: its content, and that it is
 * sufficient.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { locateFfmpeg } from '../../src/engine/video/ffmpeg.ts';
import { withBundledTools } from '../../src/main/system/bundled-tools.ts';
import { asar, builderConfig, builderProgram, fuses, root } from '../support/desktop/builder-tools.ts';
import { makeDoubleBinary } from '../support/desktop/desktop-app.ts';
import { openPacked, type PackedApp } from '../support/desktop/packed-app.ts';
import { pngBytes } from '../support/media/sample-bytes.ts';
import { giveTryOutOwnPort } from '../support/own-try-out-port.ts';
import { soon } from '../support/poll-timeouts.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const folder = temporaryFolder('packed');
const packed = join(folder, 'dist/linux-unpacked');
const resources = join(packed, 'resources');
const unpacked = join(resources, 'app.asar.unpacked');
/** The whole archive, with the files beside it, far from the sources and their packages. */
const app = join(folder, 'app');

/** How Electron's program stores its fuses: a marker, version, count, and a digit each. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('10110001'),
]);

const makeElectron = (path: string): void => {
  mkdirSync(join(path, 'resources'), { recursive: true });
  mkdirSync(join(path, 'locales'));
  writeFileSync(join(path, 'electron'), FUSES, { mode: 0o755 });
};

let files: readonly string[] = [];
/** The ffmpeg of this computer, which is packed in place of the pinned one. */
let ffmpeg = '';

/** The configuration of the project, with the folder of ffmpeg where the test has put one. */
const writeConfig = async (): Promise<string> => {
  const config = await builderConfig();
  const vendored = join(folder, 'vendor');
  const resources = config['extraResources'] as readonly { readonly from: string; readonly to: string }[];
  const extraResources = resources.map((one) =>
    one.from.startsWith('vendor/ffmpeg/') ? { ...one, from: vendored } : one,
  );
  expect(extraResources.filter(({ from }) => from === vendored)).toHaveLength(1);
  mkdirSync(vendored);
  copyFileSync(ffmpeg, join(vendored, 'ffmpeg'));
  writeFileSync(join(vendored, 'LICENSE.txt'), 'The licence of ffmpeg.\n');
  const path = join(folder, 'builder.json');
  writeFileSync(path, JSON.stringify({ ...config, extraResources }));
  return path;
};

beforeAll(async () => {
  const electron = join(folder, 'electron');
  makeElectron(electron);
  ffmpeg = (await locateFfmpeg({ configured: null, environment: process.env }, soon()))?.path ?? '';
  const { electron: version } = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: { electron: string };
    }
  ).devDependencies;
  await run(
    process.execPath,
    [
      ...[builderProgram, '--linux', 'dir', '--x64', '--publish', 'never', '--config', await writeConfig()],
      ...[`-c.electronDist=${electron}`, `-c.electronVersion=${version}`],
      `-c.directories.output=${join(folder, 'dist')}`,
    ],
    { cwd: root, maxBuffer: 1 << 24 },
  ).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`Is the app built (npm run build)?\n${stdout}${stderr}`);
  });
  const archive = join(resources, 'app.asar');
  files = asar
    .listPackage(archive, { isPack: false })
    .map((path) => path.slice(1))
    .filter((path) => !statSync(join(unpacked, path), { throwIfNoEntry: false })?.isDirectory());
  asar.extractAll(archive, app);
});

describe('a packed app', () => {
  it('holds its bundles, its icons and the native packages, and nothing of the sources', () => {
    const outside = files.filter(
      (path) =>
        !/^(out(\/(main|preload|renderer|server))?(\/chunks|\/assets)?|node_modules|resources(\/tray)?)$/.test(path) &&
        !/^(out\/(main|preload|renderer|server)\/|resources\/(icon\.png|tray\/[\w@-]+\.png)$|node_modules\/|package\.json$)/.test(
          path,
        ),
    );
    expect(outside).toEqual([]);
    for (const path of [
      ...['index', 'overlay', 'toast', 'recorder'].map((page) => `out/renderer/${page}.html`),
      ...['out/main/index.js', 'out/preload/index.cjs', 'resources/icon.png'],
      ...['idle', 'recording', 'failure', 'progress-0', 'badge'].flatMap((icon) => [
        `resources/tray/${icon}.png`,
        `resources/tray/${icon}@2x.png`,
      ]),
    ])
      expect(files).toContain(path);
    const packages = new Set(
      files.flatMap((path) => /^node_modules\/(@[^/]+\/[^/]+|[^@/][^/]*)/.exec(path)?.slice(1) ?? []),
    );
    expect([...packages].sort()).toEqual([
      '@img/colour',
      '@img/sharp-libvips-linux-x64',
      '@img/sharp-linux-x64',
      '@napi-rs/keyring',
      '@napi-rs/keyring-linux-x64-gnu',
      '@node-rs/argon2',
      '@node-rs/argon2-linux-x64-gnu',
      '@tesseract.js-data/eng',
      'better-sqlite3',
      'detect-libc',
      'ffi-rs',
      'semver',
      'sharp',
      'tesseract.js-core',
      'zxing-wasm',
    ]);
    for (const path of [
      '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
      'tesseract.js-core/tesseract-core-simd-lstm.js',
      'tesseract.js-core/tesseract-core-simd-lstm.wasm',
      'zxing-wasm/dist/reader/zxing_reader.wasm',
    ])
      expect(files).toContain(`node_modules/${path}`);
  });

  it('holds no source map, no types, no test and no path of the computer that packed it', () => {
    expect(files.filter((path) => /\.map$|\.d\.[cm]?ts$|\.tsx?$|(^|\/)(tests?|__tests__)\//.test(path))).toEqual([]);
    const bundles = files.filter((path) => /^out\/.*\.(js|cjs|html|css)$/.test(path));
    expect(bundles.length).toBeGreaterThan(10);
    for (const path of bundles) {
      const text = readFileSync(join(app, path), 'utf8');
      expect(text.includes(root), path).toBe(false);
      expect(text, path).not.toMatch(/sourceMappingURL=(?!data:)[\w.-]+\.map/);
    }
    expect(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))).toMatchObject({
      name: 'linkshot',
      productName: 'Linkshot',
      desktopName: 'linkshot.desktop',
      main: 'out/main/index.js',
    });
  });

  it('brings the launcher of the command line, as a program', () => {
    const launcher = join(resources, 'bin/linkshot');
    expect(readFileSync(launcher, 'utf8')).toBe(readFileSync(join(root, 'bin/linkshot'), 'utf8'));
    expect(statSync(launcher).mode & 0o111).toBe(0o111);
  });

  it('brings ffmpeg with its licence, and uses it rather than that of the computer', async () => {
    const bundled = join(resources, 'ffmpeg');
    expect(readdirSync(bundled).sort()).toEqual(['LICENSE.txt', 'ffmpeg']);
    const environment = withBundledTools(process.env, resources);
    expect(await locateFfmpeg({ configured: null, environment }, soon())).toMatchObject({
      path: join(bundled, 'ffmpeg'),
    });
  });

  it('keeps the built-in server beside the archive, with all that it needs', () => {
    // Its records are in SQLite.
    expect(files.filter((path) => /postgres/.test(path))).toEqual([]);
    for (const program of ['server-process', 'inspector-child', 'archive-worker-thread', 'render-thread'])
      expect(existsSync(join(unpacked, `out/server/${program}.js`)), program).toBe(true);
    const inArchive = files.filter((path) => /^(out\/server|node_modules)\//.test(path));
    expect(inArchive.filter((path) => !existsSync(join(unpacked, path)))).toEqual([]);
  });

  it('keeps what the system loads as a program beside the archive', () => {
    const native = files.filter((path) => /\.node$|\.so(\.[\d.]+)?$/.test(path));
    expect(native.length).toBeGreaterThanOrEqual(4);
    expect(native.filter((path) => !existsSync(join(unpacked, path)))).toEqual([]);
    expect(native).toContain('node_modules/better-sqlite3/prebuilds/linux-x64.node');
  });

  it('brings the licence of every package that its bundle was made of', () => {
    const licences = readFileSync(join(resources, 'licences.txt'), 'utf8');
    const made = new Set(
      files
        .filter((path) => /^out\/(main|server)\/.*\.js$/.test(path))
        .flatMap((path) => [
          ...readFileSync(join(app, path), 'utf8').matchAll(
            /^\s*\/\/ ?(?:#region )?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
          ),
        ])
        .map(([, name]) => name ?? ''),
    );
    expect([...made]).toEqual(expect.arrayContaining(['undici', 'electron-updater', 'x11', 'typebox', 'fastify']));
    expect([...made].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });

  it('has the fuses of the configuration', async () => {
    const wire = await fuses.getCurrentFuseWire(join(packed, 'linkshot'));
    const { electronFuses } = (await builderConfig()) as unknown as { electronFuses: Record<string, boolean> };
    const isOn = Object.fromEntries(
      Object.entries(electronFuses).map(([name]) => {
        const key = `${name[0]?.toUpperCase()}${name.slice(1)}`;
        return [name, String.fromCharCode(wire[String(fuses.FuseV1Options[key])] ?? 0) === '1'];
      }),
    );
    expect(isOn).toEqual(electronFuses);
  });

  it('opens its profile and answers, without any other package', async () => {
    const double = makeDoubleBinary();
    try {
      const smoke = join(root, 'scripts/smoke-packed.ts');
      const { stdout } = await run(process.execPath, [smoke, double.path, app], { cwd: dirname(app) });
      expect(stdout).toBe('It answers.\n');
      // The same for another program must fail: the check is real.
      await expect(run(process.execPath, [smoke, process.execPath, '-e', '0'])).rejects.toThrow(/It ended/);
    } finally {
      double.remove();
    }
  });

  it('carries out a command line in its own program, without a window and beside an app that runs', async () => {
    const double = makeDoubleBinary();
    const profile = join(folder, 'command line');
    const picture = join(folder, 'by-command.png');
    writeFileSync(picture, await pngBytes());
    const server = await startServer();
    const environment = { ...process.env, LINKSHOT_KEY: (await server.user()).apiKey, LINKSHOT_SERVER: server.url };
    const perform = (...words: readonly string[]) =>
      run(double.path, [app, '--command-line', '--', ...words, '--profile', profile], { env: environment });
    try {
      const { stdout } = await perform('upload', picture);
      expect(stdout).toMatch(/^http:\/\/\S+\/s\/\w+\n$/);
      expect((await fetch(stdout.trim())).status).toBe(200);
      await expect(perform('upload', join(folder, 'nothing.png'))).rejects.toMatchObject({ code: 1, stdout: '' });
      await expect(perform('fly')).rejects.toMatchObject({ code: 2 });

      const running = await openPacked(double.path, app, profile);
      await running.call('connection.connect', { server: server.url, key: environment.LINKSHOT_KEY });
      expect((await perform('list')).stdout).toContain('by-command');
      await running.quit();
    } finally {
      double.remove();
      await server.stop();
    }
  });

  it('can be tried out far from the sources: a file gives a link, which opens again after the next start', async () => {
    const double = makeDoubleBinary();
    const profile = join(folder, 'far away', 'профиль');
    const picture = join(folder, 'picture.png');
    writeFileSync(picture, await pngBytes());
    const start = async (): Promise<PackedApp> => openPacked(double.path, app, profile);
    try {
      const before = await start();
      await before.call('connection.tryOut', {});
      await before.quit();
      await giveTryOutOwnPort(profile);
      const first = await start();
      expect(await first.call('app.state', {})).toMatchObject({ capabilities: { tryOut: true } });
      expect(await first.call('connection.tryOut', {})).toMatchObject({ state: 'connected', keyPlace: 'embedded' });
      await first.call('queue.addPaths', { paths: [picture] });
      const link = await first.link();
      expect((await fetch(link)).status).toBe(200);
      await first.quit();
      await expect(fetch(link)).rejects.toThrow();

      const second = await start();
      await expect
        .poll(() =>
          fetch(link).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200);
      await expect
        .poll(() => second.call('app.state', {}))
        .toMatchObject({ connection: { state: 'connected', keyPlace: 'embedded' } });
      await second.quit();
    } finally {
      double.remove();
    }
  });
});
