/** Types of the handlers of commands that the host runs, and of what the dispatcher and the handlers depend on. */

import { ok, type Result } from '../../../api/errors.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { AppState, Capabilities } from '../../protocol/app-state.ts';
import type { CommandInput, CommandOutput, HostCommandName } from '../../protocol/command-table.ts';
import type { PinChange, PinId, PinnedImage } from '../../protocol/pinned-image.ts';
import type { FileReceiver } from '../file-receiver.ts';
import type { FileTokens } from '../file-tokens.ts';

/** Folder dialogs of the operating system. */
export interface Folders {
  /** Lets the user choose a folder, starting at `start`; null if the user cancels. Returns an absolute path. */
  choose(start: string): Promise<string | null>;
  /** Returns whether it is shown. */
  show(path: string): Promise<boolean>;
}

/** Images that stay on top of all windows until the user closes them. */
export interface Pins {
  read(id: PinId): PinnedImage | null;
  change(id: PinId, change: PinChange): void;
  act(id: PinId, action: CommandInput<'pin.act'>['action']): Promise<Result<unknown>>;
  /** Pins the image on the clipboard. Errors: those of `pin.clipboard`. */
  addClipboard(): Promise<Result<unknown>>;
}

export interface DispatcherDeps {
  readonly engine: Engine;
  readonly capabilities: Capabilities;
  readonly sources: FileTokens;
  readonly intake: FileReceiver;
  /** Brings the window to the front, on this screen, if given; or opens the page. Errors: there is no window to show. */
  readonly show: (screen?: CommandInput<'app.show'>['screen']) => Result<unknown> | Promise<Result<unknown>>;
  /** Quits the host cleanly. Without it, the host ends with the terminal or the program that started it. */
  readonly quit?: () => void;
  /**
   * Shows one of the host's panel windows in the height of its page; null hides it. Absent if the host has no such
   * windows.
   */
  readonly panel?: (panel: 'toast' | 'recorder', height: number | null) => void;
  /** Absent if the host has no folder dialogs. */
  readonly folders?: Folders;
  /** Absent if the host cannot pin images. */
  readonly pins?: Pins | undefined;
  /** Starts the built-in server, or returns the running one. Absent if the host has none. */
  readonly tryOut?: () => Promise<{ readonly server: string; readonly key: string }>;
  /** The update status. Absent if the host does not check for updates. */
  readonly updates?: () => CommandOutput<'app.updates'>;
  /** Whether the desktop shows the host's tray icon now. Absent if the host has none. */
  readonly isTrayShown?: () => Promise<boolean>;
  /** Logs a bug; pages never see it. */
  readonly log: (line: string) => void;
}

export interface HandlerDeps extends DispatcherDeps {
  readonly state: () => AppState;
}

type Handler<K extends HostCommandName> = (
  input: CommandInput<K>,
  signal: AbortSignal,
) => Promise<Result<CommandOutput<K>>> | Result<CommandOutput<K>>;

export type HandlersOf<K extends HostCommandName> = { readonly [N in K]: Handler<N> };

/** The reply of a command without output. */
export const DONE = ok({});
