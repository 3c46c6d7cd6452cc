/**
 * `linkshot queue` lists the items in the queue, or pauses, resumes, retries, approves, cancels or clears them;
 * `status` only lists, and needs neither key nor network; `resume` finishes unfinished uploads and prints their links.
 */

import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { isCancelBlocked } from '../../ipc/protocol/is-cancel-blocked.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { command, flag } from '../command-definition.ts';
import { errorMessageOf } from '../error-messages.ts';
import { formatCount, printable } from '../output/format.ts';
import { queueLine, reportQueue } from '../output/queue-items.ts';
import { isLeft, isUnprinted, resumeItem } from '../publishing/enqueue.ts';
import { awaitResults, type Job } from '../publishing/publish.ts';

// `linkshot status`: shows the queue. Read-only; needs neither key nor network.

export const status = command({
  name: 'status',
  summary: 'show the queue',
  group: 'Queue',
  arguments: [],
  options: {},
  description: ['Shows the queue of the profile, or of the Linkshot that is running with it. Nothing is sent.'],
  json: [
    '{"itemId","kind","name","state","intent","size"} for each item, with "confirmedBytes" during the upload, with "id" and "url" once it is published, and with "error" if it failed.',
  ],
  examples: [{ words: 'status', does: 'progress of all items' }],
  run: (_, context, signal) => showQueue(context, signal),
});

const showQueue = (context: CommandContext, signal: AbortSignal): Promise<void> =>
  withEngine(context, 'none', signal, async (client) => {
    const { items, live, paused } = client.state().queue;
    const { report } = context;
    if (items.length === 0) report.note('The queue is empty.');
    else if (paused) report.note('The queue is paused; run linkshot queue resume to continue.');
    reportQueue(report, items, live);
    return DONE;
  });

const ACTIONS = ['pause', 'resume', 'retry', 'approve', 'cancel', 'clear'] as const;
type Action = (typeof ACTIONS)[number];

const DID: Readonly<Record<Action, string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  retry: 'Will retry',
  approve: 'Approved',
  cancel: 'Cancelled',
  clear: 'Cleared',
};

const APPROVABLE = ['SECRETS_FOUND', 'DRAWING_NOT_APPLIED'] as const;

/** The items an action applies to without an id. */
const appliesTo: Readonly<Record<Action, (item: QueueItem) => boolean>> = {
  pause: isLeft,
  resume: (item) => isLeft(item),
  retry: (item) => isLeft(item) && item.error !== null,
  approve: ({ error }) => APPROVABLE.some((code) => code === error?.failure.code),
  cancel: isLeft,
  clear: ({ state }) => state === 'linked',
};

const NOT_APPLIED = failure('DRAWING_NOT_APPLIED', 'The capture has edits that are not in the image.');

const finishedOrCancelled = (item: QueueItem): string | null => {
  if (item.state === 'linked') return 'It is already published; linkshot link shows its link.';
  return item.intent === 'cancel' ? 'It is being cancelled.' : null;
};

/** Why the engine has left an item as it was, from the item before the action and after it; null: it has not. */
const REFUSALS: Readonly<Record<Action, (before: QueueItem, now: QueueItem | undefined) => string | null>> = {
  pause: (before, now) => finishedOrCancelled(now ?? before),
  resume: finishedOrCancelled,
  retry: (before) => {
    if (before.state === 'unreadable') return 'This version of Linkshot cannot read it. Update Linkshot, or cancel it.';
    return isCancelBlocked(before) ? null : finishedOrCancelled(before);
  },
  approve(before, now) {
    if (!appliesTo.approve(before)) return 'It does not wait for your look.';
    return now && appliesTo.approve(now) ? errorMessageOf(NOT_APPLIED) : null;
  },
  cancel(_, now) {
    if (now?.state === 'linked') return 'It is already published, and its link stays open; linkshot rm deletes it.';
    if (!now?.error || !isCancelBlocked(now)) return null;
    return `It may be published. ${errorMessageOf(now.error.failure)} Cancel it again to only remove it from the queue.`;
  },
  clear: (_, now) => (now ? 'It is not finished; linkshot queue cancel cancels it.' : null),
};

