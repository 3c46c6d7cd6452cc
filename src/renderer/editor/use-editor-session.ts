/** Opens the image of a pending capture and restores its drawing, from this window or from a closed one. */

import { useCallback, useEffect, useState } from 'react';
import type { CaptureDraft } from '../../ipc/protocol/drawing.ts';
import type { OpenDrawing, WaitingCapture } from '../stores/captures/editing-store.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';
import { autosaveDraft } from './draft-autosave.ts';
import { createEditorSession } from './editor-session.ts';
import type { Size } from './marks/mark.ts';
import { measureText } from './marks/paint.ts';
import { isEditable, loadOriginal } from './picture/original-image.ts';
import { isDrawing } from './tools.ts';

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
  const { editing, engine, addresses, toasts } = useAppStores();
  const { id, width, height } = capture;
  const [attempt, setAttempt] = useState(0);
  const [work, setWork] = useState<EditorSessionState>(() => {
    const drawing = editing.drawingOf(id);
    return drawing ? { state: 'ready', drawing } : { state: isEditable({ width, height }) ? 'loading' : 'tooLarge' };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
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
      const draft = autosaveDraft({
        session,
        share: editing.store,
        save: (drawn) => engine.ask('capture.keepDraft', { id, draft: drawn }),
        onReachable: (again) =>
          engine.store.subscribe(({ link }, before) => {
            if (link === 'up' && before.link !== 'up') again();
          }),
        onError: (failure) => toasts.show({ kind: 'failure', failure }),
      });
      const drawing = { id, session, original, draft };
      editing.setDrawing(drawing);
      setWork({ state: 'ready', drawing });
    };
    void open();
    return () => ending.abort();
  }, [editing, engine, addresses, toasts, id, width, height, attempt]);

  const retry = useCallback((): void => {
    setWork({ state: 'loading' });
    setAttempt((count) => count + 1);
  }, []);
  return { work, retry };
};
