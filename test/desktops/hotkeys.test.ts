/** Hotkeys on real Wayland desktops: an injected key ends with the link on that desktop's clipboard. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bindingInstructions } from '../../src/engine/hotkeys/binding-instructions.ts';
import { differences, ownPicture, part, whileStill } from '../support/screen/compositor-picture.ts';
import {
  clipboardOf,
  commandOn,
  emptyClipboard,
  LINK,
  linkshotOn,
  openHostOn,
  type Place,
  pictureBehind,
  type RunningHost,
} from '../support/screen/linkshot-on-desktop.ts';
import {
  ALLOW_SCREENSHOTS,
  HELPERS,
  helperOn,
  openWaylandDesktop,
  type WaylandDesktop,
  withoutDesktop,
} from '../support/screen/wayland-desktop.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

let server: RunningServer;
let place: Place;
beforeAll(async () => {
  server = await startServer();
  place = { server: server.url, key: (await server.user()).apiKey };
});
afterAll(() => server.stop());

const setHotkeys = async (desktop: WaylandDesktop, keys: Readonly<Record<string, string>>): Promise<void> => {
  const all = { region: null, window: null, screen: null, all: null, last: null, record: null, ...keys };
  const { code, stderr } = await linkshotOn(desktop, place.key, ['config', 'set', 'hotkeys', JSON.stringify(all)]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
};

const SHORTCUT = resolve(import.meta.dirname, '../../src/engine/hotkeys/gnome-shortcut.ts');
/** X key symbols. */
const [CTRL, SHIFT, L, ESCAPE] = [0xffe3, 0xffe1, 0x6c, 0xff1b];
describe.skipIf(withoutDesktop('sway') !== '')(`Sway${withoutDesktop('sway')}`, () => {
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('sway', [
      { width: 800, height: 600 },
      { width: 1920, height: 1080, scale: 1.5 },
    ]);
  });
  afterAll(() => desktop?.close());

  it('takes the line that the settings show, for every kind of key', async () => {
    const hotkeys = [
      'CommandOrControl+Shift+L',
      'Super+Alt+PrintScreen',
      'Ctrl+/',
      'Ctrl+num3',
      'F9',
      'VolumeMute',
      null,
    ];
    for (const hotkey of hotkeys) {
      const { command } = bindingInstructions(desktop.environment, hotkey);
      expect((await desktop.run('swaymsg', command)).toString(), command).not.toContain('rror');
    }
  });
});

const MEDIA_KEYS = '/usr/libexec/gsd-media-keys';
const withoutGnome = withoutDesktop('gnome') || (existsSync(MEDIA_KEYS) ? '' : ` [skipped: ${MEDIA_KEYS} is missing]`);
const GNOME_SCREENS = [
  { title: 'GNOME', screen: { width: 800, height: 600 } },
  { title: 'GNOME at scale 1.5', screen: { width: 1200, height: 900, scale: 1.5 } },
];
describe.skipIf(withoutGnome !== '').each(GNOME_SCREENS)(`$title${withoutGnome}`, ({ screen }) => {
  let desktop: WaylandDesktop;
  beforeAll(async () => {
    desktop = await openWaylandDesktop('gnome', [screen, screen], { GSETTINGS_BACKEND: 'dconf' });
    await desktop.run('busctl', '--user', 'call', ...ALLOW_SCREENSHOTS);
  });
  afterAll(() => desktop?.close());
  it('without a keyboard the clipboard takes nothing: the link is printed, with a note', async () => {
    const words = ['capture', '--screen', '1', '--copy', '--server', place.server];
    const { code, stdout, stderr } = await linkshotOn(desktop, place.key, words);
    expect({ code, link: stdout.trim(), stderr }).toEqual({
      ...{ code: 0, link: expect.stringMatching(LINK) },
      stderr: expect.stringContaining('The clipboard is not accessible'),
    });
  });

  it('shows no tray icons without an extension, and the doctor names it', async () => {
    const { stdout } = await linkshotOn(desktop, place.key, ['doctor', '--json']);
    const row = stdout.split('\n').find((line) => line.includes('"desktop"')) ?? '{}';
    expect(JSON.parse(row)).toMatchObject({
      message: expect.stringMatching(/; no tray icons$/),
      advice: expect.stringContaining('AppIndicator and KStatusNotifierItem Support'),
    });
  });

  const pressing = (...words: readonly string[]) =>
    desktop.start([process.execPath, join(HELPERS, 'gnome-input-process.ts'), ...words]);

  it('a pressed key runs the custom shortcut that Linkshot sets, and ends with the link to the screen on the clipboard', async () => {
    const host = await openHostOn(desktop, place);
    onTestFinished(() => host.stop());
    const daemon = desktop.start([MEDIA_KEYS], {});
    onTestFinished(() => void daemon.kill());
    await expect
      .poll(() => desktop.run('busctl', '--user', 'status', 'org.gnome.SettingsDaemon.MediaKeys').then(String, String))
      .toContain('PID=');
    const set = `import { openGnomeShortcut } from ${JSON.stringify(SHORTCUT)};
      const shortcut = openGnomeShortcut({ environment: process.env, command: process.argv[1] });
      process.exitCode = (await shortcut.set('Control+Shift+L')).ok ? 0 : 1;`;
    await desktop.run(process.execPath, '--input-type=module', '-e', set, commandOn(desktop));
    // wl-copy and wl-paste need a keyboard, as every real GNOME has. It stays, and with it its sign in the top bar.
    const keyboard = pressing(`${ESCAPE}`, 'hold');
    onTestFinished(() => void keyboard.kill());
    let link = '';
    const isCopied = async (): Promise<boolean> => {
      const text = await clipboardOf(desktop);
      if (!LINK.test(text) || text === link) return false;
      link = text;
      return true;
    };
    const press = async (): Promise<boolean> => {
      await once(pressing(`${CTRL}+${SHIFT}+${L}`), 'exit');
      // Seldom: wl-paste takes the focus for a moment, and what wl-copy writes without the focus is dropped by GNOME.
      const copied = expect.poll(isCopied, { interval: 1_000, timeout: 10_000 }).toBe(true);
      return copied.then(
        () => true,
        () => false,
      );
    };
    const shot = async () => {
      // The shell asks for the key some time after it is set.
      await expect.poll(press).toBe(true);
      return pictureBehind(link);
    };
    const [own, picture] = await whileStill(() => ownPicture(desktop, 'gnome'), shot);
    expect(differences(picture, part(own, 0, 0, screen))).toBe(0);
  });
});

