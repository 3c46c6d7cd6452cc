/** Which programs this machine has. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is in a folder of PATH; always true except on Windows. */
export const hasProgram = (name: string): boolean =>
  process.platform !== 'win32' ||
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, `${name}.exe`)));
