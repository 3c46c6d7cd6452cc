/**
 * Types of the context that each command of the command line receives (`CommandContext`): input and output, working
 * folder, profile, environment, the chosen service and key, and `openClient`, which opens the engine. `Keys` says
 * which API key a command may use, and `CopyByCaller` lets the launcher copy a text to the clipboard.
 */
import type { Readable } from 'node:stream';
import type { Result } from '../api/errors.ts';
import type { Clock } from '../engine/ports.ts';
import type { EngineClient, ServerAndKey } from './client/engine-client.ts';
import type { EngineRequest } from './client/local-or-running-engine.ts';
import type { Report } from './output/command-output.ts';
import type { Terminal } from './output/progress-line.ts';

/** `none`: no key is read; nothing is sent. `given`: of this run, else the stored one. `stored`: the key store itself. */
export type Keys = 'none' | 'given' | 'stored';

export type CopyByCaller = (text: string, otherwise: string | null) => void;

export interface ClientOptions {
  /** Items of the queue are uploaded meanwhile. By default they rest: the command would cut them off at its end. */
  readonly queue?: 'running';
  /** As in `EngineRequest`. */
  readonly capturer?: EngineRequest['capturer'];
  /** As in `EngineRequest`. */
  readonly leftRecordings?: EngineRequest['leftRecordings'];
}

/** The part of the clock that a command needs to wait. */
export type Waiting = Pick<Clock, 'monotonic' | 'sleep'>;

export interface Input {
  readonly stream: Readable;
  readonly isWatched: boolean;
}

export interface CommandContext {
  readonly clock: Waiting;
  readonly report: Report;
  readonly cwd: string;
  readonly profileDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly input: Input;
  /**
   * A launcher that waits starts the clipboard program itself: a small process does that faster. `otherwise` is printed
   * if there is no clipboard.
   */
  readonly copyByCaller: CopyByCaller | undefined;
  /** For anything but results: questions and progress. */
  readonly errorStream: Terminal;
  /** Ctrl+C where the command reads the keys of the terminal itself, which then sends no signal. */
  readonly interrupt: () => void;
  /** The next Ctrl+C goes to the command and does not stop the run. Returns the undo. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Where progress is drawn; null if the output is not a terminal. */
  readonly terminal: Terminal | null;
  /** From the command line or the environment. */
  readonly server: string | undefined;
  readonly key: string | undefined;
  /** The service and key of this run; null: the profile's own connection. */
  readonly contact: ServerAndKey | null;
  openClient(keys: Keys, signal: AbortSignal, options?: ClientOptions): Promise<Result<EngineClient>>;
}
