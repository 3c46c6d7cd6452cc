/** The tray menu as data: labels and actions, derived from the state alone. */

import type { CaptureId, ItemId } from '../../api/ids.ts';
import type { CaptureMode } from '../../ipc/protocol/capture.ts';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { QueueProgress } from '../../ipc/protocol/queue-progress.ts';
import type { AppState, LibraryItem } from '../../ipc/protocol/state.ts';
import type { Words } from '../messages.ts';
import type { MainScreen } from '../windows/main-window.ts';
import { isWaiting, needsPerson, partOfItem, summaryOf } from './queue-summary.ts';

export const RECENT_LINKS = 10;
const DELAYS = [3, 5, 10] as const;
const QUEUE_LINES = 5;
const LABEL_CHARACTERS = 44;

export type TrayAction =
  | { readonly do: 'capture'; readonly mode: CaptureMode; readonly delaySeconds?: number }
  | { readonly do: 'record'; readonly mode: 'region' | 'screen' }
  | { readonly do: 'cancel-capture' | 'stop-recording' | 'pause-recording' | 'resume-recording' }
  | { readonly do: 'copy-link' | 'open-link' | 'delete' | 'undelete'; readonly id: ItemId }
  | { readonly do: 'restore-capture'; readonly id: CaptureId }
  | { readonly do: 'pause-all' | 'resume-all' | 'upload-files' | 'upload-clipboard' | 'new-note' | 'quit' }
  | { readonly do: 'show'; readonly screen: MainScreen };

export type TrayEntry =
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction; readonly accelerator?: string }
  | { readonly kind: 'menu'; readonly label: string; readonly entries: readonly TrayEntry[] }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'line' };

export interface TrayFacts {
  readonly state: Pick<AppState, 'queue' | 'capture' | 'discarded' | 'recording' | 'hotkeys'>;
  /** Progress of the queue; null: nothing runs. */
  readonly batch: QueueProgress | null;
  /** Published items, newest first. */
  readonly recent: readonly LibraryItem[];
  readonly words: Words;
  /** `menus`: only menus open there (Linux), so that each link has a submenu. */
  readonly style: 'clicks' | 'menus';
}

const LINE: TrayEntry = { kind: 'line' };
const text = (label: string): TrayEntry => ({ kind: 'text', label });
const menu = (label: string, entries: readonly TrayEntry[]): TrayEntry => ({ kind: 'menu', label, entries });
const entry = (label: string, action: TrayAction, accelerator?: string | null): TrayEntry => ({
  ...{ kind: 'action', label, action },
  ...(accelerator ? { accelerator } : {}),
});

/** Shortened in the middle, so that the extension stays visible. */
const shorten = (name: string): string => {
  const characters = [...name];
  if (characters.length <= LABEL_CHARACTERS) return name;
  const half = (LABEL_CHARACTERS - 1) / 2;
  return `${characters.slice(0, Math.ceil(half)).join('')}…${characters.slice(-Math.floor(half)).join('')}`;
};

/** In steps, so that an open menu is not rebuilt at every packet. */
const percentOf = (part: number | null): number | null => (part === null ? null : Math.floor(part * 10) * 10);

const captureEntries = ({ state: { capture, discarded, recording, hotkeys }, words }: TrayFacts): TrayEntry[] => {
  const keyOf = (action: HotkeyAction) =>
    hotkeys.keys.find((key) => key.action === action && key.state === 'asked')?.accelerator;
  if (capture !== null) {
    const shown =
      capture.state === 'editing'
        ? entry(words.editing, { do: 'show', screen: 'home' })
        : text(capture.state === 'waiting' ? words.waiting : words.choosing);
    return [shown, entry(words.cancelCapture, { do: 'cancel-capture' })];
  }
  const take = (mode: CaptureMode) => entry(words.capture[mode], { do: 'capture', mode }, keyOf(mode));
  const delayed = DELAYS.map((delaySeconds) =>
    entry(words.delayed(delaySeconds), { do: 'capture', mode: 'region', delaySeconds }),
  );
  const [newest] = discarded;
  const takes = [
    take('region'),
    take('window'),
    take('screen'),
    menu(words.more, [take('all'), take('last'), LINE, ...delayed]),
    ...(newest ? [entry(words.restoreCapture, { do: 'restore-capture', id: newest.id })] : []),
  ];
  switch (recording?.state) {
    case undefined:
      return [
        ...takes,
        LINE,
        entry(words.record, { do: 'record', mode: 'region' }, keyOf('record')),
        entry(words.recordScreen, { do: 'record', mode: 'screen' }),
      ];
    case 'countdown':
    case 'recording':
    case 'paused': {
      const stop = entry(words.stopRecording, { do: 'stop-recording' }, keyOf('record'));
      if (recording?.state === 'countdown') return [stop, LINE, ...takes];
      const hold =
        recording?.state === 'paused'
          ? entry(words.resumeRecording, { do: 'resume-recording' })
          : entry(words.pauseRecording, { do: 'pause-recording' });
      return [stop, hold, LINE, ...takes];
    }
    case 'finishing':
      return [text(words.finishingRecording), LINE, ...takes];
    case 'review':
      return [entry(words.reviewRecording, { do: 'show', screen: 'home' }), LINE, ...takes];
  }
};

