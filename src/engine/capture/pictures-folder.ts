/** Where this person keeps pictures, as their system says it. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { powershell, runProgram } from '../../base/node/run-program.ts';

export interface UserEnvironment {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Absolute; null where this process belongs to nobody with a home. */
export type PicturesFolder = () => Promise<string | null>;

/** `ask` of Windows is a program that takes some hundred milliseconds: its answer is kept as long as this is. */
export const createPicturesFolder = (
  { platform, environment }: UserEnvironment,
  ask: typeof runProgram = runProgram,
): PicturesFolder => {
  let told: Promise<string> | null = null;
  const windowsFolder: PicturesFolder = async () => {
    const profile = environment['USERPROFILE'];
    if (!profile) return null;
    told ??= ask(powershell(environment), ['-NoProfile', '-NonInteractive', '-Command', ASK_WINDOWS]).then(
      ({ stdout }) => stdout.toString(),
      () => '',
    );
    const named = await told;
    if (named !== '') return named;
    // It is asked again the next time.
    told = null;
    return join(profile, 'Pictures');
  };
  return async () => {
    if (platform === 'win32') return windowsFolder();
    const home = environment['HOME'];
    if (!home) return null;
    return (platform === 'darwin' ? null : await namedByDesktop(home, environment)) ?? join(home, 'Pictures');
  };
};

/** `XDG_PICTURES_DIR="$HOME/Bilder"` of the file that xdg-user-dirs writes. */
const namedByDesktop = async (home: string, environment: UserEnvironment['environment']): Promise<string | null> => {
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const text = await readFile(join(folder, 'user-dirs.dirs'), 'utf8').catch(() => '');
  const [, named] = /^\s*XDG_PICTURES_DIR="(.+)"\s*$/m.exec(text) ?? [];
  const path = named?.replace(/^\$HOME(?=\/|$)/, home);
  return path !== undefined && isAbsolute(path) ? path : null;
};

/** It may be redirected, e.g. into OneDrive; Windows knows. Written as UTF-8, because the console has a code page of its own. */
const ASK_WINDOWS =
  "[Console]::OutputEncoding=[Text.UTF8Encoding]::new($false);[Console]::Out.Write([Environment]::GetFolderPath('MyPictures'))";
