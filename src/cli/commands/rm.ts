/** `linkshot rm`: deletes published items permanently. */

import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command-definition.ts';
import { resolveItems, resultOf } from '../input/resolve-items.ts';
import { printable } from '../output/format.ts';

export const rm = command({
  name: 'rm',
  summary: 'delete published items permanently',
  group: 'Library',
  arguments: [{ name: 'ID', summary: 'links, or the ids in them', count: 'one or more' }],
  options: {},
  description: [
    'Their links stop working, and the deletion cannot be undone. Files on this computer are not touched.',
    'A link of another service is refused, also where an item here has its id.',
  ],
  json: ['{"id","url","deleted":true} for each item; or {"error":{"code","message","file"}}.'],
  examples: [{ words: 'rm 3kTq9', does: 'the link stops working' }],
  run: ({ words }, context, signal) =>
    withEngine(context, 'given', signal, async (client) => {
      const { report } = context;
      const items = await resolveItems(client, words, report, 'to change');
      if (items.length === 0) return DONE;
      const deleted = await client.call('library.delete', { ids: items.map(({ id }) => id), when: 'now' });
      if (!deleted.ok) return deleted;
      for (const [index, answer] of deleted.value.answers.entries()) {
        const item = items[index];
        const deleted = resultOf(answer);
        if (!deleted.ok) report.failed(item?.content.title ?? answer.id, deleted.error);
        else if (item)
          report.say(
            { id: item.content.id, url: item.content.url, deleted: true },
            `Deleted: ${printable(item.content.title || item.name)}`,
          );
      }
      return DONE;
    }),
});
