/** Lists the account's newest items page by page, back to the time at which an item of the queue was added. */
import type { ContentType } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemPage, ListedItem } from '../../api/item-lists.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock } from '../ports.ts';

/** Tolerated difference between the clocks of client and service, beside the one that is known. */
const SKEW_MS = 10 * 60_000;
const PAGES = 20;
const SETTLE_MS = 1_500;

/** Call before a search: a request whose connection broke may still be processed for a moment. Errors: CANCELLED. */
export const settle = (clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<Result<void>> =>
  clock.sleep(SETTLE_MS, signal).then(
    () => ok(undefined),
    () => err(failure('CANCELLED', 'The upload was cancelled before the service was searched for it.')),
  );

/**
 * Yields the items of each page that may have been published since then, at most 20 pages; `createdAt` in milliseconds
 * since 1970, by the clock of this computer. The last result may be an error of the service or the network.
 */
export async function* itemsSince(
  { client }: Pick<Session, 'client'>,
  createdAt: number,
  type: ContentType | null,
  signal: AbortSignal,
): AsyncGenerator<Result<readonly ListedItem[]>> {
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const query: Record<string, string> = { ...(type !== null && { type }), ...(cursor !== null && { cursor }) };
    const reply: Result<ItemPage> = await client.call('listContent', { query }, signal);
    if (!reply.ok) return void (yield reply);
    const earliest = client.serviceTime(createdAt) - SKEW_MS;
    const isSince = (item: ListedItem) => !('createdAt' in item) || Date.parse(item.createdAt) >= earliest;
    yield ok(reply.value.items.filter(isSince));
    const last = reply.value.items.at(-1);
    cursor = reply.value.nextCursor;
    if (cursor === null || (last && !isSince(last))) return;
  }
}
