/**
 * Registers the global hotkeys and keeps them in step with the settings and the account. A refused hotkey is reported
 * with a solution, a press starts one action once, and closing releases every key.
 */

import { err, type Failure, failure, type Result, unreachable } from '../../api/errors.ts';
import { HOTKEY_ACTIONS, type Hotkey, type HotkeyAction, type Hotkeys } from '../../ipc/protocol/hotkeys.ts';
import type { Clock, HotkeyListener } from '../ports.ts';
import { type Accelerator, formatAccelerator, parseAccelerator } from './accelerator.ts';
import type { FindConflict } from './hotkey-conflicts.ts';
import type { HotkeysApi } from './hotkeys-api.ts';

export interface HotkeysService {
  state(): Hotkeys;
  /** Registers what is wanted now. */
  follow(): void;
  close(): Promise<void>;
  readonly commands: HotkeysApi;
}

export interface HotkeyDeps {
  readonly clock: Clock;
  readonly platform: string;
  /** Null: this host has no hotkeys. */
  readonly listener: HotkeyListener | null;
  readonly wanted: () => Readonly<Record<HotkeyAction, string | null>>;
  readonly findConflict: FindConflict;
  readonly press: (action: HotkeyAction) => void;
  readonly notify: (notice: Failure) => void;
  readonly withdraw: (code: NoticeCode) => void;
  readonly onChange: () => void;
}

const NOTICES = ['HOTKEY_TAKEN', 'HOTKEY_INVALID'] as const;
type NoticeCode = (typeof NOTICES)[number];

/** Ignores key bounce, repeats and double presses. */
const GUARD_MS = 500;
const TEST_MS = 10_000;
/** For desktops where only the user can assign hotkeys. */
const COMMAND = 'linkshot capture --select';

interface RegisteredHotkey {
  /** The requested text, unchanged. */
  readonly wanted: string | null;
  readonly hotkey: Hotkey;
  readonly release: () => void;
}

const nothing = (): void => {};

