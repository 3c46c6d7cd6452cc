/**
 * `linkshot list`: lists published items by search words and filters, newest first by default. With --sync, or with a
 * service and key of its own, it first imports what the account published elsewhere.
 */

import { VISIBILITIES } from '../../api/content.ts';
import { err, ok, type Result } from '../../api/errors.ts';
import { readInstant } from '../../base/common/read-instant.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { choice, command, flag, parsed, text } from '../command-definition.ts';
import { readWholeNumber } from '../input/read-whole-number.ts';
import { formatCount } from '../output/format.ts';
import { KINDS, reportLibrary } from '../output/published-items.ts';

const DEFAULT_LIMIT = 25;

const readMoment = (text: string): Result<number, string> => {
  const at = readInstant(text);
  return at === null ? err(`must be a day such as 2027-01-31, not "${text}"`) : ok(at.getTime());
};

export const list = command({
  name: 'list',
  summary: 'list published items, newest first',
  group: 'Library',
  arguments: [
    {
      name: 'WORD',
      summary: 'words of title, tags, name or text, or in a picture; all must match the start of a word',
      count: 'any number',
      mayBeEmpty: true,
    },
  ],
  options: {
    'in-pictures': text('WORD', 'only pictures that show this; several words in quotation marks'),
    kind: choice('KIND', Object.keys(KINDS) as (keyof typeof KINDS)[], 'only items of this type'),
    visibility: choice('WHO', VISIBILITIES, 'only items with this visibility'),
    state: choice(
      'STATE',
      ['live', 'gone', 'protected'],
      'only working links, deleted or expired ones, or protected ones',
    ),
    since: parsed('DAY', 'published on or after this day', readMoment),
    until: parsed('DAY', 'published before this day', readMoment),
    sort: choice('HOW', ['newest', 'oldest', 'title', 'largest', 'most-viewed'], 'sort order'),
    limit: parsed('N', `maximum number; ${DEFAULT_LIMIT} by default`, readWholeNumber(1)),
    all: flag('list all items'),
    sync: flag('first import items published from other devices'),
  },
  description: [
    'Lists the items known to this profile, and works offline. With --sync, or with --server and --key, it reads the account first.',
    'The words in pictures that were published from this computer are read on this computer. Those that are not read yet are read first, which takes about a second each; those that were published elsewhere are not read.',
  ],
  json: [
    '{"id","url","itemId","title","name","type","size","visibility","passwordProtected","oneTime","tags","views","viewLimit","createdAt","expiresAt","revision","gone"} for each item.',
  ],
  examples: [
    { words: 'list', does: 'the newest items' },
    { words: 'list trip --kind video --sort largest', does: 'the largest videos about a trip' },
    { words: 'list --in-pictures invoice', does: 'pictures that show a word that begins so' },
    { words: 'list --all --json', does: 'everything, for a program' },
  ],
  run: ({ words, options }, context, signal) => {
    const { report, contact } = context;
    const isAsked = options.sync === true || contact !== null;
    return withEngine(context, isAsked ? 'given' : 'none', signal, async (client) => {
      const synced = isAsked ? await client.call('library.sync', {}) : DONE;
      if (!synced.ok) return synced;
      const inPictures = options['in-pictures'];
      if (inPictures !== undefined) {
        const read = await client.call('library.readPictures', {});
        if (!read.ok) return read;
        const { pending, isOn } = read.value;
        if (!isOn) report.note('Pictures are not read: turn on the setting findInPictures.');
        else if (pending > 0)
          report.note(`${formatCount(pending, 'picture')} not read yet; try again after the uploads.`);
      }
      const { kind, visibility, state, since, until, sort } = options;
      const query = {
        text: words.join(' '),
        ...(inPictures !== undefined && { inPictures }),
        ...(kind && { kinds: [KINDS[kind]] }),
        ...(visibility && { visibility }),
        ...(state && { state }),
        ...(since !== undefined && { from: since }),
        ...(until !== undefined && { to: until }),
        ...(sort && { sort }),
      };
      const most = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? DEFAULT_LIMIT);
      const found = await search(client, query, most);
      if (!found.ok) return found;
      const { items, total } = found.value;
      reportLibrary(report, items);
      if (items.length === 0) report.note('No items found.');
      else if (total > items.length)
        report.note(`${items.length} of ${formatCount(total, 'item')}; --all shows the rest.`);
      return DONE;
    });
  },
});

const search = async (
  client: EngineClient,
  query: CommandInput<'library.search'>,
  most: number,
): Promise<Result<{ readonly items: readonly LibraryItem[]; readonly total: number }>> => {
  const items: LibraryItem[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.call('library.search', { ...query, ...(cursor !== undefined && { cursor }) });
    if (!page.ok) return page;
    items.push(...page.value.items);
    if (page.value.nextCursor === null || items.length >= most)
      return ok({ items: items.slice(0, most), total: page.value.total });
    cursor = page.value.nextCursor;
  }
};
