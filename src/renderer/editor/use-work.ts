/** Opens the picture of a waiting capture, or goes on with what was drawn on it before. */

import { useCallback, useEffect, useState } from 'react';
import type { Held, WaitingCapture } from '../stores/editing.ts';
import { usePage } from '../stores/use-page.tsx';
import { measureText } from './marks/paint.ts';
import { isEditable, loadOriginal } from './picture/original.ts';
import { createEditorSession } from './session.ts';
import { isDrawing } from './tools.ts';

export type Work =
  | { readonly state: 'loading' | 'missing' | 'tooLarge' }
  | { readonly state: 'ready'; readonly held: Held };

const createMeasure = () => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  return (text: string, size: number) => measureText(context, text, size);
};

/** The pattern of a mosaic need not be secret, only new. */
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export const useWork = (capture: WaitingCapture): { readonly work: Work; readonly retry: () => void } => {
  const { editing, addresses } = usePage();
  const { id, width, height } = capture;
  const [attempt, setAttempt] = useState(0);
  const [work, setWork] = useState<Work>(() => {
    const held = editing.held(id);
    return held ? { state: 'ready', held } : { state: isEditable({ width, height }) ? 'loading' : 'tooLarge' };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads anew
  useEffect(() => {
    if (editing.held(id) || !isEditable({ width, height })) return;
    const ending = new AbortController();
    void loadOriginal(addresses.captureUrl(id, 'picture'), ending.signal).then((original) => {
      if (ending.signal.aborted) return original?.close();
      if (original === null) return setWork({ state: 'missing' });
      const picture = { width: original.width, height: original.height };
      const { tool, style } = editing.tools();
      const session = createEditorSession({
        picture,
        style,
        // A crop is for one picture; a tool that draws is likely wanted again.
        tool: tool && isDrawing(tool) ? tool : 'arrow',
        seed: newSeed,
        measure: createMeasure(),
      });
      const held = { id, session, original };
      editing.hold(held);
      setWork({ state: 'ready', held });
    });
    return () => ending.abort();
  }, [editing, addresses, id, width, height, attempt]);

  const retry = useCallback((): void => {
    setWork({ state: 'loading' });
    setAttempt((count) => count + 1);
  }, []);
  return { work, retry };
};
