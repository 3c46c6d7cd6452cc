/** Publishes a note in one request (decisions 3, "POST /pastes"). */
import { readFile } from 'node:fs/promises';
import type { Content, ShareFields } from '../../contract/content.ts';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { Job, QueueItemIn } from '../../contract/queue-item.ts';
import type { Session } from '../account/session.ts';

export const postNote = async (
  item: QueueItemIn<'posting'>,
  job: Extract<Job, { kind: 'note' }>,
  share: ShareFields,
  { client, account }: Session,
  signal: AbortSignal,
): Promise<Result<Content>> => {
  const text = await readFile(item.source.path, 'utf8').catch(() => null);
  if (text === null) return err(failure('SOURCE_MISSING', 'The text of the note is not there any more.'));
  const headers = { 'idempotency-key': item.requestKey, 'x-service-account': account.user.id };
  const json = { text, format: job.format, language: job.language, ...share };
  const reply = await client.call('createNote', { headers, json }, signal);
  return reply.ok ? ok(reply.value.content) : reply;
};
