/** The global hotkeys: what each does, and how it stands with it. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';
import { CAPTURE_MODES } from './capture.ts';

/** One per capture mode; `record` starts a recording and ends it. */
export const HOTKEY_ACTIONS = [...CAPTURE_MODES, 'record'] as const;
export const HotkeyAction = literals(...HOTKEY_ACTIONS);
export type HotkeyAction = Static<typeof HotkeyAction>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

export const Hotkey = Type.Object({
  action: HotkeyAction,
  /** Electron's form, such as `CommandOrControl+Shift+X`; null: none is wanted. */
  accelerator: Nullable(Type.String()),
  /** `asked`: the system took it, which proves nothing everywhere; a press does (`pressedAt`). */
  state: literals('off', 'asked', 'refused'),
  /** When it was pressed last in this run. */
  pressedAt: Nullable(Instant),
  /** Why it is refused, or what else takes it, with what to do. */
  failure: Nullable(Failure),
});
export type Hotkey = Static<typeof Hotkey>;

export const Hotkeys = Type.Object({
  /** Who listens: Electron, the X server, the desktop's portal; `none`: nobody can here. */
  way: literals('electron', 'x11', 'portal', 'none'),
  /** One per action, in the order of HOTKEY_ACTIONS. */
  keys: Type.Array(Hotkey),
  /** A command that the desktop's own settings can bind to a key. */
  command: Type.String(),
});
export type Hotkeys = Static<typeof Hotkeys>;
