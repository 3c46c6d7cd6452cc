/** All commands of the `linkshot` command line, in the order of the help. */
import type { Command } from './command-definition.ts';
import { accounts, whoami } from './commands/accounts.ts';
import { animate } from './commands/animate.ts';
import { capture } from './commands/capture.ts';
import { completionCommand } from './commands/completion.ts';
import { config } from './commands/config.ts';
import { connect, disconnect } from './commands/connect.ts';
import { doctor } from './commands/doctor.ts';
import { edit } from './commands/edit.ts';
import { exportCommand, importCommand } from './commands/export-and-import.ts';
import { folder } from './commands/folder.ts';
import { helpCommand, version } from './commands/help-and-version.ts';
import { link } from './commands/link.ts';
import { list } from './commands/list.ts';
import { note } from './commands/note.ts';
import { paste } from './commands/paste.ts';
import { queue, resume, status } from './commands/queue.ts';
import { record } from './commands/record.ts';
import { redact } from './commands/redact.ts';
import { rm } from './commands/rm.ts';
import { set } from './commands/set.ts';
import { show } from './commands/show.ts';
import { text } from './commands/text.ts';
import { upload } from './commands/upload.ts';

const SHARE = [upload, folder, note, paste, capture, record, text, redact, animate];
const LIBRARY = [list, show, set, rm, edit, link];
const QUEUE = [status, resume, queue];
const SERVICE = [connect, disconnect, whoami, accounts];
const ITSELF = [doctor, config, exportCommand, importCommand];
const WORKING: readonly Command[] = [...SHARE, ...LIBRARY, ...QUEUE, ...SERVICE, ...ITSELF];

/** Commands about the command line itself. */
const TELLING = ['completion', 'help', 'version'];

export const COMMANDS: readonly Command[] = [
  ...WORKING,
  completionCommand(() => COMMANDS),
  helpCommand([...WORKING.map(({ name }) => name), ...TELLING], () => COMMANDS),
  version,
];
