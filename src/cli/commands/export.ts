/**
 * `linkshot export`: prints the settings as a document that import accepts. It never contains a key, a path or
 * published items.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { err, failure } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';
import { settingsDocument } from '../settings-document.ts';

export const exportCommand = command({
  name: 'export',
  summary: 'write the settings to a file',
  group: 'Linkshot itself',
  arguments: [
    { name: 'FILE', summary: 'the file to write; `-` is the standard output', count: 'one', offers: 'files' },
  ],
  options: {},
  description: [
    'Settings and presets, for another computer or as a backup. Keys and passwords are never included: connect the other computer with linkshot connect.',
  ],
  json: ['{"file","settings"}: the path, and the number of settings. With `-`: the document in one line.'],
  examples: [
    { words: 'export linkshot.json', does: 'a backup of the settings' },
    { words: 'export - | ssh other linkshot import -', does: 'directly to another computer' },
  ],
  run: ({ words: [file = '-'] }, context, signal) =>
    withEngine(context, 'none', signal, async (client) => {
      const { report, cwd } = context;
      const document = settingsDocument(client.state().settings);
      const text = JSON.stringify(document, null, 2);
      if (file === '-') {
        report.say(document, text);
        return DONE;
      }
      const written = await writeFile(resolve(cwd, file), `${text}\n`).then(
        () => null,
        (error: Error) => failure('COMMAND_INVALID', `The file cannot be written: ${error.message}`),
      );
      if (written) return err(written);
      report.say({ file, settings: Object.keys(document.settings).length }, `Written to ${file}.`);
      return DONE;
    }),
});
