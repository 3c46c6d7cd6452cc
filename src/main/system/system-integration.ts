/**
 * Connects the app to the operating system: app ID, launches of second instances, `linkshot://` links, start at login,
 * sleep and shutdown, updates, and on Windows the menus of Explorer and the task bar, and the user's PATH.
 */
import { join } from 'node:path';
import { app, BrowserWindow, powerMonitor, shell } from 'electron';
import { onAbort } from '../../base/common/on-abort.ts';
import { createRegistry, runRegIn } from '../../base/node/windows-registry.ts';
import type { Clock } from '../../engine/ports.ts';
import type { HostCore } from '../../host/start-host-core.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import { showNotification } from '../show-notification.ts';
import type { MainWindow } from '../windows/main-window.ts';
import { coalesceLaunches } from './coalesce-launches.ts';
import { LINK_SCHEME } from './deep-link.ts';
import { createExplorerMenu } from './explorer-menu.ts';
import { handleLaunches } from './handle-launch.ts';
import { createJumpList } from './jump-list.ts';
import type { Start } from './launch-args.ts';
import type { SingleInstance } from './single-instance.ts';
import { followSleepAndShutdown } from './sleep-and-shutdown.ts';
import {
  createAutostart,
  createLoginItem,
  followStartAtLogin,
  HIDDEN,
  isHidden,
  type Launch,
  type LoginEntry,
} from './start-at-login.ts';
import { portableProgram, stayingProgram } from './staying-program.ts';
import { createTerminalCommand } from './terminal-command.ts';
import type { UpdateStatus } from './update-status.ts';
import { followUpdates, openUpdater } from './updates.ts';
import { createUserPath } from './user-path.ts';
import { openUserEnvironment } from './windows-user-variables.ts';

/** The app id of Windows, for the task bar and notifications; the same as in electron-builder.yml. */
const APP_ID = 'app.linkshot';

export interface SystemRequest {
  readonly own: Start;
  readonly arrivals: SingleInstance;
  /** Arguments that make a restart use the same profile. */
  readonly sameProfile: readonly string[];
  /** The folder of `linkshot.cmd` that the user's PATH may name; null: none. */
  readonly commandFolder: string | null;
  /** Stores the update status. */
  readonly updateStatus: UpdateStatus;
}

export interface SystemDeps extends SystemRequest {
  /** Called with the starts that come while the app ends. */
  readonly onLate: (starts: readonly Start[]) => void;
  readonly host: HostCore;
  readonly window: MainWindow;
  readonly messages: () => DesktopTexts;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly log: (line: string) => void;
}

/** Call it before any window or notification is created. */
export const nameApp = (platform: NodeJS.Platform): void => {
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
};

const launchOf = ({ sameProfile, environment }: Pick<SystemDeps, 'sameProfile' | 'environment'>): Launch => ({
  program: stayingProgram(environment, process.execPath),
  args: [...(app.isPackaged ? [] : [app.getAppPath()]), ...sameProfile],
});

/** Once this process has ended, the app starts again with what these starts requested too late for it. */
export const startAgainFor = (
  starts: readonly Start[],
  request: Pick<SystemDeps, 'sameProfile' | 'environment'>,
): void => {
  const { program, args } = launchOf(request);
  const startAgain = (...words: string[]): void => app.relaunch({ execPath: program, args: [...args, ...words] });
  // A start by a link uses nothing else.
  const link = starts.findLast((start) => start.link !== null)?.link ?? null;
  if (link !== null) startAgain('--', link);
  const others = starts.filter((start) => start.link === null);
  if (others.length === 0) return;
  const hidden = others.every((start) => start.isHidden) ? [HIDDEN] : [];
  startAgain(...hidden, '--', ...others.flatMap(({ paths }) => paths));
};

