/**
 * Decides whether a file is sent in one request, and publishes a small image that way: an upload in parts takes three
 * round trips, which for a small image last longer than sending its bytes. The image is published once over all
 * attempts: the service keeps the idempotency key for at least a day (API document, "Limits"), and a repetition more
 * than 20 hours after the item was added searches the account's items first.
 */

import type { Content, ShareFields } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { encodeForm, formFieldsOf } from '../api-client/multipart-form.ts';
import { type FindBeforeResendDeps, findBeforeResend, findPublishedFile, nameOf } from './find-published-file.ts';
import type { OpenSourceAt } from './upload-source.ts';

export interface SingleRequestDeps extends FindBeforeResendDeps {
  readonly openSource: OpenSourceAt;
}

export interface SingleRequest {
  readonly item: QueueItemIn<'posting'>;
  readonly share: ShareFields;
  /** `unsure`: an earlier request may have published it. */
  readonly before: 'none' | 'unsure';
  /** Bytes sent. */
  readonly onSent: (bytes: number) => void;
}

/** `parts`: this service does not support single-request uploads, and has published nothing. */
export type SingleRequestReply = Content | 'parts';

/** Image formats of the service; other names are uploaded in parts. */
const PICTURE = /\.(png|jpe?g|webp|avif)$/i;

/**
 * Captures, pasted or dropped images, and prepared bodies: the app owns these bytes and they never change, so a
 * repeated request is identical.
 */
export const isSentInOneRequest = (item: QueueItem): boolean =>
  item.job.kind === 'file' &&
  (item.source.owner === 'spool' || item.body !== null) &&
  item.size <= LIMITS.partBytes &&
  PICTURE.test(nameOf(item));

/**
 * Errors: those of `openSource`, INTERNAL while the service processes an earlier request, and those of the service and
 * the network.
 */
export const postInOneRequest = async (
  { item, share, before, onSent }: SingleRequest,
  session: Session,
  deps: SingleRequestDeps,
  signal: AbortSignal,
): Promise<Result<SingleRequestReply>> => {
  if (before === 'unsure') {
    const found = await findBeforeResend(item, session, deps, 'IMAGE', signal);
    if (!found.ok) return found;
    if (found.value !== null) return ok(found.value);
  }
  const foundOrParts = async (): Promise<Result<SingleRequestReply>> => {
    const found = await findPublishedFile(item, session, deps, 'IMAGE', signal);
    return found.ok ? ok(found.value ?? 'parts') : found;
  };
  const source = await deps.openSource(item.body?.path ?? item.source.path);
  if (!source.ok) return source;
  try {
    const name = nameOf(item);
    const file = { name, type: typeOf(name), source: source.value };
    const form = encodeForm({ boundary: item.requestKey, fields: formFieldsOf(share), file });
    const headers = { 'idempotency-key': item.requestKey, 'x-service-account': session.account.user.id };
    const reply = await session.client.call('uploadFile', { headers, form, onSent }, signal);
    if (reply.ok) return ok(reply.value.content);
    if (reply.error.code === 'NOT_FOUND') return before === 'none' ? ok('parts') : await foundOrParts();
    return reply.error.code === 'IDEMPOTENCY_CONFLICT' ? err(stillProcessing()) : reply;
  } finally {
    await source.value.close();
  }
};

const stillProcessing = () =>
  failure('INTERNAL', 'The service is still working on an earlier request for this image; Linkshot will try again.');

/** By the file extension; the service itself checks the bytes. */
const typeOf = (name: string): string => {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`;
};
