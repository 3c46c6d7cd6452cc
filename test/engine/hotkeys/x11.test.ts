/** Hotkeys on a real X server, pressed like a user does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openX11Hotkeys } from '../../../src/engine/hotkeys/x11-hotkeys.ts';
import type { HotkeyListener, HotkeyLoss } from '../../../src/engine/ports.ts';
import { connectX, type XConnection } from '../../../src/engine/x11/x11-connection.ts';
import { openEngine, until } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { PATIENCE_MS } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let screen: XScreen;
let undos: (() => void)[] = [];
beforeAll(async () => {
  screen = await openXScreen(640, 480);
});
afterEach(() => {
  for (const undo of undos) undo();
  undos = [];
});
afterAll(() => screen.close());

const open = async (): Promise<HotkeyListener> => {
  const listener = await openX11Hotkeys(screen.environment);
  if (!listener) throw new Error('Nobody can listen.');
  return listener;
};
const key = (...args: readonly string[]) => screen.run('xdotool', ...args);

/** Counts the presses of one hotkey. */
const listen = async (listener: HotkeyListener, accelerator: string) => {
  const counter = { heard: 0 };
  const listened = await listener.listen(accelerator, () => {
    counter.heard++;
  });
  if (!listened.ok) throw new Error(listened.error.detail);
  undos.push(listened.value);
  return { counter, undo: listened.value };
};
/** A connection as of another program. */
const connect = async () => must(await connectX({ ...screen }, AbortSignal.timeout(PATIENCE_MS)));
/** By the keys of an English keyboard, whatever the layout makes of them. */
const pressCtrlShiftX = () => key('keydown', '37', 'keydown', '50', 'key', '53', 'keyup', '50', 'keyup', '37');
/** Switches to this layout of those that are set. */
const lockGroup = async (x: XConnection, group: number) => {
  const opcode = await x.extension('XKEYBOARD');
  if (opcode === null) throw new Error('No XKB.');
  const [useExtension, latchLockState, coreKeyboard] = [0, 5, 0x100];
  await x.askBytes(Buffer.from([opcode, useExtension, 2, 0, 1, 0, 0, 0]));
  const [low, high] = [coreKeyboard & 255, coreKeyboard >> 8];
  await x.sendBytes(Buffer.from([opcode, latchLockState, 4, 0, low, high, 0, 0, 1, group, 0, 0, 0, 0, 0, 0]));
  const { keyMask } = await x.ask<{ keyMask: number }>((client, answer) => client.QueryPointer(x.screen.root, answer));
  expect(keyMask >> 13, 'the layout').toBe(group);
};
/** Waits for the presses of a marker key, so that everything before it has been delivered. */
const afterMarker = async (listener: HotkeyListener) => {
  const { counter, undo } = await listen(listener, 'Control+Alt+M');
  await key('key', 'ctrl+alt+m');
  await eventually(async () => expect(counter.heard).toBe(1));
  undo();
};

