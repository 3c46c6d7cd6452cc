/** A request and its reply as the modelled service sees them. */

import type { ApiOperation } from '../../src/api/endpoints/endpoint-table.ts';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../src/api/errors.ts';

export interface Asked {
  readonly operation: ApiOperation;
  /** The Bearer key; empty: no key. */
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** A part, or a whole form. */
  readonly bytes: Buffer | null;
}

export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

export interface Reply {
  readonly status: number;
  /** JSON; null is an empty body. */
  readonly body: unknown;
  readonly retryAfter?: string;
  readonly rate?: Rate;
}

export type Answer = (reply: Reply) => void;

export class Refusal extends Error {
  readonly code: ServiceErrorCode;
  readonly retryAfter: string | undefined;
  constructor(code: ServiceErrorCode, retryAfter?: string) {
    super(code);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Bugs of the model itself go on up. */
export const refusalOf = (error: unknown): Reply => {
  if (!(error instanceof Refusal)) throw error;
  const { status, title } = SERVICE_ERRORS[error.code];
  return {
    status,
    body: { type: 'about:blank', title, status, detail: title, code: error.code, requestId: 'r' },
    ...(error.retryAfter && { retryAfter: error.retryAfter }),
  };
};

export const guarded = (work: () => Reply): Reply => {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
};
