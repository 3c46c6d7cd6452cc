/** What `npm run bench:headlines` measured of each headline, and where; the summary in docs/benchmarks.md is made from it. */
import { isSameProcessor } from '../hash-speed.ts';
import { commitText, type MeasuredOn, table } from '../record.ts';
import { median } from '../statistics.ts';
import { HEADLINES, type Headline, headlinesOf } from './headlines.ts';

/** The ratio of each run, by the name of the headline. */
type Runs = Readonly<Record<string, readonly number[]>>;

export interface HeadlineRecord extends MeasuredOn {
  /** GB/s of SHA-256 on the machine; see hash-speed.ts. */
  readonly hashSpeed: number;
  readonly runs: Runs;
}

/** By section: the newest, then the newest from each processor of another speed. */
export type HeadlineRecords = Readonly<Record<string, readonly HeadlineRecord[]>>;

/**
 * What is comparable on a processor of this speed; null where the section has no runs from such a one. The peers do not compute
 * what Linkshot does, so that no ratio is the same on every processor.
 */
export const recordFor = (records: readonly HeadlineRecord[], speed: number): HeadlineRecord | null =>
  records.find((record) => isSameProcessor(record.hashSpeed, speed)) ?? null;

/** A new measurement first; the old ones stay if they are those of another processor. */
export const replaced = (old: readonly HeadlineRecord[], measured: HeadlineRecord): readonly HeadlineRecord[] => [
  measured,
  ...old.filter(({ hashSpeed }) => !isSameProcessor(hashSpeed, measured.hashSpeed)),
];

/** The median, and the range of the runs if there were several: `0.97 [0.91-1.05]`. */
export const runsText = (runs: readonly number[]): string => {
  const middle = median(runs).toFixed(2);
  return runs.length === 1 ? middle : `${middle} [${Math.min(...runs).toFixed(2)}-${Math.max(...runs).toFixed(2)}]`;
};

const signOf = { less: '<=', more: '>=' } as const;

const rowOf = ({ section, name, better, goal }: Headline, record: HeadlineRecord | undefined): readonly string[] => {
  const runs = record?.runs[name];
  return [
    section,
    name,
    runs ? runsText(runs) : 'not measured yet',
    goal === null ? '' : `${signOf[better]} ${goal}`,
    record && runs ? commitText(record) : '',
    record && runs ? `${record.hashSpeed} GB/s` : '',
  ];
};

/** All headlines with their runs, as the summary of the document shows them. */
export const summary = (records: HeadlineRecords): string => {
  const head = ['Benchmark', 'Ratio', 'Median [range]', 'Goal', 'Measured at', 'SHA-256'];
  const newest = table(
    head,
    HEADLINES.map((headline) => rowOf(headline, records[headline.section]?.[0])),
  );
  const others = HEADLINES.flatMap((headline) =>
    (records[headline.section] ?? []).slice(1).map((record) => rowOf(headline, record)),
  );
  return others.length === 0 ? newest : `${newest}\n\nOn processors of another speed:\n\n${table(head, others)}`;
};

/** Throws unless the figures are exactly the headlines of the section, as finite numbers. */
export const checkFigures = (section: string, figures: Readonly<Record<string, number>>): void => {
  const wanted = headlinesOf(section).map(({ name }) => name);
  const wrong = wanted.filter((name) => !Number.isFinite(figures[name]));
  const unknown = Object.keys(figures).filter((name) => !wanted.includes(name));
  if (wrong.length + unknown.length > 0)
    throw new Error(`${section}: missing [${wrong.join('; ')}], unknown [${unknown.join('; ')}].`);
};
