/**
 * Creates frameless windows that stay above other windows, on Linux and macOS in every workspace: the overlay, the
 * panels and the pinned images. A new window stays hidden until the caller shows it.
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
