/** `linkshot config`: shows all settings or one, or changes one. */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command-definition.ts';
import { didYouMean } from '../did-you-mean.ts';
import { columns, printableJson } from '../output/format.ts';
import { checkedSettings } from '../settings-document.ts';

const ACTIONS = ['get', 'set'] as const;

export const config = command({
  name: 'config',
  summary: 'read or change a setting',
  group: 'Linkshot itself',
  arguments: [
    { name: 'ACTION', summary: 'get shows settings, set changes one', count: 'at most one', choices: ACTIONS },
    { name: 'NAME', summary: 'the setting; get without it shows all', count: 'at most one' },
    {
      name: 'VALUE',
      summary: 'the new value: a word, a number, true, false, null, or JSON',
      count: 'at most one',
      mayBeEmpty: true,
    },
  ],
  options: {},
  description: ['The value null means the account default, if there is one.'],
  json: ['{"name","value"} for each setting.'],
  examples: [
    { words: 'config get', does: 'all settings' },
    { words: 'config set visibility unlisted', does: 'who can open new links by default' },
  ],
  run: async ({ words: [action = 'get', name, value] }, context, signal) => {
    const { report } = context;
    const isSet = action === 'set';
    const change = changeOf(isSet, name, value);
    if (!change.ok) return report.usageError(change.error);
    await withEngine(context, 'none', signal, async (client) => {
      const updated = isSet ? await client.call('settings.update', change.value) : ok(client.state().settings);
      if (!updated.ok) return updated;
      const entries = Object.entries(updated.value).filter(([one]) => name === undefined || one === name);
      const lines = columns(entries.map(([one, entryValue]) => [report.style.bold(one), formatValue(entryValue)]));
      for (const [index, [one, entryValue]] of entries.entries()) {
        const json = { name: one, value: entryValue };
        if (name === undefined) report.say(json, lines[index] ?? null);
        else report.content(json, formatValue(entryValue));
      }
      return DONE;
    });
  },
});

/** The settings to change; none to show them. Errors: COMMAND_INVALID. */
const changeOf = (isSet: boolean, name: string | undefined, value: string | undefined): Result<Partial<Settings>> => {
  const wrong = (detail: string) => err(failure('COMMAND_INVALID', detail));
  if (name !== undefined && !Object.hasOwn(Settings.properties, name)) {
    const near = didYouMean(name, Object.keys(Settings.properties));
    return wrong(`Unknown setting "${name}".${near ? ` Did you mean ${near}?` : ' linkshot config get shows all.'}`);
  }
  if (!isSet) return ok({});
  if (name === undefined || value === undefined)
    return wrong('Missing name or value. Usage: linkshot config set NAME VALUE');
  const read = checkedSettings({ [name]: parseValue(value) });
  if (!read.ok) return read;
  const { settings, unknown } = read.value;
  return unknown.length > 0 ? wrong(`Unknown in the value: ${unknown.join(', ')}; nothing was changed.`) : ok(settings);
};

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : printableJson(value));

/** JSON if it parses, else the word itself. */
const parseValue = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
