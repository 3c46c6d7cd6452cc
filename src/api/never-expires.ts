/**
 * Represents "never" in API fields that require an end date of a plan or key: a date a hundred years after the start of
 * the plan or key. Also returns the date when a key expires, or null if it never expires.
 */
import type { ApiCredential } from './account.ts';

export const NO_END_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** Later than any end that a user sets. */
const NOBODYS_END = Date.UTC(2100);

/** When a key expires; null if it never expires. */
export const keyEndOf = ({ expiresAt }: Pick<ApiCredential, 'expiresAt'>): Date | null => {
  const end = expiresAt === null ? null : new Date(expiresAt);
  return end === null || end.getTime() >= NOBODYS_END ? null : end;
};
