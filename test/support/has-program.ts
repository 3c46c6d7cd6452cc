/** Which programs this machine has. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program lies in a folder of PATH; elsewhere than on Windows it is taken for granted. */
export const hasProgram = (name: string): boolean =>
  process.platform !== 'win32' ||
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, `${name}.exe`)));
