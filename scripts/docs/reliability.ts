/**
 * `node scripts/docs/reliability.ts`: writes docs/reliability.md, and reports fault cases without a test and tests without a
 * fault case.
 */
import { writeFileSync } from 'node:fs';
import { RELIABILITY_PAGE, reliability } from '../../test/faults/page.ts';

const { page, faults } = reliability();
writeFileSync(RELIABILITY_PAGE, page);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
