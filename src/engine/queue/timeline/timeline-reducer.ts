/** Derives timeline events from queue item changes and merges them into the stored timeline. Pure. */

import { type Failure, retryOf } from '../../../api/errors.ts';
import { partCount } from '../../../api/limits.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { ItemError, QueueItem, QueueState } from '../../../ipc/protocol/queue-item.ts';
import {
  TIMELINE_EVENTS_MAX,
  type TimelineEvent,
  type TimelineEventData,
  type TimelineEventDataOf,
} from '../../../ipc/protocol/timeline.ts';

/** Ends an open event: an error, a pause of the item, a pause of the whole queue, or all of these. */
interface Over {
  readonly kind: 'over';
  readonly of: 'error' | 'item' | 'queue' | 'all';
}
export type TimelineChange = TimelineEventData | Over;

type Halt = TimelineEventDataOf<'interrupted' | 'waited' | 'failed'>;
type Lasting = Halt | TimelineEventDataOf<'paused'>;

const isHalt = (data: TimelineChange): data is Halt =>
  data.kind === 'interrupted' || data.kind === 'waited' || data.kind === 'failed';
const isOpen = (data: TimelineEventData): data is Lasting =>
  (isHalt(data) || data.kind === 'paused') && data.until === null;

/** Bytes that the service has confirmed. */
export const progressOf = (item: QueueItem) => ({
  keptBytes: 'confirmedBytes' in item ? item.confirmedBytes : 0,
  size: item.size,
});

/** The event for a change of link settings; never contains the password itself. */
export const settingsChanged = ({ password, ...change }: LinkSettings): TimelineEventData => ({
  kind: 'changed',
  change,
  ...(password !== undefined && { password: password === '' ? ('removed' as const) : ('set' as const) }),
});

/** The events that follow from a change of the row; confirmed parts cause none. */
export const timelineChangesOf = (before: QueueItem | undefined, after: QueueItem): readonly TimelineChange[] => [
  ...(before && before.state !== after.state ? moveOf(before, after) : []),
  ...errorChangesOf(before?.error ?? null, after),
];

const UPLOADING: ReadonlySet<QueueState> = new Set(['started', 'sent', 'completing']);

const moveOf = (before: QueueItem, after: QueueItem): readonly TimelineChange[] => {
  const { size } = after;
  switch (after.state) {
    case 'queued':
      // A refused post returns with changed settings; that change records its own event.
      return before.state === 'posting' ? [] : [{ kind: 'restarted', from: 'source' }];
    case 'prepared':
      return before.state === 'queued' && after.body !== null
        ? [{ kind: 'made', what: after.body.made.kind, fromBytes: before.size, toBytes: size }]
        : [];
    case 'hashed':
      return UPLOADING.has(before.state)
        ? [{ kind: 'restarted', from: 'upload' }]
        : [{ kind: 'read', size, parts: partCount(size) }];
    case 'started':
      return UPLOADING.has(before.state) ? [] : [{ kind: 'begun', ...progressOf(after) }];
    case 'posting':
      return [{ kind: 'begun', ...progressOf(after) }];
    case 'sent':
      return [{ kind: 'sent', size, parts: partCount(size) }];
    case 'published':
      return [{ kind: 'published' }];
    case 'linked':
      return before.state === 'published'
        ? [{ kind: 'over', of: 'all' }]
        : [{ kind: 'over', of: 'all' }, { kind: 'published' }];
    case 'completing':
    case 'unreadable':
      return [];
  }
};

const errorChangesOf = (before: ItemError | null, after: QueueItem): readonly TimelineChange[] => {
  const { error } = after;
  if (error === null) return before === null ? [] : [{ kind: 'over', of: 'error' }];
  const isKnown = before?.since === error.since && before.retryAt === error.retryAt;
  return isKnown ? [] : [haltOf(after, error)];
};

/** The user must fix an error, or the item retries by itself: after an interruption or a wait. */
const haltOf = (item: QueueItem, { failure, retryAt }: ItemError): Halt => {
  const how = { failure, ...progressOf(item), until: null, times: 1 };
  const wait = waitOf(failure);
  if (wait !== null) return { kind: 'waited', for: wait, ...how };
  if (retryAt === null) return { kind: 'failed', ...how };
  return { kind: 'interrupted', by: interruptionOf(failure), ...how };
};

const waitOf = ({ code }: Failure): TimelineEventDataOf<'waited'>['for'] | null => {
  if (code === 'NOT_CONNECTED') return 'offline';
  if (code === 'ACCOUNT_MISMATCH') return 'account';
  switch (retryOf(code)) {
    case 'reconnect':
      return 'account';
    case 'wait':
      return code === 'UPLOAD_USER_BUSY' || code === 'RATE_LIMITED' ? 'limit' : 'server';
    default:
      return null;
  }
};

