/** Linkshot's custom shortcut in GNOME's real settings (gsettings with dconf on a session bus of its own). */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openGnomeShortcut } from '../../src/engine/hotkeys/gnome-shortcut.ts';
import { until } from '../support/engine.ts';
import { isListening } from '../support/is-listening.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCHEMA = '/usr/share/glib-2.0/schemas/org.gnome.settings-daemon.plugins.media-keys.gschema.xml';
const missing = [SCHEMA, '/usr/bin/gsettings', '/usr/bin/dconf'].find((path) => !existsSync(path));
const note = missing === undefined ? '' : ` [skipped: ${missing} is missing; run scripts/provision desktops]`;
const COMMAND = "'/opt/my tools/linkshot' capture --select";
const OTHERS = `[/]
custom-keybindings=['/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/custom0/', '/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/odd "name"/']
volume-step=5

[custom-keybindings/custom0]
binding='<Super>t'
command='sh -c "echo \\'hello\\'"'
name='Terminal'

[custom-keybindings/odd "name"]
binding='<Shift><Control>l'
command='true'
name='Other\\'s'
`;
const PLACE = '/org/gnome/settings-daemon/plugins/media-keys/';

describe.skipIf(missing !== undefined)(`the custom shortcut of GNOME${note}`, () => {
  const home = temporaryFolder('gnome-shortcut');
  const address = `unix:path=${join(home, 'bus')}`;
  const environment = {
    ...{ PATH: '/usr/bin:/bin', HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' },
    DBUS_SESSION_BUS_ADDRESS: address,
  };
  const run = async (program: string, ...words: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, words, { env: environment })).stdout;
  const dump = () => run('dconf', 'dump', PLACE);
  const load = async (text: string): Promise<void> => {
    await run('dconf', 'reset', '-f', PLACE);
    const loading = promisify(execFile)('dconf', ['load', PLACE], { env: environment });
    loading.child.stdin?.end(text);
    await loading;
  };
  const own = async (key: string) => (await run('dconf', 'read', `${PLACE}custom-keybindings/linkshot/${key}`)).trim();
  const shortcut = openGnomeShortcut({ environment, command: COMMAND });
  if (!shortcut) throw new Error('This is GNOME.');
  let bus: ReturnType<typeof spawn>;
  beforeAll(async () => {
    mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
    bus = spawn('dbus-daemon', ['--session', '--nofork', `--address=${address}`], {
      env: environment,
      stdio: 'ignore',
    });
    await until(() => isListening(join(home, 'bus')));
  });
  afterAll(async () => {
    const gone = once(bus, 'exit');
    bus.kill();
    await gone;
  });
  beforeEach(() => load(OTHERS));

  it('is set beside those of others, changed with the hotkey, and removed without a trace', async () => {
    const before = await dump();
    expect(before).toContain('odd "name"');
    expect(await shortcut.isSet()).toBe(false);
    expect(await shortcut.set('CommandOrControl+Shift+K')).toEqual({ ok: true, value: undefined });
    expect(await shortcut.isSet()).toBe(true);
    expect(await own('binding')).toBe("'<Control><Shift>k'");
    expect(
      await run(
        'gsettings',
        'get',
        `org.gnome.settings-daemon.plugins.media-keys.custom-keybinding:${PLACE}custom-keybindings/linkshot/`,
        'command',
      ),
    ).toBe(`"${COMMAND}"\n`);
    await shortcut.set('Super+PrintScreen');
    expect(await own('binding')).toBe("'<Super>Print'");
    const during = await dump();
    for (const line of before.split('\n').filter((text) => !text.startsWith('custom-keybindings=')))
      expect(during).toContain(line);
    expect(await shortcut.remove()).toEqual({ ok: true, value: undefined });
    expect(await dump()).toBe(before);
  });

  it('leaves nothing behind where there was no other shortcut, and removing it twice changes nothing', async () => {
    await load('');
    await shortcut.set('F9');
    await shortcut.set('F9');
    expect((await dump()).match(/custom-keybindings\/linkshot/g)).toHaveLength(2);
    for (let times = 0; times < 2; times++) expect(await shortcut.remove()).toMatchObject({ ok: true });
    expect(await dump()).toBe('');
  });

  it('refuses keys that another custom shortcut has, by its name, and changes nothing', async () => {
    const before = await dump();
    expect(await shortcut.set('Super+T')).toMatchObject({
      ok: false,
      error: { code: 'HOTKEY_TAKEN', detail: expect.stringContaining('"Terminal"') },
    });
    expect(await dump()).toBe(before);
  });

  it('says so where the settings cannot be changed, and works afterwards', async () => {
    const alone = openGnomeShortcut({
      environment: { ...environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
      command: COMMAND,
    });
    expect(await alone?.set('F9')).toMatchObject({
      ok: false,
      error: { code: 'APP_FAILED', detail: expect.stringContaining('The shortcuts of GNOME were not changed') },
    });
    expect(await shortcut.set('F9')).toMatchObject({ ok: true });
  });

  it('is absent on other desktops', () => {
    expect(openGnomeShortcut({ environment: { ...environment, XDG_CURRENT_DESKTOP: 'KDE' }, command: '' })).toBeNull();
  });
});
