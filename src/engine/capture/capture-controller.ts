/**
 * Runs one capture session at a time: freezes the screen, lets the user select an area of it, and then takes a
 * screenshot, starts a scrolling capture or a recording, or reads the text. Also runs the editor and the actions that
 * follow a screenshot. A cancelled session leaves no file; a screenshot that is discarded in the editor can be restored
 * for a while.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import {
  Area,
  type CaptureMode,
  type CapturePurpose,
  type CaptureSession,
  type CaptureSessionIn,
  SINGLE_ACTION,
} from '../../ipc/protocol/capture.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, done } from '../empty-result.ts';
import type { Pixels, Random } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { Spool } from '../profile/spool.ts';
import { toArea } from './areas.ts';
import type { CaptureAction, CaptureApi } from './capture-interface.ts';
import { type CaptureDeps, type CaptureNow, createCapture } from './capture-now.ts';
import { actionsOf, pendingOf, publishedAs } from './choose-post-capture-actions.ts';
import { createDiscardedCaptures, type DiscardedCaptures } from './discarded-captures.ts';
import { createEditedCapture, type EditedCapture, NOT_IN_EDITOR } from './edited-capture.ts';
import { createEditorDrafts, type EditorDrafts } from './editor-drafts.ts';
import { areaWithoutSelection, type FrozenScreen, freeze, screenshotOf } from './frozen-screen.ts';
import type { PicturesFolder } from './pictures-folder.ts';
import { createPostCaptureActions, type PostCaptureDeps } from './post-capture-actions.ts';
import { onDesktop, titleAt } from './resolve-capture-target.ts';
import { createReview } from './review-waiting-item.ts';
import { saveCopy } from './save-copy.ts';
import { createSaveToSpool, type SaveToSpoolDeps, type Subject } from './save-to-spool.ts';
import { type ScrollCapture, startScrollCapture } from './scroll/start-scroll-capture.ts';

export interface CaptureController {
  /** A session or the editor is open, also while nothing of it is shown. */
  isBusy(): boolean;
  /** The session or the editor, as windows show it; null: neither is open. */
  session(): CaptureSession | null;
  readonly discarded: Pick<DiscardedCaptures, 'all' | 'files' | 'clear'>;
  readonly commands: CaptureApi;
  readonly grab: CaptureNow['grab'];
  /** Path of the screenshot in the editor; null: it is no longer there. */
  readonly edited: (id: CaptureId) => string | null;
  readonly undrawn: EditedCapture['undrawn'];
  readonly isDrawnOn: EditorDrafts['isDrawnOn'];
  /** Resumes what a crash interrupted. */
  resume(): Promise<void>;
  /** Call when the item is published or cancelled. */
  released(id: ItemId): void;
  close(): Promise<void>;
}

export interface CaptureControllerDeps
  extends Omit<SaveToSpoolDeps & CaptureDeps, 'publish' | 'last'>,
    Omit<PostCaptureDeps, 'save' | 'drafts'> {
  readonly profile: Profile;
  readonly spool: Pick<Spool, 'has'>;
  readonly random: Random;
  readonly settings: () => Settings;
  readonly pictures: PicturesFolder;
  /** Before a scrolling capture, where the page of the app covers the screen. */
  readonly scrollLeadMs?: number;
  /** Whether a recording is active. */
  readonly isRecording: () => boolean;
  readonly record: (area: Area, signal: AbortSignal) => Promise<Result<unknown>>;
  /** Reads the text of a selection; the session has ended. */
  readonly readText: (id: CaptureId, pixels: Pixels) => void;
  readonly notify: (notice: Failure) => void;
  readonly onChange: () => void;
}

/** The open session; `shown` and `scroll` null: the screen is being frozen, or the screenshot is being written. */
interface OpenSession {
  readonly mode: CaptureMode;
  readonly purpose: CapturePurpose;
  readonly ending: AbortController;
  shown: CaptureSessionIn<'waiting' | 'choosing'> | null;
  screen: FrozenScreen | null;
  scroll: ScrollCapture | null;
  isTaking: boolean;
}

