/**
 * Chooses and runs the next step of an item, by its state and the way it is published, and names the step's role for
 * scheduling. A step can be repeated after a crash at any moment: idempotency keys prevent a second item while the
 * service keeps them.
 */

import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { isSentInOneRequest } from '../../upload/single-request-upload.ts';
import type { Role } from '../concurrency-rules.ts';
import { refusalOf } from '../link/requested-link-settings.ts';
import { hasWork, type WorkItem } from '../queue-item-states.ts';
import { applyPostPublish } from './apply-settings-after-publishing.ts';
import { complete } from './complete.ts';
import { hash } from './hash.ts';
import { prepare } from './prepare.ts';
import { beginSingleRequest, publish } from './publish-in-one-request.ts';
import { send } from './send-parts.ts';
import { start } from './start-upload.ts';
import { newKey, type Outcome, type StepDeps } from './step-outcome.ts';

type State = WorkItem['state'];

interface Step<Item> {
  readonly role: Role;
  /** Network failures, refusals and changed files are outcomes; only bugs throw. */
  readonly run: (item: Item, session: Session, deps: StepDeps, signal: AbortSignal) => Outcome | Promise<Outcome>;
}

/** How an item is published: in one request as a note, an archive or a picture, or as a file in parts. */
type Kind = 'note' | 'folder' | 'picture' | 'file';

type Row<Item> = Step<Item> | Readonly<Record<Kind, Step<Item>>>;

const PREPARE: Step<QueueItemIn<'queued'>> = { role: 'prepare', run: prepare };
const POST: Step<WorkItem> = { role: 'send', run: beginSingleRequest };
const HASH: Step<QueueItemIn<'prepared'>> = { role: 'hash', run: hash };
const REQUEST_COMPLETION: Step<QueueItemIn<'sent'>> = {
  role: 'send',
  run(item, { account }, deps) {
    const refusal = refusalOf(item, { account, now: deps.clock.now() });
    return refusal ? { failure: refusal } : { to: { ...item, state: 'completing', completeKey: newKey(deps) } };
  },
};

const STEPS: { readonly [S in State]: Row<QueueItemIn<S>> } = {
  queued: { note: POST, folder: PREPARE, picture: PREPARE, file: PREPARE },
  prepared: { note: POST, folder: POST, picture: POST, file: HASH },
  hashed: { role: 'send', run: start },
  started: { role: 'send', run: send },
  sent: REQUEST_COMPLETION,
  completing: { role: 'send', run: complete },
  posting: { role: 'send', run: publish },
  published: { role: 'send', run: applyPostPublish },
};

const kindOf = (item: QueueItem): Kind => {
  if (item.job.kind !== 'file') return item.job.kind;
  return isSentInOneRequest(item) ? 'picture' : 'file';
};

const stepOf = (item: WorkItem): Step<never> => {
  const row: Row<never> = STEPS[item.state];
  return 'run' in row ? row : row[kindOf(item)];
};

/** Runs the step of the item's state. */
export const runStep = async (
  item: WorkItem,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => stepOf(item).run(item as never, session, deps, signal);

/** Null: the item needs no work, or the user has paused it. */
export const roleOf = (item: QueueItem, isPaused: () => boolean): Role | null => {
  if (item.intent === 'cancel') return item.state === 'linked' ? null : 'cancel';
  return hasWork(item) && item.intent === 'run' && !isPaused() ? stepOf(item).role : null;
};
