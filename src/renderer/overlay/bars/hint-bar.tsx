/** Shown before anything is selected: instructions, alternatives to dragging, and the destination. */

import { Maximize2, RotateCcw, Scan, X } from 'lucide-react';
import type { Display } from '../../../ipc/protocol/capture.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { Order } from '../selection/keys.ts';
import type { SelectionDeps } from '../selection/selection-controller.ts';
import styles from './bar.module.css';
import { Destination } from './destination.tsx';
import { Key } from './key-hint.tsx';

interface HintBarProps {
  readonly session: SelectionDeps;
  readonly display: Display;
  readonly shows: 'all' | number;
  readonly onOrder: (order: Order) => void;
}

export const HintBar = ({ session, display, shows, onOrder }: HintBarProps) => {
  const { t } = useLocale();
  const { mode, windows, displays, last, purpose } = session;
  const hints = t.overlay.hints;
  const hint =
    mode === 'screen'
      ? hints.screen
      : mode === 'window'
        ? hints.window
        : windows.length > 0
          ? hints.region
          : hints.drag;
  return (
    <div className={styles.dock}>
      <div className={styles.bar}>
        <div className={styles.row}>
          <p className={styles.hint}>{hint}</p>
          {displays.length > 1 && (
            <fieldset className={styles.screens} aria-label={t.overlay.screens}>
              {displays.map(({ number, name }) => (
                <button
                  key={number}
                  type="button"
                  className={styles.screen}
                  aria-label={t.overlay.screen(number, name)}
                  aria-pressed={number === display.number}
                  aria-keyshortcuts={String(number)}
                  onClick={() => onOrder({ order: 'screen', number })}
                >
                  {number}
                </button>
              ))}
            </fieldset>
          )}
          <div className={styles.actions}>
            {last !== null && (
              <Button tone="quiet" icon={RotateCcw} onPress={() => onOrder({ order: 'last' })}>
                {t.overlay.last}
                <Key name="L" />
              </Button>
            )}
            <Button tone="quiet" icon={Scan} onPress={() => onOrder({ order: 'whole' })}>
              {t.overlay.whole}
              <Key name="Ctrl+A" />
            </Button>
            {shows === 'all' && <FullScreen />}
            <Button tone="quiet" icon={X} onPress={() => onOrder({ order: 'back' })}>
              {t.overlay.cancel}
              <Key name="Esc" />
            </Button>
          </div>
        </div>
        <Destination purpose={purpose} />
      </div>
    </div>
  );
};

/** Without the browser's own bars, a screenshot of the same screen fits pixel for pixel. */
const FullScreen = () => {
  const { t } = useLocale();
  return (
    <IconButton
      icon={Maximize2}
      label={t.overlay.fullScreen}
      // A refusal of the browser changes nothing.
      onPress={() => void document.documentElement.requestFullscreen().catch(() => {})}
    />
  );
};
