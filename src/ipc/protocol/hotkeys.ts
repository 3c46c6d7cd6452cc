/** Schemas of the global hotkeys: their actions, and whether each is registered. */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { CAPTURE_MODES } from './capture.ts';

/** One per capture mode; `record` starts a recording and ends it. */
export const HOTKEY_ACTIONS = [...CAPTURE_MODES, 'record'] as const;
export const HotkeyAction = literals(...HOTKEY_ACTIONS);
export type HotkeyAction = Static<typeof HotkeyAction>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

export const Hotkey = Type.Object({
  action: HotkeyAction,
  /** Electron's form, such as `CommandOrControl+Shift+X`; null: unset. */
  accelerator: Nullable(Type.String()),
  /** `asked`: the system accepted it, which is no proof on every platform; a press is (`pressedAt`). */
  state: literals('off', 'asked', 'refused'),
  /** The keys that the desktop bound, in its own words; null: those of `accelerator`. */
  bound: Nullable(Type.String()),
  /** The last press in this run. */
  pressedAt: Nullable(Instant),
  /** Why it was refused, or what else uses it, with what to do. */
  failure: Nullable(Failure),
});
export type Hotkey = Static<typeof Hotkey>;

export const Hotkeys = Type.Object({
  /** Who listens: Electron, the X server, the desktop's portal; `none`: unsupported here. */
  way: literals('electron', 'x11', 'portal', 'none'),
  /** One per action, in the order of HOTKEY_ACTIONS. */
  keys: Type.Array(Hotkey),
  /** A command that the user can bind to a key in the desktop's own settings. */
  command: Type.String(),
  /** Where the user enters it: in the settings of any desktop, of GNOME or KDE, or in the configuration of Sway. */
  commandPlace: literals('settings', 'gnome', 'kde', 'sway'),
  /**
   * Linkshot's own shortcut in the settings of the desktop, which runs that command; `none`: this desktop has none that
   * Linkshot could set.
   */
  shortcut: literals('none', 'unset', 'set'),
  /** Windows: whether the user let Linkshot turn off that the Print Screen key opens the Snipping Tool. */
  replacesSnippingTool: Type.Boolean(),
});
export type Hotkeys = Static<typeof Hotkeys>;
