/** All randomness of a run, derived from its seed. */
import { seededRandom } from '../support/seeded-random.ts';

export interface Dice {
  /** In [0, 1). */
  number(): number;
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  uuid(): string;
  bytes(length: number): Buffer;
}

export const createDice = (seed: number): Dice => {
  const number = seededRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('');
  return {
    number,
    chance: (probability) => number() < probability,
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    bytes: (length) => Buffer.from(Array.from({ length }, () => between(0, 255))),
  };
};
