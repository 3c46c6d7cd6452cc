/** Timeouts of tests that wait for a condition. They only end what hangs: they do not measure speed. */
export const PATIENCE_MS = 240_000;

/** For a call that takes a signal and must complete. */
export const soon = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
