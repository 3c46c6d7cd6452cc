/**
 * Hook that opens the image of a pending capture with its saved drawing, even if that was made in another window. Saves
 * the drawing shortly after each change, unless it is too large, and keeps the copy on the clipboard up to date.
 */

import { useEffect, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { type Failure, failure, type Result } from '../../api/errors.ts';
import { type CaptureDraft, isBasedOn } from '../../ipc/protocol/drawing.ts';
import { createEditorSession, type EditorSession } from '../drawing/editor-session.ts';
import type { Size } from '../drawing/mark.ts';
import { isDrawing } from '../drawing/tools.ts';
import type { CatchUp, OpenDrawing, StoredDrawing, WaitingCapture } from '../stores/captures/edited-capture-store.ts';
import type { EngineStore } from '../stores/engine-store.ts';
import { newRandomId } from '../stores/new-random-id.ts';
import { keepUnsavedWork } from '../stores/unsaved-work.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';
import { createClipboardSync } from './clipboard-sync.ts';
import { isEditable, loadOriginal } from './picture/original-image.ts';
import { measureText } from './picture/paint-marks.ts';

/** Longer than a pen stroke, short enough that a crash loses little. */
const PAUSE_MS = 300;
/** Well below the host's maximum message size; real drawings are far smaller. */
const MAX_CHARACTERS = 2_000_000;

interface DraftDeps {
  readonly session: EditorSession;
  readonly share: Pick<StoreApi<{ readonly share: CaptureDraft['share'] }>, 'getState' | 'subscribe'>;
  readonly save: (draft: CaptureDraft) => Promise<Result<unknown>>;
  readonly engine: EngineStore;
  readonly onError: (why: Failure) => void;
  readonly catchUp: () => Promise<CatchUp>;
}

/** Saves the drawing to the profile shortly after each change, so that a closed window loses nothing. */
const autosaveDraft = (deps: DraftDeps): Pick<StoredDrawing, 'flush' | 'end'> => {
  const { session, share, save, engine, onError, catchUp } = deps;
  const present = (): CaptureDraft => {
    const { share: link } = share.getState();
    return { drawing: session.documentToSave(), style: session.store.getState().style, share: link };
  };
  /** What the host has, as far as it has answered. */
  let stored = present();
  /** The newest on its way to the host. */
  let sent: CaptureDraft | null = null;
  let isTooLarge = false;
  let isRefused = false;
  let pause: ReturnType<typeof setTimeout> | null = null;

  const isKnown = ({ drawing, style, share: link }: CaptureDraft): boolean => {
    const known = sent ?? stored;
    return drawing === known.drawing && style === known.style && link === known.share;
  };

  const flush = async (): Promise<void> => {
    if (pause !== null) clearTimeout(pause);
    pause = null;
    const draft = present();
    if (isKnown(draft)) return;
    const wasTooLarge = isTooLarge;
    isTooLarge = JSON.stringify(draft).length > MAX_CHARACTERS;
    if (isTooLarge) {
      // Reported once, not on every stroke: the previous draft is still saved.
      if (!wasTooLarge)
        onError(failure('DRAWING_TOO_LARGE', `A draft of more than ${MAX_CHARACTERS} characters is not saved.`));
      return;
    }
    sent = draft;
    const saved = await save(draft);
    // An answer that a newer draft has overtaken says nothing.
    if (saved.ok && sent !== null) stored = draft;
    if (sent === draft) sent = null;
    // Retried with the next change, or when the host is reachable again.
    if (saved.ok) return;
    if (saved.error.code === 'DISK_FULL') onError(saved.error);
    if (saved.error.code !== 'DRAWING_NOT_APPLIED' || (await catchUp()) === 'loaded' || isRefused) return;
    // Reported once: this drawing is not saved.
    isRefused = true;
    onError(saved.error);
  };

  const changed = (): void => {
    if (pause === null && !isKnown(present())) pause = setTimeout(() => void flush(), PAUSE_MS);
  };
  const hidden = (): void => void flush();

  const isUnsaved = (): boolean => sent !== null || !isKnown(present());
  const kept = keepUnsavedWork(engine, { isUnsaved, save: hidden });
  const undo = [session.store.subscribe(changed), share.subscribe(changed), kept];
  document.addEventListener('visibilitychange', hidden);
  window.addEventListener('pagehide', hidden);
  return {
    flush,
    end() {
      if (pause !== null) clearTimeout(pause);
      for (const stop of undo) stop();
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', hidden);
    },
  };
};

export type EditorSessionState =
  | { readonly state: 'loading' | 'missing' | 'tooLarge' }
  | { readonly state: 'ready'; readonly drawing: OpenDrawing };

const createMeasure = () => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  return (text: string, size: number) => measureText(context, text, size);
};

