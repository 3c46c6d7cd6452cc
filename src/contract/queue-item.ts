/**
 * An item of the app's upload queue: the row in SQLite, the message to the window and the type are this one shape.
 * `state` says which facts are known, so resuming after a crash is simply running the next step:
 * queued -> hashed -> started -> sent -> completing -> linked.
 */
import Type, { type Static } from 'typebox';
import { Content, literals, Nullable, ShareFields } from './content.ts';
import { Failure } from './errors.ts';
import { AccountId, ItemId, RequestKey, Sha256, UploadId } from './ids.ts';

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/** Where the bytes are. A spooled file belongs to the app and is removed once published; a person's file never is. */
export const Source = Type.Object({ owner: literals('person', 'spool'), path: Type.String({ minLength: 1 }) });
export type Source = Static<typeof Source>;

/** What stands in the way. `retryAt` null: it waits for the person. */
export const Trouble = Type.Object({ failure: Failure, since: Instant, retryAt: Nullable(Instant) });
export type Trouble = Static<typeof Trouble>;

const Base = {
  id: ItemId,
  /** Null until the item first runs under an account; it is never sent under another one. */
  accountId: Nullable(AccountId),
  name: Type.String({ minLength: 1 }),
  /** Bytes. */
  size: Type.Integer({ minimum: 0 }),
  source: Source,
  share: Type.Omit(ShareFields, ['password']),
  /** Order in the queue; fractions let an item move between two others. */
  position: Type.Number(),
  createdAt: Instant,
  /** What the person wants of it. */
  intent: literals('run', 'pause', 'cancel'),
  /** Failed tries in a row; a wait that the server asked for consumes none. */
  attempts: Type.Integer({ minimum: 0 }),
  trouble: Nullable(Trouble),
} as const;

const Hashed = { fingerprint: Sha256, startKey: RequestKey } as const;
const Started = { ...Hashed, uploadId: UploadId, confirmedBytes: Type.Integer({ minimum: 0 }) } as const;

const QueuedItem = Type.Object({ ...Base, state: Type.Literal('queued') });
const HashedItem = Type.Object({ ...Base, state: Type.Literal('hashed'), ...Hashed });
const StartedItem = Type.Object({ ...Base, state: Type.Literal('started'), ...Started });
const SentItem = Type.Object({ ...Base, state: Type.Literal('sent'), ...Started });
const CompletingItem = Type.Object({
  ...Base,
  state: Type.Literal('completing'),
  ...Started,
  completeKey: RequestKey,
});
const LinkedItem = Type.Object({
  ...Base,
  state: Type.Literal('linked'),
  content: Content,
  linkedAt: Instant,
  /** Null until the link reached the clipboard or the caller. */
  deliveredAt: Nullable(Instant),
});
/** A row that this version cannot read: shown, never deleted. */
const UnreadableItem = Type.Object({ ...Base, state: Type.Literal('unreadable') });

export const QueueItem = Type.Union([
  QueuedItem,
  HashedItem,
  StartedItem,
  SentItem,
  CompletingItem,
  LinkedItem,
  UnreadableItem,
]);
export type QueueItem = Static<typeof QueueItem>;
export type QueueState = QueueItem['state'];
export type QueueItemIn<S extends QueueState> = Extract<QueueItem, { state: S }>;

/** What moves too fast to be stored. Bytes, bytes per second, seconds. */
export const Live = Type.Object({
  activity: literals('waiting', 'hashing', 'sending', 'completing'),
  doneBytes: Type.Integer({ minimum: 0 }),
  bytesPerSecond: Nullable(Type.Number()),
  secondsLeft: Nullable(Type.Number()),
});
export type Live = Static<typeof Live>;
