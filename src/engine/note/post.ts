/** Publishes a note in one request (decisions 3, "POST /pastes"). */
import type { Content, ShareFields } from '../../contract/content.ts';
import { ok, type Result } from '../../contract/errors.ts';
import type { Job, QueueItemIn } from '../../contract/queue-item.ts';
import type { Session } from '../account/session.ts';
import type { OpenSourceAt } from '../upload/source.ts';

export interface NotePost {
  readonly item: QueueItemIn<'posting'>;
  readonly job: Extract<Job, { kind: 'note' }>;
  readonly share: ShareFields;
}

export const postNote = async (
  { item, job, share }: NotePost,
  { client, account }: Session,
  openSource: OpenSourceAt,
  signal: AbortSignal,
): Promise<Result<Content>> => {
  const text = await readText(item.source.path, openSource);
  if (!text.ok) return text;
  const headers = { 'idempotency-key': item.requestKey, 'x-service-account': account.user.id };
  const json = { text: text.value, format: job.format, language: job.language, ...share };
  const reply = await client.call('createNote', { headers, json }, signal);
  return reply.ok ? ok(reply.value.content) : reply;
};

const readText = async (path: string, openSource: OpenSourceAt): Promise<Result<string>> => {
  const source = await openSource(path);
  if (!source.ok) return source;
  const bytes = await source.value.read(Buffer.alloc(source.value.size), 0).finally(() => source.value.close());
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
};
