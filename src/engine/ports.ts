/** What the engine needs from its host. Each port is small, so that a host or a test can give its own. */

import type { Result } from '../api/errors.ts';
import type { ItemId } from '../api/ids.ts';
import type { Area, Display, OpenWindow } from '../ipc/protocol/capture.ts';

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
  /** Puts a picture there, given as PNG. A host without it leaves that to the page (the `picture` event). */
  writePicture?(png: Uint8Array): Promise<Result<void>>;
  /** What lies there as PNG; null: no picture. */
  readPicture?(): Promise<Result<Uint8Array | null>>;
}

/** What a person has copied, each kind asked for by itself. Errors: COMMAND_INVALID, APP_FAILED where it cannot be read. */
export interface ClipboardReader {
  /** Paths of copied files; empty: none were. */
  readFiles(): Promise<Result<readonly string[]>>;
  /** As PNG; null: no picture. */
  readPicture(): Promise<Result<Uint8Array | null>>;
  /** Empty: no text. */
  readText(): Promise<Result<string>>;
}

export interface Notifier {
  /** Tells that a link is ready. Must not throw; a host without notices does nothing. */
  linked(notice: { readonly id: ItemId; readonly name: string; readonly url: string }): void;
}

/** Pixels as RGBA of 8 bits each, rows without padding, alpha 255. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Sees the screen; lengths are physical pixels, each exactly as it is shown. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
export interface ScreenCapturer {
  /** The primary one first; never none. */
  displays(signal: AbortSignal): Promise<Result<readonly Display[]>>;
  /** The windows that can be seen, the one in front first; empty where the platform does not tell. */
  windows(signal: AbortSignal): Promise<Result<readonly OpenWindow[]>>;
  /** Every display at one instant. */
  freeze(
    pointer: PointerChoice,
    signal: AbortSignal,
  ): Promise<Result<readonly { readonly display: Display; readonly pixels: Pixels }[]>>;
  /** One area of the desktop; where it lies on no display it is black. */
  grab(area: Area, pointer: PointerChoice, signal: AbortSignal): Promise<Result<Pixels>>;
}

/** Whether the mouse pointer is in the picture. */
export type PointerChoice = 'hide' | 'show';

/** Hears keys wherever the keyboard is. */
export interface HotkeyListener {
  readonly way: 'electron' | 'x11' | 'portal';
  /** `press` is called at each press, not at repetitions of a held key. Answers the undo. Errors: HOTKEY_TAKEN, HOTKEY_INVALID. */
  listen(accelerator: string, press: () => void): Promise<Result<() => void>>;
}

/** A host that is still writing a file into the spool gives it this ending, and renames it when it is whole. */
export const UNFINISHED = '.part';
/** What a page has read of a folder has this ending in the spool, so that a rebuilt queue knows it for what it is. */
export const FOLDER_ENDING = '.folder';

/** Opens an address in the person's browser. */
export interface Opener {
  open(url: string): Promise<Result<void>>;
}
