/** Public interface of the engine: what hosts provide, the commands, the state and the events. */

import type { ErrorCode, Failure, Result } from '../api/errors.ts';
import type { ItemId } from '../api/ids.ts';
import type { FolderPreview, FolderProgress } from '../common/folder/folder-preview.ts';
import type { AppState, Connection } from '../ipc/protocol/app-state.ts';
import type { AppEvent, CommandInput } from '../ipc/protocol/command-table.ts';
import type { LinkSettings } from '../ipc/protocol/link-settings.ts';
import type { Job, QueueItem, Source } from '../ipc/protocol/queue-item.ts';
import type { CaptureApi } from './capture/capture-interface.ts';
import type { ClipboardApi } from './clipboard/clipboard-interface.ts';
import type { CommandsOf, EngineCommands } from './command-types.ts';
import type { LibraryApi } from './library/library-interface.ts';
import type { LocalDataApi } from './local-data/local-data-interface.ts';
import type { NoteApi } from './note/note-interface.ts';
import type {
  Cameras,
  Clipboard,
  ClipboardReader,
  Clock,
  DesktopHotkeys,
  HotkeyListener,
  Notifier,
  Opener,
  PinImage,
  Random,
  ScreenCapturer,
  SecretStore,
  StartVisionProcess,
} from './ports.ts';
import type { RecordingApi } from './recording/recording-interface.ts';
import type { VisionApi } from './vision/vision-interface.ts';

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
  /** Absent where images cannot be pinned. */
  readonly pin?: PinImage | undefined;
  /** For a host that captures the screen itself; by default the engine captures the session's screen. */
  readonly capturer?: ScreenCapturer;
  /** By default those of the system. */
  readonly cameras?: Cameras;
  /**
   * Before a scrolling capture: time for the user to bring what scrolls to the front, where the host's own page covers
   * it. Milliseconds; by default none.
   */
  readonly scrollLeadMs?: number;
  /** For Electron, whose program is no Node; by default a child process of Node. */
  readonly startVision?: StartVisionProcess;
  /** Without one, this host has no hotkeys. */
  readonly hotkeys?: HotkeyListener | DesktopHotkeys;
  /** Path of the command line, for shortcuts of the desktop; by default the desktop finds it by its name. */
  readonly launcher?: string;
  /** The host's environment, used to find programs and the screen. Child processes get only the variables they need. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's pictures folder (absolute), for a host whose platform knows it; by default the system is queried. */
  readonly pictures?: () => Promise<string | null>;
  /** Folder of the profile (created with mode 0700 if missing): queue, library, settings, spool, thumbnails, lock. */
  readonly profileDir: string;
  /** The owner's name for this computer, and its kind as the service calls it (`win32`, `darwin`, `linux`). */
  readonly device: { readonly name: string; readonly platform: string };
  readonly version: string;
  /** Gets a sentence where the profile cannot be protected from other users. */
  readonly log?: (line: string) => void;
  /** `resting`: accepts edits and runs nothing. */
  readonly queue?: 'resting';
  /** `review`: recordings of an earlier process wait for the user, whatever the settings say. */
  readonly leftRecordings?: 'review';
  /**
   * `by command`: only the command that prints a link delivers it; until it confirms, the link counts as undelivered.
   */
  readonly delivery?: 'by command';
}

/** What `createEngine` takes. `secrets` is called once this process owns the profile. */
export interface CreateEngineDeps extends Omit<EngineDeps, 'secrets'> {
  readonly secrets: () => Promise<SecretStore>;
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
  readonly isReviewed?: QueueItem['isReviewed'];
  /** As in `QueueItem`. */
  readonly printPending?: QueueItem['printPending'];
}

/** Where new items come from, unless the app itself created them. */
export type AddedBy = 'window' | 'command';

/** The engine's part of the state; the host adds its capabilities to complete `AppState`. */
export type EngineState = Omit<AppState, 'capabilities'>;
export type EngineEvent =
  | { readonly type: 'state'; readonly state: EngineState }
  | Exclude<AppEvent, { type: 'state' }>;

export interface ConnectRequest extends CommandInput<'connection.connect'> {
  /**
   * `store` (default): the key goes into the SecretStore. `embedded`, `session`: in memory only; the stored connection
   * is unchanged.
   */
  readonly keep?: 'store' | 'session' | 'embedded';
  /** `always` (default): the user asked for this account. `if-only`: only where there is no other account. */
  readonly activate?: 'always' | 'if-only';
}

interface AppApi extends CommandsOf<'app'> {
  /** Shows a notice until the user has seen it or `withdraw` is called; a code is shown once. */
  notify(notice: Failure): void;
  withdraw(code: ErrorCode): void;
}

export interface QueueApi extends CommandsOf<'queue'> {
  /**
   * Checks each file and persists the rows before it resolves; from then on a crash loses nothing. All or nothing.
   * Errors: SOURCE_*, INVALID_INPUT, ONE_TIME_NOT_PUBLIC, PLAN_FEATURE_REQUIRED, KEY_STORE_FAILED for a password that
   * cannot be stored, DISK_FULL, COMMAND_INVALID for a `spool` source elsewhere.
   */
  add(items: readonly NewItem[], by?: AddedBy): Promise<Result<readonly ItemId[]>>;
}

export interface FolderApi extends CommandsOf<'folder'> {
  /**
   * What sharing a code folder would upload. Errors: SOURCE_MISSING, SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE, CANCELLED.
   */
  preview(
    source: Source,
    onProgress: (progress: FolderProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<FolderPreview>>;
}

export interface ConnectionApi extends CommandsOf<'connection'> {
  /** Verifies address and key with the service before it stores anything. */
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Result<Connection>>;
  /** Whether the active connection has this service and a key that `isKey` accepts. */
  isConnectedWith(server: string, isKey: (key: string) => boolean): boolean;
}

/** Each feature has the commands of the command table under its name, and what only hosts call. */
export interface Engine extends EngineCommands {
  readonly app: AppApi;
  readonly capture: CaptureApi;
  readonly connection: ConnectionApi;
  readonly folder: FolderApi;
  readonly intake: ClipboardApi;
  readonly library: LibraryApi;
  readonly note: NoteApi;
  readonly profile: LocalDataApi;
  readonly queue: QueueApi;
  readonly animation: CommandsOf<'animation'>;
  readonly recording: RecordingApi;
  readonly vision: VisionApi;

  /** Folder for files that the app owns, mode 0700; files in it are 0600. */
  readonly spoolDir: string;
  state(): EngineState;
  /**
   * Emits full snapshots of the state, at most ten per second unless they are urgent, and every other event at once.
   * Returns the unsubscribe function.
   */
  on(listener: (event: EngineEvent) => void): () => void;
  /** Call when a window opens: soon after, preloads what its first image needs. Not for a command, which ends soon. */
  warm(): void;
  /**
   * Stops the work in flight and closes the profile. All state is already persisted; unfinished work resumes next time.
   */
  close(): Promise<void>;
}
