/** `node scripts/conformance.ts`: writes docs/conformance.md, and says which rule has no test or names one that is gone. */
import { writeFileSync } from 'node:fs';
import { CONFORMANCE_PAGE, conformance } from '../test/conformance/page.ts';

const { page, faults } = conformance();
writeFileSync(CONFORMANCE_PAGE, page);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
