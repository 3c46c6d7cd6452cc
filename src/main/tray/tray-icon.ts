/** The tray icon and its tooltip: what needs the user first, then what runs. */

import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { QueueProgress } from '../../ipc/protocol/queue-progress.ts';
import type { Messages } from '../messages.ts';
import { summaryOf } from './queue-summary.ts';

/** Files `resources/tray/<name>.png`; the steps of `progress` are quarters. */
export const TRAY_ICONS = [
  'idle',
  'progress-0',
  'progress-1',
  'progress-2',
  'progress-3',
  'recording',
  'failure',
] as const;
type TrayIcon = (typeof TRAY_ICONS)[number];

export interface TrayIconState {
  readonly icon: TrayIcon;
  readonly tip: string;
}

const QUARTERS = ['progress-0', 'progress-1', 'progress-2', 'progress-3'] as const;

export const trayIconState = (
  { queue, recording }: Pick<AppState, 'queue' | 'recording'>,
  batch: QueueProgress | null,
  { tip }: Messages,
): TrayIconState => {
  switch (recording?.state) {
    case 'countdown':
    case 'recording':
      return { icon: 'recording', tip: tip.recording };
    case 'paused':
      return { icon: 'recording', tip: tip.recordingPaused };
  }
  const { waiting, failed, isPaused, part } = summaryOf(queue, batch);
  if (failed > 0) return { icon: 'failure', tip: tip.failed(failed) };
  if (waiting === 0) return { icon: 'idle', tip: tip.idle };
  if (isPaused) return { icon: 'idle', tip: tip.paused(waiting) };
  const percent = part === null ? null : Math.floor(part * 100);
  return { icon: QUARTERS[Math.min(3, Math.floor((part ?? 0) * 4))] ?? 'progress-0', tip: tip.busy(waiting, percent) };
};
