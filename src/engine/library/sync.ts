/**
 * Takes over what an account has published elsewhere, newest first, page by page at the pace that the service allows.
 * What the service does not list any more is marked as gone, but only once every page was read.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CommandOutput } from '../../contract/app/ipc.ts';
import { ok, type Result } from '../../contract/errors.ts';
import type { AccountId, ItemId } from '../../contract/ids.ts';
import type { Content } from '../../contract/service/content.ts';
import type { ItemPage } from '../../contract/service/lists.ts';
import type { Session } from '../account/session.ts';
import type { Clock, Random } from '../ports.ts';
import type { Library } from './store.ts';

export interface SyncDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly library: Library;
  readonly session: (accountId: AccountId | null) => Result<Session>;
  /** Whether the item is in the queue and will come into the library from there. */
  readonly isComing: (content: Content) => boolean;
  readonly onChange: () => void;
}

type Counts = CommandOutput<'library.sync'>;

export const createSync = ({ clock, random, library, session, isComing, onChange }: SyncDeps) => {
  const take = (content: Content, accountId: AccountId): keyof Counts | null => {
    const known = library.byContent(content.id);
    if (known && known.goneAt === null && isDeepStrictEqual(known.content, content)) return null;
    if (known) library.put(known.id, content);
    else if (isComing(content)) return null;
    else {
      library.add({
        id: random.uuid() as ItemId,
        accountId,
        name: content.originalName ?? content.title,
        linkedAt: Date.parse(content.createdAt),
        content,
      });
    }
    return known ? 'changed' : 'added';
  };

  return async (signal: AbortSignal): Promise<Result<Counts>> => {
    const opened = session(null);
    if (!opened.ok) return opened;
    const { client, account } = opened.value;
    const begun = clock.now();
    const counts: Counts = { added: 0, changed: 0, gone: 0 };
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = cursor === null ? {} : { cursor };
      const page: Result<ItemPage> = await client.call('listContent', { query }, signal);
      if (!page.ok) return page;
      for (const listed of page.value.items) {
        if (!('url' in listed)) continue;
        const { favorite: _, owned: __, ...content } = listed;
        seen.add(content.id);
        const what = take(content, account.user.id);
        if (what) counts[what]++;
      }
      cursor = page.value.nextCursor;
      onChange();
    } while (cursor !== null);
    for (const { id, content, linkedAt } of library.alive(account.user.id)) {
      // What was published while the pages were read stands on none of them.
      if (seen.has(content.id) || linkedAt >= begun) continue;
      library.markGone(id, clock.now());
      counts.gone++;
    }
    onChange();
    return ok(counts);
  };
};
