/**
 * What a window or a second instance may ask of the engine, and what it is told. One table for every transport
 * (Electron IPC, WebSocket, local socket); the receiving side validates `input` by its schema before it acts.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { Account } from './account.ts';
import { Content, literals, Nullable, ShareFields } from './content.ts';
import { Failure } from './errors.ts';
import { IntakeId, ItemId, Sha256, SourceToken } from './ids.ts';
import { Live, QueueItem } from './queue-item.ts';
import { Settings } from './settings.ts';

/** What this host can do; screens follow it and never ask which host they are in. */
export const Capabilities = Type.Object({
  hotkey: Type.Boolean(),
  tray: Type.Boolean(),
  overlay: Type.Boolean(),
  recorder: Type.Boolean(),
  /** Who can reach the clipboard: the host itself, or only the page. */
  clipboard: literals('host', 'page'),
});
export type Capabilities = Static<typeof Capabilities>;

/** Where the key is kept. `embedded`: the built-in server makes a new one at each start, nothing is stored. */
export const KeyPlace = literals('keyring', 'session', 'embedded');
export type KeyPlace = Static<typeof KeyPlace>;

/** The connection to the service. `account` is the last one read and may be shown while offline. */
export const Connection = Type.Union([
  Type.Object({ state: Type.Literal('none') }),
  Type.Object({ state: Type.Literal('connecting'), server: Type.String(), account: Nullable(Account) }),
  Type.Object({ state: Type.Literal('connected'), server: Type.String(), account: Account, keyPlace: KeyPlace }),
  Type.Object({
    state: Type.Literal('failed'),
    server: Type.String(),
    account: Nullable(Account),
    failure: Failure,
  }),
]);
export type Connection = Static<typeof Connection>;

export const Queue = Type.Object({
  items: Type.Array(QueueItem),
  live: Type.Record(Type.String(), Live),
  paused: Type.Boolean(),
});
export type Queue = Static<typeof Queue>;

/** Everything a window draws from. Full snapshots only: nothing is patched together on the other side. */
export const AppState = Type.Object({
  version: Type.String(),
  capabilities: Capabilities,
  connection: Connection,
  queue: Queue,
  settings: Settings,
  /** What must be told and has not been dismissed, e.g. a database that was rebuilt. */
  notices: Type.Array(Failure),
});
export type AppState = Static<typeof AppState>;

/** A published item as the app remembers it. */
export const LibraryItem = Type.Object({
  id: ItemId,
  name: Type.String(),
  content: Content,
  linkedAt: Type.Integer({ minimum: 0 }),
});
export type LibraryItem = Static<typeof LibraryItem>;

const None = Type.Object({});
const Intake = Type.Object({ id: IntakeId });
const Ids = Type.Object({ ids: Type.Array(ItemId, { minItems: 1 }) });

interface Command {
  readonly input: TSchema;
  readonly output: TSchema;
  /** `owner`: only from the person's own processes over the local socket, never from a page. */
  readonly from: 'page' | 'owner';
}

