/**
 * Writes what a benchmark found, and the commit that it measured, into docs/benchmarks.json and docs/benchmarks.md. A tree with
 * uncommitted changes is measured and printed, but overwrites the documents only with `--allow-dirty`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { hashSpeed } from './hash-speed.ts';
import {
  type BenchRecord,
  checkFigures,
  type Measured,
  measuredLine,
  replaced,
  type SectionRecord,
  summary,
  withSection,
} from './record.ts';

export { table } from './record.ts';

const root = resolve(import.meta.dirname, '../..');
const PAGE = resolve(root, 'docs/benchmarks.md');
const RECORD = resolve(root, 'docs/benchmarks.json');

/**
 * `npm run bench:check` names a file here: the benchmark measures only its headlines, in fewer rounds, and writes them there
 * instead of into the documents.
 */
const FIGURES = process.env['BENCH_FIGURES'];
export const isCheck = FIGURES !== undefined;

/** The number of rounds: as the environment says, or a usual number that a check makes smaller. */
export const roundsOf = (usual: number, inCheck: number, variable = 'BENCH_ROUNDS'): number =>
  Number(process.env[variable] ?? (isCheck ? inCheck : usual));

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

export const readRecord = (): BenchRecord => JSON.parse(readFileSync(RECORD, 'utf8')) as BenchRecord;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The documents themselves change while one benchmark runs after the other, and change nothing that is measured. */
const sourcesNow = (): Measured => {
  try {
    const others = ['.', ':!docs/benchmarks.md', ':!docs/benchmarks.json'];
    return {
      commit: git('rev-parse', '--short=8', 'HEAD'),
      dirty: git('status', '--porcelain', '--', ...others) !== '',
    };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
};

/** As they were before anything was measured. */
const before = sourcesNow();

/** Replaces a section of the documents; the words around it stay, and the headlines from processors of another speed. */
export const writeSection = (name: string, findings: string, figures: Readonly<Record<string, number>> = {}): void => {
  checkFigures(name, figures);
  if (FIGURES !== undefined) {
    writeFileSync(FIGURES, JSON.stringify(figures));
    return;
  }
  const after = sourcesNow();
  const speed = hashSpeed();
  const section: SectionRecord = {
    commit: before.commit,
    dirty: before.dirty || after.dirty || after.commit !== before.commit,
    machine: `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}, SHA-256 ${speed} GB/s), loopback.`,
    hashSpeed: speed,
    figures: Object.fromEntries(Object.entries(figures).map(([of, value]) => [of, Number(value.toFixed(3))])),
  };
  const text = `${measuredLine(section)}\n\n${findings}`;
  console.log(`\n${text}`);
  if (section.dirty && !process.argv.includes('--allow-dirty')) {
    console.log(
      '\nThere are uncommitted changes: docs/benchmarks.md keeps its figures. `-- --allow-dirty` overwrites them.',
    );
    return;
  }
  const old = readRecord();
  const record: BenchRecord = { ...old, [name]: replaced(old[name], name, section) };
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  const page = withSection(readFileSync(PAGE, 'utf8'), name, text);
  writeFileSync(PAGE, withSection(page, 'summary', summary(record)));
};
