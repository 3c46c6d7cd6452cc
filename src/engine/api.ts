/** The engine as its hosts see it: what they give, what they may ask, what they are told. */

import type { ErrorCode, Failure, Result } from '../api/errors.ts';
import type { ConnectionId, ItemId } from '../api/ids.ts';
import type { FolderPreview, FolderProgress } from '../common/folder/preview.ts';
import type { AppEvent } from '../ipc/protocol/ipc.ts';
import type { LinkSettings } from '../ipc/protocol/link-settings.ts';
import type { MakingPreview } from '../ipc/protocol/prepared-body.ts';
import type { FitChoice, Job, QueueItem, Source } from '../ipc/protocol/queue-item.ts';
import type { Settings } from '../ipc/protocol/settings.ts';
import type { AppState, Authorization, Connection } from '../ipc/protocol/state.ts';
import type { TimelineEvent } from '../ipc/protocol/timeline.ts';
import type { CaptureApi } from './capture/capture-api.ts';
import type { ClipboardApi } from './clipboard/clipboard-api.ts';
import type { HotkeysApi } from './hotkeys/hotkeys-api.ts';
import type { LibraryApi } from './library/library-api.ts';
import type { NoteApi } from './note/note-api.ts';
import type {
  Clipboard,
  ClipboardReader,
  Clock,
  HotkeyListener,
  Notifier,
  Opener,
  Random,
  ScreenCapturer,
  SecretStore,
} from './ports.ts';
import type { ProfileApi } from './profile/profile-api.ts';
import type { SetShareAnswer } from './queue/link/set-share.ts';
import type { RecordingApi } from './recording/recording-api.ts';

export interface EngineDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretStore;
  /** Null where only the page reaches the clipboard; it then follows the `linked` event. */
  readonly clipboard: Clipboard | null;
  /** Without one, nothing that was copied can be taken in. */
  readonly copied?: ClipboardReader;
  readonly notifier: Notifier;
  readonly opener: Opener;
  /** For a host that sees the screen itself; without one, the engine looks at the session's screen. */
  readonly recorder?: ScreenCapturer;
  /** Without one, this host hears no hotkeys. */
  readonly hotkeys?: HotkeyListener;
  /** The host's environment: where programs and the screen are found. Only what they need is handed on to them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where this person keeps pictures (absolute), from a host whose platform tells it; without one, the system is asked. */
  readonly pictures?: () => Promise<string | null>;
  /** Folder of the profile (made with mode 0700 if it is missing): queue, library, settings, spool, thumbnails, lock. */
  readonly profileDir: string;
  /** This computer, as its owner calls it and as the service tells its kind (`win32`, `darwin`, `linux`). */
  readonly device: { readonly name: string; readonly platform: string };
  readonly version: string;
  /** `resting`: the host only looks, or takes wishes down; nothing of the queue goes on and no story is told of it. */
  readonly queue?: 'resting';
  /** `by command`: nobody is told a link but by the command that prints it, and until it says so the link counts as untold. */
  readonly delivery?: 'by command';
}

/** What is to be published: a file, unless `job` says otherwise. A `spool` source must lie in `engine.spoolDir` and is removed once published. */
export interface NewItem {
  readonly source: Source;
  readonly name: string;
  readonly share?: LinkSettings;
  readonly job?: Job;
  /** Absent: it was handed over. */
  readonly origin?: QueueItem['origin'];
  /** As in `QueueItem`. */
  readonly awaited?: QueueItem['awaited'];
}

/** Where new items come from, unless the app itself made them. */
export type AddedBy = 'window' | 'command';

/** What the engine knows; the host adds its capabilities to make the whole `AppState`. */
export type EngineState = Omit<AppState, 'capabilities'>;
export type EngineEvent =
  | { readonly type: 'state'; readonly state: EngineState }
  | Exclude<AppEvent, { type: 'state' }>;

export interface ConnectRequest {
  /** Address of the service; https, or http on loopback only. */
  readonly server: string;
  readonly key: string;
  /** `store`: in the SecretStore. `embedded`, `session`: in memory only, and the stored connection is left as it is. */
  readonly keep: 'store' | 'session' | 'embedded';
}

export interface Engine extends LibraryApi, NoteApi, CaptureApi, RecordingApi, HotkeysApi, ProfileApi, ClipboardApi {
  /** Folder for files that the app owns, mode 0700; files in it are 0600. */
  readonly spoolDir: string;
  state(): EngineState;
  /** Full snapshots, at most ten a second, and each link. Answers its own undo. */
  on(listener: (event: EngineEvent) => void): () => void;

