/**
 * Records the recent processor time of each account. The recorded time decays, so that an account counts as heavy only
 * while it keeps sending work.
 */
import type { Clock } from '../clock-and-random.ts';

export interface UsageLedger {
  /** Milliseconds of processor time that the owner has used and that time has not paid back yet. */
  debtOf(owner: string): number;
  charge(owner: string, ms: number): void;
}

/** Milliseconds of debt paid back per second: an account may constantly use a quarter of a core. */
const PAID_BACK_A_SECOND = 250;
/** Entries above which owners without a debt are removed. */
const REMEMBERED = 1_000;

interface Entry {
  readonly debt: number;
  readonly at: number;
}

export const createUsageLedger = (clock: Clock): UsageLedger => {
  const entries = new Map<string, Entry>();

  const left = ({ debt, at }: Entry): number =>
    Math.max(0, debt - (Math.max(0, clock.now() - at) * PAID_BACK_A_SECOND) / 1_000);

  const debtOf = (owner: string): number => {
    const entry = entries.get(owner);
    return entry === undefined ? 0 : left(entry);
  };

  return {
    debtOf,
    charge: (owner, ms) => {
      entries.set(owner, { debt: debtOf(owner) + ms, at: clock.now() });
      if (entries.size <= REMEMBERED) return;
      for (const [name, entry] of entries) if (left(entry) === 0) entries.delete(name);
    },
  };
};
