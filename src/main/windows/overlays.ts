/**
 * The windows of the overlay, each of which shows the screenshot of one display for the selection of an area. They are
 * created and loaded in advance; during a selection each covers its display, and afterwards the keyboard focus is
 * restored.
 */
import { BrowserWindow, type Rectangle, type Screen } from 'electron';
import { contains } from '../../engine/capture/areas.ts';
import type { Clock } from '../../engine/ports.ts';
import type { CaptureSessionIn } from '../../ipc/protocol/capture.ts';
import { CAPTURE_MARKS } from '../../ipc/protocol/capture-performance-marks.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { type CaptureMark, DESKTOP_CHANNELS } from '../../ipc/protocol/preload-api.ts';
import { displayUnder, type KnownDisplay } from './display-coordinates.ts';
import { SCREEN_EVENTS } from './follow-monitors.ts';
import { coverDisplay, type OverlayShell, openOverlayWindow, setBoundsExactly } from './overlay-window.ts';

/** A page that has not painted by then is shown anyway. */
const PATIENCE_MS = 80;

type Choosing = CaptureSessionIn<'choosing'>;

interface Overlay {
  readonly number: number;
  readonly window: BrowserWindow;
}

export interface OverlaysDeps {
  readonly displays: () => readonly KnownDisplay[];
  readonly screen: Pick<Screen, 'on' | 'off' | 'getCursorScreenPoint'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly shell: OverlayShell;
  /** Cancels the capture. */
  readonly cancel: () => void;
  readonly onShown: (capture: string, display: number) => void;
  readonly log: (line: string) => void;
}

export interface Overlays {
  send(event: AppEvent): void;
  /** Handles a mark of a page: once it has painted, its window is shown. */
  heard(mark: CaptureMark): void;
  close(): void;
}

/** An overlay with the display that it covers. */
type Covering = readonly [Overlay, KnownDisplay];

/** Identifies an arrangement of displays; the space of a task bar does not matter here. */
const arrangementOf = (known: readonly KnownDisplay[]): string =>
  JSON.stringify(known.map(({ electron: { id, bounds, scaleFactor } }) => [id, bounds, scaleFactor]));

export const createOverlays = (deps: OverlaysDeps): Overlays => {
  const { displays, screen, clock, shell, cancel, onShown, log } = deps;
  let overlays: Overlay[] = [];
  let arrangement = '';
  let choosing: Choosing | null = null;
  let covered: readonly Covering[] = [];
  /** Ends with the current session. */
  let showing = new AbortController();
  let before: BrowserWindow | null = null;
  let isClosing = false;

  const open = (number: number, bounds: Rectangle): Overlay => {
    const window = openOverlayWindow(number, bounds, shell);
    const overlay = { number, window };
    window.on('close', (event) => {
      if (isClosing) return;
      event.preventDefault();
      cancel();
    });
    window.webContents.on('render-process-gone', () => {
      // It is recreated with the next capture: a page that crashes repeatedly must not be recreated forever.
      log(`The page of the frozen screen ${number} ended by itself.`);
      overlays = overlays.filter((other) => other !== overlay);
      window.destroy();
      if (choosing) cancel();
    });
    return overlay;
  };

  const build = (): void => {
    for (const { window } of overlays) window.destroy();
    const known = displays();
    arrangement = arrangementOf(known);
    overlays = known.map(({ display, electron }) => open(display.number, electron.bounds));
  };

  const underCursor = ({ electron: { bounds } }: KnownDisplay): boolean =>
    contains(bounds, screen.getCursorScreenPoint());

  const appear = ([{ number, window }, display]: Covering): void => {
    const { bounds } = display.electron;
    if (!choosing || window.isDestroyed() || window.isVisible()) return;
    if (!coverDisplay(window, bounds, shell))
      log(`The frozen screen ${number} is at ${JSON.stringify(window.getBounds())}, not ${JSON.stringify(bounds)}.`);
    if (underCursor(display)) window.focus();
    onShown(choosing.id, number);
  };

  const coverAll = (session: Choosing): Covering[] => {
    const known = displays();
    return session.displays.flatMap((display) => {
      const under = displayUnder(display, known);
      if (!under) return [];
      let overlay = overlays.find(({ number }) => number === display.number);
      if (!overlay) {
        overlay = open(display.number, under.electron.bounds);
        overlays.push(overlay);
      }
      return [[overlay, under] as const];
    });
  };

  const show = (session: Choosing): void => {
    choosing = session;
    showing = new AbortController();
    before = BrowserWindow.getFocusedWindow();
    covered = coverAll(session);
    for (const [{ window }, { electron }] of covered) setBoundsExactly(window, electron.bounds);
    const showAll = () => {
      for (const covering of covered) appear(covering);
    };
    clock.sleep(PATIENCE_MS, showing.signal).then(showAll, () => {});
  };

  const hide = (): void => {
    choosing = null;
    showing.abort();
    for (const { window } of overlays) {
      // The program below is raised while there is still a window that can blur.
      if (window.isFocused()) window.blur();
      window.hide();
    }
    if (before && !before.isDestroyed() && before.isVisible()) before.focus();
    before = null;
    if (arrangementOf(displays()) !== arrangement) build();
  };

  /** It was requested again: it may be below another window. */
  const recall = (): void => {
    for (const [{ window }, display] of covered) {
      if (!choosing || window.isDestroyed() || !window.isVisible()) continue;
      window.moveTop();
      if (underCursor(display)) window.focus();
    }
  };

  const rearranged = (): void => {
    if (arrangementOf(displays()) === arrangement) return;
    // The frozen frame no longer matches the displays.
    if (choosing) cancel();
    else build();
  };
  for (const event of SCREEN_EVENTS) screen.on(event as 'display-added', rearranged);
  build();

  return {
    send(event) {
      const capture = event.type === 'state' ? event.state.capture : choosing;
      const now = capture?.state === 'choosing' ? capture : null;
      // Hidden pages do not need every progress event: a frozen screen comes with the full state.
      if (now || choosing) for (const { window } of overlays) window.webContents.send(DESKTOP_CHANNELS.event, event);
      if (event.type === 'recalled') recall();
      if (now?.id === choosing?.id) return;
      if (choosing) hide();
      if (now) show(now);
    },
    heard({ id, display, name }) {
      if (name !== CAPTURE_MARKS.painted || !choosing || choosing.id !== id) return;
      for (const covering of covered) if (covering[0].number === display) appear(covering);
    },
    close() {
      isClosing = true;
      showing.abort();
      for (const event of SCREEN_EVENTS) screen.off(event as 'display-added', rearranged);
      for (const { window } of overlays) window.destroy();
      overlays = [];
    },
  };
};
