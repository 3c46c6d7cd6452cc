/** Turns what the video benchmark saw into its tables. */
import { table } from './record.ts';
import { median } from './report.ts';

export interface CorpusRun {
  readonly name: string;
  readonly way: string;
  readonly encodes: number;
  readonly isDecodable: boolean;
  /** By the real server, on the first upload. */
  readonly isTaken: boolean;
}

interface Result {
  readonly wall: number;
  readonly cpu: number;
  readonly bytes: number;
  readonly mean: number;
  readonly worst: number;
}

/** One fit of ours and one of HandBrake's to the same bytes, one after the other. */
export interface Duel {
  readonly name: string;
  readonly round: number;
  readonly passes: number;
  readonly ours: Result;
  readonly theirs: Result;
}

export const corpusReport = (runs: readonly CorpusRun[]): string => {
  const decodable = runs.filter(({ isDecodable }) => isDecodable);
  const taken = decodable.filter(({ isTaken }) => isTaken);
  const first = decodable.filter(({ encodes }) => encodes <= 1);
  const ways = ['pass', 'remux', 'audio', 'encode'].map((way) => {
    const count = decodable.filter((run) => run.way === way).length;
    return `${count} ${{ pass: 'as they are', remux: 'copied', audio: 'with only the sound encoded', encode: 'encoded' }[way]}`;
  });
  const refused = runs.length - decodable.length;
  const failed = decodable.filter(({ isTaken }) => !isTaken).map(({ name }) => name);
  return [
    `${decodable.length} inputs that can be decoded: **${taken.length} taken by the service on the first upload**`,
    `(${ways.join(', ')}); ${first.length} of them without a second encode. ${refused} that cannot be decoded were refused in words.`,
    ...(failed.length > 0 ? [`Not taken: ${failed.join(', ')}.`] : []),
  ].join('\n');
};

const pair = (duels: readonly Duel[], pick: (result: Result) => string): string =>
  `${medianText(
    duels.map(({ ours }) => ours),
    pick,
  )} / ${medianText(
    duels.map(({ theirs }) => theirs),
    pick,
  )}`;
const medianText = (results: readonly Result[], pick: (result: Result) => string): string =>
  pick({
    wall: median(results.map(({ wall }) => wall)),
    cpu: median(results.map(({ cpu }) => cpu)),
    bytes: median(results.map(({ bytes }) => bytes)),
    mean: median(results.map(({ mean }) => mean)),
    worst: median(results.map(({ worst }) => worst)),
  });

/** The headlines: footage whose size is free. */
export const duelFigures = (duels: readonly Duel[]): Record<string, number> =>
  Object.fromEntries(
    ['Screen, the size is free', 'Camera, the size is free'].map((name) => {
      const those = duels.filter((duel) => duel.name === name);
      return [`${name}: wall / HandBrake`, median(those.map(({ ours, theirs }) => ours.wall / theirs.wall))];
    }),
  );

/** Ratios are medians of pairs from the same round. */
export const duelReport = (duels: readonly Duel[]): string => {
  const head = [
    ...['Footage (1280x720, 30 a second)', 'Passes', 'MB, ours / HandBrake', 'SSIM mean', 'SSIM, worst 1 %'],
    ...['Wall s', 'Our wall / its wall', 'Our CPU / its CPU'],
  ];
  const rows = [...new Set(duels.map(({ name }) => name))].map((name) => {
    const those = duels.filter((duel) => duel.name === name);
    const ratio = (value: (result: Result) => number): string =>
      median(those.map(({ ours, theirs }) => value(ours) / value(theirs))).toFixed(2);
    return [
      name,
      String(those[0]?.passes ?? ''),
      pair(those, ({ bytes }) => (bytes / 1e6).toFixed(2)),
      pair(those, ({ mean }) => mean.toFixed(4)),
      pair(those, ({ worst }) => worst.toFixed(4)),
      pair(those, ({ wall }) => wall.toFixed(1)),
      `**${ratio(({ wall }) => wall)}**`,
      ratio(({ cpu }) => cpu),
    ];
  });
  return `${new Set(duels.map(({ round }) => round)).size} rounds.\n\n${table(head, rows)}`;
};
