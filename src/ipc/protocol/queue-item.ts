/**
 * An item of the app's upload queue: the row in SQLite, the message to the window and the type are this one shape.
 * `state` says which facts are known, so resuming after a crash is simply running the next step:
 * - a file: queued -> prepared -> hashed -> started -> sent -> completing -> linked
 * - a folder, and a capture of one part: queued -> prepared -> posting -> linked
 * - a note: queued -> posting -> linked
 * With wishes that publishing cannot carry (`afterwards`), `published` comes before `linked`.
 */
import Type, { type Static } from 'typebox';
import { Content, literals, Nullable, PasteFormat, PasteLanguage, ShareFields } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';
import { AccountId, ItemId, RequestKey, Sha256, UploadId } from '../../api/ids.ts';
import { Afterwards } from './link-settings.ts';
import { PreparedBody } from './prepared-body.ts';

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });

/** Where the bytes are. A spooled file belongs to the app and is removed once published; a person's file never is. */
export const Source = Type.Object({ owner: literals('person', 'spool'), path: Type.String({ minLength: 1 }) });
export type Source = Static<typeof Source>;

/** How a file that does not fit is to fit: few bytes, a good middle, many bytes, or a short silent loop. */
export const FitChoice = literals('smaller', 'balanced', 'sharper', 'clip');
export type FitChoice = Static<typeof FitChoice>;

/** What is to become of the source. `fit` null: nobody chose, so a good middle. A note's source is its text in UTF-8. */
export const Job = Type.Union([
  Type.Object({ kind: Type.Literal('file'), fit: Nullable(FitChoice) }),
  Type.Object({ kind: Type.Literal('folder') }),
  Type.Object({ kind: Type.Literal('note'), format: PasteFormat, language: Nullable(PasteLanguage) }),
]);
export type Job = Static<typeof Job>;

/** Whether a command waits for the link. */
export const Awaited = Type.Literal(true);

/** What stands in the way. `retryAt` null: it waits for the person. */
export const ItemError = Type.Object({ failure: Failure, since: Instant, retryAt: Nullable(Instant) });
export type ItemError = Static<typeof ItemError>;

const Base = {
  id: ItemId,
  /** Null until the item first runs under an account; it is never sent under another one. */
  accountId: Nullable(AccountId),
  name: Type.String({ minLength: 1 }),
  /** Bytes that are sent; until they are known, those of the source (0 for a folder). */
  size: Type.Integer({ minimum: 0 }),
  source: Source,
  /** What of the app itself made it; absent: it was handed over. */
  origin: Type.Optional(literals('capture', 'recording')),
  /** Until the command that entered it has printed its link: the same command again means this item, not another. */
  awaited: Type.Optional(Awaited),
  job: Job,
  /** What is sent in place of the source; null where the source itself is. */
  body: Nullable(PreparedBody),
  share: Type.Omit(ShareFields, ['password']),
  /** Asked of the item right after its publication, before its link is told; null: nothing. */
  afterwards: Nullable(Afterwards),
  /** Order in the queue; fractions let an item move between two others. */
  position: Type.Number(),
  createdAt: Instant,
  /** What the person wants of it. */
  intent: literals('run', 'pause', 'cancel'),
  /** Failed tries in a row; a wait that the server asked for consumes none. */
  attempts: Type.Integer({ minimum: 0 }),
  trouble: Nullable(ItemError),
} as const;

const Hashed = { fingerprint: Sha256, startKey: RequestKey } as const;
const Started = { ...Hashed, uploadId: UploadId, confirmedBytes: Type.Integer({ minimum: 0 }) } as const;

const QueuedItem = Type.Object({ ...Base, state: Type.Literal('queued') });
const PreparedItem = Type.Object({ ...Base, state: Type.Literal('prepared') });
const HashedItem = Type.Object({ ...Base, state: Type.Literal('hashed'), ...Hashed });
const StartedItem = Type.Object({ ...Base, state: Type.Literal('started'), ...Started });
const SentItem = Type.Object({ ...Base, state: Type.Literal('sent'), ...Started });
const CompletingItem = Type.Object({
  ...Base,
  state: Type.Literal('completing'),
  ...Started,
  completeKey: RequestKey,
});
/** One request publishes it; repeated with the same key it publishes nothing twice. */
const PostingItem = Type.Object({ ...Base, state: Type.Literal('posting'), requestKey: RequestKey });
/** It is on the service; its link is told once what it is to have `afterwards` is set there too. */
const PublishedItem = Type.Object({ ...Base, state: Type.Literal('published'), content: Content });
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
  PreparedItem,
  HashedItem,
  StartedItem,
  SentItem,
  CompletingItem,
  PostingItem,
  PublishedItem,
  LinkedItem,
  UnreadableItem,
]);
export type QueueItem = Static<typeof QueueItem>;
export type QueueState = QueueItem['state'];
export type QueueItemIn<S extends QueueState> = Extract<QueueItem, { state: S }>;

/** What moves too fast to be stored. Bytes, bytes per second, seconds. */
export const ItemProgress = Type.Object({
  activity: literals('preparing', 'waiting', 'hashing', 'sending', 'completing'),
  doneBytes: Type.Integer({ minimum: 0 }),
  bytesPerSecond: Nullable(Type.Number()),
  secondsLeft: Nullable(Type.Number()),
});
export type ItemProgress = Static<typeof ItemProgress>;