  /** Checks each file and writes its row before it answers; from then on a crash loses nothing. */
  add(items: readonly NewItem[], by?: AddedBy): Promise<Result<readonly ItemId[]>>;
  pause(ids: readonly ItemId[]): void;
  resume(ids: readonly ItemId[]): void;
  retry(ids: readonly ItemId[]): void;
  cancel(ids: readonly ItemId[]): void;
  dismiss(ids: readonly ItemId[]): void;
  move(id: ItemId, before: ItemId | null): void;
  /** Link settings of items that are not published yet; answered one by one. */
  setShare(ids: readonly ItemId[], change: LinkSettings): Promise<SetShareAnswer[]>;
  /** What happened to an item of the queue or the library, oldest first; empty where neither knows it. */
  timeline(id: ItemId): readonly TimelineEvent[];
  pauseAll(): void;
  resumeAll(): void;

  /** Checks address and key with the service before it stores anything. */
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Result<Connection>>;
  /** Whether the connection in use has this service and a key that `isKey` accepts. */
  isConnectedWith(server: string, isKey: (key: string) => boolean): boolean;
  /**
   * Asks the service for a connection that the person approves in a browser, and answers when there is a code to show.
   * `open: 'nothing'` leaves it to the person to go there.
   */
  authorize(
    request: { readonly server: string; readonly open: 'browser' | 'nothing' },
    signal: AbortSignal,
  ): Promise<Result<Authorization>>;
  /** Waits for the end of the authorization under way. Errors: ACCESS_DENIED, EXPIRED_TOKEN, CANCELLED, KEY_STORE_FAILED. */
  authorized(signal: AbortSignal): Promise<Result<Connection>>;
  /** Opens the page for the approval again. Errors: CANCELLED where none is under way, ADDRESS_INVALID, APP_FAILED. */
  reopenAuthorize(): Promise<Result<void>>;
  cancelAuthorize(): void;
  /** From now on new items go to this account; what waits for another one stays with it. */
  activateAccount(id: ConnectionId): Result<Connection>;
  /** Forgets the account and its key. Its items wait until it is connected again. */
  removeAccount(id: ConnectionId): Promise<Connection>;
  /** Removes the active account; no other takes its place unasked. */
  disconnect(): Promise<Connection>;
  /** Reads the account again: after a wait, from a sleep, or because the person asked. */
  refresh(signal: AbortSignal): Promise<Connection>;

  /** Reads the accounts again that were not read for some minutes. */
  freshenAccounts(): void;

  /** Tells the person something until they have seen it, or until it is over; a code is told once. */
  notify(notice: Failure): void;
  withdraw(code: ErrorCode): void;

  updateSettings(change: Partial<Settings>): Result<Settings>;
  dismissNotices(): void;
  /** What sharing a folder of code would send. Errors: SOURCE_MISSING, SOURCE_UNREADABLE, CANCELLED. */
  previewFolder(
    source: Source,
    onProgress: (progress: FolderProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<FolderPreview>>;
  /**
   * What fitting a video or an image to the active account would make of it, in some seconds; `fit` of a video, null:
   * nobody chose. Errors: NOT_CONNECTED, SOURCE_*, UPLOAD_FORMAT_UNSUPPORTED where it is neither, VIDEO_UNREADABLE,
   * VIDEO_TOOL_MISSING, DISK_FULL, CANCELLED.
   */
  previewFit(path: string, fit: FitChoice | null, signal: AbortSignal): Promise<Result<MakingPreview>>;
  /** Path of the item's thumbnail (WebP, at most 320 px), or null where there is none (yet). */
  thumbnail(id: ItemId): string | null;

  /** A command has printed the links of these items. */
  told(ids: readonly ItemId[]): void;
  /** A window is open: a moment later, what its first picture needs is loaded. Not for a command, which ends soon. */
  warm(): void;
  /** As `cancel`, but only of what a command entered and nobody waits for by `settled`. */
  replace(ids: readonly ItemId[]): void;
  /**
   * Waits until the item is linked, is cancelled, or has a trouble that only a person can mend. A passing fault is
   * waited out for `patienceMs` without progress, then its failure is answered; the item stays in the queue.
   */
  settled(id: ItemId, patienceMs: number, signal: AbortSignal): Promise<Result<QueueItem, Failure>>;

  /** Stops the work in flight and closes the profile. Everything is already durable; what runs is resumed next time. */
  close(): Promise<void>;
}
