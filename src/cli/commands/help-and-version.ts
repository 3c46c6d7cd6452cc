/** `linkshot help` and `version`: prints the help of all commands or one, and the version. */

import { VERSION } from '../../host/version.ts';
import { type Command, command } from '../command-definition.ts';
import { formatOption, overview, page, synopsisOf } from '../help/help-pages.ts';

// `linkshot help`: shows all commands, or everything about one.

/** Takes the table as a function: the table contains this command too. */
export const helpCommand = (names: readonly string[], commands: () => readonly Command[]): Command =>
  command({
    name: 'help',
    summary: 'show this list, or help for one command',
    group: 'Linkshot itself',
    arguments: [{ name: 'COMMAND', summary: 'the command to explain', count: 'at most one', choices: names }],
    options: {},
    description: ['Without a command: an overview of all commands. `linkshot COMMAND --help` shows the same.'],
    json: ['{"name","summary","usage","options":[...]} for each command, or for the one that is named.'],
    examples: [{ words: 'help upload', does: 'everything about upload' }],
    run: async ({ words }, { report }) => {
      const shown = words[0] === undefined ? commands() : commands().filter(({ name }) => name === words[0]);
      for (const one of shown) {
        const options = Object.entries(one.options).map(([name, option]) => formatOption(name, option));
        report.say({ name: one.name, summary: one.summary, usage: synopsisOf(one), options }, null);
      }
      const [named] = shown;
      report.text(words[0] !== undefined && named ? page(named, report.style) : overview(commands(), report.style));
    },
  });

/** `linkshot version`: prints the version. */
export const version = command({
  name: 'version',
  summary: 'print the version of Linkshot',
  group: 'Linkshot itself',
  arguments: [],
  options: {},
  description: ['`linkshot --version` prints the same.'],
  json: ['{"version","node","platform"}'],
  examples: [{ words: 'version', does: 'such as Linkshot 0.1.0' }],
  run: async (_, { report, platform }) =>
    report.say({ version: VERSION, node: process.versions.node, platform }, `Linkshot ${VERSION}`),
});
