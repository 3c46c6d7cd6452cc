/**
 * Starts the desktop app: opens the profile with Electron's clipboard, hotkeys, notifications and screen, creates the
 * main window and the panels, and calls `connectDesktop`. If another process owns the profile, passes the files of this
 * start to that process and exits.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, screen, utilityProcess } from 'electron';
import { type Failure, ok, type Result } from '../api/errors.ts';
import { homeFolder } from '../base/node/home-folder.ts';
import { showsTrayIcons } from '../engine/detect-tray-icons.ts';
import { monitorsOfWindows, systemClock, systemScreenCapturer } from '../engine/node-ports.ts';
import type { Clock } from '../engine/ports.ts';
import { openSystemKeyStore } from '../engine/profile/system-key-store.ts';
import { canShowInput } from '../engine/recording/input-display/open-input-display.ts';
import { logErrors, openAppLog } from '../host/app-log.ts';
import { forgetSecrets } from '../host/secret-variables.ts';
import { type HostCore, startHostCore } from '../host/start-host-core.ts';
import { wasTriedOut } from '../host/try-out-folder.ts';
import { connectToInstance, type InstanceTransport } from '../ipc/host/instance-socket.ts';
import type { Capabilities } from '../ipc/protocol/app-state.ts';
import { createBrowserOpener } from './adapters/browser-opener.ts';
import { captureWithoutPanels } from './adapters/capture-without-panels.ts';
import { createClipboard } from './adapters/clipboard.ts';
import { createFolderDialogs } from './adapters/folder-dialogs.ts';
import { createElectronHotkeys } from './adapters/hotkeys.ts';
import { createNotifier } from './adapters/notifier.ts';
import { createElectronCapturer } from './adapters/screen-capturer.ts';
import { createStartVision } from './adapters/start-vision-process.ts';
import { createCaptureTrace, silentTrace } from './capture-trace.ts';
import { connectDesktop, type Desktop } from './connect-desktop.ts';
import { type DesktopTexts, desktopTextsFor } from './desktop-texts.ts';
import { withBundledTools } from './system/bundled-tools.ts';
import { untilQuiet } from './system/coalesce-launches.ts';
import { readLink } from './system/deep-link.ts';
import { canCaptureThroughX11, isWayland } from './system/desktop-session.ts';
import { findPaths } from './system/handle-launch.ts';
import type { Start } from './system/launch-args.ts';
import { recoverCrashedPage } from './system/recover-crashed-page.ts';
import { becomeFirst, ownStart, type SingleInstance } from './system/single-instance.ts';
import { nameApp } from './system/system-integration.ts';
import { commandFolderOf } from './system/terminal-command.ts';
import { createUpdateStatus } from './system/update-status.ts';
import { createWindowState } from './system/window-state.ts';
import { createTryOut } from './try-out/built-in-server-launcher.ts';
import { setAppMenu } from './windows/app-menu.ts';
import { createAskBeforeHiding } from './windows/ask-before-hiding.ts';
import { knownDisplays, originsOn } from './windows/display-coordinates.ts';
import { followMonitors } from './windows/follow-monitors.ts';
import { createMainWindow, type MainWindow } from './windows/main-window.ts';
import { createPanels } from './windows/panels.ts';
import { createPins } from './windows/pins.ts';

const CAPABILITIES: Omit<
  Capabilities,
  'windows' | 'recording' | 'inputDisplay' | 'pins' | 'tryOut' | 'explorerMenu' | 'terminalCommand'
> = {
  hotkey: true,
  tray: true,
  overlay: 'windows',
  panels: true,
  folders: true,
  fileManager: true,
  clipboard: 'host',
};

/** A desktop that does not answer counts as one without a tray. */
const TRAY_MS = 2_000;

export interface AppRequest {
  readonly profileDir: string;
  readonly rendererDir: string;
  readonly iconDir: string;
  /** The bundle of the built-in server; optional. */
  readonly serverDir: string;
  /** Arguments that make a restart use the same profile. */
  readonly sameProfile?: readonly string[];
  /** Print the steps of each capture. */
  readonly traceCapture?: boolean;
  /** The system's by default. */
  readonly clock?: Clock;
  readonly log: (line: string) => void;
}

