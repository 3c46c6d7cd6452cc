/**
 * Steps that publish an item in one request instead of an upload in parts: first the idempotency key of the request is
 * saved, then the request is sent.
 */

import { type Failure, isOfService, isOverTypeLimit } from '../../../api/errors.ts';
import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { refusalOf } from '../link/requested-link-settings.ts';
import type { WorkItem } from '../queue-item-states.ts';
import { whileSending } from '../retry/retry-policy.ts';
import { hash } from './hash.ts';
import { post } from './send-single-request.ts';
import { linked, newKey, type Outcome, ownerOf, type StepDeps, unprepared, withoutError } from './step-outcome.ts';

/** The key is persisted before the request. Errors: those of `refusalOf`. */
export const beginSingleRequest = (item: WorkItem, session: Session, deps: StepDeps): Outcome => {
  const refusal = refusalOf(item, { account: session.account, now: deps.clock.now() });
  if (refusal) return { failure: refusal };
  deps.unsent.add(item.id);
  return { to: { ...withoutError(item), ...ownerOf(item, session), state: 'posting', requestKey: newKey(deps) } };
};

/**
 * Whether a retry must start over: the key belongs to a deleted item, or the file or folder was refused. A proxy that
 * refuses its size says nothing about earlier requests with the key, if there were any.
 */
const mustStartOver = ({ id, job }: QueueItem, reason: Failure, unsent: StepDeps['unsent']): boolean => {
  const { code } = reason;
  return (
    code === 'CONTENT_GONE' ||
    (code === 'UPLOAD_TOO_LARGE' && (isOfService(reason) || unsent.has(id))) ||
    isOverTypeLimit(code) ||
    (job.kind !== 'file' && (code === 'SOURCE_MISSING' || code.startsWith('FOLDER_')))
  );
};

/** The row of an item of which nothing can be published says so, also after a restart. */
const instead = (item: QueueItemIn<'posting'>, reason: Failure, { unsent }: Pick<StepDeps, 'unsent'>) => {
  if (mustStartOver(item, reason, unsent)) return { instead: unprepared(item) };
  return unsent.has(item.id) ? { instead: { ...item, isUnsent: true } as const } : {};
};

export const publish = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { isUnsent, ...sent } = item;
  if (isUnsent) {
    deps.unsent.add(item.id);
    return { to: sent };
  }
  const published = await post(item, session, deps, signal);
  if (!published.ok)
    return {
      failure: published.error,
      context: whileSending(published.error),
      ...instead(item, published.error, deps),
    };
  if (published.value === 'parts') {
    // If the file cannot be read now, it stays known that nothing was published.
    deps.unsent.add(item.id);
    return hash(item, session, deps, signal);
  }
  return linked({ ...item, body: published.value.body }, published.value.content, deps);
};
