/** What is done when the process of a page ends by itself: once it is loaded anew, a second time the person decides. */
import type { BrowserWindow } from 'electron';
import type { Clock } from '../../engine/ports.ts';

/** A page that ends again so soon would do so for ever. */
const SOON_MS = 60_000;

export interface CrashedPageDeps {
  readonly window: Pick<BrowserWindow, 'isDestroyed' | 'destroy'> & {
    readonly webContents: Pick<BrowserWindow['webContents'], 'on' | 'reload'>;
  };
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Says that the window is closed and the work goes on. */
  readonly tell: () => void;
  readonly log: (line: string) => void;
}

export const reviveCrashedPage = ({ window, clock, tell, log }: CrashedPageDeps): void => {
  let last = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log(`The page of the window ended by itself (${reason}, ${exitCode}).`);
    const now = clock.monotonic();
    const isAgain = now - last < SOON_MS;
    last = now;
    if (!isAgain) return window.webContents.reload();
    // Electron is still telling others of it.
    setImmediate(() => {
      window.destroy();
      tell();
    });
  });
};
