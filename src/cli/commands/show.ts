/**
 * `linkshot show`: shows the properties of one published item, read again from the service if it can be reached. With
 * --text it shows only the text of a note.
 */
import { ok } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag } from '../command-definition.ts';
import { errorMessageOf } from '../error-messages.ts';
import { resolveItems, resultOf } from '../input/resolve-items.ts';
import { itemPage, libraryLine } from '../output/published-items.ts';

export const show = command({
  name: 'show',
  summary: 'show everything about one item',
  group: 'Library',
  arguments: [{ name: 'ID', summary: 'its link, or the id in it', count: 'one' }],
  options: { text: flag('only the text of a note') },
  description: [
    'Reads the current state from the service: views, expiry, whether it still exists. Without a network it shows the last known state, and says so.',
  ],
  json: [
    'The line of list, and all fields of the service in "content". With --text: {"id","url","text","format","language","revision"}.',
  ],
  examples: [
    { words: 'show https://share.example.com/s/3kTq9', does: 'views, access and expiry' },
    { words: 'show 3kTq9 --text > note.md', does: 'the text of a note' },
  ],
  run: ({ words, options }, context, signal) =>
    withEngine(
      context,
      'given',
      signal,
      async (client, contact) => {
        const { report } = context;
        const [item] = await resolveItems(client, words, report, 'to read', contact);
        if (!item) return DONE;
        const { id, content } = item;
        if (options.text) {
          if (!contact.ok) return contact;
          const read = await client.call('note.read', { id });
          if (!read.ok) return read;
          const { note } = read.value;
          report.content({ id: content.id, url: content.url, ...note }, note.text.replace(/\n$/, ''));
          return DONE;
        }
        const refreshed = !contact.ok ? contact : await client.call('library.refresh', { ids: [id] });
        const answer = refreshed.ok ? refreshed.value.answers[0] : undefined;
        const now = answer ? resultOf(answer) : refreshed.ok ? ok(null) : refreshed;
        if (!now.ok) report.note(`${errorMessageOf(now.error, 'nothing')} This is the last known state.`);
        const shown = (now.ok ? now.value : null) ?? item;
        report.say({ ...libraryLine(shown), content: shown.content }, itemPage(shown, report.style));
        return DONE;
      },
      { contact: 'optional' },
    ),
});
