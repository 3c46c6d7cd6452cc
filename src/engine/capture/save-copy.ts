/**
 * Saves a copy of a screenshot or an animated image in the folder that the user has chosen, or else in a Linkshot
 * folder among the user's pictures. Existing files are never overwritten, and a saved one survives a power cut where
 * its file system can promise that. Also returns that folder.
 */
import { constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { copyFile, rm } from '../../base/node/retrying-fs.ts';
import { syncFolder, syncWithName } from '../../base/node/sync-to-disk.ts';
import type { PicturesFolder } from './pictures-folder.ts';

export interface SaveDeps {
  readonly pictures: PicturesFolder;
  /** From the settings; null: our folder inside the user's pictures folder. */
  readonly folder: string | null;
}

const OWN_FOLDER = 'Linkshot';
/** Largest number that is appended to a file name that exists. */
const NAMESAKES = 10_000;

/** Resolves to the path of the copy. `name` with its file extension. Errors: SAVE_FAILED. */
export const saveCopy = async (path: string, name: string, deps: SaveDeps): Promise<Result<string>> => {
  try {
    const folder = await saveFolderOf(deps);
    if (folder === null) return err(failed('There is no Pictures folder here. Choose a folder in the settings.'));
    const created = await mkdir(folder, { recursive: true });
    const { name: base, ext } = parse(name);
    for (let number = 1; number <= NAMESAKES; number++) {
      const target = join(folder, number === 1 ? name : `${base} (${number})${ext}`);
      if (!(await isCopied(path, target))) continue;
      await keepOnDisk(target);
      if (created !== undefined) await syncFolder(dirname(created));
      return ok(target);
    }
    return err(failed(`There are too many images named ${name} in ${folder}. Change the file name in the settings.`));
  } catch (error) {
    const { message } = error as Error;
    return err(failed(`The image could not be saved: ${message}. Choose another folder in the settings.`));
  }
};

/** The folder where screenshots are saved; null: there is no pictures folder. */
export const saveFolderOf = async (deps: SaveDeps): Promise<string | null> => deps.folder ?? ownFolder(deps);

const ownFolder = async ({ pictures }: SaveDeps): Promise<string | null> => {
  const folder = await pictures();
  return folder && join(folder, OWN_FOLDER);
};

const failed = (detail: string) => failure('SAVE_FAILED', detail);

/** Of file systems without a sync, such as those of network drives and synced folders. The copy is complete there. */
const WITHOUT_SYNC: ReadonlySet<string | undefined> = new Set([
  ...['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM'],
  // Windows: "Incorrect function".
  'EISDIR',
]);

/** The caller may delete the original next. Removes what could be synced and is not. */
const keepOnDisk = async (path: string): Promise<void> => {
  try {
    await syncWithName(path);
  } catch (error) {
    if (WITHOUT_SYNC.has((error as NodeJS.ErrnoException).code)) return;
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
};

/** False where the name is in use. */
const isCopied = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_EXCL).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
