/**
 * `npm run bench:check`: measures the headline ratios of docs/benchmarks.json in at most eight minutes, and ends with exit code 1
 * when one fell behind the document by more than a tenth, twice, or a benchmark failed. Changes no document.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { better, compare, comparisonTable, exitCodeOf, type Measurement, sectionsBehind } from './compare.ts';
import { hashSpeed } from './hash-speed.ts';
import { HEADLINES } from './headlines.ts';
import { readRecord } from './report.ts';

const MINUTES = 8;
/** A section is measured by the script of its name, but for this one. */
const SCRIPTS: Readonly<Record<string, string>> = { 'video-handbrake': 'video' };
/** What a script ends with where its peer is not installed. */
const NO_PEER = 77;

const { positionals } = parseArgs({ allowPositionals: true });
const all = [...new Set(HEADLINES.map(({ section }) => section))];
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}; there are ${all.join(', ')}.`);
const sections = positionals.length > 0 ? positionals : all;

const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-check-'));
const deadline = performance.now() + MINUTES * 60_000;

const measure = async (section: string): Promise<Measurement> => {
  const left = deadline - performance.now();
  if (left <= 0) return { missing: 'There was no time left.', failed: false };
  const file = join(work, `${section}.json`);
  const script = join(import.meta.dirname, `${SCRIPTS[section] ?? section}.ts`);
  const began = performance.now();
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BENCH_FIGURES: file },
    // A group of its own: its servers and browsers end with it.
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  }, left);
  const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  console.log(`${section}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  if (code === NO_PEER) return { missing: 'Its peer is not installed.', failed: false };
  if (isLate) return { missing: 'It took too long.', failed: false };
  if (code !== 0) return { missing: `It ended with ${code ?? killedBy}.`, failed: true };
  return { figures: JSON.parse(readFileSync(file, 'utf8')) as Record<string, number> };
};

try {
  const record = readRecord();
  const speed = hashSpeed();
  const measured: Record<string, Measurement> = Object.fromEntries(
    all.filter((name) => !sections.includes(name)).map((name) => [name, { missing: 'Not asked for.', failed: false }]),
  );
  for (const section of sections) measured[section] = await measure(section);
  for (const section of sectionsBehind(compare(record, measured, speed))) {
    const [first, second] = [measured[section], await measure(section)];
    if (first && 'figures' in first && 'figures' in second)
      measured[section] = { figures: better(section, first.figures, second.figures) };
  }
  const comparisons = compare(record, measured, speed);
  console.log(`\n${comparisonTable(comparisons)}`);
  process.exitCode = exitCodeOf(comparisons);
} finally {
  rmSync(work, { recursive: true, force: true });
}
