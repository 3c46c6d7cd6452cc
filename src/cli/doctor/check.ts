/** One check of the doctor: its state, and what to do if it does not pass. */
export interface Check {
  /** Stable: programs parse it. */
  readonly check: string;
  /** `warn`: Linkshot works with limitations. `fail`: something does not work until it is fixed. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do; null if it passes. */
  readonly advice: string | null;
}

export const pass = (check: string, message: string): Check => ({ check, state: 'ok', message, advice: null });
export const warn = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'warn',
  message,
  advice,
});
export const fail = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'fail',
  message,
  advice,
});
