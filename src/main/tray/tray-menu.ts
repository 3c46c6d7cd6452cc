/**
 * The tray menu as data: labels and actions, derived from the state, the recent links and the progress of the queue.
 */

import type { CaptureId, ItemId } from '../../api/ids.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { CaptureMode } from '../../ipc/protocol/capture.ts';
import type { Hotkey, HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { QueueProgress } from '../../ipc/protocol/queue-progress-tracker.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import type { MainScreen } from '../windows/main-window.ts';
import type { PinsShown } from '../windows/pins.ts';
import { isWaiting, needsUser, partOfItem, summaryOf } from './queue-summary.ts';

export const RECENT_LINKS = 10;
const DELAYS = [3, 5, 10] as const;
const QUEUE_LINES = 5;
const LABEL_CHARACTERS = 44;

export type TrayAction =
  | { readonly do: 'capture'; readonly mode: CaptureMode; readonly delaySeconds?: number }
  | { readonly do: 'capture-text' | 'capture-scrolling' }
  | { readonly do: 'record'; readonly mode: 'region' | 'screen' }
  | { readonly do: 'cancel-capture' | 'stop-recording' | 'pause-recording' | 'resume-recording' }
  | { readonly do: 'copy-link' | 'open-link' | 'delete' | 'undelete'; readonly id: ItemId }
  | { readonly do: 'restore-capture' | 'stop-scrolling'; readonly id: CaptureId }
  | { readonly do: 'pin-clipboard' | 'take-clicks' | 'close-pins' }
  | { readonly do: 'pause-all' | 'resume-all' | 'upload-files' | 'upload-clipboard' | 'new-note' | 'quit' }
  | { readonly do: 'show'; readonly screen: MainScreen };

export type TrayEntry =
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction; readonly accelerator?: string }
  | { readonly kind: 'menu'; readonly label: string; readonly entries: readonly TrayEntry[] }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'line' };

export interface TrayMenuInput {
  readonly state: Pick<AppState, 'queue' | 'capture' | 'discarded' | 'recording' | 'hotkeys'>;
  /** Progress of the queue; null: nothing runs. */
  readonly batch: QueueProgress | null;
  /** Published items, newest first. */
  readonly recent: readonly LibraryItem[];
  readonly messages: DesktopTexts;
  /** `menus`: only menus open there (Linux), so that each link has a submenu. */
  readonly style: 'clicks' | 'menus';
  /** Pinned images; null: this host has none. */
  readonly pins: PinsShown | null;
}

const LINE: TrayEntry = { kind: 'line' };
const text = (label: string): TrayEntry => ({ kind: 'text', label });
const menu = (label: string, entries: readonly TrayEntry[]): TrayEntry => ({ kind: 'menu', label, entries });
/** Keys that the desktop bound are in its own words, which are no accelerator. */
const entry = (label: string, action: TrayAction, hotkey?: Pick<Hotkey, 'accelerator' | 'bound'>): TrayEntry => {
  if (hotkey?.bound) return { kind: 'action', label: `${label} (${hotkey.bound})`, action };
  return { ...{ kind: 'action', label, action }, ...(hotkey?.accelerator && { accelerator: hotkey.accelerator }) };
};

/** Shortened in the middle, so that the extension stays visible. */
const shorten = (name: string): string => {
  const characters = [...name];
  if (characters.length <= LABEL_CHARACTERS) return name;
  const half = (LABEL_CHARACTERS - 1) / 2;
  return `${characters.slice(0, Math.ceil(half)).join('')}…${characters.slice(-Math.floor(half)).join('')}`;
};

/** In steps, so that the menu is not rebuilt at every packet. */
const percentOf = (part: number | null): number | null => (part === null ? null : Math.floor(part * 10) * 10);

const captureEntries = ({
  state: { capture, discarded, recording, hotkeys },
  messages,
  pins,
}: TrayMenuInput): TrayEntry[] => {
  const keyOf = (action: HotkeyAction) => hotkeys.keys.find((key) => key.action === action && key.state === 'asked');
  const cancel = entry(messages.cancelCapture, { do: 'cancel-capture' });
  if (capture?.state === 'scrolling')
    return [text(messages.scrolling), entry(messages.stopScrolling, { do: 'stop-scrolling', id: capture.id }), cancel];
  if (capture !== null) {
    const shown =
      capture.state === 'editing'
        ? entry(messages.editing, { do: 'show', screen: 'home' })
        : text(capture.state === 'waiting' ? messages.waiting : messages.choosing);
    return [shown, cancel];
  }
  const captureEntry = (mode: CaptureMode) => entry(messages.capture[mode], { do: 'capture', mode }, keyOf(mode));
  const delayed = DELAYS.map((delaySeconds) =>
    entry(messages.delayed(delaySeconds), { do: 'capture', mode: 'region', delaySeconds }),
  );
  const [newest] = discarded;
  const captures = [
    captureEntry('region'),
    captureEntry('window'),
    captureEntry('screen'),
    menu(messages.more, [
      captureEntry('all'),
      captureEntry('last'),
      entry(messages.captureScrolling, { do: 'capture-scrolling' }),
      entry(messages.captureText, { do: 'capture-text' }),
      ...(pins ? [entry(messages.pinClipboard, { do: 'pin-clipboard' })] : []),
      LINE,
      ...delayed,
    ]),
    ...(newest ? [entry(messages.restoreCapture, { do: 'restore-capture', id: newest.id })] : []),
  ];
  switch (recording?.state) {
    case undefined:
      return [
        ...captures,
        LINE,
        entry(messages.record, { do: 'record', mode: 'region' }, keyOf('record')),
        entry(messages.recordScreen, { do: 'record', mode: 'screen' }),
      ];
    case 'countdown':
    case 'recording':
    case 'paused': {
      const stop = entry(messages.stopRecording, { do: 'stop-recording' }, keyOf('record'));
      if (recording?.state === 'countdown') return [stop, LINE, ...captures];
      const pauseResume =
        recording?.state === 'paused'
          ? entry(messages.resumeRecording, { do: 'resume-recording' })
          : entry(messages.pauseRecording, { do: 'pause-recording' });
      return [stop, pauseResume, LINE, ...captures];
    }
    case 'finishing':
      return [text(messages.finishingRecording), LINE, ...captures];
    case 'review':
      return [entry(messages.reviewRecording, { do: 'show', screen: 'home' }), LINE, ...captures];
  }
};

