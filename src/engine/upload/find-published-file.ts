/**
 * Searches the account's items for the one that an earlier request has published from a file, if its reply was lost and
 * the service no longer knows the request.
 */
import type { Content, ContentType } from '../../api/content.ts';
import { ok, type Result } from '../../api/errors.ts';
import type { ContentId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { cleanText } from '../api-client/sanitize-reply.ts';
import { itemsSince, SKEW_MS } from './items-since.ts';

export interface FindPublishedDeps {
  /** Whether an item of this profile has that link already. */
  readonly isKnown: (id: ContentId) => boolean;
}

/** The name under which the file of the item is published. */
export const nameOf = ({ body, name }: Pick<QueueItem, 'body' | 'name'>): string =>
  [...(body?.name ?? name)].slice(0, LIMITS.filenameMaxCharacters).join('');

/**
 * Finds an item of the account with the same name and size, published after the item was added and not linked to another
 * item; `type` null: of any kind. Null: not found. Errors: those of the service and the network.
 */
export const findPublishedFile = async (
  item: Pick<QueueItem, 'body' | 'name' | 'size' | 'createdAt'>,
  session: Session,
  { isKnown }: FindPublishedDeps,
  type: ContentType | null,
  signal: AbortSignal,
): Promise<Result<Content | null>> => {
  for await (const page of itemsSince(session, item.createdAt, type, signal)) {
    if (!page.ok) return page;
    for (const listed of page.value) {
      const isMatch =
        'url' in listed &&
        listed.originalName === cleanText(nameOf(item)) &&
        listed.size === item.size &&
        Date.parse(listed.createdAt) >= item.createdAt - SKEW_MS &&
        !isKnown(listed.id);
      if (isMatch) return await session.client.call('readContent', { params: { id: listed.id } }, signal);
    }
  }
  return ok(null);
};
