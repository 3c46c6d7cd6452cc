/**
 * Runs one step of an item, from its state to the next. A step neither schedules nor persists; repeating it after a
 * crash at any moment still publishes exactly one item.
 */

import { unreachable } from '../../../api/errors.ts';
import type { Session } from '../../account/account-session.ts';
import { isSentInOneRequest } from '../../upload/single-request-upload.ts';
import type { WorkItem } from '../work-item.ts';
import { complete } from './complete.ts';
import { hash } from './hash.ts';
import { newKey, type Outcome, type StepDeps } from './outcome.ts';
import { prepare } from './prepare.ts';
import { applyPostPublish, beginPost, publish } from './publish.ts';
import { send } from './send.ts';
import { start } from './upload.ts';

/** Runs the step of the item's state. Network failures, refusals and changed files are outcomes; only bugs throw. */
export const step = (item: WorkItem, session: Session, deps: StepDeps, signal: AbortSignal): Promise<Outcome> => {
  switch (item.state) {
    case 'queued':
      return item.job.kind === 'note'
        ? Promise.resolve(beginPost(item, session, deps))
        : prepare(item, session, deps, signal);
    case 'prepared':
      return item.job.kind === 'folder' || isSentInOneRequest(item)
        ? Promise.resolve(beginPost(item, session, deps))
        : hash(item, session, deps, signal);
    case 'hashed':
      return start(item, session, deps, signal);
    case 'started':
      return send(item, session, deps, signal);
    case 'sent':
      return Promise.resolve({ to: { ...item, state: 'completing', completeKey: newKey(deps) } });
    case 'completing':
      return complete(item, session, deps, signal);
    case 'posting':
      return publish(item, session, deps, signal);
    case 'published':
      return applyPostPublish(item, session, deps, signal);
    default:
      return unreachable(item);
  }
};
