/**
 * `npm run bench:headlines`: measures the headline ratios in several runs, and writes them into docs/benchmarks.json and the
 * summary of docs/benchmarks.md. How far the runs differ is what `npm run bench:check` allows. Section names restrict it.
 */
import { hashSpeed } from '../hash-speed.ts';
import { measuredHere, readRecord, writeRecord } from '../report.ts';
import { type HeadlineRecord, replaced, summary } from './headline-record.ts';
import { chosenSections, measureSection } from './measure-section.ts';

const RUNS = Number(process.env['BENCH_RUNS'] ?? 5);

const speed = hashSpeed();
const runsOf = new Map<string, Record<string, number[]>>();
// One after the other, so that the runs of each section are minutes apart.
for (let run = 1; run <= RUNS; run += 1) {
  console.log(`Run ${run} of ${RUNS}`);
  for (const section of chosenSections()) {
    const measured = await measureSection(section);
    if ('missing' in measured) {
      if (measured.failed) throw new Error(`${section}: ${measured.missing}`);
      console.log(`${section}: ${measured.missing}`);
      continue;
    }
    const runs = runsOf.get(section) ?? {};
    for (const [name, ratio] of Object.entries(measured.figures))
      runs[name] = [...(runs[name] ?? []), Number(ratio.toFixed(3))];
    runsOf.set(section, runs);
  }
}
const place = measuredHere(speed);
const recordOf = (runs: Record<string, number[]>): HeadlineRecord => ({ ...place, hashSpeed: speed, runs });
const measured = Object.fromEntries([...runsOf].map(([section, runs]) => [section, [recordOf(runs)]]));
console.log(`\n${summary({ ...readRecord().headlines, ...measured })}`);
writeRecord(place, (old) => ({
  ...old,
  headlines: {
    ...old.headlines,
    ...Object.fromEntries(
      [...runsOf].map(([section, runs]) => [section, replaced(old.headlines[section] ?? [], recordOf(runs))]),
    ),
  },
}));
