/**
 * `node scripts/conformance.ts`: writes docs/conformance.md, and reports rules without a test or with a missing one.
 */
import { writeFileSync } from 'node:fs';
import { CONFORMANCE_PAGE, conformance } from '../test/conformance/page.ts';

const { page, faults } = conformance();
writeFileSync(CONFORMANCE_PAGE, page);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
