/**
 * Schemas of the timeline, which is the history of an item: events with timestamps, which the window turns into
 * sentences. The engine keeps them, oldest first, as long as the item is in the queue or the library. In a very long
 * timeline one event replaces those in the middle.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { PostPublishSettings } from './link-settings.ts';

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0 });

/** Progress of the upload: bytes that the service has, and the total. */
const Reached = { keptBytes: Bytes, size: Bytes } as const;
/** A lasting condition: when it ended, null while it lasts; and how often it recurred meanwhile. */
const Lasting = { until: Nullable(Instant), times: Type.Integer({ minimum: 1 }) } as const;

/**
 * `window`: dropped, chosen or pasted there. `command`: from a terminal, or from another program. `found`: its file was
 * recovered after damage.
 */
const Added = Type.Object({
  kind: Type.Literal('added'),
  by: literals('window', 'capture', 'recording', 'command', 'found'),
  size: Bytes,
});
/** Another file is sent instead of the source. `fromBytes` 0: a folder's bytes are not counted. */
const Made = Type.Object({
  kind: Type.Literal('made'),
  what: literals('video', 'image', 'folder'),
  fromBytes: Bytes,
  toBytes: Bytes,
});
/** The file was read completely, and the hash of every part is known. */
const Read = Type.Object({ kind: Type.Literal('read'), size: Bytes, parts: Type.Integer({ minimum: 1 }) });
/** The service accepted it. `keptBytes`: what the service already had. */
const Begun = Type.Object({ kind: Type.Literal('begun'), ...Reached });
/** All parts have arrived. */
const Sent = Type.Object({ kind: Type.Literal('sent'), size: Bytes, parts: Type.Integer({ minimum: 1 }) });
/** The bytes sent so far do not count: the upload was deleted at the service, or the source has changed. */
const Restarted = Type.Object({ kind: Type.Literal('restarted'), from: literals('source', 'upload') });
/**
 * Interrupted; continues automatically. `closed`: Linkshot was quit; `killed`: it ended without shutting down, as seen
 * at the next start. `failure` null: no error.
 */
const Interrupted = Type.Object({
  kind: Type.Literal('interrupted'),
  by: literals('network', 'server', 'file', 'app', 'sleep', 'closed', 'killed'),
  failure: Nullable(Failure),
  ...Reached,
  ...Lasting,
});
/** The item had to wait without an error. `offline`: no connection to its account; `limit`: of the account. */
const Waited = Type.Object({
  kind: Type.Literal('waited'),
  for: literals('server', 'limit', 'offline', 'account'),
  failure: Failure,
  ...Reached,
  ...Lasting,
});
/** It cannot continue without the user. */
const Failed = Type.Object({ kind: Type.Literal('failed'), failure: Failure, ...Reached, ...Lasting });
/** Paused by the user. */
const Paused = Type.Object({ kind: Type.Literal('paused'), what: literals('item', 'queue'), ...Reached, ...Lasting });
/** Settings changed by the user. A password is never recorded, only that it was set or removed. */
const Changed = Type.Object({
  kind: Type.Literal('changed'),
  change: PostPublishSettings,
  password: Type.Optional(literals('set', 'removed')),
});
const Published = Type.Object({ kind: Type.Literal('published') });
/** The link was delivered to the user; `copied`: it was on the clipboard. */
const Delivered = Type.Object({ kind: Type.Literal('delivered'), how: literals('copied', 'shown') });
/** The user copied the link, `times` in a row, the last time at `last`. */
const Copied = Type.Object({ kind: Type.Literal('copied'), times: Type.Integer({ minimum: 1 }), last: Instant });
/** The text of a note was changed. */
const Edited = Type.Object({ kind: Type.Literal('edited'), times: Type.Integer({ minimum: 1 }), last: Instant });
/** The user deleted it, after an undo period. */
const Deleted = Type.Object({ kind: Type.Literal('deleted') });
const Undone = Type.Object({ kind: Type.Literal('undone') });
/** The service no longer has it: deleted elsewhere, or expired. */
const Gone = Type.Object({ kind: Type.Literal('gone') });
/** Replaces events in the middle of a very long timeline. */
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
export const TimelineEvent = Type.Object({ at: Instant, data: TimelineEventData });
export type TimelineEvent = Static<typeof TimelineEvent>;

/** Maximum per item; events between the first and the latest ones are summed. */
export const TIMELINE_EVENTS_MAX = 200;
