/**
 * Tracks in memory which networks have recently guessed a wrong password or have another guess in progress. These
 * networks share a part of the capacity for checking passwords, so that a flood of guesses cannot displace users who
 * know their password.
 */
import { LIMITS } from '../../api/limits.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import type { Clock } from '../clock-and-random.ts';
import type { Network, Networks } from './address-networks.ts';

/** `clean`: without a recent wrong guess, and without another guess in progress. */
export type Lane = 'clean' | 'suspect';

interface Failures {
  readonly count: number;
  readonly at: number;
}

interface Guess {
  readonly lane: Lane;
  /** `unknown`: it was not checked. */
  end(outcome: 'right' | 'wrong' | 'unknown'): void;
}

export const createSuspectNetworks = (clock: Clock, networksMax: number) => {
  /** Ordered by the latest wrong guess. */
  const failures = new Map<Network, Failures>();
  const underWay = new Map<Network, number>();

  const isOver = ({ at }: Failures): boolean => ageMs(at, clock.now()) >= LIMITS.suspicionMs;

  const failuresOf = (network: Network): number => {
    const known = failures.get(network);
    return known === undefined || isOver(known) ? 0 : known.count;
  };

  const fail = (network: Network): void => {
    const count = failuresOf(network) + 1;
    failures.delete(network);
    failures.set(network, { count, at: clock.now() });
    for (const [oldest, known] of failures) {
      if (!isOver(known) && failures.size <= networksMax) break;
      failures.delete(oldest);
    }
  };

  return {
    begin: (networks: Networks): Guess => {
      const isClean = networks.every(
        ({ network, factor }) => failuresOf(network) + (underWay.get(network) ?? 0) < factor,
      );
      for (const { network } of networks) underWay.set(network, (underWay.get(network) ?? 0) + 1);
      return {
        lane: isClean ? 'clean' : 'suspect',
        end: (outcome) => {
          for (const { network } of networks) {
            const left = (underWay.get(network) ?? 1) - 1;
            if (left === 0) underWay.delete(network);
            else underWay.set(network, left);
            if (outcome === 'wrong') fail(network);
          }
        },
      };
    },
    /** Number of networks in memory. */
    size: (): number => failures.size + underWay.size,
  };
};
