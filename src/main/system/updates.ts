/**
 * Looks for newer versions. Promise: only in a packaged app with an address to look at; what is loaded by itself is
 * something whose maker the platform checks; never an older version, never a version for testers.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { Clock } from '../../engine/ports.ts';
import type { UpdateStatus } from './update-status.ts';

export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'allowDowngrade'
  | 'allowPrerelease'
  | 'disableWebInstaller'
  | 'logger'
  | 'checkForUpdates'
> & {
  on(
    event: 'update-available' | 'update-downloaded',
    listener: (update: { readonly version: string }) => void,
  ): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
};

/** `checked`: the platform refuses what another maker has signed, so that it may be loaded and installed unasked. */
export type Trust = 'checked' | 'unchecked';

const FIRST_MS = 60_000;
const AGAIN_MS = 6 * 60 * 60_000;

/** How the packed configuration (`app-update.yml`) lets the platform trust an update; null: there is none to look at. */
export const trustOf = (platform: NodeJS.Platform, config: string | null): Trust | null => {
  if (config === null) return null;
  // Windows checks a signature only against a name that was packed; an AppImage or a package is not checked at all.
  const isChecked = platform === 'darwin' || (platform === 'win32' && /^publisherName:/m.test(config));
  return isChecked ? 'checked' : 'unchecked';
};

export interface UpdateEnvironment {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Where the packed program keeps its resources. */
  readonly resourcesDir: string;
}

/** The updater of this program; null where there is nothing to update from. It is loaded only where it is used. */
export const openUpdater = async ({
  isPackaged,
  platform,
  resourcesDir,
}: UpdateEnvironment): Promise<{ readonly updater: Updater; readonly trust: Trust } | null> => {
  if (!isPackaged) return null;
  const config = await readFile(join(resourcesDir, 'app-update.yml'), 'utf8').catch(() => null);
  const trust = trustOf(platform, config);
  if (trust === null) return null;
  // CommonJS, and a getter: no name of it can be imported.
  const { default: loaded } = await import('electron-updater');
  return { updater: loaded.autoUpdater, trust };
};

export interface UpdatesDeps {
  readonly updater: Updater;
  readonly trust: Trust;
  readonly clock: Pick<Clock, 'sleep'>;
  /** `ready`: it is loaded and takes over at the next start. `there`: the person has to get it. Each version is told once. */
  readonly tell: (state: 'ready' | 'there', version: string) => void;
  /** Each answer, also that there is nothing newer. */
  readonly news: UpdateStatus;
  readonly log: (line: string) => void;
}

/** Looks until the signal is aborted. */
export const followUpdates = ({ updater, trust, clock, tell, news, log }: UpdatesDeps, signal: AbortSignal): void => {
  const isChecked = trust === 'checked';
  Object.assign(updater, {
    autoDownload: isChecked,
    autoInstallOnAppQuit: isChecked,
    allowPrerelease: false,
    allowDowngrade: false,
    // Nothing is known to check what a web installer loads.
    disableWebInstaller: true,
    logger: null,
  } satisfies Partial<Updater>);
  const told = new Set<string>();
  const once = (state: 'ready' | 'there', version: string): void => {
    news.found(state, version);
    if (told.has(version)) return;
    told.add(version);
    tell(state, version);
  };
  updater.on('update-available', ({ version }) => {
    if (!isChecked) once('there', version);
  });
  updater.on('update-downloaded', ({ version }) => once('ready', version));
  // A wrong signature too: what was loaded is thrown away, and this version stays.
  updater.on('error', (error) => log(`There was no update: ${error.message}`));

  const look = async (): Promise<void> => {
    for (let wait = FIRST_MS; ; wait = AGAIN_MS) {
      await clock.sleep(wait, signal);
      // Its failure is told by the event.
      if (await updater.checkForUpdates().catch(() => null)) news.looked();
    }
  };
  look().catch(() => {});
};
