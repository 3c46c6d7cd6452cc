/** Shows the queue in the task bar: progress on the window's button, and a badge while something needs the user. */
import { join } from 'node:path';
import { app, nativeImage } from 'electron';
import type { Queue } from '../../ipc/protocol/app-state.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { createQueueProgress, type QueueProgress } from '../../ipc/protocol/queue-progress-tracker.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import type { MainWindow } from '../windows/main-window.ts';
import { summaryOf } from './queue-summary.ts';

export interface TaskBarDeps {
  readonly window: Pick<MainWindow, 'window'>;
  readonly messages: () => DesktopTexts;
  readonly iconDir: string;
  readonly platform: NodeJS.Platform;
}

/** The state of the window's button. */
export interface TaskBarState {
  /** In [0, 1], in steps of a hundredth; -1: no bar. */
  readonly progress: number;
  /** `indeterminate`: in progress, but the share is unknown. */
  readonly mode: 'none' | 'normal' | 'indeterminate' | 'error' | 'paused';
  /** The number of items that need the user. */
  readonly badge: number;
}

export const taskBarStateOf = (queue: Queue, batch: QueueProgress | null): TaskBarState => {
  const { waiting, failed, isPaused, part } = summaryOf(queue, batch);
  if (waiting === 0) return { progress: -1, mode: 'none', badge: failed };
  const progress = Math.floor((part ?? 0) * 100) / 100;
  const going = part === null ? 'indeterminate' : 'normal';
  return { progress, mode: failed > 0 ? 'error' : isPaused ? 'paused' : going, badge: failed };
};

/** Returns an event listener. */
export const createTaskBar = ({ window, messages, iconDir, platform }: TaskBarDeps): ((event: AppEvent) => void) => {
  const follow = createQueueProgress();
  let last = '';
  /** Null until the first state: earlier errors are not announced. */
  let failed: number | null = null;
  return (event) => {
    const shown = window.window();
    if (event.type !== 'state') return;
    const batch = follow(event.state.queue);
    if (!shown) return;
    const look = taskBarStateOf(event.state.queue, batch);
    const now = JSON.stringify([shown.id, look]);
    if (now === last) return;
    last = now;
    const isNewFailure = failed !== null && look.badge > failed;
    failed = look.badge;
    shown.setProgressBar(look.progress, { mode: look.mode });
    if (platform === 'win32') {
      const badge = look.badge > 0 ? nativeImage.createFromPath(join(iconDir, 'tray', 'badge.png')) : null;
      shown.setOverlayIcon(badge, look.badge > 0 ? messages().tip.failed(look.badge) : '');
      if (isNewFailure && !shown.isFocused()) {
        shown.flashFrame(true);
        shown.once('focus', () => shown.flashFrame(false));
      }
    } else app.setBadgeCount(look.badge);
  };
};
