/**
 * The two panels of the app: the toast that reports captures, and the bar for recordings, countdowns and scrolling
 * captures. Decides when and where each is shown, and hides them while they would be in a screenshot.
 */
import type { BrowserWindow, Rectangle, Screen, Size } from 'electron';
import type { ItemId } from '../../api/ids.ts';
import { isInside } from '../../engine/capture/areas.ts';
import type { Clock, ScreenCapturer } from '../../engine/ports.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { Area, OpenWindow } from '../../ipc/protocol/capture.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { DESKTOP_CHANNELS } from '../../ipc/protocol/preload-api.ts';
import { type PageName, pageAddress } from '../page-urls.ts';
import { displayUnder, type KnownDisplay, logicalArea } from './display-coordinates.ts';
import { createFloatingWindow } from './floating-window.ts';
import type { Placing } from './overlay-window.ts';
import { barPlace, cornerPlace, placeBeside } from './panel-layout.ts';

/** Until the desktop has repainted without a hidden window. */
const GONE_MS = 40;
/** Avoids flicker when a page has nothing to show for a moment. */
const LINGER_MS = 150;
const NEVER = new AbortController().signal;

interface PanelDeps {
  readonly page: Extract<PageName, 'toast' | 'recorder'>;
  /** In logical pixels. */
  readonly width: number;
  readonly place: (size: Size) => Rectangle;
  /** Asked each time before it appears. */
  readonly mayShow: () => Promise<boolean>;
  /** `hidden`: excluded from recordings, where the platform can. */
  readonly inRecordings: 'shown' | 'hidden';
  readonly onShown: () => void;
  /** Whether it takes the focus when it appears, for its keys. */
  readonly takesFocus: () => boolean;
  readonly platform: NodeJS.Platform;
  readonly clock: Pick<Clock, 'sleep'>;
}

