/** What each account has cost lately. A debt shrinks with time, so that an account is heavy only while it keeps sending. */
import type { Clock } from '../clock-and-random.ts';

export interface Ledger {
  /** Milliseconds of processor time that the owner has used and that time has not paid back yet. */
  debtOf(owner: string): number;
  charge(owner: string, ms: number): void;
}

/** Milliseconds of debt that a second pays back: an account may use a quarter of a core for good. */
const PAID_BACK_A_SECOND = 250;
/** Owners remembered before those without a debt are removed. */
const REMEMBERED = 1_000;

interface Entry {
  readonly debt: number;
  readonly at: number;
}

export const createLedger = (clock: Clock): Ledger => {
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
