/**
 * Searches the account's items for the one that an earlier request has published from a file, if its reply was lost and
 * the service no longer knows the request.
 */
import type { Content } from '../../api/content.ts';
import { ok, type Result } from '../../api/errors.ts';
import type { ContentId } from '../../api/ids.ts';
import type { ItemPage } from '../../api/item-lists.ts';
import { LIMITS } from '../../api/limits.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { cleanText } from '../api-client/sanitize-reply.ts';

export interface FindPublishedDeps {
  /** Whether an item of this profile has that link already. */
  readonly isKnown: (id: ContentId) => boolean;
}

/** The clocks of both sides may differ. */
const SKEW_MS = 10 * 60_000;
const PAGES = 20;

/** The name under which the file of the item is published. */
export const nameOf = ({ body, name }: Pick<QueueItem, 'body' | 'name'>): string =>
  [...(body?.name ?? name)].slice(0, LIMITS.filenameMaxCharacters).join('');

/**
 * Finds an item of the account with the same name and size, published after the item was added and not linked to another
 * item. Null: not found. Errors: those of the service and the network.
 */
export const findPublishedFile = async (
  item: Pick<QueueItem, 'body' | 'name' | 'size' | 'createdAt'>,
  { client }: Session,
  { isKnown }: FindPublishedDeps,
  signal: AbortSignal,
): Promise<Result<Content | null>> => {
  const since = item.createdAt - SKEW_MS;
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const reply: Result<ItemPage> = await client.call(
      'listContent',
      { query: cursor === null ? {} : { cursor } },
      signal,
    );
    if (!reply.ok) return reply;
    for (const listed of reply.value.items) {
      const isMatch =
        'url' in listed &&
        listed.originalName === cleanText(nameOf(item)) &&
        listed.size === item.size &&
        Date.parse(listed.createdAt) >= since &&
        !isKnown(listed.id);
      if (isMatch) return await client.call('readContent', { params: { id: listed.id } }, signal);
    }
    const last = reply.value.items.at(-1);
    cursor = reply.value.nextCursor;
    if (cursor === null || (last && 'createdAt' in last && Date.parse(last.createdAt) < since)) break;
  }
  return ok(null);
};
