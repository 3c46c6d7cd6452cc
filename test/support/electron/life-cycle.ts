/**
 * Life cycle of the process behind the app: nothing in Vitest, where `app` is one object among many; the double's
 * binary replaces it.
 */
/** `any`: a test uses parts of Electron without an app. */
type Phase = 'before-ready' | 'ready' | 'any';

export interface LifeCycle {
  phase(): Phase;
  whenReady(): Promise<void>;
  /** Returns false if another start has the lock; that one then receives this one's data. */
  takeLock(data: unknown): boolean;
  giveLockBack(): void;
  end(code: number): void;
}

const inTest: LifeCycle = {
  phase: () => 'any',
  whenReady: async () => {},
  takeLock: () => true,
  giveLockBack: () => {},
  end: () => {},
};

export const lifeCycle: LifeCycle = { ...inTest };

/** Throws for what Electron refuses before it is ready. */
export const needsReady = (what: string): void => {
  if (lifeCycle.phase() === 'before-ready') throw new Error(`${what} cannot be used before the app is ready`);
};

/** Throws for what has no effect, or is refused, once it is ready. */
export const needsNotReady = (what: string): void => {
  if (lifeCycle.phase() === 'ready') throw new Error(`${what} must be called before the app is ready`);
};
