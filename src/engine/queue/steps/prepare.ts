/**
 * First step of a queued file or folder: prepares its source as the service requires (for example packs a folder or
 * converts a video) and reports the progress. This step sends nothing; a note does not need it.
 */

import { ok, type Result } from '../../../api/errors.ts';
import type { CheckedSource, QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { describeSource } from '../../upload/checked-source.ts';
import { needsCheck } from '../queue-item-states.ts';
import { beforeSending } from '../retry/retry-policy.ts';
import { type Outcome, ownerOf, type StepDeps, withoutError } from './step-outcome.ts';

const describe = async (item: QueueItem, deps: StepDeps, signal: AbortSignal): Promise<Result<CheckedSource>> => {
  const source = await deps.openSource(item.source.path);
  if (!source.ok) return source;
  return await describeSource(source.value, deps, signal).finally(() => source.value.close());
};

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
    const checked = needsCheck(item) ? await describe(item, deps, signal) : ok(null);
    if (!checked.ok) return { failure: checked.error, context: beforeSending(checked.error) };
    const body = await deps.prepare(item, { account: session.account, onProgress }, signal);
    if (!body.ok) return { failure: body.error, context: beforeSending(body.error) };
    const size = body.value?.size ?? item.size;
    const prepared = {
      ...withoutError(item),
      ...ownerOf(item, session),
      state: 'prepared',
      body: body.value,
      size,
    } as const;
    // A file that keeps changing is not prepared for ever: its attempts end with its hashes.
    if (body.value === null && checked.value)
      return { to: { ...prepared, attempts: item.attempts, checked: checked.value } };
    return { to: prepared };
  } finally {
    deps.live.end(item.id);
  }
};
