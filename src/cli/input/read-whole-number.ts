/** Reads option values that are whole numbers. */
import { err, ok, type Result } from '../../api/errors.ts';

const DIGITS_MAX = 9;

/** An error completes the sentence "--option ...". */
export const readWholeNumber =
  (min: number, max?: number) =>
  (text: string): Result<number, string> => {
    const value = /^\d+$/.test(text) && text.length <= DIGITS_MAX ? Number(text) : Number.NaN;
    if (value >= min && value <= (max ?? value)) return ok(value);
    const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
    return err(`must be a whole number ${range}, not "${text}"`);
  };