describe('a hotkey on X11', () => {
  it('is reported once for each press, and other keys are not', async () => {
    const listener = await open();
    const { counter } = await listen(listener, 'CommandOrControl+Shift+L');
    await key('key', 'ctrl+shift+l');
    await eventually(async () => expect(counter.heard).toBe(1));
    for (const other of ['ctrl+l', 'shift+l', 'ctrl+shift+alt+l', 'ctrl+shift+k']) await key('key', other);
    await key('key', 'ctrl+shift+l');
    await afterMarker(listener);
    expect(counter.heard).toBe(2);
  });

  it('that is held down is reported once', async () => {
    const listener = await open();
    const { counter } = await listen(listener, 'Alt+F9');
    await screen.run('xset', 'r', 'rate', '50', '100');
    await key('keydown', 'alt', 'keydown', 'F9', 'sleep', '0.5', 'keyup', 'F9', 'keyup', 'alt');
    await afterMarker(listener);
    expect(counter.heard).toBe(1);
    await key('key', 'alt+F9');
    await eventually(async () => expect(counter.heard).toBe(2));
  });

  it.each(['Num_Lock', 'Caps_Lock'])('is reported with %s on', async (lock) => {
    const listener = await open();
    const { counter } = await listen(listener, 'Control+PrintScreen');
    await key('key', lock);
    await key('key', 'ctrl+Print');
    await eventually(async () => expect(counter.heard).toBe(1));
    await key('key', lock);
    await key('key', 'ctrl+Print');
    await eventually(async () => expect(counter.heard).toBe(2));
  });

  it('that another program uses is refused, and available when it is released', async () => {
    const [one, other] = [await open(), await open()];
    const { undo } = await listen(one, 'Control+F5');
    const refused = await other.listen('Control+F5', () => {});
    expect(refused).toMatchObject({ ok: false, error: { code: 'HOTKEY_TAKEN', params: { hotkey: 'Control+F5' } } });
    undo();
    await eventually(async () => {
      const { counter } = await listen(other, 'Control+F5');
      await key('key', 'ctrl+F5');
      await eventually(async () => expect(counter.heard).toBe(1));
    });
  });

  it('that no key matches is distinguished from one that is in use', async () => {
    const listener = await open();
    expect(await listener.listen('Control+Nonsense', () => {})).toMatchObject({ error: { code: 'HOTKEY_INVALID' } });
    expect(await listener.listen('MediaStop+F5', () => {})).toMatchObject({ error: { code: 'HOTKEY_INVALID' } });
  });

  it('follows a new layout of the keyboard', async () => {
    const listener = await open();
    const { counter } = await listen(listener, 'Control+A');
    await screen.run('setxkbmap', 'fr');
    await eventually(async () => {
      await key('key', 'ctrl+a');
      expect(counter.heard).toBeGreaterThan(0);
    });
    // Presses that the server has reported and this process has not read yet.
    await afterMarker(listener);
    const before = counter.heard;
    await key('key', 'ctrl+q');
    await afterMarker(listener);
    expect(counter.heard, 'the key that was A before').toBe(before);
    await screen.run('setxkbmap', 'us');
  });

  it('that a new layout has no key for is lost alone, and may be asked for again in each further one', async () => {
    const listener = await open();
    const losses: HotkeyLoss[] = [];
    const lost = (why: HotkeyLoss) => void losses.push(why);
    const ask = () => listener.listen('Control+[', () => {}, lost);
    expect(await ask()).toMatchObject({ ok: true });
    const { counter } = await listen(listener, 'Control+F5');
    await screen.run('setxkbmap', 'ru');
    await eventually(() => expect(losses).toEqual(['keyboard']));
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'HOTKEY_INVALID' } });
    await key('key', 'ctrl+F5');
    await eventually(() => expect(counter.heard, 'the other one').toBe(1));
    await screen.run('setxkbmap', 'us');
    await eventually(() => expect(losses).toEqual(['keyboard', 'keyboard']));
    const back = await listen(listener, 'Control+[');
    await key('key', 'ctrl+bracketleft');
    await eventually(() => expect(back.counter.heard).toBe(1));
  });

  it('whose key in a new layout another program uses is lost', async () => {
    const [listener, other] = [await open(), await connect()];
    const [dvorakX, control] = [56, 4];
    await other.ask((x, answer) => x.GrabKey(other.screen.root, 0, control, dvorakX, 1, 1, answer));
    const losses: HotkeyLoss[] = [];
    const lost = (why: HotkeyLoss) => void losses.push(why);
    expect(await listener.listen('Control+X', () => {}, lost)).toMatchObject({ ok: true });
    await screen.run('setxkbmap', 'dvorak');
    await eventually(() => expect(losses).toEqual(['keyboard']));
    expect(await listener.listen('Control+X', () => {})).toMatchObject({ error: { code: 'HOTKEY_TAKEN' } });
    await other.close();
    await screen.run('setxkbmap', 'us');
  });

  it('that the first layout has no key for is available in a later one', async () => {
    await screen.run('setxkbmap', 'ru');
    const listener = await open();
    expect(await listener.listen('Control+[', () => {})).toMatchObject({ error: { code: 'HOTKEY_INVALID' } });
    await screen.run('setxkbmap', 'us');
    await eventually(async () => void (await listen(listener, 'Control+[')));
  });

  it('with a letter that no layout has is reported for the key of an English keyboard', async () => {
    await screen.run('setxkbmap', 'ru');
    const listener = await open();
    const { counter } = await listen(listener, 'Control+Shift+X');
    await pressCtrlShiftX();
    await eventually(() => expect(counter.heard).toBe(1));
    await screen.run('setxkbmap', 'us');
  });

  it('is reported in each of two layouts that the user switches between', async () => {
    await screen.run('setxkbmap', 'us,ru');
    const [listener, other] = [await open(), await connect()];
    const { counter } = await listen(listener, 'Control+Shift+X');
    await lockGroup(other, 1);
    await pressCtrlShiftX();
    await eventually(() => expect(counter.heard).toBe(1));
    await lockGroup(other, 0);
    await pressCtrlShiftX();
    await eventually(() => expect(counter.heard).toBe(2));
    await other.close();
    await screen.run('setxkbmap', 'us');
  });

  it('does not keep a program alive', async () => {
    const module = join(import.meta.dirname, '../../../src/engine/hotkeys/x11-hotkeys.ts');
    const words = `
      const { openX11Hotkeys } = await import(${JSON.stringify(module)});
      const listener = await openX11Hotkeys(process.env);
      const listened = await listener.listen('Control+F7', () => {});
      console.log(listened.ok);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', words], {
      env: { ...screen.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => said.push(bytes));
    // Its output may be read after its exit.
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(Buffer.concat(said).toString()).toBe('true\n');
  });

  it('is reported again after the X server restarted', async () => {
    const first = await openXScreen(64, 64);
    const listener = await openX11Hotkeys(first.environment);
    if (!listener) throw new Error('Nobody can listen.');
    let losses = 0;
    const count = () => void losses++;
    for (const hotkey of ['Control+F5', 'Control+F6'])
      expect(await listener.listen(hotkey, () => {}, count)).toMatchObject({ ok: true });
    await first.close();
    await eventually(async () => expect(losses).toBe(2));
    expect(await listener.listen('Control+F5', () => {})).toMatchObject({ error: { params: { why: 'gone' } } });
    const again = await openXScreen(64, 64, { display: first.display });
    const { counter } = await listen(listener, 'Control+F5');
    await again.run('xdotool', 'key', 'ctrl+F5');
    await eventually(async () => expect(counter.heard).toBe(1));
    await again.close();
  });

  it.each([
    ['without a screen', {}],
    ['without its server', { DISPLAY: ':9999' }],
    ['under Wayland', { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' }],
  ])('cannot be detected by %s', async (_, environment) => {
    expect(await openX11Hotkeys(environment)).toBeNull();
  });
});

it('a press freezes the screen to choose on, another one meanwhile does nothing, and the end frees the key', async () => {
  const hotkeys = await open();
  const { engine } = await openEngine(temporaryFolder('hotkeys'), { hotkeys, environment: screen.environment });
  const set = engine.settings.update({
    hotkeys: { ...engine.state().settings.hotkeys, region: 'Ctrl+Shift+X', window: 'F8' },
  });
  expect(set.ok).toBe(true);
  const stateOf = (action: string) => engine.state().hotkeys.keys.find((hotkey) => hotkey.action === action)?.state;
  await until(() => stateOf('region') === 'asked' && stateOf('window') === 'asked');
  await key('key', 'ctrl+shift+x');
  await until(() => engine.state().capture?.state === 'choosing');
  const session = engine.state().capture;
  await key('key', 'F8');
  await until(() => engine.state().hotkeys.keys.find(({ action }) => action === 'window')?.pressedAt !== null);
  expect(engine.state().capture).toEqual(session);
  await engine.capture.cancel();
  await engine.close();
  const other = await open();
  await eventually(async () => {
    await listen(other, 'Control+Shift+X');
  });
});
