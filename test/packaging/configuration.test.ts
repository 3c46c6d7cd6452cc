/** The configuration of electron-builder is valid, and each platform gets what it needs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { EARLIER_KEY, KEY, NAME } from '../../src/engine/hotkeys/snipping-tool.ts';
import { readLink } from '../../src/main/system/deep-link.ts';
import { EXPLORER_KEYS, SEND_TO_SHORTCUT } from '../../src/main/system/explorer-menu.ts';
import { pathChangeIn } from '../../src/main/system/terminal-command.ts';
import { builderConfig, packsFor, root, validateConfig } from '../support/desktop/builder-tools.ts';

interface Locked {
  readonly version: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages;

describe('the configuration of electron-builder', () => {
  it('fits its own schema, which refuses unknown keys', async () => {
    const config = await builderConfig();
    await validateConfig(config);
    await expect(validateConfig({ ...config, nsis: { perUser: true } })).rejects.toThrow(/configuration\.nsis/);
    await expect(validateConfig({ ...config, entitlement: 'x' })).rejects.toThrow(/entitlement/);
  });

  it('names files that are there, and one icon that is large enough for every platform', async () => {
    const named = [...read('electron-builder.yml').matchAll(/(?:resources|packaging)\/[\w./-]+\.\w+/g)].map(
      ([path]) => path,
    );
    expect(named).toContain('packaging/entitlements.mac.plist');
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const { width, height, format, hasAlpha } = await sharp(join(root, 'resources/icon.png')).metadata();
    expect({ width, height, format, hasAlpha }).toEqual({ width: 1024, height: 1024, format: 'png', hasAlpha: true });
  });

  it('lets each platform call the app by the name that the app gives itself', async () => {
    const { appId, ...config } = await builderConfig();
    expect(read('src/main/system/system-integration.ts')).toContain(`APP_ID = '${appId}'`);
    expect(config['extraMetadata']).toEqual({ productName: 'Linkshot', desktopName: 'linkshot.desktop' });
    expect(config['linux']).toMatchObject({ executableName: 'linkshot', syncDesktopName: true });
  });

  it('gives the entry of a Linux desktop actions whose links the app follows', async () => {
    const { desktop } = (await builderConfig())['linux'] as {
      desktop: { entry: { Actions: string }; desktopActions: Record<string, { Exec: string }> };
    };
    const actions = Object.entries(desktop.desktopActions);
    expect(desktop.entry.Actions).toBe(actions.map(([name]) => `${name};`).join(''));
    expect(actions.length).toBeGreaterThan(0);
    for (const [, { Exec }] of actions) {
      const [, link = ''] = /^linkshot "?([^"]*)"?$/.exec(Exec) ?? [];
      expect(readLink(link), Exec).not.toBeNull();
    }
  });

  it('requests only the rights on macOS that recording needs, with an explanation', async () => {
    const keys = [...read('packaging/entitlements.mac.plist').matchAll(/<key>(.*)<\/key>\s*<true\/>/g)].map(
      ([, key]) => key,
    );
    expect(keys).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
      'com.apple.security.device.camera',
      'com.apple.security.device.audio-input',
    ]);
    expect((await builderConfig())['mac']).toMatchObject({
      hardenedRuntime: true,
      extendInfo: {
        NSCameraUsageDescription: expect.stringMatching(/camera/),
        NSMicrophoneUsageDescription: expect.stringMatching(/microphone/),
        NSAudioCaptureUsageDescription: expect.stringMatching(/sound/),
      },
    });
  });

  it('offers the same kinds of files to "Open with" on each platform', async () => {
    const { linux, mac } = await builderConfig();
    const { fileAssociations } = mac as { fileAssociations: readonly { ext: readonly string[]; rank: string }[] };
    const extensions = fileAssociations.flatMap(({ ext }) => ext).sort();
    expect(fileAssociations.every(({ rank }) => rank === 'Alternate')).toBe(true);
    const ofWindows = [...read('packaging/installer.nsh').matchAll(/insertmacro linkshotOpens (\w+)/g)];
    expect(ofWindows.map(([, extension]) => extension).sort()).toEqual(extensions);
    const kinds = new Map([
      ...[['jpg', 'image/jpeg'] as const, ['mov', 'video/quicktime'] as const],
      ...['png', 'jpeg', 'gif', 'webp'].map((name) => [name, `image/${name}`] as const),
      ...['mp4', 'webm'].map((name) => [name, `video/${name}`] as const),
    ]);
    const { mimeTypes } = linux as { mimeTypes: readonly string[] };
    expect([...mimeTypes].sort()).toEqual([...new Set(extensions.map((name) => kinds.get(name)))].sort());
  });

  it('removes with the program what the app has added to the menus of Windows', () => {
    const script = read('packaging/installer.nsh');
    for (const key of EXPLORER_KEYS) {
      const [root, ...path] = key.split('\\');
      expect(script).toContain(`DeleteRegKey ${root} "${path.join('\\')}"`);
    }
    expect(script).toContain(`Delete "$SENDTO\\${SEND_TO_SHORTCUT}"`);
  });

  it('gives the Print Screen key back with the program, by what the app has kept of it', () => {
    const script = read('packaging/installer.nsh');
    expect(script).toContain(`!define LINKSHOT_EARLIER "${EARLIER_KEY.replace('HKCU\\', '')}"`);
    expect(script).toContain(`!define LINKSHOT_PRINT_SCREEN "${NAME}"`);
    const [, uninstaller = ''] = script.split('!macro customUnInstall');
    const setting = `HKCU "${KEY.replace('HKCU\\', '')}" "\${LINKSHOT_PRINT_SCREEN}"`;
    expect(uninstaller).toContain(`DeleteRegValue ${setting}`);
    expect(uninstaller).toContain(`WriteRegDWORD ${setting}`);
  });

  it('asks the program to put its command into the PATH, and to take it out again', () => {
    const script = read('packaging/installer.nsh');
    for (const word of ['--add-to-path', '--remove-from-path']) {
      expect(pathChangeIn([word])).not.toBeNull();
      expect(script).toContain(`ExecWait '"$INSTDIR\\\${APP_EXECUTABLE_FILENAME}" ${word}'`);
    }
  });

  it('has no update feed', async () => {
    expect((await builderConfig())['publish']).toBeNull();
  });
});

describe('the command line', () => {
  it('is in the packages of all systems, in the form that their shells start', async () => {
    const { win, linux, mac } = (await builderConfig()) as unknown as Record<
      'win' | 'linux' | 'mac',
      { readonly extraResources: readonly { readonly from: string; readonly to: string }[] }
    >;
    const taken = (system: typeof win) => system.extraResources.map(({ from, to }) => `${from} ${to}`);
    for (const system of [win, linux, mac]) expect(taken(system)).toContain('bin/linkshot bin/linkshot');
    expect(taken(win)).toContain('bin/linkshot.cmd bin/linkshot.cmd');
    const script = read('bin/linkshot.cmd');
    // cmd loses its position in a file without carriage returns.
    expect(
      script
        .split('\n')
        .slice(0, -1)
        .every((line) => line.endsWith('\r')),
    ).toBe(true);
    expect(script).toContain('"%~dp0..\\..\\Linkshot.exe" --command-line -- %*');
  });
});

describe('the native programs', () => {
  const computers = [
    ['win32', 'x64'],
    ['win32', 'arm64'],
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
  ] as const;

  it.each(computers)('of %s on %s exist at the versions of the lock file, and are packed', async (platform, arch) => {
    const packs = await packsFor(platform, arch);
    const own = (scope: string, name: string) =>
      Object.entries(locked).filter(
        ([place, { os, cpu, libc }]) =>
          place.startsWith(`node_modules/${scope}/${name}`) &&
          os?.includes(platform) &&
          cpu?.includes(arch) &&
          !libc?.includes('musl'),
      );
    for (const [scope, name, maker] of [
      ['@img', 'sharp-', 'sharp'],
      ['@napi-rs', 'keyring-', '@napi-rs/keyring'],
    ] as const) {
      const found = own(scope, name);
      // libvips has its own versions.
      const programs = found.filter(([place]) => !place.includes('libvips'));
      expect(programs.map(([, { version }]) => version)).toEqual([locked[`node_modules/${maker}`]?.version]);
      for (const [place] of found) expect(packs(`${place}/lib/program.node`), place).toBe(true);
    }
    // Used for window lists on Windows only.
    const calls = own('@yuuang', 'ffi-rs-').filter(([place]) => !place.includes('-ia32-'));
    expect(calls.map(([, { version }]) => version)).toEqual([locked['node_modules/ffi-rs']?.version]);
    for (const [place] of calls) expect(packs(`${place}/program.node`), place).toBe(platform === 'win32');
    expect(packs('node_modules/ffi-rs/index.js')).toBe(true);
    const prebuild = `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`;
    expect(existsSync(join(root, prebuild))).toBe(true);
    expect(packs(prebuild)).toBe(true);
  });

  it('excludes the programs of other platforms, and packages that the bundles contain', async () => {
    const packs = await packsFor('win32', 'x64');
    for (const path of [
      'better-sqlite3/prebuilds/linux-x64.node',
      'better-sqlite3/prebuilds/win32-arm64.node',
      'better-sqlite3/deps/sqlite3/sqlite3.c',
      '@yuuang/ffi-rs-win32-ia32-msvc/ffi-rs.win32-ia32-msvc.node',
      'react/index.js',
      'fastify/fastify.js',
      'electron-updater/out/main.js',
    ])
      expect(packs(`node_modules/${path}`), path).toBe(false);
  });
});
