/**
 * Imports what the active account has published elsewhere and updates known items, newest first, page by page at the
 * pace that the service allows. Items missing from the service are marked as gone only after all pages were read.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Content } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { AccountId, ItemId } from '../../api/ids.ts';
import type { ItemPage } from '../../api/item-lists.ts';
import type { CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock, Random } from '../ports.ts';
import type { LinkedRows } from './change-items.ts';
import type { Library } from './library-store.ts';

export interface SyncDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly library: Library;
  readonly session: (accountId: AccountId | null) => Result<Session>;
  /** The queue adds an item that it is publishing to the library itself. */
  readonly rows: Pick<LinkedRows, 'isPublishing'>;
  readonly onChange: () => void;
  /** Free bytes on the disk of the profile; null: unknown. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Maximum length of the list: a service that never ends it would fill the disk. The most recent items are imported. */
const ITEMS_MAX = 40_000;
/** Space reserved for the app: the sync stops before the disk of the profile is full. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;
/** Pages between two checks of the free space. */
const PAGES_A_LOOK = 16;

type Stop = 'repeats' | 'too long' | 'disk';

const SENTENCES = {
  repeats: 'The list of the service repeats itself, so the rest was not read.',
  'too long': `The list of the service has more than ${ITEMS_MAX} items, so the rest was not read.`,
} as const;

const stopped = (why: Stop) =>
  why === 'disk'
    ? failure('DISK_FULL', 'The disk of the profile is almost full, so the rest of the list was not read.')
    : failure('LIST_ENDLESS', SENTENCES[why], { params: { list: why } });

type Counts = CommandOutput<'library.sync'>;

export const createSync = ({ clock, random, library, session, rows, onChange, freeBytes }: SyncDeps) => {
  const importItem = (content: Content, accountId: AccountId): keyof Counts | null => {
    const known = library.byContent(content.id);
    if (known && known.goneAt === null && isDeepStrictEqual(known.content, content)) return null;
    if (known) library.put(known.id, content);
    else if (rows.isPublishing(content.id)) return null;
    else {
      library.add({
        id: random.uuid() as ItemId,
        accountId,
        name: content.originalName ?? content.title,
        linkedAt: Date.parse(content.createdAt),
        content,
        isImported: true,
      });
    }
    return known ? 'changed' : 'added';
  };

  return async (_: object, signal: AbortSignal): Promise<Result<Counts>> => {
    const opened = session(null);
    if (!opened.ok) return opened;
    const { client, account } = opened.value;
    const startedAt = clock.now();
    const counts: Counts = { added: 0, changed: 0, gone: 0 };
    const seen = new Set<string>();
    /** All listed items. */
    const ids = new Set<string>();
    const cursors = new Set<string>();
    let cursor: string | null = null;
    let pages = 0;
    const mustStop = async (isNew: boolean): Promise<Stop | null> => {
      if (cursor === null) return null;
      if (!isNew || cursors.has(cursor)) return 'repeats';
      cursors.add(cursor);
      if (ids.size >= ITEMS_MAX) return 'too long';
      const free = pages % PAGES_A_LOOK === 0 ? await freeBytes() : null;
      return free !== null && free < LEAST_FREE_BYTES ? 'disk' : null;
    };
    do {
      const query: Record<string, string> = cursor === null ? {} : { cursor };
      // Local changes made during the request are newer than the page.
      const newer = library.watch();
      const page: Result<ItemPage> = await client.call('listContent', { query }, signal).finally(newer.end);
      if (!page.ok) return page;
      const before = ids.size;
      for (const item of page.value.items) {
        ids.add(item.id);
        if (!('url' in item)) continue;
        const { favorite: _, owned: __, ...content } = item;
        seen.add(content.id);
        if (newer.has(content.id)) continue;
        const what = importItem(content, account.user.id);
        if (what) counts[what]++;
      }
      pages += 1;
      cursor = page.value.nextCursor;
      onChange();
      const why = await mustStop(ids.size > before);
      if (why) return err(stopped(why));
    } while (cursor !== null);
    for (const { id, content, linkedAt } of library.alive(account.user.id)) {
      // Items published during the sync are on none of its pages.
      if (seen.has(content.id) || linkedAt >= startedAt) continue;
      library.markGone(id, clock.now());
      counts.gone++;
    }
    onChange();
    return ok(counts);
  };
};
