/**
 * Writes what a benchmark found, and the commit that it measured, into docs/benchmarks.json and docs/benchmarks.md. A tree with
 * uncommitted changes is measured and printed, but overwrites the documents only with `--allow-dirty`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { hashSpeed } from './hash-speed.ts';
import { checkFigures, summary } from './headlines/headline-record.ts';
import { type BenchRecord, type Measured, type MeasuredOn, measuredLine, recordText, withSection } from './record.ts';

export { table } from './record.ts';
export { median, percentile } from './statistics.ts';

const root = resolve(import.meta.dirname, '../..');
const PAGE = resolve(root, 'docs/benchmarks.md');
const RECORD = resolve(root, 'docs/benchmarks.json');

/**
 * `npm run bench:check` and `npm run bench:headlines` name a file here: the benchmark measures only its headlines, in fewer
 * rounds, and writes them there instead of into the documents.
 */
const FIGURES = process.env['BENCH_FIGURES'];
export const isCheck = FIGURES !== undefined;

/** The number of rounds: as the environment says, or a usual number that a check makes smaller. */
export const roundsOf = (usual: number, inCheck: number, variable = 'BENCH_ROUNDS'): number =>
  Number(process.env[variable] ?? (isCheck ? inCheck : usual));

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

/** What was measured on this machine since the process started. */
export const measuredHere = (speed: number): MeasuredOn => {
  const after = sourcesNow();
  return {
    commit: before.commit,
    dirty: before.dirty || after.dirty || after.commit !== before.commit,
    machine: `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}, SHA-256 ${speed} GB/s), loopback.`,
  };
};

/** Overwrites both documents, but not with what was measured with uncommitted changes. `change` alters the page. */
export const writeRecord = (
  { dirty }: Measured,
  record: (old: BenchRecord) => BenchRecord,
  change: (page: string) => string = (page) => page,
): void => {
  if (dirty && !process.argv.includes('--allow-dirty')) {
    console.log(
      '\nThere are uncommitted changes: docs/benchmarks.md keeps its figures. `-- --allow-dirty` overwrites them.',
    );
    return;
  }
  const next = record(readRecord());
  writeFileSync(RECORD, recordText(next));
  writeFileSync(PAGE, change(withSection(readFileSync(PAGE, 'utf8'), 'summary', summary(next.headlines))));
};

/**
 * Replaces a section of the documents; the words around it stay. `figures` are the headlines of the section, which only
 * `bench:check` and `bench:headlines` take.
 */
export const writeSection = (name: string, findings: string, figures: Readonly<Record<string, number>> = {}): void => {
  checkFigures(name, figures);
  if (FIGURES !== undefined) {
    writeFileSync(FIGURES, JSON.stringify(figures));
    return;
  }
  const section = measuredHere(hashSpeed());
  const text = `${measuredLine(section)}\n\n${findings}`;
  console.log(`\n${text}`);
  writeRecord(
    section,
    (old) => ({ ...old, sections: { ...old.sections, [name]: section } }),
    (page) => withSection(page, name, text),
  );
};
