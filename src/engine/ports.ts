/** Interfaces that a host implements for the engine, such as clock, clipboard, notifier and screen capturer. */

import type { Result } from '../api/errors.ts';
import type { ItemId } from '../api/ids.ts';
import type { Area, Display, OpenWindow } from '../ipc/protocol/capture.ts';
import type { HotkeyAction } from '../ipc/protocol/hotkeys.ts';
import type { ScrollDirection } from '../ipc/protocol/scroll.ts';

export interface Clock {
  /** Milliseconds since 1970-01-01 UTC; may jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Random {
  /** In [0, 1). */
  number(): number;
  uuid(): string;
}

/** Stores secrets by name: API keys, and the link passwords of unpublished items. */
export interface SecretStore {
  /** `session`: lost when the process ends. */
  readonly place: 'keyring' | 'session';
  get(name: string): Promise<Result<string | null>>;
  set(name: string, secret: string): Promise<Result<void>>;
  delete(name: string): Promise<Result<void>>;
}

export interface Clipboard {
  writeText(text: string): Promise<Result<void>>;
  /** Where the host can read it: a changed link replaces the old one only if it is still on the clipboard. */
  readText?(): Promise<Result<string>>;
  /** Writes a picture, given as PNG. A host without it leaves this to the page (the `picture` event). */
  writePicture?(png: Uint8Array): Promise<Result<void>>;
  /** The picture on the clipboard as PNG; null: no picture. */
  readPicture?(): Promise<Result<Uint8Array | null>>;
}

/** Reads the clipboard, one kind of content at a time. Errors: COMMAND_INVALID, APP_FAILED where it cannot be read. */
export interface ClipboardReader {
  /** Paths of copied files; empty: no files. */
  readFiles(): Promise<Result<readonly string[]>>;
  /** As PNG; null: no picture. */
  readPicture(): Promise<Result<Uint8Array | null>>;
  /** Empty: no text. */
  readText(): Promise<Result<string>>;
}

export interface Notifier {
  /** Notifies that a link is ready. Must not throw; a host without notifications does nothing. */
  linked(notice: { readonly id: ItemId; readonly name: string; readonly url: string }): void;
}

/** Pixels as RGBA of 8 bits each, rows without padding, alpha 255. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Captures the screen; lengths are physical pixels, unchanged. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
export interface ScreenCapturer {
  /** At least one, the primary one first. */
  displays(signal: AbortSignal): Promise<Result<readonly Display[]>>;
  /** The visible windows, the frontmost first; empty or CAPTURE_UNAVAILABLE where the platform does not list them. */
  windows(signal: AbortSignal): Promise<Result<readonly OpenWindow[]>>;
  /** Every display at one instant. */
  freeze(
    pointer: PointerChoice,
    signal: AbortSignal,
  ): Promise<Result<readonly { readonly display: Display; readonly pixels: Pixels }[]>>;
  /** One area of the desktop; black where it is outside all displays. */
  grab(area: Area, pointer: PointerChoice, signal: AbortSignal): Promise<Result<Pixels>>;
  /**
   * Turns the mouse wheel over an area; negative clicks scroll back. Absent: the desktop lets no program do so. Errors:
   * CAPTURE_UNAVAILABLE, CANCELLED.
   */
  scroll?(area: Area, direction: ScrollDirection, clicks: number, signal: AbortSignal): Promise<Result<void>>;
  /** What the desktop will ask the user at the next capture, as a sentence; null or absent: nothing. */
  question?(signal: AbortSignal): Promise<string | null>;
}

/** Shows the user's clicks and keys on the screen itself, so that a recording of it has them. */
export interface InputDisplay {
  /** Shows them until it is closed or the screen ends. Errors: INPUT_NOT_SHOWN with the reason. */
  open(request: InputDisplayRequest, signal: AbortSignal): Promise<Result<{ close(): Promise<void> }>>;
}

export interface InputDisplayRequest {
  /** The recorded area; nothing is shown outside of it. */
  readonly area: Area;
  /** Of the display: 2 doubles what is drawn. */
  readonly scale: number;
  /** Empty: nothing. */
  readonly shown: readonly ('clicks' | 'keys')[];
}

/** A camera whose pictures are shown in recordings. */
export interface CameraDevice {
  /** Shown to the user, and remembered in the settings; each camera of a computer has another one. */
  readonly name: string;
  /** The arguments by which ffmpeg opens it as its only input. */
  readonly input: readonly string[];
}

export interface Cameras {
  /** Those that are connected; starts none. `program`: path of ffmpeg. */
  list(program: string, signal: AbortSignal): Promise<readonly CameraDevice[]>;
}

/** Whether the mouse pointer is included. */
export type PointerChoice = 'hide' | 'show';

/** `gone`: what listens has ended; `keyboard`: the keyboard has a new layout, so that asking at once is worth it. */
export type HotkeyLoss = 'gone' | 'keyboard';

/** Listens for global hotkeys, each by itself. */
export interface HotkeyListener {
  readonly way: 'electron' | 'x11' | 'portal';
  /**
   * `press` is called at each press, not at key repeats; `lost` once, when the hotkey is gone, or was refused,
   * and may be listened for again. Returns the release function. Errors: HOTKEY_TAKEN, with `params.why` `gone` where it
   * may work later; HOTKEY_INVALID.
   */
  listen(accelerator: string, press: () => void, lost?: (why: HotkeyLoss) => void): Promise<Result<() => void>>;
}

/** A desktop that takes all hotkeys at once, and itself decides which keys they get. */
export interface DesktopHotkeys {
  readonly way: 'portal';
  /**
   * Replaces the earlier ones. Returns the keys of each in the words of the desktop; empty words: it gave none. Errors:
   * HOTKEY_TAKEN.
   */
  bind(
    wanted: readonly WantedHotkey[],
    events: DesktopHotkeysEvents,
  ): Promise<Result<ReadonlyMap<HotkeyAction, string>>>;
  close(): Promise<void>;
}

export interface WantedHotkey {
  readonly action: HotkeyAction;
  /** Normalised. */
  readonly accelerator: string;
}

export interface DesktopHotkeysEvents {
  press(action: HotkeyAction): void;
  /** The user changed the keys in the settings of the desktop. */
  changed(keys: ReadonlyMap<HotkeyAction, string>): void;
  /** All are gone; binding them again may help. */
  lost(): void;
}

/** The process that recognises pictures, `vision-process-entry`. */
export interface VisionProcess {
  send(task: object): void;
  kill(): void;
}

/** `onEnd` is called once, also when the process cannot be started. */
export type StartVisionProcess = (onMessage: (message: unknown) => void, onEnd: () => void) => VisionProcess;

/**
 * Pins an image, given as PNG, on top of all windows. `area` in physical pixels of the desktop: where it was captured;
 * null: unknown. Errors: APP_FAILED where it cannot be decoded.
 */
export type PinImage = (image: {
  readonly png: Uint8Array;
  readonly name: string;
  readonly area: Area | null;
}) => Promise<Result<void>>;

/** Opens an address in the user's browser. */
export interface Opener {
  open(url: string): Promise<Result<void>>;
  /**
   * Opens any web address, which the user has seen and confirmed. Absent where the page opens it. Errors:
   * ADDRESS_INVALID.
   */
  openAny?(url: string): Promise<Result<void>>;
}
