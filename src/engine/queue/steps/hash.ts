/**
 * Hashes every part of an item's file, because the service requires all hashes before the first part. A user's file
 * that has changed since its preparation let it pass is prepared again.
 */

import { failure } from '../../../api/errors.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { isAsChecked } from '../../upload/checked-source.ts';
import { chunkHashes, fingerprintOf, hashSource } from '../../upload/manifest.ts';
import { changed, isLocked } from '../../upload/upload-source.ts';
import { needsCheck, sentPath } from '../queue-item-states.ts';
import { beforeSending } from '../retry/retry-policy.ts';
import { newKey, type Outcome, ownerOf, type StepDeps, unprepared, withoutError } from './step-outcome.ts';

export const hash = async (
  item: QueueItemIn<'prepared' | 'posting'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const checked = item.state === 'prepared' ? item.checked : undefined;
  if (needsCheck(item) && !checked) return { to: { ...withoutError(item), state: 'queued' } };
  const source = await deps.openSource(sentPath(item));
  if (!source.ok) {
    return item.body && !isLocked(source.error)
      ? { failure: source.error, context: 'settling', instead: unprepared(item) }
      : { failure: source.error, context: beforeSending(source.error) };
  }
  const { size } = source.value;
  try {
    if (size > LIMITS.maxResumableBytes) {
      const detail = 'The file is larger than the service accepts.';
      return { failure: failure('UPLOAD_TOO_LARGE', detail, { params: { limitBytes: LIMITS.maxResumableBytes } }) };
    }
    deps.live.begin(item.id, 'hashing', size, 0);
    const manifest = await hashSource(source.value, deps, (bytes) => deps.live.move(item.id, bytes), signal);
    if (!manifest.ok) return { failure: manifest.error, context: beforeSending(manifest.error) };
    if (checked && !isAsChecked(checked, source.value, manifest.value))
      return { failure: changed(), context: 'settling', instead: unprepared(item) };
    const fingerprint = fingerprintOf(size, chunkHashes(manifest.value));
    const owned = { ...withoutError(item), ...ownerOf(item, session) };
    return { to: { ...owned, size, state: 'hashed', fingerprint, startKey: newKey(deps) }, manifest: manifest.value };
  } finally {
    await source.value.close();
    deps.live.end(item.id);
  }
};
