/**
 * Handles a crashed page process: reloads the page. If the page crashes again within a minute, its window is closed and
 * the user is notified.
 */
import type { BrowserWindow } from 'electron';
import type { Clock } from '../../engine/ports.ts';

/** A page that crashes again so soon would crash forever. */
const SOON_MS = 60_000;

export interface CrashedPageDeps {
  readonly window: Pick<BrowserWindow, 'isDestroyed' | 'destroy'> & {
    readonly webContents: Pick<BrowserWindow['webContents'], 'on' | 'reload'>;
  };
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Notifies that the window is closed and uploads continue. */
  readonly notify: () => void;
  readonly log: (line: string) => void;
}

export const recoverCrashedPage = ({ window, clock, notify, log }: CrashedPageDeps): void => {
  let last = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log(`The page of the window ended by itself (${reason}, ${exitCode}).`);
    const now = clock.monotonic();
    const isAgain = now - last < SOON_MS;
    last = now;
    if (!isAgain) return window.webContents.reload();
    // Electron is still notifying other listeners.
    setImmediate(() => {
      window.destroy();
      notify();
    });
  });
};
