/**
 * Sends the one request that publishes a note, a folder or a small image. A stored Idempotency-Key prevents a second
 * item while the service keeps the key. If an earlier request may have been sent, the account's items are searched
 * before a note is sent again, and before an image or a folder whose key may have expired is.
 */

import type { Content, ShareFields } from '../../../api/content.ts';
import {
  type ErrorCode,
  type Failure,
  isOfService,
  isServiceErrorCode,
  ok,
  type Result,
  unreachable,
} from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { PreparedFile } from '../../../ipc/protocol/prepared-file.ts';
import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { postFolder } from '../../folder/post-folder.ts';
import { type PostNoteDeps, postNote } from '../../note/post-note.ts';
import { postInOneRequest } from '../../upload/single-request-upload.ts';
import type { ItemProgressList } from '../item-progress.ts';
import type { Passwords } from '../link/link-passwords.ts';

export interface PostDeps extends PostNoteDeps {
  readonly live: ItemProgressList;
  readonly passwords: Passwords;
  /** Items of this run whose row was written, and of which no request was sent, or each one was refused. */
  readonly unsent: Set<ItemId>;
}

/** Answers that leave open whether this or an earlier request was stored. */
const UNSURE: ReadonlySet<ErrorCode> = new Set([
  'INTERNAL',
  'IDEMPOTENCY_CONFLICT',
  'UPLOAD_STALLED',
  'CONTENT_GONE',
  'UPLOAD_GONE',
] as const);
/** The request was not sent, or not to its end. */
const UNSENT: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_REFUSED',
  'KEY_STORE_FAILED',
  'SOURCE_MISSING',
  'SOURCE_UNREADABLE',
  'SOURCE_CHANGED',
  'SOURCE_EMPTY',
] as const);

/** Whether the failure proves that its request has stored nothing: also where a proxy refuses the size of the body. */
const hasStoredNothing = (reason: Failure): boolean => {
  const { code, params } = reason;
  if (isServiceErrorCode(code)) return (isOfService(reason) || code === 'UPLOAD_TOO_LARGE') && !UNSURE.has(code);
  return UNSENT.has(code) || params?.['isSent'] === false;
};

export interface Posted {
  readonly content: Content;
  /** The item's body, with details from the service. */
  readonly body: PreparedFile | null;
}

/**
 * Resolves to the published item; `parts`: nothing was published and the item must be uploaded in parts. Errors: those
 * of the service and the network, SOURCE_MISSING, KEY_STORE_FAILED.
 */
export const post = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<Result<Posted | 'parts'>> => {
  const before = deps.unsent.delete(item.id) ? 'none' : 'unsure';
  const posted = await postOnce(item, before, session, deps, signal);
  // An equal item that is found now would be another one.
  if (before === 'none' && !posted.ok && hasStoredNothing(posted.error)) deps.unsent.add(item.id);
  return posted;
};

const postOnce = async (
  item: QueueItemIn<'posting'>,
  before: 'none' | 'unsure',
  session: Session,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<Result<Posted | 'parts'>> => {
  const password = await deps.passwords.of(item.id);
  if (!password.ok) return password;
  const share: ShareFields = { ...item.share, ...(password.value !== null && { password: password.value }) };
  const onSent = (bytes: number) => deps.live.move(item.id, bytes);
  deps.live.begin(item.id, 'sending', item.size, 0);
  try {
    const { job } = item;
    switch (job.kind) {
      case 'note': {
        const content = await postNote({ item, job, share, before }, session, deps, signal);
        return content.ok ? ok({ content: content.value, body: null }) : content;
      }
      case 'folder':
        return await postFolder({ item, share, before, onSent }, session, deps, signal);
      case 'file': {
        const content = await postInOneRequest({ item, share, before, onSent }, session, deps, signal);
        if (!content.ok) return content;
        return ok(content.value === 'parts' ? 'parts' : { content: content.value, body: item.body });
      }
      default:
        return unreachable(job);
    }
  } finally {
    deps.live.end(item.id);
  }
};
