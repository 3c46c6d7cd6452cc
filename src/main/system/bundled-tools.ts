/** Makes a packed app prefer the programs packed with it (ffmpeg) over those of the computer. */
import { delimiter, join } from 'node:path';
import { variableNameIn } from '../../base/node/run-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the packed programs first in its PATH; unchanged if the app is not packed. */
export const withBundledTools = (environment: Environment, resourcesDir: string | null): Environment => {
  if (resourcesDir === null) return environment;
  const name = variableNameIn(environment, 'PATH');
  const folders = [join(resourcesDir, 'ffmpeg'), environment[name]];
  return { ...environment, [name]: folders.filter(Boolean).join(delimiter) };
};
