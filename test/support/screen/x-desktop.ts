/** A virtual desktop: a real X server with a window manager, whose screen can be divided into displays. */
import { openWindowManager } from './window-manager.ts';
import { openXScreen, type XScreen } from './x-screen.ts';

export interface XDesktop extends XScreen {
  /** Two displays, with the right one as the primary. */
  splitAt(x: number): Promise<void>;
  /** One display again. */
  join(): Promise<void>;
  /** The DPI reported to scale-aware programs; null: unset. */
  setDpi(dpi: number | null): Promise<void>;
}

export const openXDesktop = async (width: number, height: number): Promise<XDesktop> => {
  const screen = await openXScreen(width, height);
  const manager = await openWindowManager(screen);
  return {
    ...screen,
    async splitAt(x) {
      await screen.run('xrandr', '--setmonitor', 'Left', `${x}/100x${height}/100+0+0`, 'screen');
      await screen.run('xrandr', '--setmonitor', '*Right', `${width - x}/100x${height}/100+${x}+0`, 'none');
    },
    async join() {
      for (const name of ['Left', 'Right']) await screen.run('xrandr', '--delmonitor', name);
    },
    async setDpi(dpi) {
      if (dpi === null) await screen.run('xprop', '-root', '-remove', 'RESOURCE_MANAGER');
      else
        await screen.run(
          'xprop',
          '-root',
          '-f',
          'RESOURCE_MANAGER',
          '8s',
          '-set',
          'RESOURCE_MANAGER',
          `Xft.dpi:\t${dpi}\n`,
        );
    },
    async close() {
      await manager.close();
      await screen.close();
    },
  };
};
