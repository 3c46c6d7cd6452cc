/**
 * fast-check as all tests import it: with a fixed default seed, so that inputs are the same in every run of `npm test`.
 */
import fc from 'fast-check';
import { seedOf } from './campaign.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(20_261) });

export * from 'fast-check';
export default fc;
