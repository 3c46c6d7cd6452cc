/**
 * Searches the account's items for the one that an earlier request has published from a file or a packed folder, if its
 * reply was lost and the service no longer knows the request.
 */
import type { Content, ContentType } from '../../api/content.ts';
import { ok, type Result } from '../../api/errors.ts';
import type { ContentId, ItemId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { cleanText } from '../api-client/sanitize-reply.ts';
import type { Clock } from '../ports.ts';
import { isAsRequested, type Requested } from './is-as-requested.ts';
import { itemsSince } from './items-since.ts';

export interface FindPublishedDeps {
  /**
   * Takes a published item as that of an item of the queue. False: it belongs to another item of this profile; one that
   * only a sync has found may be this one.
   */
  readonly take: (content: ContentId, by: ItemId) => boolean;
  readonly passwords: { all(): readonly ItemId[] };
}

export interface FindBeforeResendDeps extends FindPublishedDeps {
  readonly clock: Pick<Clock, 'now'>;
}

type Searched = Requested & Pick<QueueItem, 'body' | 'name' | 'size' | 'createdAt'>;

/** Below the idempotency key's validity of a day (API document, "Limits"): the clocks of both sides may differ. */
const KEY_GOOD_MS = 20 * 3_600_000;

/** The name under which the file of the item is published. */
export const nameOf = ({ body, name }: Pick<QueueItem, 'body' | 'name'>): string =>
  [...(body?.name ?? name)].slice(0, LIMITS.filenameMaxCharacters).join('');

/** The name as a service reads it back from a form: what looks like an escape in it is one too. */
const inForm = (name: string): string => name.replaceAll('%22', '"').replace(/%0[AD]|[\r\n]/g, '');

/** The service packs a folder again, so its archive has another size. */
const isOfSameSize = (listed: Content, { body, size }: Searched): boolean =>
  body?.made.kind === 'folder' ? listed.folderFiles === body.made.selection.files : listed.size === size;

/**
 * Finds an item of the account with the same name, size (a folder: number of files) and settings, published after the
 * item was added and not linked to another item; `type` null: of any kind. Null: not found. Errors: those of the
 * service and the network.
 */
export const findPublishedFile = async (
  item: Searched,
  session: Session,
  { take, passwords }: FindPublishedDeps,
  type: ContentType | null,
  signal: AbortSignal,
): Promise<Result<Content | null>> => {
  const name = nameOf(item);
  const names: readonly (string | undefined)[] = [name, inForm(name)].map(cleanText);
  for await (const page of itemsSince(session, item.createdAt, type, signal)) {
    if (!page.ok) return page;
    for (const listed of page.value) {
      const isMatch =
        'url' in listed &&
        names.includes(listed.originalName) &&
        isOfSameSize(listed, item) &&
        isAsRequested(listed, item, passwords.all()) &&
        take(listed.id, item.id);
      if (isMatch) return await session.client.call('readContent', { params: { id: listed.id } }, signal);
    }
  }
  return ok(null);
};

/**
 * Call before a request with an idempotency key is sent again: as `findPublishedFile`, but null without a search while
 * the service keeps the key, because it then answers with the item itself.
 */
export const findBeforeResend = async (
  item: Searched,
  session: Session,
  deps: FindBeforeResendDeps,
  type: ContentType,
  signal: AbortSignal,
): Promise<Result<Content | null>> =>
  ageMs(item.createdAt, deps.clock.now()) > KEY_GOOD_MS
    ? findPublishedFile(item, session, deps, type, signal)
    : ok(null);
