/**
 * Registers the global hotkeys and keeps them in step with the settings and the account. A refused hotkey is reported
 * with a solution, a press starts one action once, and closing releases every key. Also implements the hotkey commands.
 */

import { err, type Failure, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import { HOTKEY_ACTIONS, type Hotkey, type HotkeyAction, type Hotkeys } from '../../ipc/protocol/hotkeys.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE, done } from '../empty-result.ts';
import type { Clock, DesktopHotkeys, HotkeyListener, HotkeyLoss, WantedHotkey } from '../ports.ts';
import { type Accelerator, formatAccelerator, parseAccelerator } from './accelerator.ts';
import { bindingInstructions } from './binding-instructions.ts';
import type { DesktopShortcut } from './gnome-shortcut.ts';
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
  readonly listener: HotkeyListener | DesktopHotkeys | null;
  readonly wanted: () => Readonly<Record<HotkeyAction, string | null>>;
  readonly findConflict: FindConflict;
  /** Null: not on Windows. */
  readonly snippingTool: SnippingTool | null;
  /** Null: the desktop has no shortcut that Linkshot could set. */
  readonly shortcut: DesktopShortcut | null;
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
/** Until lost hotkeys are asked for again; then the last one repeats. */
const LOST_MS = [1_000, 5_000, 30_000];

/** Of the shortcut where no hotkey is chosen. */
const USUAL_SHORTCUT = 'Control+PrintScreen';

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
  let losses = 0;
  let isRecovering = false;
  let shortcutState: Hotkeys['shortcut'] = 'none';
  let shortcutKeys: string | null = null;
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
    losses = 0;
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
    const granted = await by.listen(accelerator, () => onPress(action), recover);
    const conflict = await findConflict(parsed.value, granted.ok ? 'asked' : 'refused');
    registered.set(action, { ...registeredOf(action), release: granted.ok ? granted.value : nothing });
    change(action, {
      accelerator,
      state: granted.ok ? 'asked' : 'refused',
      failure: conflict ?? (granted.ok ? null : granted.error),
    });
    if (!granted.ok && losses > 0 && granted.error.params?.['why'] === 'gone') recover('gone');
  };

  /** The desktop takes all at once, so a change of one binds all of them again. */
  const bindAll = async (by: DesktopHotkeys): Promise<void> => {
    const wanted: WantedHotkey[] = [];
    for (const action of HOTKEY_ACTIONS) {
      const text = registeredOf(action).wanted;
      if (text === null) continue;
      const parsed = withoutOwnConflict(action, parseAccelerator(text, platform));
      if (!parsed.ok) change(action, { state: 'refused', failure: parsed.error });
      else {
        const accelerator = formatAccelerator(parsed.value);
        wanted.push({ action, accelerator });
        change(action, { accelerator, state: 'asked', failure: null, bound: null });
      }
    }
    const tell = (keys: ReadonlyMap<HotkeyAction, string>): void => {
      for (const { action } of wanted) change(action, boundState(action, keys.get(action) ?? ''));
      updateNotices();
    };
    const bound = await by.bind(wanted, { press: onPress, changed: tell, lost: () => recover('gone') });
    if (bound.ok) return tell(bound.value);
    for (const { action } of wanted) change(action, { state: 'refused', failure: bound.error });
    // What has ended may still be starting again; who said no is not asked again.
    if (losses > 0 && bound.error.params?.['why'] !== 'refused') recover('gone');
  };

  const afterLoss = (): Promise<void> =>
    clock.sleep(LOST_MS[Math.min(losses++, LOST_MS.length - 1)] as number, closing.signal);

  /** Asks for all hotkeys again, because some were lost: after a while, so that what has ended can start again. */
  const recover = (why: HotkeyLoss): void => {
    if (isRecovering) return;
    isRecovering = true;
    void (why === 'keyboard' ? Promise.resolve() : afterLoss())
      .then(() => {
        isRecovering = false;
        return retry();
      })
      .catch(nothing);
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

  const shortcutWanted = (): string => deps.wanted().region ?? USUAL_SHORTCUT;

  /** Reads whether it is set, and changes its keys with the hotkey. */
  const followShortcut = async (by: DesktopShortcut): Promise<void> => {
    const isSet = await by.isSet();
    shortcutState = isSet === null ? 'none' : isSet ? 'set' : 'unset';
    const wanted = shortcutWanted();
    if (!isSet || wanted === shortcutKeys) return;
    shortcutKeys = wanted;
    const changed = await by.set(wanted);
    if (!changed.ok) deps.notify(changed.error);
  };

  /** Releases changed hotkeys first, so that two actions can swap theirs. */
  const update = async (): Promise<void> => {
    isFollowing = false;
    if (closing.signal.aborted) return;
    if (deps.shortcut) await followShortcut(deps.shortcut);
    const wanted = deps.wanted();
    const changed = HOTKEY_ACTIONS.filter((action) => wanted[action] !== registeredOf(action).wanted);
    for (const action of changed) release(action, wanted[action]);
    if (listener && 'bind' in listener) {
      if (changed.length > 0 && !closing.signal.aborted) await bindAll(listener);
      updateNotices();
      return onChange();
    }
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
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const worked = turn.then(work);
    turn = worked.then(nothing, nothing);
    return worked;
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
      shortcut: shortcutState,
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
      if (listener && 'bind' in listener) await listener.close();
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
      setShortcut: ({ isOn }) => {
        const { shortcut } = deps;
        if (shortcut === null)
          return Promise.resolve(
            err(failure('COMMAND_INVALID', 'This desktop has no shortcut that Linkshot could set.')),
          );
        return inTurn(async () => {
          const keys = shortcutWanted();
          const changed = await (isOn ? shortcut.set(keys) : shortcut.remove());
          if (changed.ok) {
            shortcutState = isOn ? 'set' : 'unset';
            shortcutKeys = keys;
          }
          onChange();
          return done(changed);
        });
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
  bound: null,
  failure: null,
});

/** `words`: of the desktop for the keys that it bound; empty: none. */
const boundState = (action: HotkeyAction, words: string): Partial<Hotkey> =>
  words === ''
    ? {
        ...{ state: 'refused', bound: null },
        failure: failure(
          'HOTKEY_TAKEN',
          `The desktop gave no key to the hotkey that ${doingOf(action)}: another program has it. Choose another one, or set it in the shortcuts of the desktop's settings.`,
          { params: { by: 'desktop' } },
        ),
      }
    : { state: 'asked', bound: words, failure: null };

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