const linkEntries = ({ recent, words, style }: TrayFacts): TrayEntry[] => {
  const items = recent.filter(({ goneAt }) => goneAt === null).slice(0, RECENT_LINKS);
  if (items.length === 0) return [text(words.noLinks)];
  const copy = ({ id }: LibraryItem): TrayAction => ({ do: 'copy-link', id });
  const removeOf = ({ id, deletingAt }: LibraryItem, remove: string, keep: string): TrayEntry =>
    deletingAt === null ? entry(remove, { do: 'delete', id }) : entry(keep, { do: 'undelete', id });
  if (style === 'menus') {
    return items.map((item) =>
      menu(item.deletingAt === null ? shorten(item.name) : words.deleting(shorten(item.name)), [
        entry(words.copyLink, copy(item)),
        entry(words.openLink, { do: 'open-link', id: item.id }),
        LINE,
        removeOf(item, words.deleteLink, words.undelete),
      ]),
    );
  }
  return [
    text(words.clickCopies),
    ...items.map((item) => entry(shorten(item.name), copy(item))),
    LINE,
    menu(
      words.openLink,
      items.map(({ id, name }) => entry(shorten(name), { do: 'open-link', id })),
    ),
    menu(
      words.deleteLink,
      items.map((item) => {
        const name = shorten(item.name);
        return removeOf(item, name, words.undeleteOf(name));
      }),
    ),
  ];
};

const queueEntry = ({ state: { queue }, batch, words }: TrayFacts): TrayEntry => {
  const { waiting, failed, isPaused, part } = summaryOf(queue, batch);
  const unfinished = queue.items.filter((item) => isWaiting(item) || needsPerson(item));
  const count = waiting + failed;
  const lineOf = (item: QueueItem): string => {
    const name = shorten(item.name);
    if (needsPerson(item)) return words.itemFailed(name);
    return item.intent === 'pause' || queue.paused
      ? words.itemPaused(name)
      : words.itemAt(name, percentOf(partOfItem(item, queue.live)));
  };
  const label = isPaused && count > 0 ? words.queuePaused(count) : words.queue(count, percentOf(part));
  return menu(count === 0 ? words.queueEmpty : label, [
    ...unfinished.slice(0, QUEUE_LINES).map((item) => text(lineOf(item))),
    ...(unfinished.length > QUEUE_LINES ? [text(words.moreItems(unfinished.length - QUEUE_LINES))] : []),
    ...(unfinished.length > 0 ? [LINE] : []),
    queue.paused ? entry(words.resumeAll, { do: 'resume-all' }) : entry(words.pauseAll, { do: 'pause-all' }),
    entry(words.openQueue, { do: 'show', screen: 'home' }),
  ]);
};

export const trayMenu = (facts: TrayFacts): readonly TrayEntry[] => {
  const { words } = facts;
  return [
    ...captureEntries(facts),
    LINE,
    menu(words.recent, linkEntries(facts)),
    queueEntry(facts),
    LINE,
    entry(words.uploadFiles, { do: 'upload-files' }),
    entry(words.uploadClipboard, { do: 'upload-clipboard' }),
    entry(words.newNote, { do: 'new-note' }),
    entry(words.writeNote, { do: 'show', screen: 'note' }),
    LINE,
    entry(words.open, { do: 'show', screen: 'home' }),
    entry(words.history, { do: 'show', screen: 'library' }),
    entry(words.settings, { do: 'show', screen: 'settings' }),
    LINE,
    entry(words.quit, { do: 'quit' }),
  ];
};