/** Passes on what these starts request; an error box shows what could not be done. Returns whether all of it was. */
const passOn = async (
  instance: InstanceTransport,
  starts: readonly Start[],
  messages: DesktopTexts,
): Promise<boolean> => {
  const { found, errors } = await findPaths(starts.flatMap(({ paths }) => paths));
  const answers: Result<unknown>[] = [];
  if (found.length > 0) answers.push(await instance.call('queue.addPaths', { paths: found }));
  const link = starts.findLast((start) => start.link !== null)?.link ?? null;
  const request = link === null ? null : readLink(link);
  if (request?.kind === 'capture') answers.push(await instance.call('capture.start', { mode: request.mode }));
  const isTaken = answers.some(({ ok: isOk }) => isOk);
  const shown = await instance.call('app.show', request?.kind === 'open' ? { screen: request.screen } : {});
  // A command that has taken the request has no window.
  if (shown.ok || shown.error.code !== 'PROFILE_BUSY' || !isTaken) answers.push(shown);
  // Its window knows nothing of them.
  const refused = answers.flatMap((answer) => (answer.ok || answer.error.code === 'CANCELLED' ? [] : [answer.error]));
  const failures = [...errors, ...refused];
  if (failures.length > 0) dialog.showErrorBox(messages.notices.attention, failures.map(messages.failure).join('\n'));
  return failures.length === 0;
};

interface Yielding extends Pick<AppRequest, 'profileDir' | 'log'> {
  readonly own: Start;
  readonly arrivals: SingleInstance;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly messages: DesktopTexts;
}

/**
 * Another host owns the profile: it receives the files and the links and comes to the front, and this start ends, with
 * those that were passed to it meanwhile.
 */
const yieldTo = async (
  { profileDir, log, own, arrivals, clock, messages }: Yielding,
  error: Failure,
): Promise<void> => {
  const instance = error.code === 'PROFILE_BUSY' ? await connectToInstance(profileDir, log) : null;
  if (!instance) {
    dialog.showErrorBox(messages.notices.cannotStart, messages.failure(error));
    return app.exit(1);
  }
  const starts = [own];
  arrivals.follow((start) => void starts.push(start));
  let hasFailed = false;
  while (starts.length > 0) {
    await untilQuiet(starts, clock);
    if (!(await passOn(instance, starts.splice(0), messages))) hasFailed = true;
  }
  instance.close();
  app.exit(hasFailed ? 1 : 0);
};

