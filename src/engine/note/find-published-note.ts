/**
 * Searches the account for a note whose publishing reply was lost. The match has the same size, kind, text and
 * settings, was published at most ten minutes before the item was added (clocks may differ by more than is known), and
 * is not linked to another item.
 */

import type { Content } from '../../api/content.ts';
import { isRefusedWith, ok, type Result } from '../../api/errors.ts';
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock } from '../ports.ts';
import type { FindPublishedDeps } from '../upload/find-published-file.ts';
import { isAsRequested } from '../upload/is-as-requested.ts';
import { itemsSince, settle } from '../upload/items-since.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { readNoteText } from './read-note-text.ts';

export interface FindPublishedNoteDeps extends FindPublishedDeps {
  readonly clock: Clock;
  readonly openSource: OpenSourceAt;
}

/** Null: it was not published. Errors: SOURCE_*, those of the service and the network, CANCELLED. */
export const findPublishedNote = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: FindPublishedNoteDeps,
  signal: AbortSignal,
): Promise<Result<Content | null>> => {
  const text = await readNoteText(item.source.path, deps.openSource);
  if (!text.ok) return text;
  const settled = await settle(deps.clock, signal);
  if (!settled.ok) return settled;

  for await (const page of itemsSince(session, item.createdAt, 'PASTE', signal)) {
    if (!page.ok) return page;
    for (const listed of page.value) {
      const isMatch =
        'url' in listed &&
        isAlike(listed, item, text.value) &&
        isAsRequested(listed, item, deps.passwords.all()) &&
        !wasOpened(listed);
      if (!isMatch) continue;
      const there = await session.client.call('readNoteText', { params: { id: listed.id } }, signal);
      // Edited or deleted meanwhile: it belongs to another item.
      if (!there.ok && !isRefusedWith(there.error, 404, 410)) return there;
      if (there.ok && there.value.text === text.value && deps.take(listed.id, item.id))
        return await session.client.call('readContent', { params: { id: listed.id } }, signal);
    }
  }
  return ok(null);
};

const isAlike = (content: Content, { job }: QueueItemIn<'posting'>, text: string): boolean =>
  job.kind === 'note' &&
  content.type === 'PASTE' &&
  content.size === Buffer.byteLength(text) &&
  content.pasteFormat === job.format &&
  (content.pasteLanguage ?? null) === (job.format === 'code' ? (job.language ?? 'text') : null);

/** Someone has its link already, so it was not published by the request whose reply was lost. */
const wasOpened = ({ visibility, views, consumedAt }: Content): boolean =>
  visibility !== 'public' && (views > 0 || consumedAt != null);
