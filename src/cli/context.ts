/** What a command finds around it: where it may speak, what it may read, and its way to the queue. */
import type { Readable } from 'node:stream';
import type { Result } from '../api/errors.ts';
import type { Clock } from '../engine/ports.ts';
import type { Contact, EngineClient } from './client/engine-client.ts';
import type { EngineHostRequest } from './client/engine-host.ts';
import type { Terminal } from './output/progress.ts';
import type { Report } from './output/report.ts';

/** `none`: to look, offline. `given`: of this run, else the stored one. `stored`: the key store, because it is changed. */
export type Keys = 'none' | 'given' | 'stored';

export type CopyByCaller = (text: string, otherwise: string | null) => void;

/** Time as far as a command waits by itself. */
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
  /** Where a launcher waits, it starts the program for the clipboard: a small process does that sooner. `otherwise` is said where none can be reached. */
  readonly copyByCaller: CopyByCaller | undefined;
  /** For what is not an answer: questions, and what is drawn over. */
  readonly errorStream: Terminal;
  /** The next Ctrl+C is the command's own word, and does not stop the run. Answers the undo. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Where progress is drawn; null where nobody watches. */
  readonly terminal: Terminal | null;
  /** As the command line or the environment has them. */
  readonly server: string | undefined;
  readonly key: string | undefined;
  /** The service and key of this run; null: the profile's own connection. */
  readonly contact: Contact | null;
  /** `recorder`: as in `PlaceRequest`. */
  openClient(keys: Keys, signal: AbortSignal, recorder?: EngineHostRequest['recorder']): Promise<Result<EngineClient>>;
}
