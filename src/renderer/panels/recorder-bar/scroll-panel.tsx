/**
 * The panel of a scrolling capture: a preview of the lowest part captured so far, the size of the whole picture, a note
 * when new frames cannot be added or parts may not be joined exactly, and the buttons Stop, Cancel and Undo.
 */
import { Check, Undo2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { CaptureSessionIn } from '../../../ipc/protocol/capture.ts';
import { SCROLL_PREVIEW_WIDTH } from '../../../ipc/protocol/scroll.ts';
import { Button } from '../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { ownKeys } from '../../locales/platform-keys.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './scroll-panel.module.css';
import { useWindowKey } from './use-window-key.ts';

type Scrolling = CaptureSessionIn<'scrolling'>;

export const ScrollPanel = ({ capture }: { readonly capture: Scrolling }) => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.panels.scroll;
  const { id, by, width, length, canUndo, isExact, note } = capture;
  const isEmpty = length === 0;
  const isSaving = by === 'saving';
  const stop = (): void => {
    if (!isEmpty && !isSaving) void engine.run('capture.stopScrolling', { id });
  };
  const cancel = (): void => {
    if (!isSaving) void engine.run('capture.cancel', {});
  };
  useWindowKey('Enter', stop);
  useWindowKey('Escape', cancel);
  const advice = note === null ? (isExact ? null : words.inexact) : words.notes[note];
  return (
    <div className={styles.panel}>
      <Preview capture={capture} />
      <div className={styles.side}>
        <p className={styles.title} role="status">
          {isEmpty && by !== 'saving' ? words.beginning : words[by]}
        </p>
        {!isEmpty && (
          <p className={styles.size}>
            <span aria-hidden>{words.size(format.number(width), format.number(length))}</span>
            <VisuallyHidden>{words.spokenSize(format.number(length))}</VisuallyHidden>
          </p>
        )}
        <p className={styles.note} role="status">
          {advice}
        </p>
        <div className={styles.actions}>
          <Button tone="primary" icon={Check} isDisabled={isEmpty || isSaving} onPress={stop}>
            {words.stop}
            <kbd className={styles.key}>{ownKeys('Enter')}</kbd>
          </Button>
          <Button tone="quiet" icon={X} isDisabled={isSaving} onPress={cancel}>
            {words.cancel}
            <kbd className={styles.key}>{ownKeys('Esc')}</kbd>
          </Button>
          <Button
            icon={Undo2}
            isDisabled={!canUndo || isSaving}
            onPress={() => void engine.run('capture.undoScrolling', { id })}
          >
            {words.undo}
          </Button>
        </div>
      </div>
    </div>
  );
};

const BYTES_PER_PIXEL = 4;

const Preview = ({ capture: { id, width, revision } }: { readonly capture: Scrolling }) => {
  const { addresses } = useAppStores();
  const { t } = useLocale();
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each revision is another picture at the same address
  useEffect(() => {
    const ending = new AbortController();
    const load = async (): Promise<void> => {
      const reply = await fetch(addresses.captureUrl(id, { display: 0 }), { signal: ending.signal });
      if (!reply.ok) return;
      const bytes = new Uint8ClampedArray(await reply.arrayBuffer());
      const columns = Math.min(SCROLL_PREVIEW_WIDTH, width);
      const rows = bytes.length / BYTES_PER_PIXEL / columns;
      const context = canvas.current?.getContext('2d');
      if (!context || ending.signal.aborted || !Number.isInteger(rows) || rows === 0) return;
      context.canvas.width = columns;
      context.canvas.height = rows;
      context.putImageData(new ImageData(bytes, columns, rows), 0, 0);
    };
    // The next revision loads it again.
    if (width > 0) load().catch(() => {});
    return () => ending.abort();
  }, [addresses, id, width, revision]);
  return (
    <div className={styles.preview}>
      <canvas ref={canvas} className={styles.picture} role="img" aria-label={t.panels.scroll.preview} />
    </div>
  );
};