type Taken = Result<{ item: ItemId | null }>;

/**
 * Before a delayed screenshot or a recording: time for our windows to leave the screen, so that they are not captured.
 */
const CLEARING_MS = 250;

const SESSION_ENDED = err(failure('CAPTURE_GONE', 'This capture has ended. Start a new one.'));
const CANCELLED = err(failure('CANCELLED', 'The capture was cancelled.'));
const BUSY = err(failure('CAPTURE_BUSY', 'A capture is already in progress. Finish or cancel it first.'));
const RECORDING = err(failure('CAPTURE_BUSY', 'A recording is already in progress. Stop it first.'));
export const createCaptureController = (deps: CaptureControllerDeps): CaptureController => {
  const { clock, random, capturer, pending, settings, onChange } = deps;
  const last = createPersistedValue(deps.profile, 'lastRegion', Area);
  const saveToSpool = createSaveToSpool(deps);
  const drafts = createEditorDrafts(random, deps.spool);
  const discarded = createDiscardedCaptures({ ...deps, drafts });
  const actions = createPostCaptureActions({
    ...deps,
    drafts,
    save: (path, name) => saveCopy(path, name, { pictures: deps.pictures, folder: settings().saveFolder }),
  });
  const editor = createEditedCapture({ ...deps, actions, discarded, drafts });

  /** Publishes a screenshot without the editor; one that cannot be queued opens there, and `params.keptIn` says so. */
  const publish = async (subject: Subject, share: LinkSettings): Promise<Result<ItemId>> => {
    const saved = await saveToSpool(subject, (file) => {
      pending.put(publishedAs(file, share));
      return true;
    });
    if (!saved.ok) return saved;
    const { path } = saved.value;
    const after = SINGLE_ACTION.publish;
    const item = await actions.run(publishedAs(saved.value, share), { picture: path, after, share });
    onChange();
    if (!item.ok) return err({ ...item.error, params: { ...item.error.params, keptIn: 'editor' } });
    if (item.value === null) throw new Error('A screenshot was published, and has no item.');
    return ok(item.value);
  };

  const { grab, ...now } = createCapture({ ...deps, publish, last: last.read });
  let open: OpenSession | null = null;
  const isBusy = (): boolean => open !== null || editor.shown() !== null;
  const scrollingAs = (id: CaptureId): ScrollCapture | null => (open?.scroll?.id === id ? open.scroll : null);

  /** A scrolling capture may still save its picture when its session is over. */
  let settling: Promise<void> | undefined;
  const close = (session: OpenSession) => {
    if (open !== session) return;
    open = null;
    settling = session.scroll?.settled();
    onChange();
  };

  /** From the request to the frozen screen; where nothing needs to be selected, it goes on with the area at once. */
  const begin = async (session: OpenSession, signal: AbortSignal): Promise<Result<unknown>> => {
    const pressedAt = clock.now();
    const frozen = await freeze(capturer, settings().capturePointer, signal);
    if (open !== session) return CANCELLED;
    if (!frozen.ok) return frozen;
    const screen = frozen.value;
    const lastArea = last.read();
    const area = areaWithoutSelection(session.mode, screen, lastArea);
    if (area) return area.ok ? take(session, screen, area.value, null, signal) : area;
    session.screen = screen;
    session.shown = {
      state: 'choosing',
      id: random.uuid() as string as CaptureId,
      ...{ mode: session.mode, purpose: session.purpose, pressedAt },
      ...{ displays: [...screen.displays], windows: [...screen.windows] },
      last: lastArea && onDesktop(lastArea, screen.displays).ok ? lastArea : null,
    };
    onChange();
    return DONE;
  };

  /** Closes the session on every failure. */
  const run = async (session: OpenSession, signal: AbortSignal): Promise<Result<unknown>> => {
    let begun: Result<unknown> = CANCELLED;
    try {
      begun = await begin(session, signal);
      return begun;
    } catch (error) {
      if (signal.aborted) return begun;
      throw error;
    } finally {
      if (!begun.ok) close(session);
    }
  };

  const runLater = async (session: OpenSession, delayMs: number): Promise<void> => {
    const { signal } = session.ending;
    await clock.sleep(Math.max(0, delayMs - CLEARING_MS), signal);
    session.shown = null;
    onChange();
    await clock.sleep(Math.min(delayMs, CLEARING_MS), signal);
    const begun = await run(session, signal);
    if (!begun.ok && begun.error.code !== 'CANCELLED') deps.notify(begun.error);
  };

  const start: CaptureApi['start'] = async ({ mode, purpose = 'picture', delaySeconds }, signal) => {
    if (isBusy()) {
      deps.emit({ type: 'recalled' });
      return BUSY;
    }
    if (purpose === 'recording' && deps.isRecording()) return RECORDING;
    const delayMs = (delaySeconds ?? settings().captureDelaySeconds) * 1000;
    const ending = new AbortController();
    const session: OpenSession = { mode, purpose, ending, shown: null, screen: null, scroll: null, isTaking: false };
    open = session;
    if (delayMs === 0) {
      const begun = await run(session, AbortSignal.any([signal, ending.signal]));
      return begun.ok ? DONE : begun;
    }
    session.shown = { state: 'waiting', mode, purpose, startsAt: clock.now() + delayMs };
    onChange();
    // Continues when the caller has disconnected.
    runLater(session, delayMs).catch(() => close(session));
    return DONE;
  };

  /** From the selection to the screenshot. After a full disk the frozen screen stays open to select again. */
  const choose: CaptureApi['choose'] = async ({ id, area, way }, signal) => {
    const session = open;
    if (!session?.screen || session.isTaking || session.shown?.state !== 'choosing' || session.shown.id !== id)
      return SESSION_ENDED;
    const chosen = onDesktop(area, session.screen.displays);
    if (!chosen.ok) return chosen;
    last.note(toArea(area));
    session.isTaking = true;
    try {
      return await take(session, session.screen, toArea(area), way, signal);
    } finally {
      session.isTaking = false;
    }
  };

  /** From the area to the file in the spool; then the editor opens, or the actions run. */
  const take = async (
    session: OpenSession,
    screen: FrozenScreen,
    area: Area,
    action: CaptureAction,
    signal: AbortSignal,
  ): Promise<Taken> => {
    if (session.purpose === 'recording') return record(session, area, signal);
    if (action === 'text' || session.purpose === 'text') return read(session, screen, area);
    if (action === 'scroll' || session.purpose === 'scrolling') return scroll(session, screen, area);
    return keep(session, screenshotOf(screen, area, session.mode), action, area);
  };

  const keep = async (
    session: OpenSession,
    subject: Subject,
    action: Exclude<CaptureAction, 'text' | 'scroll'>,
    area?: Area,
  ): Promise<Taken> => {
    const after = actionsOf(action, settings());
    const saved = await saveToSpool(subject, (file) => {
      if (open !== session) return false;
      pending.put(pendingOf(file, after));
      return true;
    });
    if (!saved.ok) return saved;
    close(session);
    if (!after) return ok({ item: null });
    const capture = pendingOf(saved.value, after);
    const finished = await actions.run(capture, { picture: capture.path, after, share: {}, area });
    onChange();
    return itemOf(finished);
  };

  const idOf = ({ shown }: OpenSession): CaptureId =>
    shown?.state === 'choosing' ? shown.id : (random.uuid() as string as CaptureId);

  /** The screen is no longer frozen while it scrolls. */
  const scroll = (session: OpenSession, screen: FrozenScreen, area: Area): Taken => {
    const { mode, ending } = session;
    const title = titleAt(area, screen);
    const ends = {
      ...{ clock, capturer, onChange },
      begun() {
        session.shown = null;
        onChange();
      },
      keep: (pixels: Pixels) => keep(session, { pixels, mode, title }, null),
      failed(failure: Failure, isEmpty: boolean) {
        deps.notify(failure);
        if (isEmpty) close(session);
      },
    };
    const delayMs = deps.scrollLeadMs ?? CLEARING_MS;
    session.scroll = startScrollCapture(ends, { id: idOf(session), area, delayMs }, ending.signal);
    session.shown = deps.scrollLeadMs
      ? { state: 'waiting', mode, purpose: 'scrolling', startsAt: clock.now() + delayMs }
      : null;
    session.screen = null;
    onChange();
    return ok({ item: null });
  };

  /** The screen is free while its text is read. */
  const read = (session: OpenSession, screen: FrozenScreen, area: Area): Taken => {
    const id = idOf(session);
    const { pixels } = screenshotOf(screen, area, session.mode);
    close(session);
    deps.readText(id, pixels);
    return ok({ item: null });
  };

  const record = async (session: OpenSession, area: Area, signal: AbortSignal): Promise<Taken> => {
    const wasShown = session.shown !== null;
    close(session);
    // A countdown is longer than the frozen screen takes to close; without one it would be in the first frames.
    if (wasShown && settings().recordingCountdownSeconds === 0) await clock.sleep(CLEARING_MS, signal).catch(() => {});
    const begun = await deps.record(area, signal);
    return begun.ok ? ok({ item: null }) : begun;
  };

  const review = createReview({
    ...deps,
    mayOpen() {
      if (!isBusy()) return DONE;
      deps.emit({ type: 'recalled' });
      return BUSY;
    },
  });

  const cancel = (): void => {
    if (open) {
      open.ending.abort();
      close(open);
      return;
    }
    editor.discard();
  };

  return {
    isBusy,
    session() {
      return open?.shown ?? open?.scroll?.shown() ?? editor.shown();
    },
    commands: {
      ...now,
      ...{ start, choose, review },
      copy: editor.copy,
      finish: async (request) => itemOf(await editor.finish(request)),
      stopScrolling: async ({ id }) => scrollingAs(id)?.stop() ?? SESSION_ENDED,
      async undoScrolling({ id }) {
        scrollingAs(id)?.undo();
        return scrollingAs(id) ? DONE : SESSION_ENDED;
      },
      async cancel() {
        cancel();
        return DONE;
      },
      copied({ id }) {
        actions.copied(id);
        return DONE;
      },
      restore: ({ id }) => (isBusy() ? BUSY : done(discarded.restore(id))),
      async draft({ id }) {
        const capture = editor.find(id);
        return ok(capture ? await drafts.read(capture.path) : { draft: null, version: null });
      },
      async keepDraft({ id, draft, basis }) {
        const capture = editor.find(id);
        return capture ? done(await drafts.write(capture.path, draft, basis)) : NOT_IN_EDITOR;
      },
      frame(id, number) {
        if (number === 0) return scrollingAs(id)?.preview() ?? null;
        if (open?.shown?.state !== 'choosing' || open.shown.id !== id) return null;
        return open.screen?.frames.find(({ display }) => display.number === number)?.pixels.data ?? null;
      },
      pendingCopy: actions.pendingCopy,
      picture: (id) => editor.find(id)?.path ?? null,
      clipboardPicture: actions.forClipboard,
    },
    grab,
    edited: (id) => editor.find(id)?.path ?? null,
    undrawn: editor.undrawn,
    isDrawnOn: drafts.isDrawnOn,
    discarded,
    async resume() {
      discarded.wake();
      await actions.resume();
    },
    released: actions.released,
    async close() {
      if (open) cancel();
      await Promise.all([settling, actions.close(), discarded.close()]);
    },
  };
};

const itemOf = (finished: Result<ItemId | null>): Taken => (finished.ok ? ok({ item: finished.value }) : finished);
