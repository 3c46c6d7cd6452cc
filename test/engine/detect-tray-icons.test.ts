/** Whether tray icons are shown: on a session bus of its own, and on a real X server. */
import dbus, { defineInterface } from 'dbus-native';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { showsTrayIcons } from '../../src/engine/detect-tray-icons.ts';
import { connectX } from '../../src/engine/x11/x11-connection.ts';
import { isWindows, unless } from '../support/only-on.ts';
import { openTestBus } from '../support/screen/portal-double.ts';
import { openXScreen } from '../support/screen/x-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const never = new AbortController().signal;
const WATCHER = 'org.kde.StatusNotifierWatcher';

describe.skipIf(isWindows)(`tray icons${unless('programs of Linux')}`, () => {
  let bus: Awaited<ReturnType<typeof openTestBus>>;
  beforeAll(async () => {
    bus = await openTestBus(temporaryFolder('tray-icons'));
  });
  afterAll(() => bus.close());
  const onWayland = () => ({
    ...{ XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-7', DISPLAY: ':9999' },
    DBUS_SESSION_BUS_ADDRESS: bus.address,
  });
  /** `isRegistered`: whether a panel shows the icons; null: the watcher does not tell it. */
  const watch = async (isRegistered: boolean | null) => {
    const watcher = dbus.createClient({ busAddress: bus.address });
    const property = { type: 'b', access: 'read', get: () => isRegistered } as const;
    const properties = isRegistered === null ? {} : { IsStatusNotifierHostRegistered: property };
    await watcher.export('/StatusNotifierWatcher', defineInterface({ name: WATCHER, properties }));
    await watcher.ownName(WATCHER);
    return watcher;
  };

  it('are shown while a watcher with a panel is on the bus, and no longer once it has left', async () => {
    expect(await showsTrayIcons(onWayland(), never)).toBe(false);
    const watcher = await watch(true);
    expect(await showsTrayIcons(onWayland(), never)).toBe(true);
    await watcher.close();
    expect(await showsTrayIcons(onWayland(), never)).toBe(false);
  });

  it.each([
    [false, false],
    [null, true],
  ])('a watcher that says %s about its panel: %s', async (isRegistered, isShown) => {
    const watcher = await watch(isRegistered);
    onTestFinished(() => watcher.close());
    expect(await showsTrayIcons(onWayland(), never)).toBe(isShown);
  });

  it('are not shown without a bus, and a cancelled question ends', async () => {
    expect(await showsTrayIcons({ ...onWayland(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }, never)).toBe(
      false,
    );
    await expect(showsTrayIcons(onWayland(), AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('are shown on X11 by a tray of the older kind, which a Wayland session does not have', async () => {
    const screen = await openXScreen(64, 48);
    onTestFinished(() => screen.close());
    const environment = { DISPLAY: screen.display, DBUS_SESSION_BUS_ADDRESS: bus.address };
    expect(await showsTrayIcons(environment, never)).toBe(false);
    const connected = await connectX({ display: screen.display, environment }, never);
    if (!connected.ok) throw new Error(connected.error);
    const x = connected.value;
    onTestFinished(() => x.close());
    const tray = await x.ask<number>((client, answer) => client.InternAtom(false, '_NET_SYSTEM_TRAY_S0', answer));
    const window = x.display.client.AllocID();
    await x.ask((client, answer) => client.CreateWindow(window, x.screen.root, 0, 0, 1, 1, 0, 0, 2, 0, {}, answer));
    await x.ask((client, answer) => client.SetSelectionOwner(window, tray, 0, answer));
    expect(await showsTrayIcons(environment, never)).toBe(true);
    expect(await showsTrayIcons({ ...onWayland(), DISPLAY: screen.display }, never)).toBe(false);
  });
});
