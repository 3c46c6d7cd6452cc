/**
 * A panel over the other windows, as high as its page requests. It never takes the focus by itself, and is hidden while
 * it has nothing to show.
 */
import type { BrowserWindow, Rectangle, Size } from 'electron';
import type { Clock } from '../../engine/ports.ts';
import type { AppEvent } from '../../ipc/protocol/ipc.ts';
import { DESKTOP_CHANNELS } from '../../ipc/protocol/preload-api.ts';
import { type PageName, pageAddress } from '../page-addresses.ts';
import { createSafeWindow } from './safe-window.ts';

/** Until the desktop has repainted without a hidden window. */
const GONE_MS = 40;
/** Avoids flicker when a page has nothing to show for a moment. */
const LINGER_MS = 150;
const NEVER = new AbortController().signal;

export interface PanelDeps {
  readonly page: Extract<PageName, 'toast' | 'recorder'>;
  /** In logical pixels. */
  readonly width: number;
  readonly place: (size: Size) => Rectangle;
  /** Asked each time before it appears. */
  readonly mayShow: () => Promise<boolean>;
  /** `hidden`: excluded from recordings, where the platform can. */
  readonly inRecordings: 'shown' | 'hidden';
  readonly onShown: () => void;
  readonly platform: NodeJS.Platform;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface Panel {
  /** Loads the page, so that it can request its height. `awake`: it was loaded already. */
  wake(): 'awake' | 'waking';
  send(event: AppEvent): void;
  /** The page's height; null: nothing to show. */
  fit(height: number | null): void;
  /** Hides it until `reveal` is called as often; resolves when it is no longer visible. */
  conceal(): Promise<void>;
  reveal(): void;
  close(): void;
}

export const createPanel = (deps: PanelDeps): Panel => {
  const { page, width, place, mayShow, inRecordings, onShown, platform, clock } = deps;
  let window: BrowserWindow | null = null;
  let height: number | null = null;
  /** Number of callers that hide it. */
  let concealed = 0;
  let leaving = new AbortController();

  const open = (): BrowserWindow => {
    const fresh = createSafeWindow(
      {
        width,
        height: 1,
        show: false,
        frame: false,
        transparent: true,
        hasShadow: false,
        resizable: false,
        movable: page === 'recorder',
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        skipTaskbar: true,
        alwaysOnTop: true,
        hiddenInMissionControl: true,
        title: 'Linkshot',
        // Pressing its buttons leaves the other program in front.
        ...(platform === 'darwin' && { type: 'panel' }),
      },
      'while-hidden',
    );
    fresh.removeMenu();
    fresh.setAlwaysOnTop(true, 'screen-saver');
    fresh.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    if (inRecordings === 'hidden') fresh.setContentProtection(true);
    fresh.on('closed', () => {
      window = null;
      height = null;
    });
    fresh.webContents.on('render-process-gone', () => fresh.destroy());
    void fresh.loadURL(pageAddress(page));
    return fresh;
  };

  const show = async (): Promise<void> => {
    const isAllowed = await mayShow();
    // The page may have changed its height meanwhile.
    if (!isAllowed || concealed > 0 || height === null || !window || window.isVisible()) return;
    window.setBounds(place({ width, height }));
    window.showInactive();
    onShown();
  };

  return {
    wake: () => {
      if (window) return 'awake';
      window = open();
      return 'waking';
    },
    send: (event) => window?.webContents.send(DESKTOP_CHANNELS.event, event),
    fit(wanted) {
      height = wanted;
      leaving.abort();
      if (!window) return;
      if (height === null) {
        leaving = new AbortController();
        clock.sleep(LINGER_MS, leaving.signal).then(
          () => window?.hide(),
          () => {},
        );
      } else if (window.isVisible()) window.setBounds(place({ width, height }));
      else void show();
    },
    async conceal() {
      concealed += 1;
      if (!window?.isVisible()) return;
      window.hide();
      await clock.sleep(GONE_MS, NEVER);
    },
    reveal() {
      concealed -= 1;
      if (concealed === 0 && height !== null) void show();
    },
    close() {
      leaving.abort();
      window?.destroy();
    },
  };
};
