/** The length and the seed of a campaign: short and always the same in `npm test`, long and drawn in `npm run test:long`. */
import { randomInt } from 'node:crypto';

/** Whether this run is `npm run test:long`. */
export const isLong = process.env['LONG'] === '1';

/** How often: the number in the variable, or what is usual. */
export const lengthOf = (variable: string, usual: { readonly short: number; readonly long: number }): number =>
  Number(process.env[variable] ?? (isLong ? usual.long : usual.short));

const drawn = isLong ? randomInt(2 ** 31) : null;

/** `SEED=n` repeats a run; the name of the test or its failure says which one it was. */
export const seedOf = (usual: number): number => Number(process.env['SEED'] ?? drawn ?? usual);
