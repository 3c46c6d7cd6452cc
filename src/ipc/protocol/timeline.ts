/**
 * What happened to an item, as facts with instants: the window makes sentences of them. Told by the engine as it happens,
 * oldest first, and kept as long as the item is in the queue or the library.
 */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';
import { Afterwards } from './link-settings.ts';

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0 });

/** How far the upload is: what the service has of it, and what it is to have. */
const Reached = { keptBytes: Bytes, size: Bytes } as const;
/** Something that lasts: when it was over, null while it is not; and how often it came back meanwhile. */
const Lasting = { until: Nullable(Instant), times: Type.Integer({ minimum: 1 }) } as const;

/**
 * `window`: dropped, chosen or pasted there. `command`: from a terminal, or handed over by another program. `found`: its
 * file was found again after a damage.
 */
const Added = Type.Object({
  kind: Type.Literal('added'),
  by: literals('window', 'capture', 'recording', 'command', 'found'),
  size: Bytes,
});
/** Something else is sent in place of the source. `fromBytes` 0: a folder's are not counted. */
const Made = Type.Object({
  kind: Type.Literal('made'),
  what: literals('video', 'image', 'folder'),
  fromBytes: Bytes,
  toBytes: Bytes,
});
/** All of it was read, and the hash of every part is known. */
const Read = Type.Object({ kind: Type.Literal('read'), size: Bytes, parts: Type.Integer({ minimum: 1 }) });
/** The service takes it. `keptBytes`: it had that much already. */
const Begun = Type.Object({ kind: Type.Literal('begun'), ...Reached });
/** All parts have arrived. */
const Sent = Type.Object({ kind: Type.Literal('sent'), size: Bytes, parts: Type.Integer({ minimum: 1 }) });
/** What was sent counts no more: the upload was gone at the service, or the source is another one. */
const Restarted = Type.Object({ kind: Type.Literal('anew'), from: literals('source', 'upload') });
/**
 * It broke off and goes on by itself. `closed`: Linkshot was ended; `killed`: it ended without a word, which was seen at
 * the next start. `failure` null: nothing failed.
 */
const Interrupted = Type.Object({
  kind: Type.Literal('interrupted'),
  by: literals('network', 'server', 'file', 'app', 'sleep', 'closed', 'killed'),
  failure: Nullable(Failure),
  ...Reached,
  ...Lasting,
});
/** Nothing was wrong with it: it had to wait. `offline`: no connection to its account; `limit`: of the account. */
const Waited = Type.Object({
  kind: Type.Literal('waited'),
  for: literals('server', 'limit', 'offline', 'account'),
  failure: Failure,
  ...Reached,
  ...Lasting,
});
/** It cannot go on by itself. */
const Failed = Type.Object({ kind: Type.Literal('failed'), failure: Failure, ...Reached, ...Lasting });
/** By the person. */
const Paused = Type.Object({ kind: Type.Literal('paused'), what: literals('item', 'queue'), ...Reached, ...Lasting });
/** By the person: what a wish says. A password is never told, only that it was set or taken away. */
const Changed = Type.Object({
  kind: Type.Literal('changed'),
  change: Afterwards,
  password: Type.Optional(literals('set', 'removed')),
});
const Published = Type.Object({ kind: Type.Literal('published') });
/** Its link was handed to the person; `copied`: it lay on the clipboard then. */
const Delivered = Type.Object({ kind: Type.Literal('told'), how: literals('copied', 'shown') });
/** The person copied its link, `times` in a row, the last time at `last`. */
const Copied = Type.Object({ kind: Type.Literal('copied'), times: Type.Integer({ minimum: 1 }), last: Instant });
/** A note has another text. */
const Edited = Type.Object({ kind: Type.Literal('edited'), times: Type.Integer({ minimum: 1 }), last: Instant });
/** The person deleted it, which could be taken back for a while, and was, or was not. */
const Deleted = Type.Object({ kind: Type.Literal('deleted') });
const Undone = Type.Object({ kind: Type.Literal('undone') });
/** It was seen that the service has it no more: deleted elsewhere, or expired. */
const Gone = Type.Object({ kind: Type.Literal('gone') });
/** Facts in the middle of a very long story, told as one. */
const Summed = Type.Object({ kind: Type.Literal('summed'), count: Type.Integer({ minimum: 2 }), last: Instant });

export const TimelineEventData = Type.Union([
  Added,
  Made,
  Read,
  Begun,
  Sent,
  Restarted,
  Interrupted,
  Waited,
  Failed,
  Paused,
  Changed,
  Published,
  Delivered,
  Copied,
  Edited,
  Deleted,
  Undone,
  Gone,
  Summed,
]);
export type TimelineEventData = Static<typeof TimelineEventData>;
export type TimelineEventDataOf<K extends TimelineEventData['kind']> = Extract<TimelineEventData, { kind: K }>;

/** `at`: when it happened, or began. */
export const TimelineEvent = Type.Object({ at: Instant, fact: TimelineEventData });
export type TimelineEvent = Static<typeof TimelineEvent>;

/** Of one item at most; what lies between its beginning and its newest facts is summed. */
export const TIMELINE_EVENTS_MAX = 200;
