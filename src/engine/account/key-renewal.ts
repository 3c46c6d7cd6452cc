/** Decides when a connection's key is renewed (API document, "credential"): in the 30 days before it expires. Pure. */
import type { ApiCredential } from '../../api/account.ts';
import { LIMITS } from '../../api/limits.ts';

/** Keys that a user created have no device and are never renewed. `now` in milliseconds since 1970-01-01 UTC. */
export const isRenewalDue = (credential: ApiCredential | undefined, now: number): boolean => {
  if (!credential?.expiresAt || credential.deviceName === null) return false;
  const end = Date.parse(credential.expiresAt);
  return now >= end - LIMITS.renewWindowMs && now < end;
};
