/** What carries out a command, and what all rooms of commands are given. */

import { ok, type Result } from '../../../api/errors.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../protocol/ipc.ts';
import type { AppState, Capabilities } from '../../protocol/state.ts';
import type { FileHandles } from '../file-handles.ts';
import type { FileReceiver } from '../file-receiver.ts';

/** Folders in the system's own windows. */
export interface Folders {
  /** Lets the person choose one, beginning at `start`; null: they did not. Answers an absolute path. */
  choose(start: string): Promise<string | null>;
  /** Answers whether it is shown. */
  show(path: string): Promise<boolean>;
}

export interface DispatcherDeps {
  readonly engine: Engine;
  readonly capabilities: Capabilities;
  readonly sources: FileHandles;
  readonly intake: FileReceiver;
  /** Brings the window to the front, or opens the page. */
  readonly show: () => void;
  /** Ends the host in order. Without it, the host ends with the terminal or the program that started it. */
  readonly quit?: () => void;
  /** Shows one of the host's little windows in the height of its page; null: hides it. Without it, the host has none. */
  readonly panel?: (panel: 'toast' | 'recorder', height: number | null) => void;
  /** Without it, the host has no windows for folders. */
  readonly folders?: Folders;
  /** Begins the built-in server, or answers the one that runs. Without it, the host has none. */
  readonly tryOut?: () => Promise<{ readonly server: string; readonly key: string }>;
  /** How it stands with newer versions. Without it, nobody looks for them. */
  readonly updates?: () => CommandOutput<'app.updates'>;
  /** Where a bug is told; never to a page. */
  readonly log: (line: string) => void;
}

export interface HandlerDeps extends DispatcherDeps {
  readonly state: () => AppState;
}

export type Handler<K extends CommandName> = (
  input: CommandInput<K>,
  signal: AbortSignal,
) => Promise<Result<CommandOutput<K>>> | Result<CommandOutput<K>>;

export type HandlersOf<K extends CommandName> = { readonly [N in K]: Handler<N> };

/** The answer of a command that has nothing to tell. */
export const DONE = ok({});

export const done = async (answer: Promise<Result<void>>): Promise<Result<Record<string, never>>> => {
  const result = await answer;
  return result.ok ? DONE : result;
};

/** A command that is simply done at once. */
export const now = (act: () => void) => () => {
  act();
  return DONE;
};
