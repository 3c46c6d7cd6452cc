/** One line on a terminal that says how far all files are. It redraws itself and leaves nothing behind. */

import type { ItemId } from '../../contract/ids.ts';
import type { AppState } from '../../contract/state.ts';
import { bytesInWords, timeInWords } from './words.ts';

const BAR_CELLS = 24;
const CLEAR_LINE = '\r\x1b[2K';

export interface Terminal {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  draw(state: AppState): void;
  clear(): void;
}

/** Bytes that the service has confirmed, and those on their way. */
const doneBytes = (state: AppState, id: ItemId): { readonly done: number; readonly size: number } => {
  const item = state.queue.items.find((candidate) => candidate.id === id);
  if (!item) return { done: 0, size: 0 };
  if (item.state === 'linked') return { done: item.size, size: item.size };
  const live = state.queue.live[id];
  const confirmed = 'confirmedBytes' in item ? item.confirmedBytes : 0;
  return {
    done: live && live.activity !== 'hashing' ? Math.max(live.doneBytes, confirmed) : confirmed,
    size: item.size,
  };
};

export const createProgressBar = (terminal: Terminal, ids: () => readonly ItemId[]): ProgressBar => ({
  draw: (state) => {
    const parts = ids().map((id) => doneBytes(state, id));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if (size === 0) return;
    const done = parts.reduce((sum, part) => sum + part.done, 0);
    const speed = ids().reduce((sum, id) => sum + (state.queue.live[id]?.bytesPerSecond ?? 0), 0);
    const cells = Math.floor((done / size) * BAR_CELLS);
    const facts = [
      `${String(Math.floor((done / size) * 100)).padStart(3)} %`,
      `${bytesInWords(done)} of ${bytesInWords(size)}`,
      ...(speed > 0 ? [`${bytesInWords(speed)}/s`, `${timeInWords((size - done) / speed)} left`] : []),
    ];
    const line = `${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)} ${facts.join('  ')}`;
    terminal.write(`${CLEAR_LINE}${line.slice(0, (terminal.columns || 80) - 1)}`);
  },
  clear: () => terminal.write(CLEAR_LINE),
});
