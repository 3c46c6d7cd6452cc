/** Finds the user's pictures folder as the operating system defines it. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { powershell, runProgram } from '../../base/node/run-program.ts';

export interface UserEnvironment {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Absolute; null: the process has no home folder. */
export type PicturesFolder = () => Promise<string | null>;

/** On Windows `ask` starts a program that takes some hundred milliseconds: its answer is cached. */
export const createPicturesFolder = (
  { platform, environment }: UserEnvironment,
  ask: typeof runProgram = runProgram,
): PicturesFolder => {
  let answer: Promise<string> | null = null;
  const windowsFolder: PicturesFolder = async () => {
    const profile = environment['USERPROFILE'];
    if (!profile) return null;
    answer ??= ask(powershell(environment), ['-NoProfile', '-NonInteractive', '-Command', ASK_WINDOWS]).then(
      ({ stdout }) => stdout.toString(),
      () => '',
    );
    const named = await answer;
    if (named !== '') return named;
    // The next call asks again.
    answer = null;
    return join(profile, 'Pictures');
  };
  return async () => {
    if (platform === 'win32') return windowsFolder();
    const home = environment['HOME'];
    if (!home) return null;
    return (platform === 'darwin' ? null : await namedByDesktop(home, environment)) ?? join(home, 'Pictures');
  };
};

/** Reads `XDG_PICTURES_DIR="$HOME/Bilder"` from the file that xdg-user-dirs writes. */
const namedByDesktop = async (home: string, environment: UserEnvironment['environment']): Promise<string | null> => {
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const text = await readFile(join(folder, 'user-dirs.dirs'), 'utf8').catch(() => '');
  const [, named] = /^\s*XDG_PICTURES_DIR="(.+)"\s*$/m.exec(text) ?? [];
  const path = named?.replace(/^\$HOME(?=\/|$)/, home);
  return path !== undefined && isAbsolute(path) ? path : null;
};

/**
 * The folder may be redirected, e.g. to OneDrive, so Windows must resolve it. Written as UTF-8 because the console uses
 * its own code page.
 */
const ASK_WINDOWS =
  "[Console]::OutputEncoding=[Text.UTF8Encoding]::new($false);[Console]::Out.Write([Environment]::GetFolderPath('MyPictures'))";
