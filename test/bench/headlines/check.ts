/**
 * `npm run bench:check`: measures the headline ratios of docs/benchmarks.json in at most eight minutes, and ends with exit code 1
 * when one fell behind the document, twice, or a benchmark failed. Changes no document.
 */
import { hashSpeed } from '../hash-speed.ts';
import { readRecord } from '../report.ts';
import { better, compare, comparisonTable, exitCodeOf, type Measurement, sectionsBehind } from './compare.ts';
import { chosenSections, measureSection, SECTIONS } from './measure-section.ts';

const MINUTES = 8;

const sections = chosenSections();
const { headlines } = readRecord();
const speed = hashSpeed();
const deadline = performance.now() + MINUTES * 60_000;
const measure = (section: string): Promise<Measurement> => measureSection(section, deadline - performance.now());

const measured: Record<string, Measurement> = Object.fromEntries(
  SECTIONS.filter((name) => !sections.includes(name)).map((name) => [
    name,
    { missing: 'Not asked for.', failed: false },
  ]),
);
for (const section of sections) measured[section] = await measure(section);
for (const section of sectionsBehind(compare(headlines, measured, speed))) {
  const [first, second] = [measured[section], await measure(section)];
  if (first && 'figures' in first && 'figures' in second)
    measured[section] = { figures: better(section, first.figures, second.figures) };
}
const comparisons = compare(headlines, measured, speed);
console.log(`\n${comparisonTable(comparisons)}`);
process.exitCode = exitCodeOf(comparisons);
