/**
 * Folders in the system's own windows, in front of the app's window. A page never names one: the engine does; and nothing
 * but a folder is ever opened, because the system would start it.
 */
import { mkdir, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron';
import type { Folders } from '../../ipc/host/handlers/handlers.ts';

/** `parent`: the window that the dialog belongs to; null while there is none. */
export const createFolders = (parent: () => BrowserWindow | null, platform = process.platform): Folders => ({
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
    // Where nothing was saved yet, the folder for it is not there either.
    await mkdir(path, { recursive: true }).catch(() => null);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return false;
    // On macOS a folder with an ending may be a program: it is shown in the folder around it.
    if (platform === 'darwin' && extname(path) !== '') {
      shell.showItemInFolder(path);
      return true;
    }
    return (await shell.openPath(path)) === '';
  },
});
