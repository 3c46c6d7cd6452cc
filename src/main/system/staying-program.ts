/**
 * Finds the program that starts this one again: an AppImage and a portable program run from a temporary folder, and
 * variables hold their real paths. Every program that they start inherits these variables, so they count only where
 * they are about this program.
 */
import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What electron-builder calls the portable program inside: our package or product name. */
const OWN_NAME = 'linkshot';

/** The real path of this portable program of Windows; null: it is not one. */
export const portableProgram = (environment: Environment): string | null =>
  environment['PORTABLE_EXECUTABLE_APP_FILENAME']?.toLowerCase() === OWN_NAME
    ? (environment['PORTABLE_EXECUTABLE_FILE'] ?? null)
    : null;

/** The folder where an AppImage is mounted may be named through a link. */
const isBelow = (path: string, folder: string): boolean => {
  try {
    return join(realpathSync(dirname(path)), sep).startsWith(join(realpathSync(folder), sep));
  } catch {
    return false;
  }
};

export const stayingProgram = (environment: Environment, execPath: string): string => {
  const { APPIMAGE: image, APPDIR: mounted } = environment;
  if (image && mounted && isBelow(execPath, mounted)) return image;
  return portableProgram(environment) ?? execPath;
};
