/** Hotkeys through the portal of a desktop, against a double of newer desktops; the real KWin: test/desktops. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPortalHotkeys } from '../../../src/engine/hotkeys/portal-hotkeys.ts';
import type { DesktopHotkeys } from '../../../src/engine/ports.ts';
import type { HotkeyAction } from '../../../src/ipc/protocol/hotkeys.ts';
import { isWindows, unless } from '../../support/only-on.ts';
import { openShortcutsDouble, type ShortcutsDouble } from '../../support/screen/shortcuts-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe.skipIf(isWindows)(`the portal for hotkeys${unless('programs of Linux')}`, () => {
  let double: ShortcutsDouble;
  beforeAll(async () => {
    double = await openShortcutsDouble(temporaryFolder('shortcuts'));
  });
  afterAll(() => double.close());
  beforeEach(() => {
    double.answer = 0;
    double.keys = { region: 'Ctrl+Shift+L', all: 'Super+F9' };
  });

  const open = async (): Promise<DesktopHotkeys> => {
    const hotkeys = await openPortalHotkeys(double.environment);
    if (!hotkeys) throw new Error('There is no portal.');
    onTestFinished(() => hotkeys.close());
    return hotkeys;
  };
  /** What the desktop tells. */
  const listen = () => {
    const heard = { pressed: [] as HotkeyAction[], changed: [] as unknown[], losses: 0 };
    const events = {
      press: (action: HotkeyAction) => void heard.pressed.push(action),
      changed: (keys: ReadonlyMap<HotkeyAction, string>) => void heard.changed.push(Object.fromEntries(keys)),
      lost: () => void heard.losses++,
    };
    return { heard, events };
  };
  const WANTED = [
    { action: 'region', accelerator: 'Control+Shift+L' },
    { action: 'all', accelerator: 'Super+F9' },
  ] as const;

  it('binds all hotkeys at once, tells the keys in the words of the desktop, and hears presses', async () => {
    const hotkeys = await open();
    const { heard, events } = listen();
    const bound = await hotkeys.bind(WANTED, events);
    expect(bound).toEqual({ ok: true, value: new Map(Object.entries(double.keys)) });
    expect(double.bound()).toEqual({ region: 'CTRL+SHIFT+l', all: 'LOGO+F9' });
    double.press('all');
    await expect.poll(() => heard.pressed).toEqual(['all']);
    double.change({ region: 'Ctrl+K' });
    await expect.poll(() => heard.changed).toEqual([{ region: 'Ctrl+K', all: '' }]);
  });

  it('replaces the earlier ones, under the same name at each start, and releases them at the end', async () => {
    const hotkeys = await open();
    const first = listen();
    await hotkeys.bind(WANTED, first.events);
    const second = listen();
    await hotkeys.bind([{ action: 'all', accelerator: 'Control+/' }], second.events);
    expect(double.bound()).toEqual({ all: 'CTRL+slash' });
    expect(new Set(double.tokens())).toEqual(new Set(['linkshot']));
    double.press('all');
    await expect.poll(() => second.heard.pressed).toEqual(['all']);
    expect(first.heard).toEqual({ pressed: [], changed: [], losses: 0 });
    await hotkeys.close();
    expect(double.bound()).toEqual({});
    expect(second.heard.losses).toBe(0);
  });

  it('a no ends in words, and the next attempt works', async () => {
    const hotkeys = await open();
    double.answer = 1;
    expect(await hotkeys.bind(WANTED, listen().events)).toMatchObject({
      ok: false,
      error: { code: 'HOTKEY_TAKEN', detail: expect.stringContaining('GNOME was told not to give Linkshot') },
    });
    double.answer = 0;
    expect(await hotkeys.bind(WANTED, listen().events)).toMatchObject({ ok: true });
  });

  it('a portal that crashes is reported, and binds again once it is back', async () => {
    const hotkeys = await open();
    const { heard, events } = listen();
    await hotkeys.bind(WANTED, events);
    await double.crash();
    await expect.poll(() => heard.losses).toBe(1);
    expect(await hotkeys.bind(WANTED, events)).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('no longer has a portal for hotkeys') },
    });
    await double.start();
    expect(await hotkeys.bind(WANTED, events)).toMatchObject({ ok: true });
    double.press('region');
    await expect.poll(() => heard.pressed).toEqual(['region']);
  });

  it('is absent under X11, without a bus and without such a portal', async () => {
    const { WAYLAND_DISPLAY: _, ...x11 } = double.environment;
    expect(await openPortalHotkeys({ ...x11, DISPLAY: ':0', XDG_SESSION_TYPE: 'x11' })).toBeNull();
    expect(await openPortalHotkeys({ ...double.environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' })).toBeNull();
    await double.crash();
    expect(await openPortalHotkeys(double.environment)).toBeNull();
    await double.start();
  });
});
