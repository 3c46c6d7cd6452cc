/** The hotkeys service with a fake listener: registering, refusals, presses and releasing. */
import { expect, it } from 'vitest';
import { err, type Failure, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { DesktopShortcut } from '../../../src/engine/hotkeys/gnome-shortcut.ts';
import { createHotkeysService } from '../../../src/engine/hotkeys/hotkeys-service.ts';
import type { SnippingTool } from '../../../src/engine/hotkeys/snipping-tool.ts';
import type { Clock, DesktopHotkeysEvents, HotkeyLoss } from '../../../src/engine/ports.ts';
import type { HotkeyAction } from '../../../src/ipc/protocol/hotkeys.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { must } from '../../support/results.ts';

const never = new AbortController().signal;

/** Time that advances only on request. */
const movableClock = () => {
  const sleepers = new Set<{ readonly end: number; readonly wake: () => void }>();
  let now = 1_000;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { end: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
  };
  const advance = (ms: number) => {
    now += ms;
    for (const sleeper of sleepers) if (sleeper.end <= now) sleeper.wake();
  };
  return { ...clock, advance };
};

const openService = (snippingTool: SnippingTool | null = null) => {
  const clock = movableClock();
  const listening = new Map<string, () => void>();
  const refused = new Set<string>();
  let gone: string | null = null;
  let losers: ((why: HotkeyLoss) => void)[] = [];
  const pressed: HotkeyAction[] = [];
  const notices = new Map<string, Failure>();
  let wanted: Record<HotkeyAction, string | null> = { ...DEFAULT_SETTINGS.hotkeys };
  let conflict: Failure | null = null;
  const room = createHotkeysService({
    clock,
    platform: 'linux',
    environment: {},
    listener: {
      way: 'electron',
      async listen(accelerator, press, lost = () => {}) {
        if (gone !== null) return err(failure('HOTKEY_TAKEN', gone, { params: { why: 'gone' } }));
        losers.push(lost);
        if (refused.has(accelerator) || listening.has(accelerator))
          return err(failure('HOTKEY_TAKEN', 'Another program holds it.', { params: { hotkey: accelerator } }));
        listening.set(accelerator, press);
        return ok(() => void listening.delete(accelerator));
      },
    },
    wanted: () => wanted,
    findConflict: async () => conflict,
    shortcut: null,
    snippingTool,
    press: (action) => void pressed.push(action),
    notify: (notice) => void notices.set(notice.code, notice),
    withdraw: (code) => void notices.delete(code),
    onChange: () => {},
  });
  /** Answers once all that was asked for is settled. */
  const settle = async () => {
    room.follow();
    await new Promise(setImmediate);
  };
  const tellLost = (why: HotkeyLoss) => {
    const told = losers;
    losers = [];
    for (const lost of told) lost(why);
  };
  return {
    ...{ room, clock, listening, refused, pressed, notices, settle },
    want: (change: Partial<typeof wanted>) => {
      wanted = { ...wanted, ...change };
      return settle();
    },
    find: (found: Failure | null) => {
      conflict = found;
    },
    /** All are gone; `why`: nobody can listen. */
    lose: (why: string) => {
      gone = why;
      listening.clear();
      tellLost('gone');
    },
    /** The keyboard has another layout; without the key of this hotkey. */
    changeLayout: (absent: string | null) => {
      refused.clear();
      if (absent !== null) refused.add(absent);
      tellLost('keyboard');
      return settle();
    },
    comeBack: () => {
      gone = null;
    },
    keyOf: (action: HotkeyAction) => room.state().keys.find((key) => key.action === action),
    press: (accelerator: string) => listening.get(accelerator)?.(),
  };
};

it('hotkeys are registered in one form, follow changes, and are released at the end', async () => {
  const { want, listening, keyOf, room } = openService();
  await want({ region: 'CommandOrControl+Shift+L', record: 'Ctrl+F9' });
  expect([...listening.keys()]).toEqual(['Control+Shift+L', 'Control+F9']);
  expect(keyOf('region')).toMatchObject({
    accelerator: 'Control+Shift+L',
    state: 'asked',
    pressedAt: null,
    failure: null,
  });
  expect(keyOf('window')).toMatchObject({ accelerator: null, state: 'off' });
  await want({ region: 'Ctrl+F9', record: 'CommandOrControl+Shift+L' });
  expect([...listening.keys()].toSorted(), 'they swap').toEqual(['Control+F9', 'Control+Shift+L']);
  expect(keyOf('region')).toMatchObject({ accelerator: 'Control+F9', state: 'asked' });
  await want({ record: null });
  expect([...listening.keys()]).toEqual(['Control+F9']);
  await room.close();
  expect(listening.size).toBe(0);
});

it('a press starts its action once, however often the key bounces or repeats', async () => {
  const { want, press, pressed, clock, keyOf } = openService();
  await want({ region: 'F9', all: 'F10' });
  press('F9');
  expect(keyOf('region')?.pressedAt).toBe(Math.round(clock.now()));
  for (let times = 0; times < 5; times++) {
    clock.advance(300);
    press('F9');
  }
  expect(pressed).toEqual(['region']);
  clock.advance(500);
  press('F10');
  expect(pressed).toEqual(['region', 'all']);
});

it('of two actions with the same key the second is refused with an explanation, and gets it when the first releases it', async () => {
  const { want, keyOf, notices } = openService();
  await want({ region: 'Ctrl+Shift+X', last: 'shift+control+x' });
  expect(keyOf('region')).toMatchObject({ state: 'asked', failure: null });
  expect(keyOf('last')).toMatchObject({
    state: 'refused',
    failure: {
      code: 'HOTKEY_TAKEN',
      detail: expect.stringContaining('captures a region already'),
      params: { action: 'region' },
    },
  });
  expect(notices.size, 'the settings say it where it is chosen').toBe(0);
  await want({ region: 'F9' });
  expect(keyOf('last')).toMatchObject({ state: 'asked', accelerator: 'Control+Shift+X', failure: null });
});

it('a refused key is reported, until it works after another try', async () => {
  const { want, refused, notices, keyOf, room, pressed, press } = openService();
  refused.add('Control+F9');
  await want({ region: 'Ctrl+F9' });
  expect(keyOf('region')).toMatchObject({ state: 'refused', failure: { code: 'HOTKEY_TAKEN' } });
  expect(notices.get('HOTKEY_TAKEN')).toMatchObject({ params: { hotkey: 'Control+F9' } });
  await room.commands.retry();
  expect(notices.has('HOTKEY_TAKEN'), 'still').toBe(true);
  refused.clear();
  await room.commands.retry();
  expect(keyOf('region')).toMatchObject({ state: 'asked', failure: null });
  expect(notices.size).toBe(0);
  press('Control+F9');
  expect(pressed).toEqual(['region']);
});

it('hotkeys that are lost are registered again, as soon as that is possible', async () => {
  const { want, lose, comeBack, clock, settle, keyOf, listening, press, pressed } = openService();
  await want({ region: 'F9', record: 'F8' });
  lose('The X server has ended.');
  clock.advance(1_000);
  await settle();
  expect(keyOf('region')).toMatchObject({ state: 'refused', failure: { detail: 'The X server has ended.' } });
  comeBack();
  clock.advance(5_000);
  await settle();
  expect([...listening.keys()].toSorted()).toEqual(['F8', 'F9']);
  expect(keyOf('region')).toMatchObject({ state: 'asked', failure: null });
  press('F9');
  expect(pressed).toEqual(['region']);
});

it('a hotkey that a new layout of the keyboard does not have is reported at once, and works again when it does', async () => {
  const { want, changeLayout, keyOf, notices, press, pressed } = openService();
  await want({ region: 'F9', record: 'F8' });
  for (let times = 0; times < 5; times++) {
    await changeLayout('F9');
    expect(keyOf('region')).toMatchObject({ state: 'refused', failure: { params: { hotkey: 'F9' } } });
    expect(keyOf('record')).toMatchObject({ state: 'asked' });
    expect(notices.has('HOTKEY_TAKEN')).toBe(true);
    await changeLayout(null);
    expect(keyOf('region')).toMatchObject({ state: 'asked', failure: null });
    expect(notices.size).toBe(0);
  }
  press('F9');
  expect(pressed).toEqual(['region']);
});

it('text that is not a hotkey is reported as such', async () => {
  const { want, notices, keyOf, listening } = openService();
  await want({ region: 'Ctrl+Hyperspace' });
  expect(keyOf('region')).toMatchObject({
    state: 'refused',
    accelerator: 'Ctrl+Hyperspace',
    failure: { code: 'HOTKEY_INVALID' },
  });
  expect(notices.has('HOTKEY_INVALID')).toBe(true);
  expect(listening.size).toBe(0);
});

it('a key that something else uses too is reported, until it is detected all the same', async () => {
  const { want, find, keyOf, notices, press } = openService();
  find(failure('HOTKEY_TAKEN', 'The Snipping Tool has it.', { params: { by: 'snipping-tool' } }));
  await want({ region: 'PrintScreen' });
  expect(keyOf('region')).toMatchObject({ state: 'asked', failure: { params: { by: 'snipping-tool' } } });
  expect(notices.has('HOTKEY_TAKEN')).toBe(true);
  press('PrintScreen');
  expect(keyOf('region')).toMatchObject({ failure: null });
  expect(notices.size).toBe(0);
});

it('a notice of an earlier run is removed when no hotkey is refused any more', async () => {
  const { notices, settle } = openService();
  notices.set('HOTKEY_TAKEN', failure('HOTKEY_TAKEN', 'Of yesterday.'));
  await settle();
  expect(notices.size).toBe(0);
});

it('a test detects the press, which then does nothing else, and times out after ten seconds', async () => {
  const { want, room, press, pressed, clock, keyOf } = openService();
  await want({ region: 'F9' });
  const heard = room.commands.test({ action: 'region' }, never).then((reply) => must(reply));
  await new Promise(setImmediate);
  press('F9');
  expect(await heard).toEqual({ heard: true });
  expect(keyOf('region')?.pressedAt).not.toBeNull();
  expect(pressed).toEqual([]);
  const unheard = room.commands.test({ action: 'region' }, never).then((reply) => must(reply));
  await new Promise(setImmediate);
  clock.advance(10_000);
  expect(await unheard).toEqual({ heard: false });
  expect(must(await room.commands.test({ action: 'window' }, never)), 'nothing to wait for').toEqual({ heard: false });
  press('F9');
  expect(pressed, 'after the test it works as before').toEqual(['region']);
});

it('replaces the Snipping Tool when the user agrees, and registers the hotkey again', async () => {
  let isOn = true;
  const tool: SnippingTool = {
    usesPrintScreen: async () => isOn,
    isReplaced: () => !isOn,
    replace: async () => {
      isOn = false;
      return ok(undefined);
    },
    restore: async () => err(failure('APP_FAILED', 'Windows refused.')),
  };
  const { room, want, refused, listening, keyOf } = openService(tool);
  refused.add('PrintScreen');
  await want({ region: 'PrintScreen' });
  expect(keyOf('region')?.state).toBe('refused');
  expect(room.state().replacesSnippingTool).toBe(false);

  refused.clear();
  expect(await room.commands.replaceSnippingTool({ isOn: true })).toMatchObject({ ok: true });
  expect(room.state().replacesSnippingTool).toBe(true);
  expect([...listening.keys()]).toEqual(['PrintScreen']);
  expect(keyOf('region')?.state).toBe('asked');
  expect(await room.commands.replaceSnippingTool({ isOn: false })).toMatchObject({
    ok: false,
    error: { code: 'APP_FAILED' },
  });

  const elsewhere = await openService().room.commands.replaceSnippingTool({ isOn: true });
  expect(elsewhere).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
});

it('a desktop that takes all hotkeys at once decides the keys, and what it does is told', async () => {
  const clock = movableClock();
  const bindings: string[] = [];
  let answer: Result<ReadonlyMap<HotkeyAction, string>> = ok(new Map([['region', 'Ctrl+L']] as const));
  let events: DesktopHotkeysEvents | null = null;
  let wanted = { ...DEFAULT_SETTINGS.hotkeys, region: 'CommandOrControl+L', all: 'F9', window: 'F9' };
  const pressed: HotkeyAction[] = [];
  const room = createHotkeysService({
    ...{ clock, platform: 'linux', environment: {}, snippingTool: null, wanted: () => wanted },
    listener: {
      way: 'portal',
      async bind(all, told) {
        bindings.push(all.map(({ action, accelerator }) => `${action} ${accelerator}`).join(', '));
        events = told;
        return answer;
      },
      close: async () => void bindings.push('closed'),
    },
    findConflict: async () => null,
    shortcut: null,
    press: (action) => void pressed.push(action),
    notify: () => {},
    withdraw: () => {},
    onChange: () => {},
  });
  const keyOf = (action: HotkeyAction) => room.state().keys.find((key) => key.action === action);
  const settle = async () => {
    room.follow();
    await new Promise(setImmediate);
  };
  await settle();
  expect(bindings).toEqual(['region Control+L, window F9']);
  expect(keyOf('region')).toMatchObject({ state: 'asked', bound: 'Ctrl+L', failure: null });
  const params = { by: 'desktop' };
  expect(keyOf('window'), 'the desktop gave none').toMatchObject({ state: 'refused', failure: { params } });
  expect(keyOf('all'), 'ours has it').toMatchObject({ state: 'refused', failure: { params: { action: 'window' } } });

  const told = (): DesktopHotkeysEvents => events ?? expect.unreachable();
  told().press('region');
  expect(pressed).toEqual(['region']);
  told().changed(new Map([['window', 'Meta+W']] as const));
  expect([keyOf('region')?.state, keyOf('window')?.bound]).toEqual(['refused', 'Meta+W']);

  wanted = { ...wanted, window: 'F8' };
  await settle();
  expect(bindings.at(-1)).toBe('region Control+L, window F8, all F9');

  answer = err(failure('HOTKEY_TAKEN', 'The portal is gone.', { params }));
  told().lost();
  clock.advance(1_000);
  await settle();
  expect(keyOf('region')).toMatchObject({ state: 'refused', failure: { detail: 'The portal is gone.' } });

  answer = ok(new Map([['region', 'Ctrl+L']] as const));
  clock.advance(5_000);
  await settle();
  expect(keyOf('region'), 'asked again by itself').toMatchObject({ state: 'asked', bound: 'Ctrl+L' });
  await room.close();
  expect(bindings.at(-1)).toBe('closed');
});

it('a shortcut of the desktop is set when the user agrees, follows the hotkey, and is removed', async () => {
  const keys: (string | null)[] = [];
  let wanted = { ...DEFAULT_SETTINGS.hotkeys };
  const shortcut: DesktopShortcut = {
    isSet: async () => (keys.at(-1) ?? null) !== null,
    async set(accelerator) {
      if (accelerator === 'F1') return err(failure('HOTKEY_TAKEN', 'Help has it.'));
      keys.push(accelerator);
      return ok(undefined);
    },
    async remove() {
      keys.push(null);
      return ok(undefined);
    },
  };
  const notices: Failure[] = [];
  const room = createHotkeysService({
    ...{ clock: movableClock(), platform: 'linux', environment: {}, listener: null, snippingTool: null, shortcut },
    wanted: () => wanted,
    findConflict: async () => null,
    press: () => {},
    notify: (notice) => void notices.push(notice),
    withdraw: () => {},
    onChange: () => {},
  });
  const settle = async (change: Partial<typeof wanted>) => {
    wanted = { ...wanted, ...change };
    room.follow();
    await new Promise(setImmediate);
  };
  await settle({});
  expect([room.state().shortcut, keys]).toEqual(['unset', []]);
  await room.commands.setShortcut({ isOn: true });
  expect([room.state().shortcut, keys]).toEqual(['set', ['Control+PrintScreen']]);
  await settle({ region: 'F9' });
  await settle({ all: 'F8' });
  expect(keys).toEqual(['Control+PrintScreen', 'F9']);
  await settle({ region: 'F1' });
  expect(notices.map(({ detail }) => detail)).toEqual(['Help has it.']);
  expect(await room.commands.setShortcut({ isOn: true })).toMatchObject({ error: { code: 'HOTKEY_TAKEN' } });
  await room.commands.setShortcut({ isOn: false });
  expect([room.state().shortcut, keys.at(-1)]).toEqual(['unset', null]);
  await settle({ region: 'F7' });
  expect(keys.at(-1), 'it is not set again').toBeNull();
});

it('where hotkeys are unavailable every key is off, and the command for the desktop is shown', async () => {
  const room = createHotkeysService({
    clock: movableClock(),
    platform: 'linux',
    environment: {},
    listener: null,
    wanted: () => ({ ...DEFAULT_SETTINGS.hotkeys, region: 'F9' }),
    findConflict: async () => null,
    shortcut: null,
    snippingTool: null,
    press: () => {},
    notify: () => expect.unreachable(),
    withdraw: () => expect.unreachable(),
    onChange: () => {},
  });
  room.follow();
  await new Promise(setImmediate);
  expect(room.state()).toMatchObject({ way: 'none', command: 'linkshot capture --select' });
  expect(room.state().keys[0]).toMatchObject({ action: 'region', accelerator: 'F9', state: 'off', failure: null });
  await room.close();
});
