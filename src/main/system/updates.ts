/**
 * Checks for updates of a packed app that has an update feed. Downloads automatically only what the platform verifies,
 * and never an older version or a prerelease.
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
  | 'isUpdateSupported'
  | 'logger'
> & {
  checkForUpdates(): Promise<{
    readonly isUpdateAvailable: boolean;
    readonly downloadPromise?: Promise<unknown> | null;
  } | null>;
  on(
    event: 'update-available' | 'update-downloaded',
    listener: (update: { readonly version: string }) => void,
  ): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
};

/**
 * `checked`: the platform refuses updates signed by another publisher, so they may be downloaded and installed
 * automatically.
 */
export type Trust = 'checked' | 'unchecked';

const FIRST_MS = 60_000;
const AGAIN_MS = 6 * 60 * 60_000;

/** How the program was packed: the portable one of Windows has no installer that could update it. */
export type Packaging = NodeJS.Platform | 'portable';

/** How the packed configuration (`app-update.yml`) lets the platform trust an update; null without a feed. */
export const trustOf = (packaging: Packaging, config: string | null): Trust | null => {
  if (config === null) return null;
  // Windows verifies a signature only against a packed publisher name; an AppImage or a package is not verified.
  const isChecked = packaging === 'darwin' || (packaging === 'win32' && /^publisherName:/m.test(config));
  return isChecked ? 'checked' : 'unchecked';
};

export interface UpdateEnvironment {
  readonly isPackaged: boolean;
  readonly packaging: Packaging;
  /** The resources folder of the packed program. */
  readonly resourcesDir: string;
}

/** The updater of this program; null without a feed. Loaded only where it is used. */
export const openUpdater = async ({
  isPackaged,
  packaging,
  resourcesDir,
}: UpdateEnvironment): Promise<{ readonly updater: Updater; readonly trust: Trust } | null> => {
  if (!isPackaged) return null;
  const config = await readFile(join(resourcesDir, 'app-update.yml'), 'utf8').catch(() => null);
  const trust = trustOf(packaging, config);
  if (trust === null) return null;
  // CommonJS with a getter: named imports fail.
  const { default: loaded } = await import('electron-updater');
  return { updater: loaded.autoUpdater, trust };
};

export interface UpdatesDeps {
  readonly updater: Updater;
  readonly trust: Trust;
  readonly clock: Pick<Clock, 'sleep'>;
  /**
   * `ready`: downloaded, installed when the app quits. `there`: the user has to download it. Each version is reported
   * once.
   */
  readonly announce: (state: 'ready' | 'there', version: string) => void;
  /** Each result, including that there is nothing newer. */
  readonly updateStatus: UpdateStatus;
  readonly log: (line: string) => void;
}

/** Checks until the signal is aborted. */
export const followUpdates = (
  { updater, trust, clock, announce, updateStatus, log }: UpdatesDeps,
  signal: AbortSignal,
): void => {
  const isChecked = trust === 'checked';
  updateStatus.follows();
  Object.assign(updater, {
    autoDownload: isChecked,
    autoInstallOnAppQuit: isChecked,
    allowPrerelease: false,
    allowDowngrade: false,
    // Downloads of a web installer would be unverified.
    disableWebInstaller: true,
    logger: null,
  } satisfies Partial<Updater>);
  // `allowPrerelease` concerns the feeds of GitHub alone: any other feed decides by itself what it offers.
  const { isUpdateSupported } = updater;
  updater.isUpdateSupported = async (update) => !update.version.includes('-') && (await isUpdateSupported(update));
  const announced = new Set<string>();
  const once = (state: 'ready' | 'there', version: string): void => {
    updateStatus.found(state, version);
    if (announced.has(version)) return;
    announced.add(version);
    announce(state, version);
  };
  updater.on('update-available', ({ version }) => {
    if (isChecked) updateStatus.found('found', version);
    else once('there', version);
  });
  updater.on('update-downloaded', ({ version }) => once('ready', version));
  // Includes a wrong signature: the download is discarded, and this version stays.
  updater.on('error', (error) => log(`There was no update: ${error.message}`));

  const look = async (): Promise<void> => {
    for (let wait = FIRST_MS; ; wait = AGAIN_MS) {
      await clock.sleep(wait, signal);
      // The event `error` reports failures, those of the download too.
      const found = await updater.checkForUpdates().catch(() => null);
      if (found === null) continue;
      found.downloadPromise?.catch(() => {});
      if (!found.isUpdateAvailable) updateStatus.looked();
    }
  };
  look().catch(() => {});
};
