/**
 * Creates windows without a frame that stay above others in every workspace: the overlay, the panels and the pinned
 * images. Such a window is hidden until it is shown.
 */
import type { BrowserWindow } from 'electron';
import { createSafeWindow, type Painting, type WindowOptions } from './safe-window.ts';

interface Floating {
  readonly level: 'floating' | 'screen-saver';
  readonly painting: Painting;
}

export const createFloatingWindow = (options: WindowOptions, { level, painting }: Floating): BrowserWindow => {
  const window = createSafeWindow(
    {
      show: false,
      frame: false,
      hasShadow: false,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      hiddenInMissionControl: true,
      ...options,
    },
    painting,
  );
  window.removeMenu();
  window.setAlwaysOnTop(true, level);
  window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
  return window;
};
