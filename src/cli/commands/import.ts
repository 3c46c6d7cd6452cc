/** `linkshot import`: applies settings from a document. Everything is validated before anything is changed. */
import { failure } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';
import { textOf, type Wanted } from '../input/note-text.ts';
import { formatCount } from '../output/format.ts';
import { readSettingsDocument } from '../settings-document.ts';

const NO_DOCUMENT = failure('COMMAND_INVALID', 'This is not a settings file from linkshot export.');
/** A settings document has some kilobytes. */
const DOCUMENT: Wanted = { maxBytes: 1024 * 1024, tooLong: NO_DOCUMENT, notText: NO_DOCUMENT };

export const importCommand = command({
  name: 'import',
  summary: 'import settings from a file',
  group: 'Linkshot itself',
  arguments: [
    { name: 'FILE', summary: 'a file from export; `-` is the standard input', count: 'one', offers: 'files' },
  ],
  options: {},
  description: [
    'The document is validated before anything is changed. Settings that it does not contain stay unchanged; unknown ones are reported and ignored.',
  ],
  json: ['{"imported":[...],"unknown":[...]}: the names of the imported and of the unknown settings.'],
  examples: [{ words: 'import linkshot.json', does: 'the settings of another computer' }],
  run: async ({ words: [file = '-'] }, context, signal) => {
    const { report } = context;
    const text = await textOf(file, context, DOCUMENT);
    const read = text.ok ? readSettingsDocument(text.value) : text;
    if (!read.ok) return report.failed(file, read.error);
    const { settings, unknown } = read.value;
    await withEngine(context, 'none', signal, async (client) => {
      const updated = await client.call('settings.update', settings);
      if (!updated.ok) return updated;
      const imported = Object.keys(settings);
      report.say({ imported, unknown }, `${formatCount(imported.length, 'setting')} taken over.`);
      if (unknown.length > 0) report.note(`Unknown to this version, and ignored: ${unknown.join(', ')}.`);
      return DONE;
    });
  },
});
