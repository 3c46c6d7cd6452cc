/** Turns bench rounds into the table of docs/benchmarks.md, between its two markers; the words around it stay. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { ClientRun, Usage } from './measure.ts';

export interface Round {
  readonly mebibytes: number;
  readonly round: number;
  readonly name: string;
  readonly client: ClientRun;
  readonly server: Usage;
}

const START = '<!-- bench:upload start -->';
const END = '<!-- bench:upload end -->';

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

const cpuOf = ({ client, server }: Round): number => client.cpu + server.cpu;

/** Median over the rounds of ours / theirs, each pair from the same round. */
const ratio = (ours: readonly Round[], theirs: readonly Round[], value: (round: Round) => number): number =>
  median(
    ours.flatMap((our) => {
      const their = theirs.find(({ round }) => round === our.round);
      return their ? [value(our) / value(their)] : [];
    }),
  );

const tableOf = (rounds: readonly Round[], our: string, names: readonly string[]): string => {
  const of = (name: string): Round[] => rounds.filter((round) => round.name === name);
  const ours = of(our);
  const rows = names.map((name) => {
    const theirs = of(name);
    const pick = (value: (round: Round) => number, digits: number): string => median(theirs.map(value)).toFixed(digits);
    const walls = theirs.map(({ client }) => client.wall);
    return [
      name,
      `${pick(({ client }) => client.wall, 2)} [${Math.min(...walls).toFixed(2)}-${Math.max(...walls).toFixed(2)}]`,
      `${pick(({ client }) => client.cpu, 2)} + ${pick(({ server }) => server.cpu, 2)}`,
      `${pick(({ client }) => client.rss, 0)} / ${pick(({ server }) => server.rss, 0)} (${pick(({ server }) => server.treeRss, 0)})`,
      name === our ? '' : ratio(ours, theirs, ({ client }) => client.wall).toFixed(2),
      name === our ? '' : ratio(ours, theirs, cpuOf).toFixed(2),
    ];
  });
  const head = [
    'Contender',
    'Wall s, median [range]',
    'CPU s, client + server',
    'Peak RSS MiB, client / server (with children)',
    'Our wall / its wall',
    'Our CPU / its CPU',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** Writes the table into `path`. Ratios are medians of pairs from the same round. */
export const writeReport = (path: string, rounds: readonly Round[], our: string, names: readonly string[]): void => {
  const sizes = [...new Set(rounds.map(({ mebibytes }) => mebibytes))];
  const sections = sizes.map((size) => {
    const those = rounds.filter(({ mebibytes }) => mebibytes === size);
    const times = new Set(those.map(({ round }) => round)).size;
    return `### ${size} MiB, ${times} rounds\n\n${tableOf(those, our, names)}`;
  });
  const machine = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), loopback.`;
  const body = `${START}\n\n${machine}\n\n${sections.join('\n\n')}\n\n${END}`;
  const old = existsSync(path) ? readFileSync(path, 'utf8') : `# Benchmarks\n\n${START}${END}\n`;
  const text = `${old.slice(0, old.indexOf(START))}${body}${old.slice(old.indexOf(END) + END.length)}`;
  writeFileSync(path, text);
  console.log(`\n${body}`);
};
