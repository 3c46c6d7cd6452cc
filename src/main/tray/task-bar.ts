/** The queue in the task bar: progress on the window's button, and a badge while something needs the person. */
import { join } from 'node:path';
import { app, nativeImage } from 'electron';
import type { AppEvent } from '../../contract/ipc.ts';
import type { AppWindow } from '../windows/main-window.ts';
import type { Words } from '../words.ts';
import { summaryOf } from './summary.ts';

export interface TaskBarDeps {
  readonly window: Pick<AppWindow, 'window'>;
  readonly words: () => Words;
  readonly iconDir: string;
  readonly platform: NodeJS.Platform;
}

/** Answers what follows the state. */
export const createTaskBar = ({ window, words, iconDir, platform }: TaskBarDeps): ((event: AppEvent) => void) => {
  let told = '';
  return (event) => {
    const shown = window.window();
    if (event.type !== 'state' || !shown) return;
    const { waiting, failed, isPaused, part } = summaryOf(event.state.queue);
    const progress = waiting === 0 ? -1 : Math.floor((part ?? 0) * 100) / 100;
    const mode = waiting === 0 ? 'none' : failed > 0 ? 'error' : isPaused ? 'paused' : 'normal';
    const now = JSON.stringify([shown.id, progress, mode, failed]);
    if (now === told) return;
    told = now;
    shown.setProgressBar(progress, { mode });
    if (platform === 'win32') {
      const badge = failed > 0 ? nativeImage.createFromPath(join(iconDir, 'tray', 'badge.png')) : null;
      shown.setOverlayIcon(badge, failed > 0 ? words().tip.failed(failed) : '');
    } else app.setBadgeCount(failed);
  };
};
