/** What the engine needs from its host. Each port is small, so that a host or a test can give its own. */

import type { Area, Display } from '../contract/capture.ts';
import type { Result } from '../contract/errors.ts';
import type { ItemId } from '../contract/ids.ts';

export interface Clock {
  /** Milliseconds since 1970-01-01 UTC; may jump. */
  now(): number;
  /** Milliseconds from any start; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Random {
  /** In [0, 1). */
  number(): number;
  uuid(): string;
}

/** Keeps API keys, one per server address and profile. */
export interface SecretStore {
  /** `session`: forgotten when the process ends. */
  readonly place: 'keyring' | 'session';
  get(name: string): Promise<Result<string | null>>;
  set(name: string, secret: string): Promise<Result<void>>;
  delete(name: string): Promise<Result<void>>;
}

export interface Clipboard {
  writeText(text: string): Promise<Result<void>>;
  /** Where the host can look: a link that changed replaces the old one only if it is still there. */
  readText?(): Promise<Result<string>>;
}

export interface Notifier {
  /** Tells that a link is ready. Must not throw; a host without notices does nothing. */
  linked(notice: { readonly id: ItemId; readonly name: string; readonly url: string }): void;
}

/** Takes the pixels of the screen. Errors: CAPTURE_UNAVAILABLE, DISK_FULL, CANCELLED. */
export interface Recorder {
  /** The primary one first; never none. */
  displays(signal: AbortSignal): Promise<Result<readonly Display[]>>;
  /** Writes the area as PNG, every pixel as it is on the screen. */
  still(
    shot: { readonly area: Area; readonly pointer: 'hide' | 'show'; readonly path: string },
    signal: AbortSignal,
  ): Promise<Result<void>>;
}

/** A host that is still writing a file into the spool gives it this ending, and renames it when it is whole. */
export const UNFINISHED = '.part';

/** Opens an address in the person's browser. */
export interface Opener {
  open(url: string): Promise<Result<void>>;
}
