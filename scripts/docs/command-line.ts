/** `node scripts/docs/command-line.ts`: writes docs/command-line.md from the table of commands. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.ts';
import { referencePage } from '../../src/cli/help/reference-page.ts';

writeFileSync(resolve(import.meta.dirname, '../../docs/command-line.md'), referencePage(COMMANDS));
