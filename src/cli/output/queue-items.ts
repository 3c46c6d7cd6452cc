/**
 * Formats queue items for the terminal and as JSON: what each is, its progress, and its error. Prints the queue and
 * finished links.
 */

import type { Content } from '../../api/content.ts';
import type { ItemProgress, QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import { errorMessageOf } from '../error-messages.ts';
import type { Report } from './command-output.ts';
import { columns, formatBytes, formatDuration, printable, shortened } from './format.ts';

export const reportLinked = (
  report: Report,
  name: string,
  { content, size, body }: QueueItemIn<'linked'>,
  more: object = {},
): void =>
  report.say(
    {
      id: content.id,
      url: content.url,
      name,
      size,
      type: content.type,
      ...noteDetails(content),
      ...(body && { made: body.made }),
      ...more,
    },
    content.url,
  );

const noteDetails = ({ type, pasteFormat, pasteLanguage }: Content): object =>
  type === 'PASTE' ? { format: pasteFormat ?? 'plain', language: pasteLanguage ?? null } : {};

const NAME_CELLS = 40;
/** Enough characters of an id to tell items apart; commands accept any prefix. */
const ID_CELLS = 8;

export const reportQueue = (
  report: Report,
  items: readonly QueueItem[],
  live: Readonly<Record<string, ItemProgress | undefined>>,
): void => {
  const { dim, bold } = report.style;
  const lines = columns(
    items.map((item) => [
      dim(item.id.slice(0, ID_CELLS)),
      bold(shortened(printable(item.name), NAME_CELLS)),
      formatState(item, live[item.id], report),
    ]),
  );
  for (const [index, item] of items.entries()) report.say(queueLine(item), lines[index] ?? null);
};

export const queueLine = (item: QueueItem): object => {
  const { id, name, state, intent, size, error, job } = item;
  return {
    itemId: id,
    kind: job.kind,
    name,
    state,
    intent,
    size,
    ...('confirmedBytes' in item && { confirmedBytes: item.confirmedBytes }),
    ...(item.state === 'linked' && { id: item.content.id, url: item.content.url }),
    ...(error && { error: { code: error.failure.code, message: errorMessageOf(error.failure) } }),
  };
};

const formatState = (item: QueueItem, live: ItemProgress | undefined, { style }: Report): string => {
  if (item.error) return style.bad(errorMessageOf(item.error.failure));
  if (item.state === 'linked') return style.good(item.content.url);
  if (item.intent === 'pause') return style.warn('paused');
  if (item.intent === 'cancel') return style.dim('being cancelled');
  if (live?.activity === 'preparing') return formatPreparing(item, live);
  if (item.state === 'started' || item.state === 'sent')
    return `${formatBytes(live?.doneBytes ?? item.confirmedBytes)} of ${formatBytes(item.size)} sent${formatTimeLeft(live)}`;
  return item.state === 'completing' || item.state === 'posting' ? 'being published' : style.dim('waiting');
};

const formatPreparing = ({ job, size }: QueueItem, live: ItemProgress): string => {
  const share = size > 0 ? `, ${Math.min(100, Math.floor((live.doneBytes / size) * 100))} %` : '';
  return `${job.kind === 'folder' ? 'packing' : 'converting'}${share}${formatTimeLeft(live)}`;
};

const formatTimeLeft = (live: ItemProgress | undefined): string =>
  live?.secondsLeft ? `, ${formatDuration(live.secondsLeft)} left` : '';