interface Panel {
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

/**
 * A panel over the other windows, as high as its page requests. It is hidden while it has nothing to show.
 */
const createPanel = (deps: PanelDeps): Panel => {
  const { page, width, place, mayShow, inRecordings, onShown, takesFocus, platform, clock } = deps;
  let window: BrowserWindow | null = null;
  let height: number | null = null;
  /** Number of callers that hide it. */
  let concealed = 0;
  let leaving = new AbortController();

  const open = (): BrowserWindow => {
    const fresh = createFloatingWindow(
      {
        width,
        height: 1,
        transparent: true,
        movable: page === 'recorder',
        title: 'Linkshot',
        // Pressing its buttons leaves the other program in front.
        ...(platform === 'darwin' && { type: 'panel' }),
      },
      { level: 'screen-saver', painting: 'while-hidden' },
    );
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
    if (takesFocus()) window.show();
    else window.showInactive();
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

/** In logical pixels, as their pages are drawn. */
const TOAST_WIDTH = 416;
const BAR_WIDTH = 464;
/** At most, with a note of several lines. */
const SCROLL_PANEL_HEIGHT = 260;

interface PanelsDeps {
  readonly displays: () => readonly KnownDisplay[];
  readonly screen: Pick<Screen, 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;
  /** Lists the open windows, where the platform reports them. */
  readonly windows: ScreenCapturer['windows'];
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
  /** Where windows cannot be placed there is no toast: it would take the focus, in the middle of the screen. */
  readonly placing: Placing;
  /** The toast appeared. */
  readonly onToast: () => void;
}

export interface Panels {
  send(event: AppEvent): void;
  fit(panel: 'toast' | 'recorder', height: number | null): void;
  /** Whether the toast shows this item: it was captured or recorded, and the toast is not suppressed. */
  shows(id: ItemId): boolean;
  /** Captures the screen without our panels. */
  withoutPanels<T>(take: () => Promise<T>): Promise<T>;
  close(): void;
}

/** The frozen screen may still be listed while it closes, and our window may be full-screen too. */
const isOwn = ({ title }: OpenWindow): boolean => /(^|– )Linkshot$/.test(title);

/** Whether the toast has or will soon have something to show. */
const hasContent = ({ capture, recording, queue }: AppState): boolean =>
  capture !== null || recording !== null || queue.items.some(({ origin, state }) => origin && state !== 'linked');

/** The area of a scrolling capture. */
const scrolledArea = (state: AppState | null): Area | null =>
  state?.capture?.state === 'scrolling' ? state.capture.area : null;

/** Whether the area is captured now, again and again. */
const isScrolling = (state: AppState | null): boolean =>
  state?.capture?.state === 'scrolling' && (state.capture.by === 'app' || state.capture.by === 'user');

const isChoosing = (state: AppState | null): boolean => state?.capture?.state === 'choosing';

export const createPanels = (deps: PanelsDeps): Panels => {
  const { displays, screen, windows, clock, platform, placing, onToast } = deps;
  let state: AppState | null = null;
  /** The recorded area; the state no longer contains it while the recording is being finished. */
  let recorded: Area | null = null;

  /** Whether a program filled the screen when the toast was last to be shown. */
  let isFilled = false;

  const isWanted = (): boolean => placing === 'exact' && state?.settings.toast === 'show';
  const underCursor = () => screen.getDisplayNearestPoint(screen.getCursorScreenPoint());

  /** Does not disturb a film or a game, where the platform reports windows. */
  const isScreenFilled = async (): Promise<boolean> => {
    const { id } = underCursor();
    const own = displays().find(({ electron }) => electron.id === id);
    const open = await windows(NEVER);
    return (
      own !== undefined &&
      open.ok &&
      open.value.some((each) => each.hasKeyboard && !isOwn(each) && isInside(own.display, each))
    );
  };

  const toast = createPanel({
    page: 'toast',
    width: TOAST_WIDTH,
    place: (size: Size): Rectangle => cornerPlace(underCursor().workArea, size),
    async mayShow() {
      isFilled = await isScreenFilled();
      return isWanted() && !isFilled;
    },
    inRecordings: 'shown',
    onShown: onToast,
    takesFocus: () => false,
    platform,
    clock,
  });

  const bar = createPanel({
    page: 'recorder',
    width: BAR_WIDTH,
    place(size) {
      const scrolled = scrolledArea(state);
      const display = scrolled && displayUnder(scrolled, displays());
      if (scrolled && display) {
        const [free, area] = [display.electron.workArea, logicalArea(scrolled, display)];
        return placeBeside(free, area, size) ?? cornerPlace(free, size);
      }
      // The countdown of a capture is not beside an area.
      const under = state?.recording && recorded && displayUnder(recorded, displays());
      if (!recorded || !under) return cornerPlace(underCursor().workArea, size);
      return barPlace(under.electron.workArea, logicalArea(recorded, under), size);
    },
    mayShow: async () => true,
    inRecordings: 'hidden',
    onShown: () => {},
    takesFocus: () => scrolledArea(state) !== null,
    platform,
    clock,
  });

  /** Whether the panel would be in the picture: there is no place beside the area that scrolls. */
  const isInTheWay = (): boolean => {
    const area = scrolledArea(state);
    const under = area && displayUnder(area, displays());
    if (!area || !under || !isScrolling(state)) return false;
    const size = { width: BAR_WIDTH, height: SCROLL_PANEL_HEIGHT };
    return placeBeside(under.electron.workArea, logicalArea(area, under), size) === null;
  };
  let [isToastAway, isBarAway] = [false, false];
  /** They must not cover the frozen screen, nor what is joined while it scrolls. */
  const keepAway = (): void => {
    const toastAway = isChoosing(state) || scrolledArea(state) !== null;
    const barAway = isChoosing(state) || isInTheWay();
    if (toastAway !== isToastAway) void (toastAway ? toast.conceal() : toast.reveal());
    if (barAway !== isBarAway) void (barAway ? bar.conceal() : bar.reveal());
    [isToastAway, isBarAway] = [toastAway, barAway];
  };

  const conceal = () => Promise.all([toast.conceal(), bar.conceal()]);
  const reveal = () => {
    toast.reveal();
    bar.reveal();
  };

  /** The last event for the toast's page, which is loading and cannot receive it yet. */
  let pendingEvent: AppEvent | null = null;

  return {
    send(event) {
      const isForToast = event.type === 'kept' || event.type === 'captureText';
      if (isForToast && (toast.wake() === 'waking' || pendingEvent !== null)) pendingEvent = event;
      if (event.type === 'state') {
        ({ state } = event);
        keepAway();
        const { capture, recording } = state;
        if (recording && 'area' in recording) recorded = recording.area;
        if (hasContent(state)) toast.wake();
        if (recording || capture?.state === 'waiting' || capture?.state === 'scrolling') bar.wake();
      }
      toast.send(event);
      bar.send(event);
    },
    fit(panel, height) {
      (panel === 'toast' ? toast : bar).fit(height);
      if (panel !== 'toast' || pendingEvent === null) return;
      toast.send(pendingEvent);
      pendingEvent = null;
    },
    shows(id) {
      const { origin } = state?.queue.items.find((item) => item.id === id) ?? {};
      return origin !== undefined && isWanted() && !isFilled;
    },
    async withoutPanels(take) {
      // Beside the area, or away.
      if (isScrolling(state)) return take();
      await conceal();
      try {
        return await take();
      } finally {
        // Its countdown has ended.
        if (!state?.recording) bar.fit(null);
        reveal();
      }
    },
    close() {
      toast.close();
      bar.close();
    },
  };
};
