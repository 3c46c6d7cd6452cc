/** Writes what a benchmark found into its part of docs/benchmarks.md, between two markers; the words around it stay. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

const PAGE = resolve(import.meta.dirname, '../../docs/benchmarks.md');

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

/** A table of Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Replaces the part of the page between the markers `bench:NAME start` and `bench:NAME end`, which must be there. */
export const writeSection = (name: string, findings: string): void => {
  const [start, end] = [`<!-- bench:${name} start -->`, `<!-- bench:${name} end -->`];
  const page = readFileSync(PAGE, 'utf8');
  if (!page.includes(start) || !page.includes(end)) throw new Error(`docs/benchmarks.md has no markers for ${name}.`);
  const machine = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), loopback.`;
  const body = `${start}\n\n${machine}\n\n${findings}\n\n${end}`;
  writeFileSync(PAGE, page.slice(0, page.indexOf(start)) + body + page.slice(page.indexOf(end) + end.length));
  console.log(`\n${body}`);
};
