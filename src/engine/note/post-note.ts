/**
 * Publishes a note in one request (API decisions 3, "POST /pastes"). So that it is not published twice, the request has
 * an Idempotency-Key, although the API document defines none for it, and where a reply may have been lost, the
 * account's notes are searched first.
 */

import type { Content, ShareFields } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Job, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { type FindPublishedNoteDeps, findPublishedNote } from './find-published-note.ts';
import { readNoteText } from './read-note-text.ts';

export interface PostNoteDeps extends FindPublishedNoteDeps {
  /** Whether the user has cancelled the item meanwhile. */
  readonly isCancelled: (id: ItemId) => boolean;
}

export interface NotePost {
  readonly item: QueueItemIn<'posting'>;
  readonly job: Extract<Job, { kind: 'note' }>;
  readonly share: ShareFields;
  /** `unsure`: an earlier request may have published it. */
  readonly before: 'none' | 'unsure';
}

export const postNote = async (
  { item, job, share, before }: NotePost,
  session: Session,
  deps: PostNoteDeps,
  signal: AbortSignal,
): Promise<Result<Content>> => {
  if (before === 'unsure') {
    const found = await findPublishedNote(item, session, deps, signal);
    if (!found.ok) return found;
    if (found.value !== null) {
      const own = await withPassword(found.value, share.password, session, signal);
      if (own.ok || own.error.code !== 'SCOPE_MISSING') return own;
    }
  }
  const text = await readNoteText(item.source.path, deps.openSource);
  if (!text.ok) return text;
  if (deps.isCancelled(item.id))
    return err(failure('CANCELLED', 'The note was cancelled before it was sent.', { params: { isSent: false } }));
  const headers = { 'idempotency-key': item.requestKey, 'x-service-account': session.account.user.id };
  const json = { text: text.value, format: job.format, language: job.language, ...share };
  const reply = await session.client.call('createNote', { headers, json }, signal);
  if (reply.ok) return ok(reply.value.content);
  if (reply.error.code !== 'IDEMPOTENCY_CONFLICT') return reply;
  return err(
    failure('INTERNAL', 'The service is still working on an earlier request for this note; Linkshot will try again.'),
  );
};

/** Passwords cannot be compared: what is found opens with that of the item, whoever has published it. */
const withPassword = async (
  content: Content,
  password: string | undefined,
  { client }: Session,
  signal: AbortSignal,
): Promise<Result<Content>> =>
  password === undefined
    ? ok(content)
    : await client.call('updateContent', { params: { id: content.id }, json: { password } }, signal);
