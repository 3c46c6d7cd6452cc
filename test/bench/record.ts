/**
 * docs/benchmarks.json: what each benchmark measured, and of which commit. The summary and the first line of each section in
 * docs/benchmarks.md are made from it, and `npm run bench:check` compares with it.
 */
import { isSameProcessor } from './hash-speed.ts';
import { HEADLINES, type Headline, headlinesOf } from './headlines.ts';

/** The sources that were measured. */
export interface Measured {
  /** Short hash. */
  readonly commit: string;
  /** There were changes that no commit holds. */
  readonly dirty: boolean;
}

interface MachineRecord extends Measured {
  readonly machine: string;
  /** GB/s of SHA-256 on the machine; see hash-speed.ts. */
  readonly hashSpeed?: number;
  /** Values of the section's headlines, by name. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface SectionRecord extends MachineRecord {
  /** The newest figures from each processor of another speed, the fastest first; only where a headline depends on it. */
  readonly otherProcessors?: readonly MachineRecord[];
}

/** By section. */
export type BenchRecord = Readonly<Record<string, SectionRecord>>;

export const commitText = ({ commit, dirty }: Measured): string =>
  dirty ? `\`${commit}\` with uncommitted changes` : `\`${commit}\``;

/** The first line of a section. */
export const measuredLine = (section: SectionRecord): string =>
  `Measured at ${commitText(section)}. ${section.machine}`;

/** A table of Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const isOfProcessor = ({ hashSpeed }: MachineRecord, speed: number): boolean =>
  hashSpeed === undefined || isSameProcessor(hashSpeed, speed);

/** What a headline is compared with on a processor of this speed; null where the section has no figures from such a one. */
export const recordFor = (section: SectionRecord, headline: Headline, speed: number): MachineRecord | null => {
  if (!headline.dependsOnProcessor || isOfProcessor(section, speed)) return section;
  return section.otherProcessors?.find((other) => isOfProcessor(other, speed)) ?? null;
};

/** A new measurement in the place of the old one, whose figures stay if they are those of another processor. */
export const replaced = (old: SectionRecord | undefined, name: string, measured: MachineRecord): SectionRecord => {
  const { hashSpeed } = measured;
  const depends = headlinesOf(name).some(({ dependsOnProcessor }) => dependsOnProcessor);
  if (!old || !depends || hashSpeed === undefined) return measured;
  const { otherProcessors = [], ...last } = old;
  const others = [last, ...otherProcessors]
    .filter((other) => !isOfProcessor(other, hashSpeed))
    .toSorted((a, b) => (b.hashSpeed ?? 0) - (a.hashSpeed ?? 0));
  return others.length === 0 ? measured : { ...measured, otherProcessors: others };
};

const signOf = { less: '<=', more: '>=' } as const;

const rowOf = ({ section, name, better, goal }: Headline, measured: MachineRecord | undefined): readonly string[] => {
  const value = measured?.figures[name];
  return [
    section,
    name,
    value?.toFixed(2) ?? 'not measured yet',
    goal === null ? '' : `${signOf[better]} ${goal}`,
    measured !== undefined && value !== undefined ? commitText(measured) : '',
  ];
};

/** All headlines with their values, as the summary of the document shows them. */
export const summary = (record: BenchRecord): string => {
  const head = ['Benchmark', 'Ratio', 'Value', 'Goal', 'Measured at'];
  const all = table(
    head,
    HEADLINES.map((headline) => rowOf(headline, record[headline.section])),
  );
  const others = HEADLINES.flatMap((headline) =>
    (record[headline.section]?.otherProcessors ?? []).map((other) => [
      ...rowOf(headline, other),
      `${other.hashSpeed} GB/s`,
    ]),
  );
  if (others.length === 0) return all;
  return `${all}\n\nOn processors of another speed:\n\n${table([...head, 'SHA-256'], others)}`;
};

const marks = (name: string) => [`<!-- bench:${name} start -->`, `<!-- bench:${name} end -->`] as const;

/** The text between the markers `bench:NAME start` and `bench:NAME end` of the page; null where they are missing. */
export const sectionOf = (page: string, name: string): string | null => {
  const [start, end] = marks(name);
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  return from < 0 || to < from ? null : page.slice(from + start.length, to).trim();
};

/** The page with another text between the markers. Throws where they are missing. */
export const withSection = (page: string, name: string, text: string): string => {
  const [start, end] = marks(name);
  if (sectionOf(page, name) === null) throw new Error(`docs/benchmarks.md has no markers for ${name}.`);
  return `${page.slice(0, page.indexOf(start))}${start}\n\n${text}\n\n${page.slice(page.indexOf(end))}`;
};

/** Throws unless the figures are exactly the headlines of the section, as finite numbers. */
export const checkFigures = (section: string, figures: Readonly<Record<string, number>>): void => {
  const wanted = headlinesOf(section).map(({ name }) => name);
  const wrong = wanted.filter((name) => !Number.isFinite(figures[name]));
  const unknown = Object.keys(figures).filter((name) => !wanted.includes(name));
  if (wrong.length + unknown.length > 0)
    throw new Error(`${section}: missing [${wrong.join('; ')}], unknown [${unknown.join('; ')}].`);
};
