/** Reads results that a test expects to be successful. */
import { ok, type Result } from '../../src/api/errors.ts';

/** The value of a result; throws where it failed. */
export const must = <T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

/** The result with one field of its value. */
export const only = <T, K extends keyof T>(result: Result<T>, key: K): Result<T[K]> =>
  result.ok ? ok(result.value[key]) : result;
