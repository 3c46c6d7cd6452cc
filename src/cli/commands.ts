/** Every command of the command line, in the order of the help. */
import type { Command } from './command.ts';
import { helpCommand } from './commands/help.ts';
import { resume } from './commands/resume.ts';
import { status } from './commands/status.ts';
import { upload } from './commands/upload.ts';
import { version } from './commands/version.ts';

const WORKING: readonly Command[] = [upload, status, resume];

/** What tells about the others. */
const TELLING = ['help', 'version'];

export const COMMANDS: readonly Command[] = [
  ...WORKING,
  helpCommand([...WORKING.map(({ name }) => name), ...TELLING], () => COMMANDS),
  version,
];
