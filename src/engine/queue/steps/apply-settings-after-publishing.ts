/**
 * Step after publishing: applies the link settings that the publishing request did not include, whether the item was
 * published in one request or in parts.
 */
import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { linked, type Outcome, type StepDeps } from './step-outcome.ts';

/** Idempotent. Errors: those of `updateContent`. */
export const applyPostPublish = async (
  item: QueueItemIn<'published'>,
  { client }: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { postPublish: applied, content } = item;
  if (applied === null) return linked(item, content, deps);
  deps.live.begin(item.id, 'completing', item.size, item.size);
  const reply = await client.call('updateContent', { params: { id: content.id }, json: applied }, signal);
  deps.live.end(item.id);
  return reply.ok ? { ...linked(item, reply.value, deps), applied } : { failure: reply.error };
};