const isOf = ({ width, height }: Size, { drawing: { picture } }: CaptureDraft): boolean =>
  picture.width === width && picture.height === height;

/** The pattern of a mosaic need not be secret, only new. */
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export const useEditorSession = (
  capture: WaitingCapture,
): { readonly work: EditorSessionState; readonly retry: () => void } => {
  const { editing, editedCopies, engine, addresses, clipboard, toasts } = useAppStores();
  const { id, width, height } = capture;
  const shown = useRef(capture);
  shown.current = capture;
  const [work, setWork] = useState<EditorSessionState>(() => {
    const drawing = editing.drawingOf(id);
    return drawing ? { state: 'ready', drawing } : { state: isEditable({ width, height }) ? 'loading' : 'tooLarge' };
  });

  useEffect(() => {
    if (editing.drawingOf(id) || !isEditable({ width, height })) return;
    const ending = new AbortController();
    const open = async (): Promise<void> => {
      const [original, known] = await Promise.all([
        loadOriginal(addresses.captureUrl(id, 'picture'), ending.signal),
        engine.ask('capture.draft', { id }),
      ]);
      if (ending.signal.aborted) return original?.close();
      // A window that could not read the saved draft must not overwrite it.
      if (original === null || !known.ok) {
        original?.close();
        return setWork({ state: 'missing' });
      }
      const picture = { width: original.width, height: original.height };
      const saved = known.value.draft && isOf(picture, known.value.draft) ? known.value.draft : null;
      const basis = { by: newRandomId(), read: (saved && known.value.version?.revision) ?? null };
      const catchUp = async (): Promise<CatchUp> => {
        const stored = await engine.ask('capture.draft', { id });
        if (!stored.ok) return 'unread';
        const { draft, version } = stored.value;
        if (!version || isBasedOn(version, basis)) return 'current';
        if (!draft || !isOf(picture, draft)) return 'unread';
        if (editing.drawingOf(id)?.session === session) {
          editing.reopen();
          toasts.show({ kind: 'editedElsewhere' });
        }
        return 'loaded';
      };
      if (saved) editing.setShare(saved.share);
      const { tool, style } = editing.tools();
      const session = createEditorSession({
        picture,
        drawn: saved?.drawing,
        style: saved?.style ?? style,
        // A crop belongs to one image; a drawing tool is likely wanted again.
        tool: tool && isDrawing(tool) ? tool : 'arrow',
        seed: newSeed,
        measure: createMeasure(),
      });
      const autosave = autosaveDraft({
        ...{ session, catchUp, engine },
        share: editing.store,
        save: (drawn) => engine.ask('capture.keepDraft', { id, draft: drawn, basis }),
        onError: (failure) => toasts.show({ kind: 'failure', failure }),
      });
      const draft = { ...autosave, basis, catchUp };
      const isOn = (): boolean =>
        editedCopies.canCopy() && (engine.store.getState().app?.settings.copyWhileEditing ?? false);
      const copies = createClipboardSync({
        ...{ session, original, isOn, clipboard, toasts },
        onChange: (changed) => {
          let wasOn = isOn();
          return engine.store.subscribe(({ link }, before) => {
            if (isOn() !== wasOn || (link === 'up' && before.link !== 'up')) changed();
            wasOn = isOn();
          });
        },
        copy: (png) => editedCopies.copy(shown.current, png, draft),
      });
      const drawing = { id, session, original, draft, copies };
      editing.setDrawing(drawing);
      setWork({ state: 'ready', drawing });
    };
    void open();
    return () => ending.abort();
  }, [editing, editedCopies, engine, addresses, clipboard, toasts, id, width, height]);

  return { work, retry: editing.reopen };
};
