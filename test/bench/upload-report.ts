/** Turns the rounds of the upload benchmark into its tables. */
import type { ClientRun, Usage } from './measure.ts';
import { table } from './record.ts';
import { median } from './report.ts';

export interface Round {
  readonly mebibytes: number;
  readonly round: number;
  readonly name: string;
  readonly client: ClientRun;
  readonly server: Usage;
}

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
  return table(head, rows);
};

/** The headlines of every size that was sent. */
export const uploadFigures = (rounds: readonly Round[], our: string, peer: string): Record<string, number> =>
  Object.fromEntries(
    [...new Set(rounds.map(({ mebibytes }) => mebibytes))].flatMap((size) => {
      const of = (name: string) => rounds.filter((round) => round.mebibytes === size && round.name === name);
      return [
        [`${size} MiB: wall / tus`, ratio(of(our), of(peer), ({ client }) => client.wall)],
        [`${size} MiB: CPU / tus`, ratio(of(our), of(peer), cpuOf)],
      ];
    }),
  );

/** One table for each size. Ratios are medians of pairs from the same round. */
export const uploadReport = (rounds: readonly Round[], our: string, names: readonly string[]): string => {
  const sizes = [...new Set(rounds.map(({ mebibytes }) => mebibytes))];
  return sizes
    .map((size) => {
      const those = rounds.filter(({ mebibytes }) => mebibytes === size);
      const times = new Set(those.map(({ round }) => round)).size;
      return `### ${size} MiB, ${times} rounds\n\n${tableOf(those, our, names)}`;
    })
    .join('\n\n');
};
