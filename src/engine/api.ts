/** Public interface of the engine: what hosts provide, the commands and the events. */

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
import type { ProfileApi } from './local-data/local-data-api.ts';
import type { SetShareAnswer } from './queue/link/set-share.ts';
import type { RecordingApi } from './recording/recording-api.ts';

export interface EngineDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretStore;
  /** Null where only the page can access the clipboard; it then follows the `linked` event. */
  readonly clipboard: Clipboard | null;
  /** Without one, nothing can be added from the clipboard. */
  readonly copied?: ClipboardReader;
  readonly notifier: Notifier;
  readonly opener: Opener;
  /** For a host that captures the screen itself; by default the engine captures the session's screen. */
  readonly capturer?: ScreenCapturer;
  /** Without one, this host has no hotkeys. */
  readonly hotkeys?: HotkeyListener;
  /** The host's environment, used to find programs and the screen. Child processes get only the variables they need. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's pictures folder (absolute), for a host whose platform knows it; by default the system is queried. */
  readonly pictures?: () => Promise<string | null>;
  /** Folder of the profile (created with mode 0700 if missing): queue, library, settings, spool, thumbnails, lock. */
  readonly profileDir: string;
  /** The owner's name for this computer, and its kind as the service calls it (`win32`, `darwin`, `linux`). */
  readonly device: { readonly name: string; readonly platform: string };
  readonly version: string;
  /** `resting`: accepts edits, runs nothing, writes no timeline events. */
  readonly queue?: 'resting';
  /**
   * `by command`: only the command that prints a link delivers it; until it confirms, the link counts as undelivered.
   */
  readonly delivery?: 'by command';
}

/**
 * What to publish: a file, unless `job` says otherwise. A `spool` source must be in `engine.spoolDir` and is deleted
 * once published.
 */
export interface NewItem {
  readonly source: Source;
  readonly name: string;
  readonly share?: LinkSettings;
  readonly job?: Job;
  /** Absent: the user added it. */
  readonly origin?: QueueItem['origin'];
  /** As in `QueueItem`. */
  readonly awaited?: QueueItem['awaited'];
}

/** Where new items come from, unless the app itself created them. */
export type AddedBy = 'window' | 'command';

/** The engine's part of the state; the host adds its capabilities to complete `AppState`. */
export type EngineState = Omit<AppState, 'capabilities'>;
export type EngineEvent =
  | { readonly type: 'state'; readonly state: EngineState }
  | Exclude<AppEvent, { type: 'state' }>;

export interface ConnectRequest {
  /** Address of the service; https, or http on loopback only. */
  readonly server: string;
  readonly key: string;
  /** `store`: in the SecretStore. `embedded`, `session`: in memory only; the stored connection is unchanged. */
  readonly keep: 'store' | 'session' | 'embedded';
}

export interface Engine extends LibraryApi, NoteApi, CaptureApi, RecordingApi, HotkeysApi, ProfileApi, ClipboardApi {
  /** Folder for files that the app owns, mode 0700; files in it are 0600. */
  readonly spoolDir: string;
  state(): EngineState;
  /** Emits full snapshots, at most ten per second, and each link. Returns the unsubscribe function. */
  on(listener: (event: EngineEvent) => void): () => void;

  /** Checks each file and persists its row before it resolves; from then on a crash loses nothing. */
  add(items: readonly NewItem[], by?: AddedBy): Promise<Result<readonly ItemId[]>>;
  pause(ids: readonly ItemId[]): void;
  resume(ids: readonly ItemId[]): void;
  retry(ids: readonly ItemId[]): void;
  cancel(ids: readonly ItemId[]): void;
  dismiss(ids: readonly ItemId[]): void;
  move(id: ItemId, before: ItemId | null): void;
  /** Link settings of items that are not published yet; each is answered separately. */
  setShare(ids: readonly ItemId[], change: LinkSettings): Promise<SetShareAnswer[]>;
  /** The events of an item of the queue or the library, oldest first; empty for an unknown item. */
  timeline(id: ItemId): readonly TimelineEvent[];
  pauseAll(): void;
  resumeAll(): void;

  /** Verifies address and key with the service before it stores anything. */
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Result<Connection>>;
  /** Whether the active connection has this service and a key that `isKey` accepts. */
  isConnectedWith(server: string, isKey: (key: string) => boolean): boolean;
  /**
   * Requests a connection that the user approves in a browser; resolves when there is a code to show. `open: 'nothing'`
   * does not open the page.
   */
  authorize(
    request: { readonly server: string; readonly open: 'browser' | 'nothing' },
    signal: AbortSignal,
  ): Promise<Result<Authorization>>;
  /**
   * Waits for the outcome of the active authorization. Errors: ACCESS_DENIED, EXPIRED_TOKEN, CANCELLED,
   * KEY_STORE_FAILED.
   */
  authorized(signal: AbortSignal): Promise<Result<Connection>>;
  /** Opens the approval page again. Errors: CANCELLED where no authorization is active, ADDRESS_INVALID, APP_FAILED. */
  reopenAuthorize(): Promise<Result<void>>;
  cancelAuthorize(): void;
  /** New items belong to this account from now on; pending items stay with theirs. */
  activateAccount(id: ConnectionId): Result<Connection>;
  /** Deletes the account and its key from this device. Its items wait until it is connected again. */
  removeAccount(id: ConnectionId): Promise<Connection>;
  /** Removes the active account; no other is activated automatically. */
  disconnect(): Promise<Connection>;
  /** Reads the account again: after a wait, after a suspend, or at the user's request. */
  refresh(signal: AbortSignal): Promise<Connection>;

  /** Reads the accounts again that were last read some minutes ago. */
  freshenAccounts(): void;

  /** Shows a notice until the user has seen it or `withdraw` is called; a code is shown once. */
  notify(notice: Failure): void;
  withdraw(code: ErrorCode): void;

  updateSettings(change: Partial<Settings>): Result<Settings>;
  dismissNotices(): void;
  /** What sharing a code folder would upload. Errors: SOURCE_MISSING, SOURCE_UNREADABLE, CANCELLED. */
  previewFolder(
    source: Source,
    onProgress: (progress: FolderProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<FolderPreview>>;
  /**
   * Estimates within seconds the result of fitting a video or image to the active account. `fit` of a video; null: not
   * chosen. Errors: NOT_CONNECTED, SOURCE_*, UPLOAD_FORMAT_UNSUPPORTED for other files, VIDEO_UNREADABLE,
   * VIDEO_TOOL_MISSING, DISK_FULL, CANCELLED.
   */
  previewFit(path: string, fit: FitChoice | null, signal: AbortSignal): Promise<Result<MakingPreview>>;
  /** Path of the item's thumbnail (WebP, at most 320 px), or null while there is no thumbnail. */
  thumbnail(id: ItemId): string | null;

  /** Marks the links of these items as printed by a command. */
  markDelivered(ids: readonly ItemId[]): void;
  /** Call when a window opens: soon after, preloads what its first image needs. Not for a command, which ends soon. */
  warm(): void;
  /** Like `cancel`, limited to items that a command added and no `waitForItem` call waits for. */
  replace(ids: readonly ItemId[]): void;
  /**
   * Waits until the item is linked, cancelled, or has an error that only the user can fix. A temporary error is waited
   * out for `patienceMs` without progress, then its failure is returned; the item stays in the queue.
   */
  waitForItem(id: ItemId, patienceMs: number, signal: AbortSignal): Promise<Result<QueueItem, Failure>>;

  /**
   * Stops the work in flight and closes the profile. All state is already persisted; unfinished work resumes next time.
   */
  close(): Promise<void>;
}