/** Resolves when the app runs, with or without a window, or when this start is over: a running one has its request. */
export const startApp = async (request: AppRequest): Promise<void> => {
  const { profileDir } = request;
  const { platform, env } = process;
  // Before it is copied.
  forgetSecrets(env);
  const environment = withBundledTools(env, app.isPackaged ? process.resourcesPath : null);
  const session = { platform, environment };
  const { clock = systemClock } = request;
  const log = openAppLog(profileDir, clock, request.log);
  const chromiumDir = join(profileDir, 'desktop');
  // Electron accepts only an existing folder.
  mkdirSync(chromiumDir, { recursive: true, mode: 0o700 });
  app.setPath('userData', chromiumDir);
  nameApp(platform);
  const own = ownStart();
  const arrivals = becomeFirst(own);
  if (!arrivals) return app.exit(0);
  await app.whenReady();

  let host: HostCore | null = null;
  const messages = () =>
    desktopTextsFor(host?.engine.state().settings.language ?? 'system', app.getPreferredSystemLanguages());
  const monitors = platform === 'win32' ? followMonitors(screen, monitorsOfWindows(environment)) : () => [];
  const displays = () => knownDisplays(screen, originsOn(platform, isWayland(session)), monitors());
  const byTools = systemScreenCapturer(environment);
  const capturer = canCaptureThroughX11(session)
    ? byTools
    : createElectronCapturer({ displays, platform, system: byTools });
  const memory = createWindowState({ path: join(profileDir, 'window.json'), screen, clock, log });
  const isTrayShown = async (): Promise<boolean> =>
    platform !== 'linux' || (await showsTrayIcons(environment, AbortSignal.timeout(TRAY_MS)).catch(() => false));
  const window = createMainWindow({
    place: memory.place,
    mayHide: createAskBeforeHiding({
      ...{ isTrayShown, messages, window: () => window.window(), quit: () => app.quit() },
      answer: () => host?.engine.state().settings.closeWithoutTray ?? 'ask',
      remember(closeWithoutTray) {
        const saved = host?.engine.settings.update({ closeWithoutTray });
        if (saved?.ok === false) host?.engine.app.notify(saved.error);
      },
    }),
    follow(created) {
      memory.follow(created);
      const notify = (): void => {
        const { title, body } = messages().system.pageEnded;
        // An error box would block everything until it is closed.
        void dialog.showMessageBox({ type: 'error', title: 'Linkshot', message: title, detail: body });
      };
      recoverCrashedPage({ window: created, clock, notify, log });
    },
  });
  const nameAppMenu = setAppMenu({ platform, messages, zoom: window.zoom });
  const placing = isWayland(session) ? 'compositor' : 'exact';
  const trace = request.traceCapture
    ? createCaptureTrace(log, () => performance.timeOrigin + performance.now())
    : silentTrace;
  const panels = createPanels({
    ...{ displays, screen, clock, platform, placing },
    windows: capturer.windows,
    onToast: trace.toastShown,
  });
  const clipboard = createClipboard(clock, platform);
  const pins =
    placing === 'exact'
      ? createPins({
          ...{ displays, screen, clipboard, messages },
          now: clock.now,
          share: async (png, name) => (await host?.engine.intake.addPicture(png, name)) ?? ok(undefined),
          onFailure: (why) => host?.engine.app.notify(why),
        })
      : null;
  const takeClicksWithoutTray = async (): Promise<void> => {
    if (pins?.shown().areLetThrough && !(await isTrayShown())) pins.takeClicks();
  };
  const comeBack: MainWindow['show'] = (screen) => {
    window.show(screen);
    void takeClicksWithoutTray();
  };
  const updateStatus = createUpdateStatus(clock);
  const opener = createBrowserOpener(() => {
    const { accounts = [], authorization = null } = host?.engine.state() ?? {};
    return [...accounts.map(({ connection }) => connection.server), ...(authorization ? [authorization.server] : [])];
  });

  const never = new AbortController().signal;
  const { isPackaged } = app;
  const commandFolder = commandFolderOf({ platform, environment, isPackaged, resourcesDir: process.resourcesPath });
  const tryOut = createTryOut({
    ...{ profileDir, environment, clock, log, programDir: request.serverDir },
    fork: (...messages) => utilityProcess.fork(...messages),
    onRestart: (place) => void host?.engine.connection.embed(place, never),
  });
  const opened = await startHostCore({
    profileDir,
    secrets: openSystemKeyStore,
    clipboard,
    copied: clipboard,
    notifier: createNotifier({
      ...{ opener, messages, platform },
      isSeen: (id) => panels.shows(id) || window.isFocused(),
      engine: () => host?.engine ?? null,
    }),
    opener,
    ...(pins && { pins, pin: pins.add }),
    capturer: captureWithoutPanels(capturer, panels),
    startVision: createStartVision(request.serverDir),
    hotkeys: createElectronHotkeys(isWayland(session) ? 'portal' : 'electron'),
    environment,
    ...(platform === 'win32' && { pictures: async () => app.getPath('pictures') }),
    commandLine: async () => (await import('../cli/run-for-launcher.ts')).runForLauncher,
    capabilities: {
      ...CAPABILITIES,
      windows: !isWayland(session) || Boolean(environment['SWAYSOCK']),
      recording: !isWayland(session),
      inputDisplay: canShowInput(session),
      pins: pins !== null,
      explorerMenu: platform === 'win32',
      terminalCommand: commandFolder !== null,
      tryOut: tryOut !== null,
    },
    ...(tryOut && { tryOut: tryOut.begin }),
    show: (screen) => ok(comeBack(screen)),
    quit: () => app.quit(),
    panel: panels.fit,
    folders: createFolderDialogs(window.window),
    updates: updateStatus.read,
    isTrayShown,
    log,
  });
  if (!opened.ok) return yieldTo({ ...request, own, arrivals, clock, messages: messages() }, opened.error);
  const { engine } = opened.value;
  logErrors(engine, log);
  host = {
    ...opened.value,
    async close() {
      await opened.value.close();
      await tryOut?.close();
    },
  };
  if (tryOut && wasTriedOut(profileDir)) {
    const resume = async (): Promise<void> => {
      await engine.connection.embed(await tryOut.begin(), never);
    };
    resume().catch((error: Error) => log(`Links to this computer do not open: ${error.message}`));
  }
  const desktop: Desktop = {
    host,
    window,
    comeBack,
    panels,
    pins,
    displays,
    clipboard,
    messages,
    nameAppMenu,
    trace,
    clock,
    platform,
    placing,
  };
  const sameProfile = request.sameProfile ?? [];
  const system = { own, arrivals, sameProfile, environment, home: homeFolder(), updateStatus, commandFolder };
  connectDesktop(desktop, { ...request, ...system, log });
};