export const COMMANDS = {
  'app.state': { input: None, output: AppState, from: 'page' },
  'app.dismissNotices': { input: None, output: None, from: 'page' },
  /** Brings the window of the running instance to the front. */
  'app.show': { input: None, output: None, from: 'owner' },
  'queue.add': {
    input: Type.Object({ tokens: Type.Array(SourceToken, { minItems: 1 }), share: Type.Optional(ShareFields) }),
    output: Ids,
    from: 'page',
  },
  'queue.addPaths': {
    input: Type.Object({ paths: Type.Array(Type.String(), { minItems: 1 }), share: Type.Optional(ShareFields) }),
    output: Ids,
    from: 'owner',
  },
  'queue.pause': { input: Ids, output: None, from: 'page' },
  'queue.resume': { input: Ids, output: None, from: 'page' },
  'queue.retry': { input: Ids, output: None, from: 'page' },
  'queue.cancel': { input: Ids, output: None, from: 'page' },
  /** Takes finished items out of the queue's view; they stay in the library. */
  'queue.dismiss': { input: Ids, output: None, from: 'page' },
  /**
   * Waits until the item is linked or cannot go on by itself: a passing fault is waited out for `patienceMs` without
   * progress, then its failure is answered and the item stays in the queue.
   */
  'queue.settled': {
    input: Type.Object({ id: ItemId, patienceMs: Type.Integer({ minimum: 0 }) }),
    output: QueueItem,
    from: 'owner',
  },
  'queue.move': { input: Type.Object({ id: ItemId, before: Nullable(ItemId) }), output: None, from: 'page' },
  'queue.pauseAll': { input: None, output: None, from: 'page' },
  'queue.resumeAll': { input: None, output: None, from: 'page' },
  /** Opens an intake: the spool file of a dropped file whose path the host cannot know. `size` in bytes. */
  'intake.open': {
    input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 1_024 }), size: Type.Integer({ minimum: 0 }) }),
    output: Type.Object({ id: IntakeId }),
    from: 'page',
  },
  /** How much has arrived; after a lost connection the page goes on from here. Slices travel beside the commands. */
  'intake.state': { input: Intake, output: Type.Object({ receivedBytes: Type.Integer() }), from: 'page' },
  /** Answers the file's token only if the host's own SHA-256 of what it wrote is the page's. */
  'intake.finish': {
    input: Type.Object({ ...Intake.properties, sha256: Sha256 }),
    output: Type.Object({ token: SourceToken }),
    from: 'page',
  },
  'intake.abandon': { input: Intake, output: None, from: 'page' },
  'library.search': {
    input: Type.Object({ text: Type.String(), cursor: Type.Optional(Type.String()) }),
    output: Type.Object({ items: Type.Array(LibraryItem), nextCursor: Nullable(Type.String()), total: Type.Integer() }),
    from: 'page',
  },
  /** Copies the item's link where the host reaches the clipboard; answers the link either way. */
  'link.copy': { input: Type.Object({ id: ItemId }), output: Type.Object({ url: Type.String() }), from: 'page' },
  /** Opens the share page in the person's browser. */
  'link.open': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
  'connection.connect': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'page',
  },
  /** Connects to the try-out server that the starter runs beside the app, unless a service is configured already. */
  'connection.embed': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Connection,
    from: 'owner',
  },
  /** Whether the running instance uses this service with this key: else it must not do another one's work. */
  'connection.isSame': {
    input: Type.Object({ server: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) }),
    output: Type.Object({ isSame: Type.Boolean() }),
    from: 'owner',
  },
  'connection.disconnect': { input: None, output: Connection, from: 'page' },
  'connection.refresh': { input: None, output: Connection, from: 'page' },
  'settings.update': { input: Type.Partial(Settings), output: Settings, from: 'page' },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
export type CommandInput<K extends CommandName> = Static<(typeof COMMANDS)[K]['input']>;
export type CommandOutput<K extends CommandName> = Static<(typeof COMMANDS)[K]['output']>;

/** State changes as they happen. Events report; they never command. */
export const AppEvent = Type.Union([
  Type.Object({ type: Type.Literal('state'), state: AppState }),
  /** A link is ready; where the host cannot reach the clipboard, the page copies it. */
  Type.Object({ type: Type.Literal('linked'), id: ItemId, url: Type.String(), name: Type.String() }),
  Type.Object({ type: Type.Literal('cancelled'), id: ItemId }),
]);
export type AppEvent = Static<typeof AppEvent>;

/** Frames of the WebSocket and local-socket transports. */
export const RequestFrame = Type.Object({ id: Type.Integer(), command: Type.String(), input: Type.Unknown() });
export type RequestFrame = Static<typeof RequestFrame>;
export type ReplyFrame =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Failure };
export type EventFrame = { readonly event: AppEvent };
