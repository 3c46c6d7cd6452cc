/**
 * The entry file of the desktop app: runs a command line, changes the user's PATH for the installer, or starts the app.
 * Also makes the settings that Electron accepts only before it is ready.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, dialog, protocol } from 'electron';
import { homeFolder } from '../base/node/home-folder.ts';
import { profileFolder } from '../host/profile-folder.ts';
import { folderOfProcess } from '../host/working-directory.ts';
import { PRIVILEGES, SCHEME } from './page-urls.ts';
import { commandLineIn, runCommandLine } from './run-command-line.ts';
import { startApp } from './start-app.ts';
import { isWayland } from './system/desktop-session.ts';
import { profileOf } from './system/launch-args.ts';
import { commandFolderOf, pathChangeIn } from './system/terminal-command.ts';
import { createUserPath } from './system/user-path.ts';
import { openUserEnvironment } from './system/windows-user-variables.ts';

/** Threads and processes are started from files outside of the asar archive. */
const unpacked = (path: string): string => path.replace(/([\\/]app\.asar)(?=[\\/])/, '$1.unpacked');

const SERVER_DIR = unpacked(join(import.meta.dirname, '../server'));

const startDesktop = (args: readonly string[]): void => {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: PRIVILEGES }]);
  // Chromium's own switches may be among ours.
  const { values } = parseArgs({
    args: [...args],
    options: { 'trace-capture': { type: 'boolean' } },
    allowPositionals: true,
    strict: false,
  });
  const { platform, env } = process;
  // Without it, Electron receives no hotkeys on Wayland.
  if (isWayland({ platform, environment: env }) && !app.commandLine.hasSwitch('enable-features'))
    app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');
  const chosen = profileOf(args);
  const profileDir = profileFolder(chosen, {
    platform,
    environment: env,
    home: homeFolder(),
    cwd: folderOfProcess(env),
  });

  startApp({
    profileDir,
    sameProfile: chosen === undefined ? [] : ['--profile', profileDir],
    rendererDir: join(import.meta.dirname, '../renderer'),
    iconDir: join(import.meta.dirname, '../../resources'),
    serverDir: SERVER_DIR,
    traceCapture: values['trace-capture'] === true,
    log: (line) => console.error(line),
  }).catch((error: Error) => {
    console.error(error);
    dialog.showErrorBox('Linkshot can’t start', error.message);
    app.exit(1);
  });
};

/** For the installer and the uninstaller, without a window. */
const changePath = async (change: 'add' | 'remove'): Promise<void> => {
  const { platform, env: environment, resourcesPath: resourcesDir } = process;
  const folder = commandFolderOf({ platform, environment, isPackaged: app.isPackaged, resourcesDir });
  if (folder === null) throw new Error('Only an installed Linkshot on Windows has a folder for the PATH.');
  createUserPath(await openUserEnvironment(environment))[change](folder);
  app.exit(0);
};

app.enableSandbox();

const args = process.argv.slice(1);
// Electron's own first argument is the folder of the app.
const words = app.isPackaged ? args : args.slice(1);
const line = commandLineIn(words);
const pathChange = pathChangeIn(words);
// Not awaited: Electron becomes ready only once this module has been evaluated.
if (line) {
  runCommandLine(line, SERVER_DIR).catch((error: Error) => {
    console.error(error);
    app.exit(1);
  });
} else if (pathChange) {
  changePath(pathChange).catch((error: Error) => {
    console.error(error);
    app.exit(1);
  });
} else startDesktop(args);
