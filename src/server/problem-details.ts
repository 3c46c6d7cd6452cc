/**
 * Errors as RFC 9457 `application/problem+json` with the extensions of API decisions 2: the class `ProblemError`,
 * common errors such as invalid input, the response bodies, and the mapping of unexpected errors to 500 or 503.
 */
import { type Problem, SERVICE_ERRORS, type ServiceErrorCode } from '../api/errors.ts';
import { isOutOfSpace } from '../common/disk-full.ts';
import type { Dialect } from './database/database-interface.ts';

export interface ProblemMore {
  readonly params?: Readonly<Record<string, unknown>>;
  /** With PASTE_REVISION_CONFLICT. */
  readonly currentRevision?: number;
  /** Becomes Retry-After in whole seconds, at least 1. */
  readonly retryAfterMs?: number;
  /** The rest of the request is not read. */
  readonly connection?: 'close-after-answer';
}

/** An error for the client. `detail` is a plain English sentence that says what to do. */
export class ProblemError extends Error {
  readonly code: ServiceErrorCode;
  readonly more: ProblemMore;

  constructor(code: ServiceErrorCode, detail: string, more: ProblemMore = {}) {
    super(detail);
    this.name = 'ProblemError';
    this.code = code;
    this.more = more;
  }

  get status(): number {
    return SERVICE_ERRORS[this.code].status;
  }
}

/** One problem with the input; `path` is a JSON pointer into the request. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** 400 INVALID_INPUT with `params.issues`. */
export const invalidInput = (...issues: readonly Issue[]): ProblemError =>
  new ProblemError('INVALID_INPUT', issues.map(sentence).join(' ') || 'The request is not valid.', {
    params: { issues },
  });

const sentence = ({ path, message }: Issue): string => `${path === '' ? 'The request' : path} ${message}.`;

/** 503 with Retry-After: nothing was stored and a retry may succeed soon. */
export const serverBusy = (detail: string, retryAfterMs = 2_000): ProblemError =>
  new ProblemError('UPLOAD_SERVER_BUSY', detail, { retryAfterMs });

/** The sweep has taken the bytes of a server that seemed to have ended. */
export const bytesGone = (): ProblemError =>
  serverBusy('The bytes of this item were removed before it was published; send them again.');

const FULL_DISK_RETRY_MS = 60_000;
const NO_ROOM_NOW = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
const AWAY_RETRY_MS = 5_000;
/** Until the operator has corrected a key or a clock. */
const REFUSED_RETRY_MS = 60_000;

/**
 * Maps an unforeseen error: a full disk, an exhausted server, an object store that refuses the server, or records that
 * do not answer are 503 and may be retried, everything else is 500 without internal details.
 */
export const problemOf = (error: unknown, dialect: Pick<Dialect, 'kindOf'>): ProblemError => {
  if (error instanceof ProblemError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = dialect.kindOf(error);
  if (isOutOfSpace(error) || kind === 'full')
    return serverBusy('The server has no space left; try again later.', FULL_DISK_RETRY_MS);
  if (code === 'OBJECTS_UNAVAILABLE') {
    const { retryAfterMs } = error as { readonly retryAfterMs?: number | null };
    return serverBusy('The storage of the server does not answer; try again soon.', retryAfterMs ?? undefined);
  }
  if (code === 'OBJECTS_REFUSED')
    return serverBusy(
      'The storage of the server refuses it; try again later, and tell the operator.',
      REFUSED_RETRY_MS,
    );
  if (code === 'OBJECT_REMOVED') return bytesGone();
  if (NO_ROOM_NOW.has(code) || kind === 'busy') return serverBusy('The server is busy; try again soon.');
  if (kind === 'unavailable') return serverBusy('The server cannot reach its records; try again soon.', AWAY_RETRY_MS);
  return new ProblemError('INTERNAL', 'The server failed to answer; try again, and tell the operator if it stays.');
};

/** The body of an error response. */
export const problemBody = (problem: ProblemError, requestId: string): Problem => ({
  type: `urn:linkshot:problem:${problem.code}`,
  title: SERVICE_ERRORS[problem.code].title,
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  ...(problem.more.params === undefined ? {} : { params: { ...problem.more.params } }),
  ...(problem.more.currentRevision === undefined ? {} : { currentRevision: problem.more.currentRevision }),
  requestId,
});

export const PROBLEM_TYPE = 'application/problem+json';
