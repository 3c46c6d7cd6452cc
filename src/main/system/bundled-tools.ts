/**
 * Makes a packed app prefer the programs packed with it (ffmpeg) over those of the computer. Also finds the PATH of an
 * environment, however Windows spells it.
 */
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of the Windows environment keeps the original spelling of names, mostly `Path`, and is case-sensitive. */
export const pathNameIn = (environment: Environment): string => {
  const names = Object.keys(environment);
  return names.includes('PATH') ? 'PATH' : (names.find((name) => name.toUpperCase() === 'PATH') ?? 'PATH');
};

/** The environment with the packed programs first in its PATH; unchanged if the app is not packed. */
export const withBundledTools = (environment: Environment, resourcesDir: string | null): Environment => {
  if (resourcesDir === null) return environment;
  const name = pathNameIn(environment);
  const folders = [join(resourcesDir, 'ffmpeg'), environment[name]];
  return { ...environment, [name]: folders.filter(Boolean).join(delimiter) };
};
