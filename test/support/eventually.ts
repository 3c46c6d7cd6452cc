/** Waits until a check passes; patient enough for a busy machine. `vi.waitFor` alone gives up after a second. */
import { vi } from 'vitest';
import { PATIENCE_MS } from './poll-timeouts.ts';

export const eventually = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS });
