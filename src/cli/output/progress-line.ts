/**
 * The progress line on a terminal: `draw` replaces it with the current progress of the given items, `clear` erases it.
 */

import type { ItemId } from '../../api/ids.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import { sentBytes } from '../../ipc/protocol/queue-progress-tracker.ts';
import { errorMessageOf } from '../error-messages.ts';
import { formatBytes, formatDuration, printable, shortened } from './format.ts';

const BAR_CELLS = 24;
const NAME_CELLS = 28;
/** Erases the line. */
export const CLEAR_LINE = '\r\x1b[2K';

export interface Terminal {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  draw(state: AppState): void;
  clear(): void;
}

export const createProgressLine = (terminal: Terminal, ids: () => readonly ItemId[]): ProgressLine => ({
  draw: (state) => {
    const wanted = new Set(ids());
    const items = state.queue.items.filter(({ id }) => wanted.has(id));
    const words = [...preparing(items, state), ...sending(items, state)].join('  ');
    if (words !== '') terminal.write(CLEAR_LINE + [...words].slice(0, (terminal.columns || 80) - 1).join(''));
  },
  clear: () => terminal.write(CLEAR_LINE),
});

/** Converting demo.mov: 40 %, 12 s left; and the number of others. */
const preparing = (items: readonly QueueItem[], { queue }: AppState): readonly string[] => {
  const busy = items.filter(({ id }) => queue.live[id]?.activity === 'preparing');
  const [first] = busy;
  if (!first) return [];
  const { doneBytes = 0, secondsLeft = null } = queue.live[first.id] ?? {};
  const facts = [
    ...(first.size > 0 ? [`${Math.min(100, Math.floor((doneBytes / first.size) * 100))} %`] : []),
    ...(secondsLeft === null ? [] : [`${formatDuration(secondsLeft)} left`]),
    ...(busy.length > 1 ? [`${busy.length - 1} more`] : []),
  ];
  const name = shortened(printable(first.name), NAME_CELLS);
  return [
    `${first.job.kind === 'folder' ? 'Packing' : 'Converting'} ${name}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`,
  ];
};

/** What happened to the first item that is tried again by itself, in a sentence. */
const tryingAgain = (items: readonly QueueItem[]): string | null => {
  const error = items.find((item) => item.error !== null && item.error.retryAt !== null)?.error;
  if (!error) return null;
  const [sentence = ''] = errorMessageOf(error.failure).split(/(?<=[.!?])\s/u);
  return `Trying again: ${printable(sentence)}`;
};

/** A bar over everything but items in preparation; nothing where there is nothing else. */
const sending = (items: readonly QueueItem[], { queue }: AppState): readonly string[] => {
  const parts = items.flatMap((item) => {
    const isPreparing = queue.live[item.id]?.activity === 'preparing';
    return isPreparing ? [] : [{ done: sentBytes(item, queue.live), size: item.size }];
  });
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const done = parts.reduce((sum, part) => sum + part.done, 0);
  const again = tryingAgain(items);
  if (size === 0) return again === null ? [] : [again];
  const speed = items.reduce((sum, { id }) => {
    const live = queue.live[id];
    return sum + (live?.activity === 'sending' ? (live.bytesPerSecond ?? 0) : 0);
  }, 0);
  const cells = Math.floor((done / size) * BAR_CELLS);
  return [
    '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells),
    `${String(Math.floor((done / size) * 100)).padStart(3)} %`,
    ...(again === null || speed > 0 ? [`${formatBytes(done)} of ${formatBytes(size)}`] : []),
    ...(speed > 0 ? [`${formatBytes(speed)}/s`, `${formatDuration((size - done) / speed)} left`] : []),
    ...(again === null ? [] : [again]),
  ];
};