export const createHotkeysService = (deps: HotkeyDeps): HotkeysService => {
  const { clock, platform, listener, findConflict, onChange } = deps;
  const held = new Map<HotkeyAction, RegisteredHotkey>(
    HOTKEY_ACTIONS.map((action) => [action, { wanted: null, hotkey: off(action, null), release: nothing }]),
  );
  const tests = new Map<HotkeyAction, Set<() => void>>(HOTKEY_ACTIONS.map((action) => [action, new Set()]));
  const closing = new AbortController();
  let heardAt = Number.NEGATIVE_INFINITY;
  let told: string | null = null;
  let isFollowing = false;
  let turn: Promise<void> = Promise.resolve();

  const heldOf = (action: HotkeyAction): RegisteredHotkey => held.get(action) as RegisteredHotkey;
  const change = (action: HotkeyAction, hotkey: Partial<Hotkey>): void => {
    const now = heldOf(action);
    held.set(action, { ...now, hotkey: { ...now.hotkey, ...hotkey } });
    onChange();
  };

  /**
   * Shows or withdraws the notices. Conflicts among our own hotkeys are excluded, because they are visible in the
   * settings.
   */
  const tell = (): void => {
    if (!listener) {
      told = '';
      return;
    }
    const failures = [...held.values()].flatMap(({ hotkey: { failure } }) =>
      failure && failure.params?.['action'] === undefined ? [failure] : [],
    );
    const words = JSON.stringify(failures);
    if (words === told) return;
    told = words;
    for (const code of NOTICES) {
      const notice = failures.find((failure) => failure.code === code);
      if (notice) deps.notify(notice);
      else deps.withdraw(code);
    }
  };

  const hear = (action: HotkeyAction): void => {
    if (closing.signal.aborted) return;
    // It was received, so no other program takes it.
    change(action, { pressedAt: Math.round(clock.now()), failure: null });
    tell();
    const waiting = tests.get(action);
    if (waiting && waiting.size > 0) {
      for (const heard of waiting) heard();
      return;
    }
    const sinceLast = clock.monotonic() - heardAt;
    heardAt = clock.monotonic();
    if (sinceLast >= GUARD_MS) deps.press(action);
  };

  const release = (action: HotkeyAction, wanted: string | null): void => {
    heldOf(action).release();
    held.set(action, { wanted, hotkey: off(action, wanted), release: nothing });
  };

  const ask = async (action: HotkeyAction, wanted: string, by: HotkeyListener): Promise<void> => {
    const parsed = freeAmongOurs(action, parseAccelerator(wanted, platform));
    if (!parsed.ok) return change(action, { state: 'refused', failure: parsed.error });
    const accelerator = formatAccelerator(parsed.value);
    const asked = await by.listen(accelerator, () => hear(action));
    const conflict = await findConflict(parsed.value, asked.ok ? 'asked' : 'refused');
    held.set(action, { ...heldOf(action), release: asked.ok ? asked.value : nothing });
    change(action, {
      accelerator,
      state: asked.ok ? 'asked' : 'refused',
      failure: conflict ?? (asked.ok ? null : asked.error),
    });
  };

  const freeAmongOurs = (action: HotkeyAction, parsed: Result<Accelerator>): Result<Accelerator> => {
    if (!parsed.ok) return parsed;
    const hotkey = formatAccelerator(parsed.value);
    const other = HOTKEY_ACTIONS.find((other) => {
      const { accelerator, state } = heldOf(other).hotkey;
      return other !== action && state === 'asked' && accelerator === hotkey;
    });
    if (!other) return parsed;
    return err(
      failure('HOTKEY_TAKEN', `${hotkey} ${doingOf(other)} already. Choose another key for one of the two.`, {
        params: { hotkey, action: other },
      }),
    );
  };

  /** Releases changed hotkeys first, so that two actions can swap theirs. */
  const update = async (): Promise<void> => {
    isFollowing = false;
    if (closing.signal.aborted) return;
    const wanted = deps.wanted();
    const changed = HOTKEY_ACTIONS.filter((action) => wanted[action] !== heldOf(action).wanted);
    for (const action of changed) release(action, wanted[action]);
    // A hotkey that conflicted with one of ours may be free now.
    const clashed = HOTKEY_ACTIONS.filter((action) => heldOf(action).hotkey.failure?.params?.['action'] !== undefined);
    for (const action of HOTKEY_ACTIONS) {
      const accelerator = wanted[action];
      if (!changed.includes(action) && !clashed.includes(action)) continue;
      if (listener && accelerator !== null && !closing.signal.aborted) await ask(action, accelerator, listener);
    }
    tell();
    onChange();
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(nothing);
    return done;
  };

  return {
    state: () => ({
      way: listener?.way ?? 'none',
      keys: HOTKEY_ACTIONS.map((action) => heldOf(action).hotkey),
      command: COMMAND,
    }),
    follow() {
      if (isFollowing || closing.signal.aborted) return;
      const wanted = deps.wanted();
      // The first time also re-evaluates the notices of an earlier run.
      if (told !== null && HOTKEY_ACTIONS.every((action) => wanted[action] === heldOf(action).wanted)) return;
      isFollowing = true;
      void inTurn(update);
    },
    async close() {
      closing.abort();
      await turn;
      for (const action of HOTKEY_ACTIONS) heldOf(action).release();
    },
    commands: {
      async testHotkey(action, signal) {
        await turn;
        if (heldOf(action).hotkey.state !== 'asked') return { heard: false };
        const done = new AbortController();
        const heard = () => done.abort();
        tests.get(action)?.add(heard);
        try {
          await clock.sleep(TEST_MS, AbortSignal.any([signal, closing.signal, done.signal])).catch(nothing);
          return { heard: done.signal.aborted };
        } finally {
          tests.get(action)?.delete(heard);
        }
      },
      retryHotkeys: () =>
        inTurn(async () => {
          for (const action of HOTKEY_ACTIONS) release(action, null);
          await update();
        }),
    },
  };
};

const off = (action: HotkeyAction, accelerator: string | null): Hotkey => ({
  action,
  accelerator,
  state: 'off',
  pressedAt: null,
  failure: null,
});

const doingOf = (action: HotkeyAction): string => {
  switch (action) {
    case 'region':
      return 'captures a region';
    case 'window':
      return 'captures a window';
    case 'screen':
      return 'captures a screen';
    case 'all':
      return 'captures all screens';
    case 'last':
      return 'captures the last region';
    case 'record':
      return 'records the screen';
    default:
      return unreachable(action);
  }
};
