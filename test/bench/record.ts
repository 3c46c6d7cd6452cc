/**
 * docs/benchmarks.json: which commit each section of docs/benchmarks.md measured, and the runs of the headlines. The first line
 * of each section and the summary are made from it, and `npm run bench:check` compares with it.
 */
import type { HeadlineRecords } from './headlines/headline-record.ts';

/** The sources that were measured. */
export interface Measured {
  /** Short hash. */
  readonly commit: string;
  /** There were changes that no commit holds. */
  readonly dirty: boolean;
}

export interface MeasuredOn extends Measured {
  readonly machine: string;
}

export interface BenchRecord {
  /** By section of the document. */
  readonly sections: Readonly<Record<string, MeasuredOn>>;
  readonly headlines: HeadlineRecords;
}

/** The text of docs/benchmarks.json: runs in one line, as the formatter wants them. */
export const recordText = (record: BenchRecord): string =>
  `${JSON.stringify(record, null, 2).replaceAll(/\[\s+([\d.,\s]+?)\s+\]/g, (_, runs: string) => `[${runs.split(/,\s+/).join(', ')}]`)}\n`;

export const commitText = ({ commit, dirty }: Measured): string =>
  dirty ? `\`${commit}\` with uncommitted changes` : `\`${commit}\``;

/** The first line of a section. */
export const measuredLine = (section: MeasuredOn): string => `Measured at ${commitText(section)}. ${section.machine}`;

/** A table of Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

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
