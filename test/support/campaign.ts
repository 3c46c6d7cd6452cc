/** The length and the seed of a campaign: short and fixed in `npm test`, long and random in `npm run test:long`. */
import { randomInt } from 'node:crypto';

/** Whether this run is `npm run test:long`. */
export const isLong = process.env['LONG'] === '1';

/** The number of repetitions: from the variable, or the default. */
export const lengthOf = (variable: string, usual: { readonly short: number; readonly long: number }): number =>
  Number(process.env[variable] ?? (isLong ? usual.long : usual.short));

const drawn = isLong ? randomInt(2 ** 31) : null;

/** `SEED=n` repeats a run; the name of the test or its failure contains the seed. */
export const seedOf = (usual: number): number => Number(process.env['SEED'] ?? drawn ?? usual);
