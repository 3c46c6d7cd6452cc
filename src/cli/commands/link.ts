/**
 * `linkshot link`: prints the links of published items as addresses, Markdown, HTML or BBCode, or in the user's own
 * format.
 */

import type { LinkFormat } from '../../ipc/protocol/link-settings.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { choice, command, flag, text } from '../command-definition.ts';
import { resolveItems } from '../input/resolve-items.ts';
import { copyText } from '../output/copy-text.ts';

const FORMATS: readonly LinkFormat[] = ['plain', 'markdown', 'html', 'bbcode', 'direct', 'template'];

export const link = command({
  name: 'link',
  summary: 'print links as Markdown, HTML, BBCode or in your own format',
  group: 'Library',
  arguments: [{ name: 'ID', summary: 'links, or the ids in them', count: 'one or more' }],
  options: {
    as: choice('FORM', FORMATS, 'the format; direct is the address of the file itself'),
    template: text('TEXT', 'your own format, with {url}, {title} and so on; {title|html} escapes'),
    copy: flag('also copy them to the clipboard'),
  },
  description: ['Without --as, uses the setting linkFormat.'],
  json: ['{"id","url","text"} for each item.'],
  examples: [
    { words: 'link 3kTq9 --as markdown', does: 'for a README' },
    { words: "link 3kTq9 --template '{title}: {url}'", does: 'your own format' },
  ],
  run: ({ words, options }, context, signal) =>
    withEngine(
      context,
      'given',
      signal,
      async (client, contact) => {
        const { report } = context;
        const format = options.as ?? (options.template === undefined ? undefined : 'template');
        const how = {
          ...(format && { format }),
          ...(options.template !== undefined && { template: options.template }),
        };
        const texts: string[] = [];
        for (const { id, content } of await resolveItems(client, words, report, 'to read', contact)) {
          const formatted = await client.call('link.format', { ids: [id], ...how });
          if (!formatted.ok) return formatted;
          texts.push(formatted.value.text);
          report.content({ id: content.id, url: content.url, text: formatted.value.text }, formatted.value.text);
        }
        if (options.copy && texts.length > 0) await copyText(texts.join('\n'), context);
        return DONE;
      },
      { contact: 'optional' },
    ),
});
