/** The main window. It opens on request, hides when it is closed, and comes to the front when the user is needed. */
import type { BrowserWindow, Rectangle } from 'electron';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { DESKTOP_CHANNELS } from '../../ipc/protocol/preload-api.ts';
import { pageAddress } from '../page-urls.ts';
import { createSafeWindow } from './safe-window.ts';

/** Screens of the main page, as its address names them. */
export type MainScreen = 'home' | 'library' | 'settings' | 'note';

export interface MainWindow {
  /** Opens it, or brings it to the front; on this screen, if given. */
  show(screen?: MainScreen): void;
  isFocused(): boolean;
  /** Zooms it in or out while it has the focus. */
  zoom(way: 'in' | 'out' | 'reset'): void;
  /** The window itself, where the system needs one; null without one. */
  window(): BrowserWindow | null;
  send(event: AppEvent): void;
  /** From now on closing the window really closes it, and it is not shown any more. */
  release(): void;
}

/** What outlives the window: its position, and whether a user finds it again. */
export interface MainWindowDeps {
  readonly place: () => Partial<Rectangle>;
  /** Called with each new window. */
  readonly follow: (window: BrowserWindow) => void;
  /** Called when the user closes it; false: it stays. */
  readonly mayHide: () => Promise<boolean>;
}

const ZOOMS: readonly number[] = [0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const create = (place: Partial<Rectangle>): BrowserWindow =>
  createSafeWindow(
    {
      width: 960,
      height: 720,
      ...place,
      minWidth: 420,
      minHeight: 480,
      show: false,
      title: 'Linkshot',
    },
    'when-shown',
  );

/** What waits for the user in the window: the screenshot in the editor, or the recording in review; null: nothing. */
const pendingOf = ({ capture, recording }: Pick<AppState, 'capture' | 'recording'>): string | null => {
  if (capture?.state === 'editing') return capture.id;
  return recording?.state === 'review' ? recording.id : null;
};

/** At a quit. Without a visible window, Windows does not wait for an app when it shuts down; a minimized one counts. */
export const putAway = (window: BrowserWindow, platform: NodeJS.Platform): void => {
  if (platform === 'win32') window.minimize();
  else window.hide();
};

export const createMainWindow = ({ place, follow, mayHide }: MainWindowDeps): MainWindow => {
  let window: BrowserWindow | null = null;
  let isReleased = false;
  let zoomed = ZOOMS.indexOf(1);
  let pending: string | null | undefined;
  let isClosing = false;

  const applyZoom = ({ webContents }: BrowserWindow): void => webContents.setZoomFactor(ZOOMS[zoomed] ?? 1);

  const close = async (closed: BrowserWindow): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    const mayClose = await mayHide().finally(() => {
      isClosing = false;
    });
    if (mayClose && !closed.isDestroyed()) closed.hide();
  };

  const open = (screen?: MainScreen): BrowserWindow => {
    const fresh = create(place());
    follow(fresh);
    // Chromium would zoom the app's other windows too: their pages have the same origin.
    fresh.webContents.setZoomMode('isolated');
    fresh.webContents.on('did-finish-load', () => applyZoom(fresh));
    fresh.once('ready-to-show', () => {
      if (!isReleased) fresh.show();
    });
    // Uploads continue in the tray.
    fresh.on('close', (event) => {
      if (isReleased) return;
      event.preventDefault();
      void close(fresh);
    });
    fresh.on('closed', () => {
      window = null;
    });
    void fresh.loadURL(pageAddress('index', screen));
    return fresh;
  };

  const show: MainWindow['show'] = (screen) => {
    if (isReleased) return;
    if (!window) {
      window = open(screen);
      return;
    }
    const address = pageAddress('index', screen);
    // If only the part after `#` differs, the page stays; the same address would reload it.
    if (screen && window.webContents.getURL() !== address) void window.loadURL(address);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };

  return {
    show,
    isFocused: () => window?.isFocused() ?? false,
    zoom(way) {
      if (!window?.isFocused()) return;
      const step = { in: zoomed + 1, out: zoomed - 1, reset: ZOOMS.indexOf(1) }[way];
      zoomed = Math.max(0, Math.min(step, ZOOMS.length - 1));
      applyZoom(window);
    },
    window: () => window,
    send(event) {
      window?.webContents.send(DESKTOP_CHANNELS.event, event);
      // A capture was requested while a screenshot waits in the editor.
      if (event.type === 'recalled' && pending) show();
      if (event.type !== 'state') return;
      const before = pending;
      pending = pendingOf(event.state);
      // The window shows what was pending at the start, whenever it opens.
      if (pending !== null && before !== undefined && pending !== before) show();
    },
    release: () => {
      isReleased = true;
    },
  };
};
