/**
 * Derives what the pages show of a queue item: its phase, progress, error, and what the user can do about the error.
 * Independent of language and React.
 */

import { type ErrorCode, type Failure, retryOf } from '../../../api/errors.ts';
import { isCancelBlocked } from '../../../ipc/protocol/is-cancel-blocked.ts';
import type { ItemProgress, QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { confirmedBytes } from '../../../ipc/protocol/queue-progress-tracker.ts';

export type Phase =
  | 'waiting'
  | 'offline'
  | 'preparing'
  | 'hashing'
  | 'sending'
  | 'completing'
  | 'paused'
  | 'queuePaused'
  | 'retrying'
  | 'stuck'
  | 'cancelling'
  | 'linked'
  | 'unreadable';

/** What an error left intact. */
export type Kept =
  | { readonly what: 'nothingSent' | 'nothingStored' | 'allSent' | 'row' | 'deletion' }
  | { readonly what: 'parts'; readonly bytes: number };

/** Available remedies of an error, best first. */
export type Remedy = 'retry' | 'reconnect' | 'settings' | 'room' | 'look' | 'approve' | 'remove';

export interface ItemProblem {
  readonly failure: Failure;
  /** Milliseconds since 1970-01-01 UTC; null: waits for the user, who must act or has paused the queue. */
  readonly retryAt: number | null;
  readonly kept: Kept;
  readonly remedies: readonly Remedy[];
}

export interface ItemView {
  readonly phase: Phase;
  readonly doneBytes: number;
  /** Bytes per second and seconds while the item is prepared, hashed or sent. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly error: ItemProblem | null;
  /** The applicable switch. */
  readonly toggle: 'pause' | 'resume' | null;
}

/** The server rejects the content: the uploaded bytes are deleted. */
const REJECTED: ReadonlySet<ErrorCode> = new Set([
  'UPLOAD_FORMAT_UNSUPPORTED',
  'UPLOAD_TOO_LARGE',
  'IMAGE_TOO_LARGE',
  'VIDEO_TOO_LARGE',
  'VIDEO_NOT_SUITABLE',
  'FOLDER_INFECTED',
  'UPLOAD_GONE',
  'CONTENT_GONE',
  'NOT_FOUND',
]);

/** Retrying with the same file cannot succeed. */
const NOT_RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'UPLOAD_FORMAT_UNSUPPORTED',
  'VIDEO_NOT_SUITABLE',
  'ONE_TIME_NOT_PUBLIC',
  'SOURCE_EMPTY',
  'SOURCE_SECRET',
  'SOURCE_NOT_A_FILE',
  'ITEM_UNREADABLE',
  'FOLDER_INFECTED',
]);

/** The cause is the server address or the account. */
const SETTINGS: ReadonlySet<ErrorCode> = new Set([
  'ACCOUNT_MISMATCH',
  'UNSAFE_ANSWER',
  'REDIRECT_REFUSED',
  'TLS_FAILED',
  'INSECURE_ADDRESS',
  'ADDRESS_INVALID',
  'NOT_THE_SERVICE',
]);

export const remediesOf = ({ code, params }: Failure): readonly Remedy[] => {
  if (code === 'SECRETS_FOUND' || code === 'DRAWING_NOT_APPLIED')
    return params?.['rule'] === 'require' ? ['look', 'remove'] : ['look', 'approve', 'remove'];
  if (code === 'SECRETS_UNCHECKED') return ['look', 'retry', 'remove'];
  if (NOT_RETRYABLE.has(code)) return ['remove'];
  if (retryOf(code) === 'reconnect') return ['reconnect'];
  if (code === 'QUOTA_EXCEEDED') return ['room', 'retry'];
  if (SETTINGS.has(code)) return ['settings', 'retry'];
  return ['retry'];
};

const ALL_SENT: ReadonlySet<QueueItem['state']> = new Set(['sent', 'completing', 'posting', 'published']);

const keptOf = (item: QueueItem, { code }: Failure): Kept => {
  if (item.state === 'unreadable') return { what: 'row' };
  if (isCancelBlocked(item)) return { what: 'deletion' };
  if (REJECTED.has(code)) return { what: 'nothingStored' };
  if (ALL_SENT.has(item.state)) return { what: 'allSent' };
  if (item.state === 'started' && item.confirmedBytes > 0) return { what: 'parts', bytes: item.confirmedBytes };
  return { what: 'nothingSent' };
};

const phaseOf = (item: QueueItem, live: ItemProgress | undefined, around: ItemContext): Phase => {
  if (item.state === 'linked') return 'linked';
  if (item.intent === 'cancel') return 'cancelling';
  if (item.state === 'unreadable') return 'unreadable';
  if (item.intent === 'pause') return 'paused';
  if (item.error !== null && item.error.retryAt === null) return 'stuck';
  if (around.paused) return 'queuePaused';
  if (item.error !== null) return 'retrying';
  if (around.connection === 'none' || around.connection === 'failed') return 'offline';
  return live?.activity ?? 'waiting';
};

export interface ItemContext {
  /** Whether the whole queue is paused. */
  readonly paused: boolean;
  readonly connection: 'none' | 'connecting' | 'connected' | 'failed';
}

const ERROR_PHASES: ReadonlySet<Phase> = new Set(['stuck', 'retrying', 'queuePaused', 'unreadable']);

export const viewItem = (item: QueueItem, live: ItemProgress | undefined, around: ItemContext): ItemView => {
  const phase = phaseOf(item, live, around);
  const moving = phase === 'preparing' || phase === 'hashing' || phase === 'sending';
  const failure = item.error?.failure ?? null;
  const isBlocked = isCancelBlocked(item);
  const hasError = failure !== null && (ERROR_PHASES.has(phase) || isBlocked);
  const isHalted = phase === 'queuePaused';
  const pausable = phase !== 'linked' && phase !== 'cancelling' && phase !== 'unreadable' && phase !== 'stuck';
  return {
    phase,
    doneBytes: Math.min(item.size, moving && live ? live.doneBytes : confirmedBytes(item)),
    bytesPerSecond: moving ? (live?.bytesPerSecond ?? null) : null,
    secondsLeft: moving ? (live?.secondsLeft ?? null) : null,
    error: hasError
      ? {
          failure,
          retryAt: isHalted ? null : (item.error?.retryAt ?? null),
          kept: keptOf(item, failure),
          remedies: isBlocked
            ? [...remediesOf(failure).filter((remedy) => remedy !== 'remove'), 'remove']
            : // A paused queue tries nothing.
              remediesOf(failure).filter((remedy) => !(isHalted && remedy === 'retry')),
        }
      : null,
    toggle: phase === 'paused' ? 'resume' : pausable ? 'pause' : null,
  };
};

/** Whether it cannot continue without the user. */
export const needsUser = ({ state, error }: QueueItem): boolean =>
  state === 'unreadable' || (error !== null && error.retryAt === null);
