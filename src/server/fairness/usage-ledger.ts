/**
 * Records the recent processor time of each account, or elapsed time where processor time is not measured. The recorded
 * time decays, so that an account counts as heavy only while it keeps sending work.
 */
import { ageMs } from '../../base/common/wall-clock.ts';
import type { Clock } from '../clock-and-random.ts';

export interface UsageLedger {
  /** Milliseconds of processor time that the owner has used and that time has not paid back yet. */
  debtOf(owner: string): number;
  charge(owner: string, ms: number): void;
}

/** Entries above which owners without a debt are removed. */
const REMEMBERED = 1_000;

interface Entry {
  readonly debt: number;
  readonly at: number;
}

/** `cores`: how much of a processor an account may constantly use; its debt is paid back at that rate. */
export const createUsageLedger = (clock: Clock, cores: number): UsageLedger => {
  const entries = new Map<string, Entry>();

  const left = ({ debt, at }: Entry): number => Math.max(0, debt - ageMs(at, clock.now()) * cores);

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
