/**
 * Schemas of the state that a window renders: one snapshot of the whole app (capabilities of the host, accounts, queue,
 * capture, recording, hotkeys, settings, notices), always sent whole.
 */
import Type, { type Static } from 'typebox';
import { Account } from '../../api/account.ts';
import { Failure } from '../../api/errors.ts';
import { ConnectionId, ItemId } from '../../api/ids.ts';
import { literals, Nullable, opaque } from '../../api/nullable-and-literals.ts';
import { CaptureSession, DiscardedCapture } from './capture.ts';
import { Hotkeys } from './hotkeys.ts';
import { ItemProgress, QueueItem } from './queue-item.ts';
import { Recording } from './recording.ts';
import { Effective, Settings } from './settings.ts';

/** What this host supports; screens follow it and never ask which host it is. */
export const Capabilities = Type.Object({
  hotkey: Type.Boolean(),
  tray: Type.Boolean(),
  /** Where the frozen screen is shown: in windows of the host, in this page, or nowhere. */
  overlay: literals('windows', 'page', 'none'),
  /** Whether the desktop lists its windows; else only regions and screens can be captured. */
  windows: Type.Boolean(),
  /** Whether the screen can be recorded. */
  recording: Type.Boolean(),
  /** Whether clicks and keys can be shown in recordings. */
  inputDisplay: Type.Boolean(),
  /** Whether the host shows its own toast, recorder bar and notifications; else the page does. */
  panels: Type.Boolean(),
  /** Whether images can be pinned on top of all windows. */
  pins: Type.Boolean(),
  /** Whether the host can name a folder, and so reads it and asks for it in a dialog; else the page reads it. */
  folders: Type.Boolean(),
  /** Whether the host can show folders, and let the user choose one, in the system's own windows. */
  fileManager: Type.Boolean(),
  /** Whether the host can add itself to the menus of Windows' file manager. */
  explorerMenu: Type.Boolean(),
  /** Whether the host can add the `linkshot` command to the user's PATH. */
  terminalCommand: Type.Boolean(),
  /** Whether the host has a built-in server for the try-out. */
  tryOut: Type.Boolean(),
  /**
   * Who writes the clipboard: the host, only the page, or both. Of both the host writes links that become ready, and
   * what the browser refuses to the page; the page writes what the user copies in it.
   */
  clipboard: literals('host', 'page', 'both'),
});
export type Capabilities = Static<typeof Capabilities>;

/** Where the key is kept. `embedded`: the built-in server creates a new one at each start, nothing is stored. */
export const KeyPlace = literals('keyring', 'session', 'embedded');
export type KeyPlace = Static<typeof KeyPlace>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/** The state of one account at a service. `account` is the last one read and may be shown while offline. */
export const AccountConnection = Type.Union([
  Type.Object({ state: Type.Literal('connecting'), server: Type.String(), account: Nullable(Account) }),
  Type.Object({
    state: Type.Literal('connected'),
    server: Type.String(),
    account: Account,
    keyPlace: KeyPlace,
    /** Requests pause until then: the account's request budget is used up. Absent: no pause. */
    restsUntil: Type.Optional(Instant),
  }),
  Type.Object({
    state: Type.Literal('failed'),
    server: Type.String(),
    account: Nullable(Account),
    failure: Failure,
  }),
]);
export type AccountConnection = Static<typeof AccountConnection>;

/** The connection that new items go to. */
export const Connection = Type.Union([Type.Object({ state: Type.Literal('none') }), ...AccountConnection.anyOf]);
export type Connection = Static<typeof Connection>;

/**
 * An account that this profile is connected to. Each keeps its own session, so its items continue whichever account is
 * active.
 */
export const ConnectedAccount = Type.Object({
  id: ConnectionId,
  /** New items go to the active one. */
  isActive: Type.Boolean(),
  connection: AccountConnection,
  /** When limits, plan and storage were last read. */
  readAt: Instant,
});
export type ConnectedAccount = Static<typeof ConnectedAccount>;

/** A connection that waits for the user's approval in a browser, or the error of the last one. */
export const Authorization = Type.Union([
  Type.Object({
    state: Type.Literal('waiting'),
    server: Type.String(),
    /** What the user types at `address` where the page was not opened: on this or on any other device. */
    userCode: Type.String(),
    address: Type.String(),
    expiresAt: Instant,
    /** Whether the approval page was opened on this computer. */
    browser: literals('opened', 'not-opened'),
  }),
  Type.Object({ state: Type.Literal('failed'), server: Type.String(), failure: Failure }),
]);
export type Authorization = Static<typeof Authorization>;

export const Queue = Type.Object({
  items: Type.Array(QueueItem),
  live: Type.Record(Type.String(), ItemProgress),
  paused: Type.Boolean(),
});
export type Queue = Static<typeof Queue>;

/** Everything a window renders. Full snapshots only: the receiver never patches. */
export const AppState = opaque(
  Type.Object({
    version: Type.String(),
    capabilities: Capabilities,
    /** The active one of `accounts`. */
    connection: Connection,
    accounts: Type.Array(ConnectedAccount),
    authorization: Nullable(Authorization),
    queue: Queue,
    /** Queue items with a password. The password itself stays in the key store until the item is published. */
    guarded: Type.Array(ItemId),
    /** Queue items with a thumbnail, and other items that have got one since the engine started. */
    thumbnails: Type.Array(ItemId),
    /** Items whose thumbnail was replaced since the engine started: their earlier one shows what the user has hidden. */
    replacedThumbnails: Type.Array(ItemId),
    capture: Nullable(CaptureSession),
    /** Newest first. */
    discarded: Type.Array(DiscardedCapture),
    recording: Nullable(Recording),
    hotkeys: Hotkeys,
    settings: Settings,
    /** The effective settings: the user's own, else the account's. */
    effective: Effective,
    /** Notices that have not been dismissed, e.g. about a rebuilt database. */
    notices: Type.Array(Failure),
  }),
);
export type AppState = Static<typeof AppState>;
