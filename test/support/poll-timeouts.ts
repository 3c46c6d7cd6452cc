/** How long tests wait for what must come. It only ends what hangs: no test expects a machine to be quicker. */
export const PATIENCE_MS = 240_000;

/** For a call that takes a signal and must come to its end. */
export const soon = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
