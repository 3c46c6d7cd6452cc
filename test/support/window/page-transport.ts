/**
 * Double of the window's transport: serves an `AppState` set by the test, applies simple commands itself, and records
 * every call. Runs in Node and in a page.
 */

import { err, type Failure, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { CaptureId, ItemId, SourceToken } from '../../../src/api/ids.ts';
import { detectNoteKind } from '../../../src/common/rendering/detect-note-kind.ts';
import { HOST_FILE_URLS } from '../../../src/ipc/client/host-file-urls.ts';
import type { HostConnectionState, PageTransport } from '../../../src/ipc/client/transport.ts';
import type { AppState } from '../../../src/ipc/protocol/app-state.ts';
import type { CaptureSession } from '../../../src/ipc/protocol/capture.ts';
import type { AppEvent, CommandInput, CommandName, CommandOutput } from '../../../src/ipc/protocol/command-table.ts';
import type { ErrorHistoryEntry } from '../../../src/ipc/protocol/commands/error-history.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import type { NewNote } from '../../../src/ipc/protocol/note-draft.ts';
import type { PinnedImage } from '../../../src/ipc/protocol/pinned-image.ts';
import type { QueueItem } from '../../../src/ipc/protocol/queue-item.ts';
import { effectiveSettings } from '../../../src/ipc/protocol/settings.ts';
import type { PictureContent } from '../../../src/ipc/protocol/vision.ts';
import { withRequestedSettings } from '../../../src/renderer/stores/published/optimistic-changes.ts';
import { makeUsage, usageWithout } from '../profile-usage.ts';
import { connectedToTryOut, itemId, makeState } from './app-state.ts';

const readText = (): PictureContent => ({ text: 'Order 1284 is ready', words: [], codes: [], missing: [] });

const PAGE = 25;
const HOUR_MS = 3_600_000;

/** A file that was offered and waits for the test to say what becomes of it. */
interface PendingOffer {
  readonly file: File;
  readonly signal: AbortSignal;
  progress(sentBytes: number): void;
  settle(result: Result<SourceToken>): void;
}

type Handlers = { [K in CommandName]?: (input: CommandInput<K>) => CommandOutput<K> | Promise<CommandOutput<K>> };

export interface PageTransportDouble extends PageTransport {
  /** Every command so far, oldest first. */
  readonly calls: { readonly command: CommandName; readonly input: unknown }[];
  /** Every answer so far: with the state, all that the window knows. */
  readonly answers: readonly unknown[];
  /** Offered files that are not settled, oldest first. */
  readonly offers: PendingOffer[];
  state(): AppState;
  /** Changes the state and tells the window. */
  set(change: Partial<AppState>): void;
  emit(event: AppEvent): void;
  setLink(link: HostConnectionState): void;
  setLibrary(items: readonly LibraryItem[]): void;
  /** The next call of this command fails. */
  failNext(command: CommandName, why: Failure): void;
  /** From now on this command is answered so. */
  answer<K extends CommandName>(
    command: K,
    reply: (input: CommandInput<K>) => CommandOutput<K> | Promise<CommandOutput<K>>,
  ): void;
}

/** The pinned image of `pin.html`. */
export const PIN = '00000000-0000-4000-8000-00000000e001';

export const createPageTransportDouble = (initial: Partial<AppState> = {}): PageTransportDouble => {
  let state = makeState(initial);
  let library: readonly LibraryItem[] = [];
  const unpublished = new Map<number, NewNote>();
  let link: HostConnectionState = 'up';
  let usage = makeUsage();
  let problems: readonly ErrorHistoryEntry[] = [];
  const drafts = new Map<CaptureId, CommandOutput<'capture.draft'>>();
  const cancelled = new Map<CaptureId, CaptureSession>();
  const calls: { command: CommandName; input: unknown }[] = [];
  const answers: unknown[] = [];
  const offers: PendingOffer[] = [];
  const listeners = new Set<(event: AppEvent) => void>();
  const linkListeners = new Set<(link: HostConnectionState) => void>();
  const failures = new Map<CommandName, Failure>();

  let pin: PinnedImage = { id: PIN, name: 'shot.png', width: 320, height: 200, zoom: 1, opacity: 1 };

  const emit = (event: AppEvent): void => {
    for (const listener of listeners) listener(event);
  };
  /** Answers what most commands answer: nothing. */
  const set = (change: Partial<AppState>): Record<never, never> => {
    const { capture: before } = state;
    // A test of errors sets items that are null.
    const items = (change.queue ?? state.queue).items.filter((item) => item !== null);
    state = { ...state, thumbnails: items.map(({ id }) => id), ...change };
    // What was drawn goes with the picture, unless that was discarded.
    if (before?.state === 'editing' && state.capture === null && !state.discarded.some(({ id }) => id === before.id))
      drafts.delete(before.id);
    emit({ type: 'state', state });
    return {};
  };
  const cancelCapture = () => {
    const { capture, discarded } = state;
    if (capture?.state !== 'editing') return set({ capture: null });
    // Its item still waits in the queue.
    if (capture.item !== undefined) return set({ capture: null });
    const { id, name } = capture;
    cancelled.set(id, capture);
    return set({ capture: null, discarded: [{ id, name, until: Date.now() + HOUR_MS }, ...discarded] });
  };
  const setItems = (items: readonly QueueItem[]) => set({ queue: { ...state.queue, items: [...items] } });
  const without = (ids: readonly ItemId[]) => state.queue.items.filter(({ id }) => !ids.includes(id));
  const intend = (ids: readonly ItemId[], change: Partial<QueueItem>) =>
    setItems(state.queue.items.map((item) => (ids.includes(item.id) ? ({ ...item, ...change } as QueueItem) : item)));

  const move = ({ id, before }: CommandInput<'queue.move'>) => {
    const moved = state.queue.items.find((item) => item.id === id);
    if (!moved) return {};
    const others = without([id]).toSorted((a, b) => a.position - b.position);
    const index = before === null ? others.length : others.findIndex((item) => item.id === before);
    others.splice(index, 0, moved);
    return setItems(others.map((item, position) => ({ ...item, position })));
  };

  const search = ({
    text,
    cursor,
    kinds,
    limit = PAGE,
  }: CommandInput<'library.search'>): CommandOutput<'library.search'> => {
    const wanted = text.trim().toLowerCase();
    const found = library.filter(
      ({ content }) =>
        (kinds?.includes(content.type) ?? true) &&
        content.title
          .toLowerCase()
          .split(/\s+/)
          .some((word) => word.startsWith(wanted)),
    );
    const from = Number(cursor ?? 0);
    const nextCursor = from + limit < found.length ? String(from + limit) : null;
    return { items: found.slice(from, from + limit), nextCursor, total: found.length };
  };

  const answered = (ids: readonly ItemId[]) => ({
    answers: ids.map((id) => ({ id, item: library.find((item) => item.id === id) ?? null, failure: null })),
  });

  const handlers: Handlers = {
    'app.state': () => state,
    'app.dismissNotices': () => set({ notices: [] }),
    'app.panel': () => ({}),
    'app.show': () => ({}),
    'app.quit': () => ({}),
    'pin.read': () => pin,
    'pin.change': ({ change }) => {
      if (change.kind === 'zoom') pin = { ...pin, zoom: change.zoom };
      if (change.kind === 'opacity') pin = { ...pin, opacity: change.opacity };
      if (change.kind !== 'move') emit({ type: 'pin', pin });
      return {};
    },
    'pin.act': () => ({}),
    'pin.clipboard': () => ({}),
    'capture.cancel': cancelCapture,
    'capture.stopScrolling': () => {
      set({ capture: null });
      return { item: null };
    },
    'capture.undoScrolling': () => ({}),
    'capture.restore': ({ id }) => {
      const capture = cancelled.get(id) ?? null;
      return set({ capture, discarded: state.discarded.filter((one) => one.id !== id) });
    },
    'capture.copy': () => ({}),
    'capture.copied': () => ({}),
    'capture.draft': ({ id }) => drafts.get(id) ?? { draft: null, version: null },
    'capture.keepDraft': ({ id, draft, basis: { by } }) => {
      drafts.set(id, { draft, version: { by, revision: String(calls.length) } });
      return {};
    },
    'recording.discard': ({ id = state.recording?.id }) => (id === state.recording?.id ? set({ recording: null }) : {}),
    'recording.sounds': () => ({ sounds: ['none', 'system', 'microphone', 'both'] }),
    'recording.cameras': () => ({ cameras: ['Integrated Camera', 'HD Pro Webcam C920'] }),
    'hotkeys.test': () => ({ heard: true }),
    'hotkeys.retry': () => ({}),
    'hotkeys.replaceSnippingTool': () => ({}),
    'hotkeys.setShortcut': () => ({}),
    'intake.release': () => ({}),
    'folder.progress': () => ({ progress: null }),
    'folder.stop': () => ({}),
    'folder.putBack': () => ({}),
    'queue.add': () => ({ ids: [] }) as unknown as CommandOutput<'queue.add'>,
    'queue.pause': ({ ids }) => intend(ids, { intent: 'pause' }),
    'queue.resume': ({ ids }) => intend(ids, { intent: 'run' }),
    'queue.approve': ({ ids }) => intend(ids, { error: null }),
    'capture.review': ({ item }) => {
      const waiting = state.queue.items.find(({ id }) => id === item);
      if (!waiting) return {};
      const { id, name, createdAt: takenAt } = waiting;
      return set({
        capture: { state: 'editing', id: id as string as CaptureId, item, name, width: 641, height: 403, takenAt },
      });
    },
    'queue.retry': ({ ids }) => intend(ids, { error: null }),
    'queue.cancel': ({ ids }) => setItems(without(ids)),
    'queue.dismiss': ({ ids }) => setItems(without(ids)),
    'queue.move': move,
    'queue.timeline': () => ({ events: [] }),
    'queue.pauseAll': () => set({ queue: { ...state.queue, paused: true } }),
    'queue.resumeAll': () => set({ queue: { ...state.queue, paused: false } }),
    'library.search': search,
    'library.refresh': ({ ids }) => answered(ids),
    'library.update': ({ ids, change }) => {
      library = library.map((item) =>
        ids.includes(item.id) ? { ...item, content: withRequestedSettings(item.content, change, Date.now()) } : item,
      );
      return answered(ids);
    },
    'library.find': ({ link: asked }) => ({ item: library.find(({ id }) => id === asked) ?? null }),
    'note.add': () => ({ id: itemId(1) }),
    'note.addFiles': () => ({ ids: [itemId(1)] }),
    'note.guess': ({ text }) => detectNoteKind(text, null),
    'note.saveDraft': () => ({}),
    'note.dropDraft': () => ({}),
    'note.unpublished': ({ slot = 0 }) => ({
      draft: unpublished.get(slot) ?? null,
      kept: [...unpublished.keys()].toSorted((a, b) => a - b),
    }),
    'note.saveUnpublished': ({ slot = 0, ...note }) => {
      unpublished.set(slot, note);
      return {};
    },
    'note.dropUnpublished': ({ slot = 0 }) => {
      unpublished.delete(slot);
      return {};
    },
    'vision.readItem': () => readText(),
    'vision.readCapture': () => readText(),
    'vision.readFile': () => readText(),
    'vision.findSecrets': () => ({ found: [], missing: [] }),
    'vision.stop': () => ({}),
    'vision.copy': () => ({}),
    'vision.open': () => ({}),
    'link.copy': () => ({ url: '', text: '' }),
    'link.open': () => ({}),
    'connection.connect': () => state.connection,
    'connection.disconnect': () => {
      set({ connection: { state: 'none' } });
      return state.connection;
    },
    'connection.refresh': () => state.connection,
    'connection.freshen': () => ({}),
    'connection.authorize': ({ server }) => ({ state: 'failed', server, failure: failure('CANCELLED', '') }),
    'connection.activate': () => state.connection,
    'connection.remove': () => state.connection,
    'connection.reopenAuthorize': () => ({}),
    'connection.cancelAuthorize': () => set({ authorization: null }),
    'connection.tryOut': () => {
      set({ connection: connectedToTryOut() });
      return state.connection;
    },
    'problem.list': () => ({ problems: [...problems] }),
    'problem.note': ({ failure: why }) => {
      const isSame = ({ failure: known }: ErrorHistoryEntry): boolean =>
        known.code === why.code && known.detail === why.detail;
      const times = (problems.find(isSame)?.times ?? 0) + 1;
      const id = Math.max(0, ...problems.map((problem) => problem.id)) + 1;
      problems = [{ id, failure: why, at: Date.now(), times }, ...problems.filter((problem) => !isSame(problem))];
      return { problems: [...problems] };
    },
    'problem.forget': ({ ids }) => {
      problems = ids === 'all' ? [] : problems.filter(({ id }) => !ids.includes(id));
      return { problems: [...problems] };
    },
    'app.trayIcon': () => ({ state: 'none' }),
    'app.updates': () => ({ state: 'not-looked-for', version: null, checkedAt: null }),
    'profile.usage': () => usage,
    'profile.clear': ({ what }) => {
      usage = usageWithout(usage, what);
      return usage;
    },
    'profile.report': () => ({ text: 'Linkshot 0.1.0\nQueue: none' }),
    'profile.openFolder': () => ({}),
    'settings.chooseSaveFolder': () => {
      set({ settings: { ...state.settings, saveFolder: '/home/mira/Pictures/chosen' } });
      return state.settings;
    },
    'preset.save': ({ id = `preset-${state.settings.presets.length + 1}`, name, link: saved }) => {
      const preset = { id, name, link: saved };
      const { presets } = state.settings;
      const isKnown = presets.some((known) => known.id === id);
      const next = isKnown ? presets.map((known) => (known.id === id ? preset : known)) : [...presets, preset];
      set({ settings: { ...state.settings, presets: next } });
      return preset;
    },
    'preset.remove': ({ id }) => {
      const { presets, defaultPreset } = state.settings;
      const left = presets.filter((known) => known.id !== id);
      return set({
        settings: { ...state.settings, presets: left, defaultPreset: defaultPreset === id ? null : defaultPreset },
      });
    },
    'preset.makeDefault': ({ id }) => set({ settings: { ...state.settings, defaultPreset: id } }),
    'settings.update': (change) => {
      const settings = { ...state.settings, ...change };
      const { connection } = state;
      const user = connection.state === 'none' ? null : (connection.account?.user ?? null);
      set({ settings, effective: effectiveSettings(settings, user) });
      return state.settings;
    },
  };

  const offer: PageTransport['offer'] = (file, onProgress, signal) =>
    new Promise((resolve) => {
      const settle = (result: Result<SourceToken>): void => {
        const index = offers.findIndex((known) => known.file === file);
        if (index !== -1) offers.splice(index, 1);
        resolve(result);
      };
      signal.addEventListener('abort', () => settle(err(failure('CANCELLED', 'taken back'))));
      offers.push({ file, signal, progress: onProgress, settle });
    });

  return {
    calls,
    answers,
    offers,
    emit,
    set,
    state: () => state,
    setLink: (next) => {
      link = next;
      for (const listener of linkListeners) listener(link);
    },
    setLibrary: (items) => {
      library = items;
    },
    failNext: (command, why) => void failures.set(command, why),
    answer: (command, reply) => {
      handlers[command] = reply as Handlers[typeof command];
    },
    call: async <K extends CommandName>(command: K, input: CommandInput<K>): Promise<Result<CommandOutput<K>>> => {
      calls.push({ command, input });
      const why = failures.get(command);
      failures.delete(command);
      if (why) return err(why);
      const handler = handlers[command] as ((input: CommandInput<K>) => unknown) | undefined;
      if (!handler) return err(failure('COMMAND_INVALID', command));
      const output = await handler(input);
      answers.push(output);
      return ok(output as CommandOutput<K>);
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLink: (listener) => {
      linkListeners.add(listener);
      listener(link);
      return () => linkListeners.delete(listener);
    },
    offer,
    offerFolder: offer,
    ...HOST_FILE_URLS,
  };
};
