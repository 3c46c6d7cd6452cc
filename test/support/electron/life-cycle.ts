/** What the process behind the app does: nothing in Vitest, where `app` is one object among many; the double's own binary sets it. */
/** `any`: a test uses parts of Electron without an app around them. */
type Phase = 'before-ready' | 'ready' | 'any';

export interface LifeCycle {
  phase(): Phase;
  whenReady(): Promise<void>;
  /** Answers false where another start has it; that one then hears of this. */
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

/** What Electron refuses before it is ready. */
export const needsReady = (what: string): void => {
  if (lifeCycle.phase() === 'before-ready') throw new Error(`${what} cannot be used before the app is ready`);
};

/** What has no effect, or is refused, once it is. */
export const needsNotReady = (what: string): void => {
  if (lifeCycle.phase() === 'ready') throw new Error(`${what} must be called before the app is ready`);
};
