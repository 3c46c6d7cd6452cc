/**
 * An item of the app's upload queue: one schema for the row in SQLite, for the message to the window and for the type.
 * Also its source, its error and its progress. `state` says how far the item is, so resuming after a crash means
 * running the next step:
 * - a file: queued -> prepared -> hashed -> started -> sent -> completing -> linked
 * - a folder, or an image that fits in one upload part and whose file the app owns: queued -> prepared -> posting ->
 *   linked
 * - a note: queued -> posting -> linked
 *
 * Some settings cannot be sent while publishing (`postPublish`). An item with such settings is `published` first, and
 * `linked` once they are applied.
 */
import Type, { type Static } from 'typebox';
import { Content, PasteFormat, PasteLanguage, ShareFields } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';
import { AccountId, ItemId, RequestKey, Sha256, UploadId } from '../../api/ids.ts';
import { literals, Nullable, opaque } from '../../api/nullable-and-literals.ts';
import { PostPublishSettings } from './link-settings.ts';
import { PreparedFile } from './prepared-file.ts';

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/**
 * Where the bytes are. A spooled file belongs to the app and is removed once published; a user's file is never removed.
 */
export const Source = Type.Object({ owner: literals('user', 'spool'), path: Type.String({ minLength: 1 }) });
export type Source = Static<typeof Source>;

/** How to fit a file: fewest bytes, balanced, most detail, or a short silent loop. */
export const FitChoice = literals('smaller', 'balanced', 'sharper', 'clip');
export type FitChoice = Static<typeof FitChoice>;

/** What to make of the source. `fit` null: no choice, so the one of the settings. A note's source is its text in UTF-8. */
export const Job = Type.Union([
  Type.Object({ kind: Type.Literal('file'), fit: Nullable(FitChoice) }),
  Type.Object({ kind: Type.Literal('folder') }),
  Type.Object({ kind: Type.Literal('note'), format: PasteFormat, language: Nullable(PasteLanguage) }),
]);
export type Job = Static<typeof Job>;

/** Whether a command waits for the link. */
export const PrintPendingFlag = Type.Literal(true);

/** The error of an item. `retryAt` null: it waits for the user. */
export const ItemError = Type.Object({ failure: Failure, since: Instant, retryAt: Nullable(Instant) });
export type ItemError = Static<typeof ItemError>;

const Base = {
  id: ItemId,
  /** Null until the item first runs under an account; it is never sent under another one. */
  accountId: Nullable(AccountId),
  /**
   * Until it has an account: the digest of the only service and key that it may be sent to. The command that added it
   * named them, and they could not be reached. Absent: it runs under the next account.
   */
  meantFor: Type.Optional(Sha256),
  name: Type.String({ minLength: 1 }),
  /** Bytes to send; until they are known, those of the source (0 for a folder). */
  size: Type.Integer({ minimum: 0 }),
  source: Source,
  /** The part of the app that created it; absent: the user added it. */
  origin: Type.Optional(literals('capture', 'recording')),
  /** The user has decided about what looks secret in a capture, so it is not checked again. */
  isReviewed: Type.Optional(Type.Literal(true)),
  /**
   * Set until the command that entered it has printed its link: repeating the command resolves to this item and creates
   * no second one.
   */
  printPending: Type.Optional(PrintPendingFlag),
  job: Job,
  /** The file sent instead of the source; null if the source itself is sent. */
  body: Nullable(PreparedFile),
  share: Type.Omit(ShareFields, ['password']),
  /** Applied right after publication, before the link is delivered; null: nothing. */
  postPublish: Nullable(PostPublishSettings),
  /** Order in the queue; fractions let an item move between two others. */
  position: Type.Number(),
  createdAt: Instant,
  /** What the user asked for. */
  intent: literals('run', 'pause', 'cancel'),
  /** Consecutive failed attempts; a wait that the server asked for does not count. */
  attempts: Type.Integer({ minimum: 0 }),
  error: Nullable(ItemError),
} as const;

const Hashed = { fingerprint: Sha256, startKey: RequestKey } as const;
const Started = { ...Hashed, uploadId: UploadId, confirmedBytes: Type.Integer({ minimum: 0 }) } as const;

/** A user's file as it was when it was found to need no change: its identity, or its bytes where that proves nothing. */
const CheckedSource = Type.Union([
  Type.Object({ by: Type.Literal('identity'), identity: Type.String() }),
  Type.Object({ by: Type.Literal('bytes'), fingerprint: Sha256 }),
]);
export type CheckedSource = Static<typeof CheckedSource>;

const QueuedItem = Type.Object({ ...Base, state: Type.Literal('queued') });
/** Without `checked` a user's file is prepared again before it is hashed, unless it has a body. */
const PreparedItem = Type.Object({
  ...Base,
  state: Type.Literal('prepared'),
  checked: Type.Optional(CheckedSource),
});
const HashedItem = Type.Object({ ...Base, state: Type.Literal('hashed'), ...Hashed });
const StartedItem = Type.Object({ ...Base, state: Type.Literal('started'), ...Started });
const SentItem = Type.Object({ ...Base, state: Type.Literal('sent'), ...Started });
const CompletingItem = Type.Object({
  ...Base,
  state: Type.Literal('completing'),
  ...Started,
  completeKey: RequestKey,
});
/** Published by one request; repeating it with the same key publishes nothing twice. */
const PostingItem = Type.Object({
  ...Base,
  state: Type.Literal('posting'),
  requestKey: RequestKey,
  /** Each request so far was refused, so nothing can be published. Removed before the next one is sent. */
  isUnsent: Type.Optional(Type.Literal(true)),
});
/** Published; its link is delivered once `postPublish` is applied at the service. */
const PublishedItem = Type.Object({ ...Base, state: Type.Literal('published'), content: Content });
const LinkedItem = Type.Object({
  ...Base,
  state: Type.Literal('linked'),
  content: Content,
  linkedAt: Instant,
  /** Null until the link reached the clipboard or the caller, or was shown where the user wants no copy. */
  deliveredAt: Nullable(Instant),
  /** The host has put the link on the clipboard. */
  isCopied: Type.Optional(Type.Literal(true)),
});
/** A row that this version cannot read: shown, never deleted. */
const UnreadableItem = Type.Object({ ...Base, state: Type.Literal('unreadable') });

/** One schema for each state. */
export const QUEUE_ITEMS = [
  QueuedItem,
  PreparedItem,
  HashedItem,
  StartedItem,
  SentItem,
  CompletingItem,
  PostingItem,
  PublishedItem,
  LinkedItem,
  UnreadableItem,
] as const;
export const QueueItem = opaque(Type.Union([...QUEUE_ITEMS]));
export type QueueItem = Static<typeof QueueItem>;
export type QueueState = QueueItem['state'];
export type QueueItemIn<S extends QueueState> = Extract<QueueItem, { state: S }>;

/** Progress that changes too fast to be stored. Bytes, bytes per second, seconds. */
export const ItemProgress = Type.Object({
  activity: literals('preparing', 'waiting', 'hashing', 'sending', 'completing'),
  doneBytes: Type.Integer({ minimum: 0 }),
  bytesPerSecond: Nullable(Type.Number()),
  secondsLeft: Nullable(Type.Number()),
});
export type ItemProgress = Static<typeof ItemProgress>;
