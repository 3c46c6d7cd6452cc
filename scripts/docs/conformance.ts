/**
 * `node scripts/docs/conformance.ts`: writes docs/conformance.md, and reports each rule that names no test, or a test that
 * does not exist.
 */
import { writeFileSync } from 'node:fs';
import { CONFORMANCE_PAGE, conformance } from '../../test/conformance/page.ts';

const { page, faults } = conformance();
writeFileSync(CONFORMANCE_PAGE, page);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
