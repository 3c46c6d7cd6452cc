/**
 * Represents "never" in API fields that require an end date of a plan or key: a date a hundred years after the start of
 * the plan or key. Also returns the date when a plan or key ends, or null if it never does.
 */
import type { ApiCredential, Plan } from './account.ts';

export const NO_END_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** Later than any end that a user sets. */
const NOBODYS_END = Date.UTC(2100);

const endAt = (time: string): Date | null => {
  const end = new Date(time);
  return end.getTime() >= NOBODYS_END ? null : end;
};

/** When a key expires; null if it never expires. */
export const keyEndOf = ({ expiresAt }: Pick<ApiCredential, 'expiresAt'>): Date | null =>
  expiresAt === null ? null : endAt(expiresAt);

/** When a plan ends; null if it never ends. */
export const planEndOf = ({ until }: Pick<Plan, 'until'>): Date | null => endAt(until);