/** Windows registers a scheme by program; `--` ends the switches, whatever the link contains. */
const registerLinks = ({ program, args }: Launch): void => {
  app.setAsDefaultProtocolClient(LINK_SCHEME, program, [...args, '--']);
};

const loginEntryOf = (deps: SystemDeps): LoginEntry => {
  const { platform, environment, home } = deps;
  if (platform === 'win32' || platform === 'darwin') return createLoginItem(app, launchOf(deps));
  return createAutostart(environment['XDG_CONFIG_HOME'] || join(home, '.config'), launchOf(deps));
};

const followStarts = (deps: SystemDeps, signal: AbortSignal): void => {
  const { own, arrivals, onLate, clock, log, window, platform } = deps;
  const act = (all: readonly Start[]): void => {
    if (signal.aborted) onLate(all);
    else handleLaunches(deps, all, signal).catch((error: Error) => log(`A start was not followed: ${error.message}`));
  };
  const starts = coalesceLaunches({ clock, act }, signal);
  // Show the window immediately if it is wanted in any case.
  if (!isHidden(own, platform, app) && own.link === null) window.show();
  if (own.paths.length > 0 || own.link !== null) starts.heard(own);
  arrivals.follow(starts.heard);
};

const followVersions = async (
  { platform, environment, messages, clock, updateStatus, log }: SystemDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { isPackaged } = app;
  const packaging = portableProgram(environment) === null ? platform : 'portable';
  const found = await openUpdater({ isPackaged, packaging, resourcesDir: process.resourcesPath });
  if (!found || signal.aborted) return;
  const announce = (state: 'ready' | 'there', version: string): void => {
    const { updateReady, updateThere } = messages().system;
    const body = state === 'ready' ? updateReady(version) : updateThere(version);
    log(body);
    showNotification({ title: 'Linkshot', body });
  };
  followUpdates({ ...found, clock, announce, updateStatus, log }, signal);
};

/** What only Windows has: the menus of its file manager and of its task bar, and the PATH of its user. Returns an event listener. */
const joinWindows = (deps: SystemDeps): ((event: AppEvent) => void) => {
  const { environment, messages, log, host, commandFolder } = deps;
  const launch = launchOf(deps);
  const explorer = createExplorerMenu({
    ...{ shell, launch, messages, log, updateSettings: host.engine.settings.update },
    registry: createRegistry(runRegIn(environment)),
    sendToDir: join(app.getPath('appData'), 'Microsoft', 'Windows', 'SendTo'),
  });
  const nameTasks = createJumpList({ app, launch, messages, log });
  const terminal =
    commandFolder === null
      ? null
      : createTerminalCommand({
          ...{ folder: commandFolder, log, updateSettings: host.engine.settings.update },
          openUserPath: async () => createUserPath(await openUserEnvironment(environment)),
        });
  return (event) => {
    if (event.type !== 'state') return;
    nameTasks();
    explorer.follow(event.state.settings);
    terminal?.follow(event.state.settings);
  };
};

/** Active until the signal is aborted. Returns an event listener. */
export const joinSystem = (deps: SystemDeps, signal: AbortSignal): ((event: AppEvent) => void) => {
  const { host, platform, log } = deps;
  const { engine } = host;
  if (platform === 'win32' && app.isPackaged) registerLinks(launchOf(deps));
  const stopPower = followSleepAndShutdown(
    { power: powerMonitor, app, windows: () => BrowserWindow.getAllWindows(), engine, quit: () => app.quit(), log },
    signal,
  );
  onAbort(signal, stopPower);
  followVersions(deps, signal).catch((error: Error) => log(`Newer versions are not looked for: ${error.message}`));
  followStarts(deps, signal);
  const login = followStartAtLogin({ entry: loginEntryOf(deps), updateSettings: engine.settings.update, log });
  const followWindows = platform === 'win32' ? joinWindows(deps) : null;
  return (event) => {
    if (event.type === 'state') login.follow(event.state.settings);
    followWindows?.(event);
  };
};
