/**
 * First step of a queued file or folder: prepares its source as the service requires (for example packs a folder or
 * converts a video) and reports the progress. This step sends nothing; a note does not need it.
 */

import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { beforeSending } from '../retry/retry-policy.ts';
import { type Outcome, ownerOf, type StepDeps, withoutError } from './step-outcome.ts';

export const prepare = async (
  item: QueueItemIn<'queued'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  let done = 0;
  const onProgress = (share: number) => {
    const bytes = Math.round(share * item.size);
    deps.live.move(item.id, bytes - done);
    done = bytes;
  };
  deps.live.begin(item.id, 'preparing', item.size, 0);
  try {
    const body = await deps.prepare(item, { account: session.account, onProgress }, signal);
    if (!body.ok) return { failure: body.error, context: beforeSending(body.error) };
    const size = body.value?.size ?? item.size;
    return { to: { ...withoutError(item), ...ownerOf(item, session), state: 'prepared', body: body.value, size } };
  } finally {
    deps.live.end(item.id);
  }
};