/** `linkshot queue`: controls the items in the queue. Without an action it lists them, as status does. */
export const queue = command({
  name: 'queue',
  summary: 'pause, resume, retry, approve, cancel or clear items in the queue',
  group: 'Queue',
  arguments: [
    { name: 'ACTION', summary: 'the action; without it the queue is shown', count: 'at most one', choices: ACTIONS },
    { name: 'ID', summary: 'items by the beginning of their id or by their name; all by default', count: 'any number' },
  ],
  options: { unedited: flag('with approve: upload captures without what you have drawn on them in the editor') },
  description: [
    'pause and resume without an id apply to the whole queue, including items added later. retry continues items that need your attention. approve uploads captures that wait because something in them looks secret, as they are, unless checkBeforeUpload is require; those that you have edited only with --unedited, which shows what the edits hide. cancel cancels items; those already published are kept and reported. clear removes finished items from the queue; they stay in the library.',
    'Uploads are done by the Linkshot that is running with this profile, or by linkshot resume.',
  ],
  json: [
    'For each selected item the current line of status: {"itemId","kind","name","state","intent","size"}, or {"error"} if the action does not fit it.',
  ],
  examples: [
    { words: 'queue', does: 'shows the queue' },
    { words: 'queue pause', does: 'pauses everything' },
    { words: 'queue cancel 3f2a91', does: 'cancels one item' },
  ],
  run: ({ words, options }, context, signal) => {
    const [action, ...names] = words as [Action | undefined, ...string[]];
    if (action === undefined) return showQueue(context, signal);
    const { report } = context;
    return withEngine(context, 'none', signal, async (client) => {
      const items: QueueItem[] = [];
      for (const name of names) {
        const found = itemOf(client, name);
        if (found.ok) items.push(found.value);
        else report.failed(name, found.error);
      }
      if (names.length === 0) items.push(...client.state().queue.items.filter(appliesTo[action]));
      const done = await carryOut(
        client,
        action,
        items.map(({ id }) => id),
        { isAll: names.length === 0, isUnedited: options.unedited === true },
      );
      if (!done.ok) return done;
      const answered = await client.call('app.state', {});
      if (!answered.ok) return answered;
      for (const item of items) {
        const now = answered.value.queue.items.find(({ id }) => id === item.id);
        const refusal = REFUSALS[action](item, now);
        if (refusal === null) report.say(queueLine(now ?? item), `${DID[action]}: ${printable(item.name)}`);
        else report.failed(item.name, failure('COMMAND_INVALID', refusal));
      }
      if (items.length === 0 && names.length === 0) report.note(nothingMeant(action));
      return DONE;
    });
  },
});

const nothingMeant = (action: Action): string => {
  switch (action) {
    case 'pause':
      return 'Paused. The queue is empty; new items wait for linkshot queue resume.';
    case 'resume':
      return 'Resumed. The queue is empty.';
    case 'retry':
      return 'No item in the queue needs your attention.';
    case 'approve':
      return 'No capture in the queue waits for your look.';
    case 'cancel':
      return 'No item in the queue is in progress.';
    case 'clear':
      return 'No item in the queue is finished.';
    default:
      return unreachable(action);
  }
};

const carryOut = async (
  client: EngineClient,
  action: Action,
  ids: readonly ItemId[],
  { isAll, isUnedited }: { readonly isAll: boolean; readonly isUnedited: boolean },
): Promise<Result<unknown>> => {
  if (isAll && action === 'pause') return client.call('queue.pauseAll', {});
  if (isAll && action === 'resume') {
    const resumed = await client.call('queue.resumeAll', {});
    if (!resumed.ok) return resumed;
  }
  if (ids.length === 0) return DONE;
  const items = { ids: [...ids] };
  switch (action) {
    case 'pause':
      return client.call('queue.pause', items);
    case 'resume':
      return client.call('queue.resume', items);
    case 'retry':
      return client.call('queue.retry', items);
    case 'approve': {
      const approved = await client.call('queue.approve', { ...items, ...(isUnedited && { isUnedited }) });
      // The items that wait on are reported one by one.
      return !approved.ok && approved.error.code === 'DRAWING_NOT_APPLIED' ? DONE : approved;
    }
    case 'cancel':
      return client.call('queue.cancel', items);
    case 'clear':
      return client.call('queue.dismiss', items);
    default:
      return unreachable(action);
  }
};

/** By id, by its prefix, by the id of the published item, or by name, if it matches only one item. */
const itemOf = (client: EngineClient, name: string): Result<QueueItem> => {
  const { items } = client.state().queue;
  const found = items.filter(
    (item) => item.id.startsWith(name) || item.name === name || (item.state === 'linked' && item.content.id === name),
  );
  const [only] = found;
  if (only && found.length === 1) return ok(only);
  const detail = only
    ? `${formatCount(found.length, 'item')} match this. Type more of the id; linkshot status shows them.`
    : 'No item in the queue matches this. linkshot status shows the queue.';
  return err(failure('COMMAND_INVALID', detail));
};

/** `linkshot resume`: completes everything that an earlier run left in the queue. */
export const resume = command({
  name: 'resume',
  summary: 'continue interrupted uploads, and print the links',
  group: 'Queue',
  arguments: [],
  options: {},
  description: [
    'Continues everything in the queue: interrupted and paused items, and those that need your attention. Bytes that the service has confirmed are not sent again.',
    'A file or folder of yours that the service refuses leaves the queue. A capture, a recording, a note or what came from the standard input stays, because the queue may have the only copy.',
  ],
  json: ['For each item the line that upload prints: {"id","url","name","size","type"} or {"error"}.'],
  examples: [{ words: 'resume', does: 'after a crash, a network failure or Ctrl+C' }],
  run: (_, context, signal) =>
    withEngine(
      context,
      'given',
      signal,
      async (client) => {
        const left = client.state().queue.items.filter((item) => isLeft(item) || isUnprinted(item));
        const resumed = await client.call('queue.resumeAll', {});
        if (!resumed.ok) return resumed;
        await resumeItem(client, left);
        if (left.length === 0) context.report.note('Nothing is left to upload.');
        const jobs = left.map(({ id, name }): Job => ({ name, entered: ok(id) }));
        await awaitResults(jobs, context, client, signal);
        return DONE;
      },
      { queue: 'running' },
    ),
});
