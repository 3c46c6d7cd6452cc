/**
 * Registers the global hotkeys and keeps them in step with the settings and the account. A refused hotkey is reported
 * with a solution, a press starts one action once, and closing releases every key.
 */

import { err, type Failure, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import { HOTKEY_ACTIONS, type Hotkey, type HotkeyAction, type Hotkeys } from '../../ipc/protocol/hotkeys.ts';
import { type CommandsOf, DONE, done } from '../command-types.ts';
import type { Clock, HotkeyListener } from '../ports.ts';
import { type Accelerator, formatAccelerator, parseAccelerator } from './accelerator.ts';
import { bindingInstructions } from './binding-instructions.ts';
import type { FindConflict, SnippingTool } from './snipping-tool.ts';

export interface HotkeysService {
  state(): Hotkeys;
  /** Registers what is wanted now. */
  follow(): void;
  close(): Promise<void>;
  readonly commands: CommandsOf<'hotkeys'>;
}

export interface HotkeyDeps {
  readonly clock: Clock;
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null: this host has no hotkeys. */
  readonly listener: HotkeyListener | null;
  readonly wanted: () => Readonly<Record<HotkeyAction, string | null>>;
  readonly findConflict: FindConflict;
  /** Null: not on Windows. */
  readonly snippingTool: SnippingTool | null;
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

interface RegisteredHotkey {
  /** The requested text, unchanged. */
  readonly wanted: string | null;
  readonly hotkey: Hotkey;
  readonly release: () => void;
}

const nothing = (): void => {};

export const createHotkeysService = (deps: HotkeyDeps): HotkeysService => {
  const { clock, platform, listener, findConflict, snippingTool, onChange } = deps;
  const registered = new Map<HotkeyAction, RegisteredHotkey>(
    HOTKEY_ACTIONS.map((action) => [action, { wanted: null, hotkey: off(action, null), release: nothing }]),
  );
  const tests = new Map<HotkeyAction, Set<() => void>>(HOTKEY_ACTIONS.map((action) => [action, new Set()]));
  const closing = new AbortController();
  let pressedAt = Number.NEGATIVE_INFINITY;
  let lastReported: string | null = null;
  let isFollowing = false;
  let turn: Promise<void> = Promise.resolve();

  const registeredOf = (action: HotkeyAction): RegisteredHotkey => registered.get(action) as RegisteredHotkey;
  const change = (action: HotkeyAction, hotkey: Partial<Hotkey>): void => {
    const now = registeredOf(action);
    registered.set(action, { ...now, hotkey: { ...now.hotkey, ...hotkey } });
    onChange();
  };

  /**
   * Shows or withdraws the notices. Conflicts among our own hotkeys are excluded, because they are visible in the
   * settings.
   */
  const updateNotices = (): void => {
    if (!listener) {
      lastReported = '';
      return;
    }
    const failures = [...registered.values()].flatMap(({ hotkey: { failure } }) =>
      failure && failure.params?.['action'] === undefined ? [failure] : [],
    );
    const reported = JSON.stringify(failures);
    if (reported === lastReported) return;
    lastReported = reported;
    for (const code of NOTICES) {
      const notice = failures.find((failure) => failure.code === code);
      if (notice) deps.notify(notice);
      else deps.withdraw(code);
    }
  };

  const onPress = (action: HotkeyAction): void => {
    if (closing.signal.aborted) return;
    // It was received, so no other program takes it.
    change(action, { pressedAt: Math.round(clock.now()), failure: null });
    updateNotices();
    const waiting = tests.get(action);
    if (waiting && waiting.size > 0) {
      for (const heard of waiting) heard();
      return;
    }
    const sinceLast = clock.monotonic() - pressedAt;
    pressedAt = clock.monotonic();
    if (sinceLast >= GUARD_MS) deps.press(action);
  };

  const release = (action: HotkeyAction, wanted: string | null): void => {
    registeredOf(action).release();
    registered.set(action, { wanted, hotkey: off(action, wanted), release: nothing });
  };

  const register = async (action: HotkeyAction, wanted: string, by: HotkeyListener): Promise<void> => {
    const parsed = withoutOwnConflict(action, parseAccelerator(wanted, platform));
    if (!parsed.ok) return change(action, { state: 'refused', failure: parsed.error });
    const accelerator = formatAccelerator(parsed.value);
    const granted = await by.listen(accelerator, () => onPress(action));
    const conflict = await findConflict(parsed.value, granted.ok ? 'asked' : 'refused');
    registered.set(action, { ...registeredOf(action), release: granted.ok ? granted.value : nothing });
    change(action, {
      accelerator,
      state: granted.ok ? 'asked' : 'refused',
      failure: conflict ?? (granted.ok ? null : granted.error),
    });
  };

  const withoutOwnConflict = (action: HotkeyAction, parsed: Result<Accelerator>): Result<Accelerator> => {
    if (!parsed.ok) return parsed;
    const hotkey = formatAccelerator(parsed.value);
    const other = HOTKEY_ACTIONS.find((other) => {
      const { accelerator, state } = registeredOf(other).hotkey;
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
    const changed = HOTKEY_ACTIONS.filter((action) => wanted[action] !== registeredOf(action).wanted);
    for (const action of changed) release(action, wanted[action]);
    // A hotkey that conflicted with one of ours may be free now.
    const clashed = HOTKEY_ACTIONS.filter(
      (action) => registeredOf(action).hotkey.failure?.params?.['action'] !== undefined,
    );
    for (const action of HOTKEY_ACTIONS) {
      const accelerator = wanted[action];
      if (!changed.includes(action) && !clashed.includes(action)) continue;
      if (listener && accelerator !== null && !closing.signal.aborted) await register(action, accelerator, listener);
    }
    updateNotices();
    onChange();
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(nothing);
    return done;
  };
  const retry = (): Promise<void> =>
    inTurn(async () => {
      for (const action of HOTKEY_ACTIONS) release(action, null);
      await update();
    });

  return {
    state: () => ({
      way: listener?.way ?? 'none',
      keys: HOTKEY_ACTIONS.map((action) => registeredOf(action).hotkey),
      ...bindingInstructions(deps.environment, deps.wanted().region),
      replacesSnippingTool: snippingTool?.isReplaced() ?? false,
    }),
    follow() {
      if (isFollowing || closing.signal.aborted) return;
      const wanted = deps.wanted();
      // The first time also re-evaluates the notices of an earlier run.
      if (lastReported !== null && HOTKEY_ACTIONS.every((action) => wanted[action] === registeredOf(action).wanted))
        return;
      isFollowing = true;
      void inTurn(update);
    },
    async close() {
      closing.abort();
      await turn;
      for (const action of HOTKEY_ACTIONS) registeredOf(action).release();
    },
    commands: {
      async test({ action }, signal) {
        await turn;
        if (registeredOf(action).hotkey.state !== 'asked') return ok({ heard: false });
        const done = new AbortController();
        const heard = () => done.abort();
        tests.get(action)?.add(heard);
        try {
          await clock.sleep(TEST_MS, AbortSignal.any([signal, closing.signal, done.signal])).catch(nothing);
          return ok({ heard: done.signal.aborted });
        } finally {
          tests.get(action)?.delete(heard);
        }
      },
      async retry() {
        await retry();
        return DONE;
      },
      async replaceSnippingTool({ isOn }) {
        if (snippingTool === null) return err(failure('COMMAND_INVALID', 'Only Windows has the Snipping Tool.'));
        const changed = await (isOn ? snippingTool.replace() : snippingTool.restore());
        await retry();
        return done(changed);
      },
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
