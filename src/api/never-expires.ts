/** How something without an end is told where the API document wants a time: it ends a hundred years later. */
import type { ApiCredential } from './account.ts';

export const NO_END_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** No end that a person set lies after it. */
const NOBODYS_END = Date.UTC(2100);

/** When a key ends; null for one that has no end. */
export const keyEndOf = ({ expiresAt }: Pick<ApiCredential, 'expiresAt'>): Date | null => {
  const end = expiresAt === null ? null : new Date(expiresAt);
  return end === null || end.getTime() >= NOBODYS_END ? null : end;
};
