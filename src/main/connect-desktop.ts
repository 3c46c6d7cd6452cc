/**
 * Connects pages, windows, tray, task bar and notifications of the desktop app to its engine, once the engine, the main
 * window and the panels exist. When the app quits, closes everything in order.
 */
import { app, screen } from 'electron';
import type { Clock } from '../engine/ports.ts';
import type { HostCore } from '../host/start-host-core.ts';
import type { AppEvent } from '../ipc/protocol/command-table.ts';
import type { DesktopClipboard } from './adapters/clipboard.ts';
import { serveAppScheme } from './app-scheme.ts';
import type { CaptureTrace } from './capture-trace.ts';
import type { DesktopTexts } from './desktop-texts.ts';
import { serveIpc } from './ipc.ts';
import { createNoticeNotifications } from './notice-notifications.ts';
import { createDragOut } from './system/drag-out.ts';
import type { Start } from './system/launch-args.ts';
import { joinSystem, type SystemRequest, startAgainFor } from './system/system-integration.ts';
import { createTaskBar } from './tray/task-bar.ts';
import { createAppTray } from './tray/tray.ts';
import { createTrayActions } from './tray/tray-actions.ts';
import type { KnownDisplay } from './windows/display-coordinates.ts';
import { type MainWindow, putAway } from './windows/main-window.ts';
import type { Placing } from './windows/overlay-window.ts';
import { createOverlays } from './windows/overlays.ts';
import type { Panels } from './windows/panels.ts';
import type { Pins } from './windows/pins.ts';

export interface Desktop {
  readonly host: HostCore;
  readonly window: MainWindow;
  /** Shows it for another start of the app: without a tray, that alone leads back to images that let clicks through. */
  readonly comeBack: MainWindow['show'];
  readonly panels: Panels;
  /** Null where windows cannot be placed. */
  readonly pins: Pins | null;
  readonly displays: () => readonly KnownDisplay[];
  readonly clipboard: DesktopClipboard;
  readonly messages: () => DesktopTexts;
  /** Gives the menu of the app the language of `messages`. */
  readonly nameAppMenu: () => void;
  readonly trace: CaptureTrace;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly placing: Placing;
}

export interface DesktopPlaces extends SystemRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly rendererDir: string;
  readonly iconDir: string;
  readonly log: (line: string) => void;
}

/** Time for a page that was hidden to save what was typed last. */
const SAVE_MS = 300;
/** And for the answers to that: some come from the service. */
const ANSWER_MS = 3_000;
/** As the browser host has; everything is saved by then. */
const CLOSE_MS = 30_000;

export const connectDesktop = (desktop: Desktop, places: DesktopPlaces): void => {
  const { rendererDir, iconDir, log } = places;
  const { host, window, comeBack, panels, pins, displays, clipboard, messages, nameAppMenu, trace } = desktop;
  const { clock, platform, placing } = desktop;
  const { engine, dispatcher } = host;
  const ending = new AbortController();
  const { signal } = ending;
  /** Starts that have come since. */
  const late: Start[] = [];
  const serving = new AbortController();

  serveAppScheme({ engine, rendererDir, pins });
  const overlays = createOverlays({
    ...{ displays, screen, clock, log },
    shell: { platform, placing },
    cancel: () => void engine.capture.cancel(),
    onShown: trace.shown,
  });
  const served = serveIpc(
    {
      ...host,
      onMark(mark) {
        overlays.heard(mark);
        trace.heard(mark);
      },
      onDrag: createDragOut({ engine, window, iconDir }),
    },
    serving.signal,
  );
  const act = createTrayActions({ engine, clipboard, pins, show: window.show, quit: () => app.quit() }, signal);
  const tray = createAppTray({ engine, messages, act, iconDir, platform, pins: () => pins?.shown() ?? null });
  pins?.onChange(tray.draw);
  const followers: readonly ((event: AppEvent) => void)[] = [
    // The frozen screen first: the user waits for it.
    overlays.send,
    trace.follow,
    window.send,
    panels.send,
    (event) => pins?.send(event),
    tray.follow,
    (event) => {
      if (event.type === 'state') nameAppMenu();
    },
    createTaskBar({ window, messages, iconDir, platform }),
    createNoticeNotifications({ messages, isSeen: window.isFocused, show: () => window.show() }),
    joinSystem(
      {
        ...desktop,
        ...places,
        window: { ...window, show: comeBack },
        onLate: (starts) => void late.push(...starts),
      },
      signal,
    ),
  ];
  const stopFollowing = dispatcher.on((event) => {
    for (const follow of followers) follow(event);
  });

  const exit = (code: number): void => {
    startAgainFor(late.splice(0), places);
    app.exit(code);
  };
  app.on('activate', () => {
    if (signal.aborted) late.push({ paths: [], link: null, isHidden: false });
    else window.show();
  });
  // Without a listener Electron would quit; uploads continue in the tray.
  app.on('window-all-closed', () => {});
  const close = async (): Promise<void> => {
    const main = window.window();
    if (main?.isVisible()) {
      putAway(main, platform);
      const answered = new AbortController();
      await clock.sleep(SAVE_MS, answered.signal);
      const longEnough = clock.sleep(ANSWER_MS, answered.signal).catch(() => {});
      await Promise.race([served.idle(), longEnough]);
      answered.abort();
    }
    serving.abort();
    served.stop();
    await host.close();
  };
  app.on('before-quit', (event) => {
    event.preventDefault();
    // It is closing already, and exits by itself.
    if (signal.aborted) return;
    ending.abort();
    window.release();
    stopFollowing();
    overlays.close();
    panels.close();
    pins?.close();
    tray.close();
    const closed = new AbortController();
    clock.sleep(CLOSE_MS, closed.signal).then(
      () => exit(1),
      () => {},
    );
    void close().finally(() => {
      closed.abort();
      exit(0);
    });
  });
};
