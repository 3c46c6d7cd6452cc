/** One thing that the doctor looks at: how it is, and what to do where it is not well. */
export interface Check {
  /** Stable: programs read it. */
  readonly check: string;
  /** `warn`: Linkshot works, with less. `fail`: something cannot work until it is mended. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do; null where all is well. */
  readonly advice: string | null;
}

export const well = (check: string, message: string): Check => ({ check, state: 'ok', message, advice: null });
export const weak = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'warn',
  message,
  advice,
});
export const ill = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'fail',
  message,
  advice,
});
