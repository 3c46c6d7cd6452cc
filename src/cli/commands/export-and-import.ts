/**
 * `linkshot export` writes the settings as a document to a file or the standard output. `linkshot import` validates
 * such a document and applies its settings.
 */
import { isAbsolute, resolve } from 'node:path';
import { err, failure } from '../../api/errors.ts';
import { diskFull, isDiskFull } from '../../common/disk-full.ts';
import { findPreset } from '../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command-definition.ts';
import { readTextArgument, type TextLimits } from '../input/read-text-argument.ts';
import { formatCount, printableJson } from '../output/format.ts';
import { replaceFile } from '../output/replace-file.ts';
import { readSettingsDocument, settingsDocument } from '../settings-document.ts';

/**
 * `linkshot export`: writes the settings as a document that import accepts. It never contains a key, a password or
 * published items.
 */
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
    'An earlier file of that name is kept until the new one is complete. Where its folder does not allow that, it is written over, and gets its text back if that fails.',
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
      const text = printableJson(document, 2);
      if (file === '-') {
        report.say(document, text);
        return DONE;
      }
      const failed = await replaceFile(resolve(cwd, file), `${text}\n`).then(() => null, unwritten);
      if (failed) return err(failed);
      report.say({ file, settings: Object.keys(document.settings).length }, `Written to ${file}.`);
      return DONE;
    }),
});

const unwritten = (error: Error) =>
  isDiskFull(error) ? diskFull() : failure('COMMAND_INVALID', `The file cannot be written: ${error.message}`);

const NO_DOCUMENT = failure('COMMAND_INVALID', 'This is not a settings file from linkshot export.');
/** A settings document has some kilobytes. */
const DOCUMENT: TextLimits = { maxBytes: 1024 * 1024, tooLong: NO_DOCUMENT, notText: NO_DOCUMENT };

/** The folder of a computer with another system, and what an earlier version has accepted and exported. */
const withoutEffect = (
  { saveFolder = null, presets, defaultPreset = null }: Partial<Settings>,
  presetsHere: Settings['presets'],
): readonly string[] => [
  ...(saveFolder !== null && !isAbsolute(saveFolder) ? ['saveFolder'] : []),
  ...(defaultPreset !== null && !findPreset(presets ?? presetsHere, defaultPreset) ? ['defaultPreset'] : []),
];

/** `linkshot import`: applies settings from a document. Everything is validated before anything is changed. */
export const importCommand = command({
  name: 'import',
  summary: 'import settings from a file',
  group: 'Linkshot itself',
  arguments: [
    { name: 'FILE', summary: 'a file from export; `-` is the standard input', count: 'one', offers: 'files' },
  ],
  options: {},
  description: [
    'The document is validated before anything is changed. Settings that it does not contain stay unchanged; unknown ones, a folder that is not an absolute path here, and a default preset that does not exist are reported and ignored.',
  ],
  json: [
    '{"imported":[...],"unknown":[...],"ignored":[...]}: the names of the imported and of the unknown settings, and of those without effect here.',
  ],
  examples: [{ words: 'import linkshot.json', does: 'the settings of another computer' }],
  run: async ({ words: [file = '-'] }, context, signal) => {
    const { report } = context;
    const text = await readTextArgument(file, context, DOCUMENT, signal);
    const read = text.ok ? readSettingsDocument(text.value) : text;
    if (!read.ok) return report.failed(file, read.error);
    const { settings, unknown } = read.value;
    await withEngine(context, 'none', signal, async (client) => {
      const ignored = withoutEffect(settings, client.state().settings.presets);
      const change: Partial<Settings> = Object.fromEntries(
        Object.entries(settings).filter(([name]) => !ignored.includes(name)),
      );
      const updated = await client.call('settings.update', change);
      if (!updated.ok) return updated;
      const imported = Object.keys(change);
      report.say({ imported, unknown, ignored }, `${formatCount(imported.length, 'setting')} imported.`);
      if (ignored.length > 0) report.note(`Without effect here, and ignored: ${ignored.join(', ')}.`);
      if (unknown.length > 0) report.note(`Unknown to this version, and ignored: ${unknown.join(', ')}.`);
      return DONE;
    });
  },
});
