/**
 * Generates the error responses of an operation in the OpenAPI document: problem details, with the error codes of each
 * status.
 */

import type { Budget } from '../../api/endpoints/endpoint.ts';
import { SERVICE_ERRORS } from '../../api/errors.ts';
import { PROBLEM_TYPE } from '../problem-details.ts';

export type Json = { readonly [key: string]: unknown };

/**
 * Error statuses of a budget's endpoints (API document, "Endpoints" and "Errors"). The API document names 500 for
 * resumable uploads only, although a bug may cause it anywhere.
 */
const FAILURES: Readonly<Record<Budget, readonly number[]>> = {
  general: [400, 401, 403, 404, 409, 410, 413, 429, 503],
  uploads: [400, 401, 403, 404, 408, 409, 410, 413, 415, 429, 500, 503],
  parts: [400, 401, 403, 404, 408, 409, 410, 413, 429, 500, 503],
  guest: [400, 401, 403, 404, 409, 429, 503],
};

/**
 * Additional errors of a body: it may stall or be too large, and a file sent in one request may have an unsupported
 * type, or be a folder with a virus.
 */
export const BODY_FAILURES = [408, 413];
export const FORM_FAILURES = [408, 415, 422];

const codesOf = (status: number): string =>
  Object.entries(SERVICE_ERRORS)
    .filter(([, error]) => error.status === status)
    .map(([code]) => code)
    .join(', ');

/** The errors of a budget's endpoints, and `more` of them, as responses. */
export const errorResponses = (budget: Budget, more: readonly number[] = []): Json =>
  Object.fromEntries(
    [...FAILURES[budget], ...more].map((status) => [
      status,
      {
        description: codesOf(status),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