const linkEntries = ({ recent, messages, style }: TrayMenuInput): TrayEntry[] => {
  const items = recent.filter(({ goneAt }) => goneAt === null).slice(0, RECENT_LINKS);
  if (items.length === 0) return [text(messages.noLinks)];
  const copy = ({ id }: LibraryItem): TrayAction => ({ do: 'copy-link', id });
  const removeOf = ({ id, deletingAt }: LibraryItem, remove: string, keep: string): TrayEntry =>
    deletingAt === null ? entry(remove, { do: 'delete', id }) : entry(keep, { do: 'undelete', id });
  if (style === 'menus') {
    return items.map((item) =>
      menu(item.deletingAt === null ? shorten(item.name) : messages.deleting(shorten(item.name)), [
        entry(messages.copyLink, copy(item)),
        entry(messages.openLink, { do: 'open-link', id: item.id }),
        LINE,
        removeOf(item, messages.deleteLink, messages.undelete),
      ]),
    );
  }
  return [
    text(messages.clickCopies),
    ...items.map((item) => entry(shorten(item.name), copy(item))),
    LINE,
    menu(
      messages.openLink,
      items.map(({ id, name }) => entry(shorten(name), { do: 'open-link', id })),
    ),
    menu(
      messages.deleteLink,
      items.map((item) => {
        const name = shorten(item.name);
        return removeOf(item, name, messages.undeleteOf(name));
      }),
    ),
  ];
};

const queueEntry = ({ state: { queue }, batch, messages }: TrayMenuInput): TrayEntry => {
  const { waiting, failed, isPaused, part } = summaryOf(queue, batch);
  const unfinished = queue.items.filter((item) => isWaiting(item) || needsUser(item));
  const count = waiting + failed;
  const lineOf = (item: QueueItem): string => {
    const name = shorten(item.name);
    if (needsUser(item)) return messages.itemFailed(name);
    return item.intent === 'pause' || queue.paused
      ? messages.itemPaused(name)
      : messages.itemAt(name, percentOf(partOfItem(item, queue.live)));
  };
  const label = isPaused && count > 0 ? messages.queuePaused(count) : messages.queue(count, percentOf(part));
  return menu(count === 0 ? messages.queueEmpty : label, [
    ...unfinished.slice(0, QUEUE_LINES).map((item) => text(lineOf(item))),
    ...(unfinished.length > QUEUE_LINES ? [text(messages.moreItems(unfinished.length - QUEUE_LINES))] : []),
    ...(unfinished.length > 0 ? [LINE] : []),
    queue.paused ? entry(messages.resumeAll, { do: 'resume-all' }) : entry(messages.pauseAll, { do: 'pause-all' }),
    entry(messages.openQueue, { do: 'show', screen: 'home' }),
  ]);
};

/** Only these reach an image that lets clicks through. */
const pinEntries = ({ pins, messages }: TrayMenuInput): TrayEntry[] =>
  pins === null || pins.count === 0
    ? []
    : [
        LINE,
        ...(pins.areLetThrough ? [entry(messages.takeClicks, { do: 'take-clicks' })] : []),
        entry(messages.closePins, { do: 'close-pins' }),
      ];

export const trayMenu = (facts: TrayMenuInput): readonly TrayEntry[] => {
  const { messages } = facts;
  return [
    ...captureEntries(facts),
    ...pinEntries(facts),
    LINE,
    menu(messages.recent, linkEntries(facts)),
    queueEntry(facts),
    LINE,
    entry(messages.uploadFiles, { do: 'upload-files' }),
    entry(messages.uploadClipboard, { do: 'upload-clipboard' }),
    entry(messages.newNote, { do: 'new-note' }),
    entry(messages.writeNote, { do: 'show', screen: 'note' }),
    LINE,
    entry(messages.open, { do: 'show', screen: 'home' }),
    entry(messages.history, { do: 'show', screen: 'library' }),
    entry(messages.settings, { do: 'show', screen: 'settings' }),
    LINE,
    entry(messages.quit, { do: 'quit' }),
  ];
};
