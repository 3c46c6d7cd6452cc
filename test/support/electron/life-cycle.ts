/** What the process behind the app does: nothing in Vitest, where `app` is one object among many; the double's own binary sets it. */
export interface LifeCycle {
  whenReady(): Promise<void>;
  /** Answers false where another start has it; that one then hears of this. */
  takeLock(data: unknown): boolean;
  giveLockBack(): void;
  end(code: number): void;
}

const inTest: LifeCycle = {
  whenReady: async () => {},
  takeLock: () => true,
  giveLockBack: () => {},
  end: () => {},
};

export const lifeCycle: LifeCycle = { ...inTest };
