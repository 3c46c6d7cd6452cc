/**
 * Turns what breaks off work of the page into a `Result`, such as a part of the window that its host no longer serves:
 * work whose state is shown ends in every case.
 */

import { err, failure, type Result } from '../../api/errors.ts';

/** Errors: those of the work; APP_FAILED where it throws. */
export const orAppFailed = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    return err(failure('APP_FAILED', String(error)));
  }
};
