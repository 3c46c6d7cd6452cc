/** `linkshot set`: changes the settings of published links. Reports a result for each item. */

import { failure } from '../../api/errors.ts';
import type { ItemChange } from '../../ipc/protocol/link-settings.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag, parsed } from '../command-definition.ts';
import { resolveItems, resultOf } from '../input/resolve-items.ts';
import { LINK_OPTIONS, readTags } from '../link-options.ts';
import { printable } from '../output/format.ts';
import { libraryLine } from '../output/published-items.ts';
import { requestedSettings } from '../publishing/requested-link-settings.ts';

const { environment: _, ...password } = LINK_OPTIONS.password;

const ALL_OR_SOME_TAGS = {
  clashes: { tags: 'Use either --tags, which replaces all tags, or --add-tags and --remove-tags.' },
} as const;

export const set = command({
  name: 'set',
  summary: 'change the link settings of published items',
  group: 'Library',
  arguments: [{ name: 'ID', summary: 'links, or the ids in them', count: 'one or more' }],
  options: {
    ...LINK_OPTIONS,
    // A password in the environment applies to new items; it does not request a change.
    password,
    'no-password': flag('remove the password', {
      clashes: { password: 'Choose one of --password and --no-password.' },
    }),
    'no-one-time': flag('remove the one-time limit; a used link works again', {
      clashes: { 'one-time': 'Choose one of --one-time and --no-one-time.' },
    }),
    'add-tags': parsed('A,B', 'tags to add', readTags, ALL_OR_SOME_TAGS),
    'remove-tags': parsed('A,B', 'tags to remove', readTags, ALL_OR_SOME_TAGS),
  },
  description: [
    'Other settings stay unchanged. Changing visibility, password or one-time revokes the access of earlier viewers; old links keep working, the new one has ?v=.',
    'A link of another service is refused, also where an item here has its id.',
  ],
  json: ['The current line of list for each item; or {"error":{"code","message","file"}}.'],
  examples: [
    { words: 'set 3kTq9 --visibility private', does: 'makes it private' },
    { words: 'set 3kTq9 8LmX2 --expires 3d --add-tags old', does: 'two items; their other tags stay' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report } = context;
    const settings = await requestedSettings(options, context, signal);
    if (!settings.ok) return report.failed(null, settings.error);
    const { 'add-tags': addTags, 'remove-tags': removeTags } = options;
    const change: ItemChange = {
      ...settings.value,
      ...(options['no-password'] && { password: '' }),
      ...(options['no-one-time'] && { oneTime: false }),
      ...(addTags && { addTags }),
      ...(removeTags && { removeTags }),
    };
    if (Object.keys(change).length === 0) {
      const detail = 'Specify what to change, such as --visibility private. See linkshot help set.';
      return report.usageError(failure('COMMAND_INVALID', detail));
    }
    await withEngine(context, 'given', signal, async (client) => {
      const items = await resolveItems(client, words, report, 'to change');
      if (items.length === 0) return DONE;
      const updated = await client.call('library.update', { ids: items.map(({ id }) => id), change });
      if (!updated.ok) return updated;
      for (const [index, answer] of updated.value.answers.entries()) {
        const name = items[index]?.content.title ?? answer.id;
        const now = resultOf(answer);
        if (!now.ok) report.failed(name, now.error);
        else if (now.value) report.say(libraryLine(now.value), `${printable(name)}  ${now.value.content.url}`);
      }
      return DONE;
    });
  },
});
