/** Waits until a check passes; patient enough for a busy machine. */
import { vi } from 'vitest';

export const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 60_000 });
