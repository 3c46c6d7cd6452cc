/**
 * Shows the system's dialogs for choosing folders, and opens folders in the file manager. The engine, never a page,
 * names a folder to open. Only folders are opened, because the system would run a file that is a program.
 */
import { mkdir, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron';
import type { Folders } from '../../ipc/host/handlers/handler-types.ts';

/** `parent`: the window that owns the dialog; null without one. */
export const createFolderDialogs = (parent: () => BrowserWindow | null, platform = process.platform): Folders => ({
  async choose(start) {
    const options: OpenDialogOptions = {
      properties: ['openDirectory', 'createDirectory'],
      ...(start !== '' && { defaultPath: start }),
    };
    const window = parent();
    const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
  },
  async show(path) {
    // The folder is missing until something was saved.
    await mkdir(path, { recursive: true }).catch(() => null);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return false;
    // On macOS a folder with an extension may be a program: its parent folder is shown instead.
    if (platform === 'darwin' && extname(path) !== '') {
      shell.showItemInFolder(path);
      return true;
    }
    return (await shell.openPath(path)) === '';
  },
});
