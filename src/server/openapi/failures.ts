/** Which failures an operation of the document may answer: problem details, with the codes that each status stands for. */

import type { Budget } from '../../api/endpoints/endpoint.ts';
import { SERVICE_ERRORS } from '../../api/errors.ts';
import { PROBLEM_TYPE } from '../problem.ts';

export type Json = { readonly [key: string]: unknown };

/** Statuses of failure that a budget's endpoints may answer (API document, "Endpoints" and "Errors"). */
const FAILURES: Readonly<Record<Budget, readonly number[]>> = {
  general: [400, 401, 403, 404, 409, 410, 413, 429, 503],
  uploads: [400, 401, 403, 404, 408, 409, 410, 413, 415, 429, 500, 503],
  parts: [400, 401, 403, 404, 408, 409, 410, 413, 429, 500, 503],
  guest: [400, 401, 403, 404, 409, 429, 503],
};

/** What a body adds: it may stop arriving or be too large, and a file that is sent whole may not be what is taken. */
export const BODY_FAILURES = [408, 413];
export const FORM_FAILURES = [408, 415, 422];

const codesOf = (status: number): string =>
  Object.entries(SERVICE_ERRORS)
    .filter(([, error]) => error.status === status)
    .map(([code]) => code)
    .join(', ');

/** The failures of a budget's endpoints, and `more` of them, as responses. */
export const failures = (budget: Budget, more: readonly number[] = []): Json =>
  Object.fromEntries(
    [...FAILURES[budget], ...more].map((status) => [
      status,
      {
        description: codesOf(status),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
