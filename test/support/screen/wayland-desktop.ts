/**
 * A real Wayland desktop without a screen: Sway, GNOME Shell or KWin with its portal, on buses of its own. Sway refuses
 * root, so everything runs as `nobody` where the tests run as root.
 */
import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../engine.ts';
import { eventually } from '../eventually.ts';
import { isListening } from '../is-listening.ts';
import { isRoot, NOBODY } from '../other-user.ts';
import { askShell } from './gnome-shell.ts';

export type DesktopKind = 'sway' | 'gnome' | 'kwin';

export interface WaylandOutput {
  readonly width: number;
  readonly height: number;
  /** 1 by default. */
  readonly scale?: number;
}

export interface WaylandDesktop {
  /** For programs on this desktop. */
  readonly environment: Readonly<Record<string, string>>;
  /** A folder of the user of this desktop. */
  readonly folder: string;
  /** Starts a program as the user of this desktop. */
  start(words: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Its output, once it has ended well. */
  run(...words: readonly string[]): Promise<Buffer>;
  /** Ends one of its own programs, such as `portal`, as a crash does. */
  crash(name: string): Promise<void>;
  /** Starts the portal of this desktop again, as D-Bus does where it knows how. */
  startPortal(): Promise<void>;
  /** Ends the portals for good: D-Bus does not start them again. */
  removePortals(): Promise<void>;
  /** Installs the portals again and starts them. */
  installPortals(): Promise<void>;
  /** Starts the compositor again, and the portals, which end with it, on the same buses. */
  restartCompositor(): Promise<void>;
  close(): Promise<void>;
}

const SERVICES = '/usr/share/dbus-1/services';
const BUS = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus'];
const LIBEXEC = '/usr/libexec';
const KDE_PORTAL = '/usr/lib/x86_64-linux-gnu/libexec/xdg-desktop-portal-kde';
/** Files of plasma-workspace that KDE's portal needs; the whole would replace systemd (`scripts/provision desktops`). */
const PLASMA = '/var/cache/linkshot-desktops/plasma';
const LIBRARIES = `${PLASMA}/usr/lib/x86_64-linux-gnu`;
const KDE_PORTAL_NAME = 'org.freedesktop.impl.portal.desktop.kde';
const kdePortal = [
  ...['env', `QML2_IMPORT_PATH=${LIBRARIES}/qt5/qml`, `LD_LIBRARY_PATH=${LIBRARIES}`],
  ...[`QT_PLUGIN_PATH=${LIBRARIES}/qt5/plugins`, 'QT_QUICK_CONTROLS_STYLE=Default'],
  ...[`XDG_DATA_DIRS=/usr/local/share:/usr/share:${PLASMA}/usr/share`, KDE_PORTAL],
];
const kdeService = `[D-BUS Service]\nName=${KDE_PORTAL_NAME}\nExec=/usr/bin/${kdePortal.join(' ')}\n`;
const NEEDS: Readonly<Record<DesktopKind, readonly string[]>> = {
  sway: ['/usr/bin/sway', '/usr/bin/swaybg', '/usr/bin/grim', '/usr/bin/wl-copy', '/usr/bin/wtype'],
  gnome: [
    '/usr/bin/gnome-shell',
    '/usr/bin/wireplumber',
    `${LIBEXEC}/xdg-desktop-portal-gnome`,
    '/usr/lib/python3/dist-packages/dbusmock',
    '/usr/bin/dconf',
  ],
  kwin: ['/usr/bin/kwin_wayland', '/usr/bin/wireplumber', KDE_PORTAL, `${PLASMA}/usr`],
};

/** The end of a title: why it is skipped here, or nothing. */
export const withoutDesktop = (kind: DesktopKind): string => {
  const missing = [...NEEDS[kind], `${LIBEXEC}/xdg-desktop-portal`].find((path) => !existsSync(path));
  return missing === undefined ? '' : ` [skipped: ${missing} is missing; run scripts/provision desktops]`;
};

/** GNOME has fractional scales as an experiment only. */
const GNOME_FRACTIONS = "[org/gnome/mutter]\nexperimental-features=['scale-monitor-framebuffer']\n";
const GNOME_SCALE = resolve(import.meta.dirname, 'gnome-scale.py');
const NAMES = { sway: 'sway', gnome: 'GNOME', kwin: 'KDE' } as const;
const PORTALS = { sway: ['wlr', 'gtk'], gnome: ['gnome', 'gnome-shell', 'gtk'], kwin: ['kde'] } as const;
const OPEN_BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><keep_umask/><listen>unix:path=SOCKET</listen><auth>EXTERNAL</auth>SERVICES
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;
const AS_NOBODY = ['setpriv', '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--inh-caps=-all'];

export const openWaylandDesktop = async (
  kind: DesktopKind,
  outputs: readonly WaylandOutput[] = [{ width: 1280, height: 800 }],
  variables: Readonly<Record<string, string>> = {},
): Promise<WaylandDesktop> => {
  // The path of a socket holds 107 characters, and the folder of the run is closed to other users.
  const folder = mkdtempSync('/tmp/linkshot-wl-');
  const at = (...names: string[]) => join(folder, ...names);
  const makeFolder = (...names: string[]): void => {
    mkdirSync(at(...names), { recursive: true });
    if (isRoot) chownSync(at(...names), NOBODY, NOBODY);
  };
  for (const name of ['run', 'home', 'home/Pictures', 'portals']) makeFolder(name);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  chmodSync(at('run'), 0o700);
  // Without a folder of its own another desktop's portal answers for what this one lacks.
  for (const name of PORTALS[kind])
    copyFileSync(`/usr/share/xdg-desktop-portal/portals/${name}.portal`, at('portals', `${name}.portal`));
  const busConfig = (name: string, services: string): void =>
    writeFileSync(at(`${name}.conf`), OPEN_BUS.replace('SOCKET', at('run', name)).replace('SERVICES', services));
  busConfig('system', '');
  // The services of Debian that a session finds by D-Bus; a folder of its own, so that a test can take the portals away.
  mkdirSync(at('services'));
  const copyServices = (): void => {
    for (const name of readdirSync(SERVICES)) copyFileSync(join(SERVICES, name), at('services', name));
    // D-Bus starts it too, when something asks it after a crash.
    if (kind === 'kwin') writeFileSync(at('services', `${KDE_PORTAL_NAME}.service`), kdeService);
  };
  copyServices();
  busConfig('bus', `<servicedir>${at('services')}</servicedir>`);
  const isScaled = outputs.some(({ scale = 1 }) => scale !== 1);
  const hasFractions = isScaled && kind === 'gnome';
  if (hasFractions) {
    for (const name of ['home/.config', 'home/.config/dconf', 'settings']) makeFolder(name);
    writeFileSync(at('settings/mutter'), GNOME_FRACTIONS, { mode: 0o644 });
    const words = ['dconf', 'compile', at('home/.config/dconf/user'), at('settings')];
    const [program = '', ...args] = isRoot ? [...AS_NOBODY, ...words] : words;
    execFileSync(program, args);
  }
  const display = kind === 'sway' ? 'wayland-1' : 'wayland-up';
  const environment: Record<string, string> = {
    ...{ PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: at('home'), USER: 'nobody' },
    ...{ XDG_RUNTIME_DIR: at('run'), XDG_CURRENT_DESKTOP: NAMES[kind], XDG_SESSION_TYPE: 'wayland' },
    ...{ WAYLAND_DISPLAY: display, GSETTINGS_BACKEND: 'memory', LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' },
    ...{ DBUS_SESSION_BUS_ADDRESS: `unix:path=${at('run/bus')}`, QT_QPA_PLATFORM: 'wayland' },
    ...{ DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${at('run/system')}`, XDG_DESKTOP_PORTAL_DIR: at('portals') },
    ...(kind === 'sway' && { SWAYSOCK: at('run/sway.sock') }),
    ...(hasFractions && { GSETTINGS_BACKEND: 'dconf' }),
    ...variables,
  };
  const children = new Map<string, ChildProcess>();
  const start = (
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
    options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] },
  ): ChildProcess => {
    const [program = '', ...args] = isRoot ? [...AS_NOBODY, ...words] : words;
    return spawn(program, args, { env: { ...environment, ...more }, cwd: folder, ...options });
  };
  const background = (name: string, words: readonly string[], more: Readonly<Record<string, string>> = {}): void => {
    const child = start(words, more, { stdio: 'ignore' });
    child.on('error', () => {});
    children.set(name, child);
  };
  const run: WaylandDesktop['run'] = async (...words) => {
    const [program = '', ...args] = isRoot ? [...AS_NOBODY, ...words] : words;
    const options = { env: environment, cwd: folder, encoding: 'buffer', maxBuffer: 1 << 28 } as const;
    return (await promisify(execFile)(program, args, options)).stdout;
  };
  const answers = (...words: readonly string[]): Promise<unknown> =>
    eventually(async () => void (await run('timeout', '5', ...words)));
  const isNamed = (name: string): Promise<unknown> => answers('busctl', '--user', 'status', name);
  const end = async (name: string): Promise<void> => {
    const child = children.get(name);
    children.delete(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const close = async (): Promise<void> => {
    for (const name of [...children.keys()].toReversed()) await end(name);
    rmSync(folder, { recursive: true, force: true });
  };
  /** Programs that D-Bus starts later need to know the display. */
  const publishEnvironment = () => run('timeout', '5', 'dbus-update-activation-environment', '--all');

  try {
    background('bus', ['dbus-daemon', '--nofork', `--config-file=${at('bus.conf')}`]);
    background('system', ['dbus-daemon', '--nofork', `--config-file=${at('system.conf')}`]);
    await until(() => isListening(at('run/bus')));
    await until(() => isListening(at('run/system')));
    await publishEnvironment();
    if (kind !== 'sway') {
      background('pipewire', ['pipewire']);
      await until(() => isListening(at('run/pipewire-0')));
      background('wireplumber', ['wireplumber']);
    }
    await startCompositor();
    await publishEnvironment();
    background('store', [`${LIBEXEC}/xdg-permission-store`]);
    await isNamed('org.freedesktop.impl.portal.PermissionStore');
    await startPortals();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ environment, folder, start, run, crash: end, startPortal: startOwnPortal, close },
    removePortals: async () => {
      for (const name of readdirSync(at('services'))) if (name.includes('portal')) rmSync(at('services', name));
      await run('busctl', '--user', 'call', ...BUS, 'ReloadConfig');
      await endPortals();
    },
    installPortals: async () => {
      copyServices();
      await run('busctl', '--user', 'call', ...BUS, 'ReloadConfig');
      await startPortals();
    },
    restartCompositor: async () => {
      await end('compositor');
      await endPortals();
      await startCompositor();
      await publishEnvironment();
      await startPortals();
    },
  };

  async function endPortals(): Promise<void> {
    for (const name of ['portal', 'own-portal', 'gtk-portal']) await end(name);
  }

  async function startPortals(): Promise<void> {
    await startOwnPortal();
    background('portal', [`${LIBEXEC}/xdg-desktop-portal`]);
    await isNamed('org.freedesktop.portal.Desktop');
  }

  async function startCompositor(): Promise<void> {
    const [first = { width: 1280, height: 800 }] = outputs;
    if (kind === 'sway') {
      const lines = outputs.map(
        ({ width, height, scale = 1 }, index) =>
          `output HEADLESS-${index + 1} resolution ${width}x${height} scale ${scale}`,
      );
      // One that was killed has left its own.
      rmSync(at('run/sway.sock'), { force: true });
      writeFileSync(at('sway.conf'), ['xwayland disable', 'default_border none', ...lines, ''].join('\n'));
      const headless = { WLR_BACKENDS: 'headless', WLR_LIBINPUT_NO_DEVICES: '1', WLR_RENDERER: 'pixman' };
      background('compositor', ['env', '-u', 'WAYLAND_DISPLAY', 'sway', '-c', at('sway.conf')], {
        ...headless,
        WLR_HEADLESS_OUTPUTS: `${outputs.length}`,
      });
      await answers('swaymsg', '-t', 'get_outputs');
    } else if (kind === 'gnome') {
      background('logind', ['python3', '-m', 'dbusmock', '--system', '--template', 'logind']);
      await answers('busctl', '--system', 'status', 'org.freedesktop.login1');
      const monitors = outputs.flatMap(({ width, height }) => ['--virtual-monitor', `${width}x${height}`]);
      const words = ['gnome-shell', '--headless', '--wayland', '--no-x11', '--unsafe-mode', ...monitors];
      background('compositor', ['env', '-u', 'WAYLAND_DISPLAY', ...words, '--wayland-display', display]);
      await isNamed('org.gnome.Shell.Screenshot');
      await eventually(hasShellStarted);
      if (isScaled) await run('python3', GNOME_SCALE, ...outputs.map(({ scale = 1 }) => `${scale}`));
    } else {
      // A copy has no capabilities, which a container does not grant.
      copyFileSync('/usr/bin/kwin_wayland', at('kwin_wayland'));
      chmodSync(at('kwin_wayland'), 0o755);
      const { width, height, scale = 1 } = first;
      const size = ['--width', `${width}`, '--height', `${height}`, '--scale', `${scale}`];
      const count = ['--output-count', `${outputs.length}`, '--no-lockscreen', '--socket', display];
      const unset = ['env', '-u', 'WAYLAND_DISPLAY', '-u', 'QT_QPA_PLATFORM'];
      background('compositor', [...unset, at('kwin_wayland'), '--virtual', ...size, ...count], {
        KWIN_COMPOSE: 'O2',
        KWIN_SCREENSHOT_NO_PERMISSION_CHECKS: '1',
        // For input by its protocol of remote controls.
        KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1',
      });
      await isNamed('org.kde.KWin');
    }
  }

  /** Another layout of the screens before its start is over would end the animation, and the start would never be over. */
  async function hasShellStarted(): Promise<void> {
    // Until then it passes no key on to shortcuts: its action mode is NONE.
    const mode = await askShell(run, '!Main.layoutManager._startingUp && Main.actionMode');
    if (!/^[1-9]/.test(mode)) throw new Error(`The shell still starts: ${mode}`);
  }

  async function startOwnPortal(): Promise<void> {
    // Sway's ends where there is no PipeWire, and screenshots do not need it.
    if (kind === 'gnome') {
      background('gtk-portal', [`${LIBEXEC}/xdg-desktop-portal-gtk`]);
      background('own-portal', [`${LIBEXEC}/xdg-desktop-portal-gnome`]);
      await isNamed('org.freedesktop.impl.portal.desktop.gnome');
    } else if (kind === 'kwin') {
      background('own-portal', kdePortal);
      await isNamed(KDE_PORTAL_NAME);
    }
  }
};

/** The words for `busctl --user call` that store the user's yes to screenshots, so that GNOME does not ask. */
export const ALLOW_SCREENSHOTS = [
  ...['org.freedesktop.impl.portal.PermissionStore', '/org/freedesktop/impl/portal/PermissionStore'],
  ...['org.freedesktop.impl.portal.PermissionStore', 'SetPermission', 'sbssas'],
  ...['screenshot', 'true', 'screenshot', '', '1', 'yes'],
];

/** Where the helper programs of this folder lie. */
export const HELPERS = resolve(import.meta.dirname);

/** Copies a program of this folder to where the user of the desktop may read it, and returns its path there. */
export const helperOn = async (desktop: WaylandDesktop, name: string): Promise<string> => {
  const path = join(desktop.folder, 'home', name);
  await writeFile(path, await readFile(join(HELPERS, name)));
  return path;
};
