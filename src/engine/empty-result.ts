/** The result of engine commands without output. */

import { ok, type Result } from '../api/errors.ts';

/** The reply of a command without output. */
export const DONE = ok({});

/** The reply of a command without output that can fail. */
export const done = (result: Result<void>): Result<Record<string, never>> => (result.ok ? DONE : result);