const interruptionOf = ({ code, params }: Failure): TimelineEventDataOf<'interrupted'>['by'] => {
  if (params?.['slept'] === true) return 'sleep';
  switch (code) {
    case 'SERVER_UNREACHABLE':
    case 'NETWORK_FAILED':
    case 'REPLY_TIMEOUT':
    case 'NOT_THE_SERVICE':
      return 'network';
    case 'APP_FAILED':
    case 'DISK_FULL':
      return 'app';
    default:
      return code.startsWith('SOURCE_') ? 'file' : 'server';
  }
};

/** The same interruption within this time counts as a repetition. */
const SAME_INTERRUPTION_MS = 60_000;
/** Number of first events that are never merged. */
const KEPT_AT_START = 20;

/** Appends a change that happened at `at`. */
export const appendChange = (
  events: readonly TimelineEvent[],
  changes: TimelineChange,
  at: number,
): readonly TimelineEvent[] => {
  if (changes.kind === 'over') return endOpen(events, (data) => isEndedBy(changes, data), at);
  const appended = isHalt(changes)
    ? appendHalt(events, changes, at)
    : (mergeRepetition(events, changes, at) ?? [...events, { at, data: changes }]);
  return appended.length > TIMELINE_EVENTS_MAX ? summarize(appended) : appended;
};

const endOpen = (
  events: readonly TimelineEvent[],
  isMatch: (data: Lasting) => boolean,
  at: number,
): readonly TimelineEvent[] => {
  const isEnded = ({ data }: TimelineEvent) => isOpen(data) && isMatch(data);
  if (!events.some(isEnded)) return events;
  return events.map((event) =>
    isEnded(event) ? { ...event, data: { ...(event.data as Lasting), until: Math.max(at, event.at) } } : event,
  );
};

const isEndedBy = ({ of }: Over, data: Lasting): boolean =>
  of === 'all' || (of === 'error' ? data.kind !== 'paused' : data.kind === 'paused' && data.what === of);

const causeOf = (data: Halt): string =>
  `${data.kind} ${data.kind === 'interrupted' ? data.by : ''} ${data.failure?.code ?? ''}`;

/** Repeats of the same halt are counted; a different one replaces it. */
const appendHalt = (events: readonly TimelineEvent[], changes: Halt, at: number): readonly TimelineEvent[] => {
  const last = events.length - 1;
  const same = events.findLastIndex(
    ({ data }, index) =>
      isHalt(data) &&
      causeOf(data) === causeOf(changes) &&
      (data.until === null || (index === last && at - data.until < SAME_INTERRUPTION_MS)),
  );
  const others = endOpen(events, (data) => data.kind !== 'paused' && data !== events[same]?.data, at);
  const known = events[same];
  if (!known || !isHalt(known.data)) return [...others, { at, data: changes }];
  return others.with(same, { at: known.at, data: { ...changes, times: known.data.times + 1 } });
};

/** Merges a repetition into the last event; null where the change is new. */
const mergeRepetition = (
  events: readonly TimelineEvent[],
  changes: TimelineEventData,
  at: number,
): readonly TimelineEvent[] | null => {
  const before = events.at(-1);
  const { data } = before ?? {};
  if (!before || !data) return null;
  if (changes.kind === 'paused') {
    return events.some(
      (event) => isOpen(event.data) && event.data.kind === 'paused' && event.data.what === changes.what,
    )
      ? events
      : null;
  }
  if (changes.kind === 'deleted' && data.kind === 'deleted') return events;
  if ((data.kind === 'copied' || data.kind === 'edited') && data.kind === changes.kind) {
    return events.with(-1, { at: before.at, data: { ...data, times: data.times + 1, last: at } });
  }
  return null;
};

/**
 * Shortens the timeline by one: merges the oldest two events after the beginning into a counted summary. What still
 * lasts stays as it is.
 */
const summarize = (events: readonly TimelineEvent[]): readonly TimelineEvent[] => {
  const isOver = ({ data }: TimelineEvent) => !isOpen(data);
  const known = events.findIndex(({ data }) => data.kind === 'summed');
  const first = known !== -1 ? known : events.findIndex((event, index) => index >= KEPT_AT_START && isOver(event));
  const at = events.findIndex((event, index) => index > first && isOver(event));
  const sum = events[first];
  const next = events[at];
  if (!sum || !next) return events;
  const count = sum.data.kind === 'summed' ? sum.data.count + 1 : 2;
  return events.toSpliced(at, 1).with(first, { at: sum.at, data: { kind: 'summed', count, last: next.at } });
};