describe.skipIf(withoutDesktop('kwin') !== '')(`KDE Plasma${withoutDesktop('kwin')}`, () => {
  let desktop: WaylandDesktop;
  let keys: string;
  beforeAll(async () => {
    const screen = { width: 900, height: 600, scale: 1.5 };
    desktop = await openWaylandDesktop('kwin', [screen, screen]);
    keys = await helperOn(desktop, 'kwin-keys.py');
  });
  afterAll(() => desktop?.close());
  const press = (...pressed: readonly string[]) => desktop.run('python3', keys, ...pressed);
  const open = async (): Promise<RunningHost> => {
    const host = await openHostOn(desktop, place);
    onTestFinished(() => host.stop());
    return host;
  };
  /** Linkshot's own entry of the desktop's shortcuts: for each name the keys that it has. */
  const bound = async (): Promise<Readonly<Record<string, string>>> => {
    const text = (await desktop.run('sh', '-c', 'cat ~/.config/kglobalshortcutsrc')).toString();
    const entry = /^\[linkshot\]\n((?:.+\n)*)/m.exec(text)?.[1] ?? '';
    return Object.fromEntries(
      [...entry.matchAll(/^([a-z]+)=([^,]*),/gm)].map(([, name = '', key = '']) => [name, key]),
    );
  };
  /** What an earlier host left in the queue would bring its link to the clipboard now. */
  const isIdle = async (): Promise<boolean> => {
    const { stdout } = await linkshotOn(desktop, place.key, ['status', '--json']);
    const lines = stdout.trim().split('\n').filter(Boolean);
    return lines.every((line) => (JSON.parse(line) as { url?: string }).url !== undefined);
  };
  const pressUntilLinked = async (pressed: string): Promise<string> => {
    await expect.poll(isIdle).toBe(true);
    await emptyClipboard(desktop);
    // The keys are bound some time after the start.
    let text = '';
    const attempt = async (): Promise<string> => {
      await press(pressed);
      text = await clipboardOf(desktop);
      return text;
    };
    await expect.poll(attempt, { interval: 1_000 }).toMatch(LINK);
    return text;
  };

  it('a pressed key ends with the link on the clipboard, and the picture is both screens at scale 1.5', async () => {
    await setHotkeys(desktop, { all: 'Control+Shift+Y' });
    await open();
    const press = async () => pictureBehind(await pressUntilLinked('CTRL+SHIFT+y'));
    const [own, picture] = await whileStill(() => ownPicture(desktop, 'kwin'), press);
    expect(differences(picture, own)).toBe(0);
  });

  it('other keys are bound as soon as they are wanted, and each start uses the same entry of the shortcuts', async () => {
    await open();
    await setHotkeys(desktop, { all: 'Control+Alt+9' });
    await pressUntilLinked('CTRL+ALT+9');
    await expect.poll(bound).toEqual({ all: 'Ctrl+Alt+9', region: 'Ctrl+Shift+L' });
  });

  it('keys that were changed while no Linkshot ran are bound at the next start', async () => {
    await setHotkeys(desktop, { all: 'Control+Alt+8' });
    await open();
    await pressUntilLinked('CTRL+ALT+8');
    await expect.poll(bound).toEqual({ all: 'Ctrl+Alt+8', region: 'Ctrl+Shift+L' });
  });

  it('keys that another program has are told as refused', async () => {
    await open();
    await setHotkeys(desktop, { all: 'Alt+F4', screen: 'Control+Shift+K' });
    const state = async () => {
      const { stdout } = await linkshotOn(desktop, place.key, ['doctor', '--json']);
      return stdout;
    };
    await expect.poll(state).toContain('The desktop gave no key to the hotkey that captures all screens');
    expect(await bound()).toMatchObject({ all: '', screen: 'Ctrl+Shift+K' });
    await setHotkeys(desktop, { all: 'Control+Shift+U', screen: 'Control+Shift+K' });
    await pressUntilLinked('CTRL+SHIFT+u');
  });

  it('works again by itself after its portal has crashed', async () => {
    await open();
    await setHotkeys(desktop, { all: 'Control+Shift+Y' });
    await pressUntilLinked('CTRL+SHIFT+y');
    await desktop.crash('own-portal');
    await desktop.startPortal();
    await pressUntilLinked('CTRL+SHIFT+y');
  });
});
