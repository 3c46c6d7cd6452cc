/** Compares measured headlines with those of the document. */

import { HEADLINES, type Headline } from './headlines.ts';
import { type BenchRecord, commitText, recordFor, table } from './record.ts';

/** A ratio that is worse by more than this fell behind. */
const TOLERANCE = 0.1;

/** Result of measuring a section: its figures, or why they are missing. `failed` where it should have worked. */
export type Measurement =
  | { readonly figures: Readonly<Record<string, number>> }
  | { readonly missing: string; readonly failed: boolean };

type Verdict = 'holds' | 'better' | 'BEHIND' | 'new' | 'FAILED' | 'not measured' | 'not comparable';

export interface Comparison {
  readonly headline: Headline;
  readonly document: number | null;
  /** Of the document's figure; empty where it has no figure. */
  readonly commit: string;
  readonly measured: number | null;
  readonly verdict: Verdict;
  /** Why nothing was measured or compared. */
  readonly reason: string;
}

/** Above 1: worse than the document. */
const worsening = (headline: Headline, document: number, measured: number): number =>
  headline.better === 'less' ? measured / document : document / measured;

const verdictOn = (headline: Headline, document: number, measured: number): Verdict => {
  const change = worsening(headline, document, measured);
  if (change > 1 + TOLERANCE) return 'BEHIND';
  return change < 1 / (1 + TOLERANCE) ? 'better' : 'holds';
};

/** One row for each headline. `speed` is that of `hashSpeed`. */
export const compare = (
  record: BenchRecord,
  measured: Readonly<Record<string, Measurement>>,
  speed: number,
): readonly Comparison[] =>
  HEADLINES.map((headline) => {
    const section = record[headline.section];
    const comparable = section && recordFor(section, headline, speed);
    const shown = comparable ?? section;
    const document = shown?.figures[headline.name] ?? null;
    const row = { headline, document, commit: shown && document !== null ? commitText(shown) : '' };
    const measurement = measured[headline.section] ?? { missing: 'There was no time left.', failed: false };
    if ('missing' in measurement) {
      const verdict = measurement.failed ? 'FAILED' : 'not measured';
      return { ...row, measured: null, verdict, reason: measurement.missing };
    }
    const value = measurement.figures[headline.name] ?? null;
    if (value === null) return { ...row, measured: null, verdict: 'FAILED', reason: 'It answered no such figure.' };
    if (comparable === null) {
      const reason = `SHA-256 takes ${speed} GB/s here, ${section?.hashSpeed} there.`;
      return { ...row, measured: value, verdict: 'not comparable', reason };
    }
    const verdict = document === null ? 'new' : verdictOn(headline, document, value);
    return { ...row, measured: value, verdict, reason: '' };
  });

/** A second look decides against noise: each headline keeps the better of its two values. */
export const better = (
  section: string,
  first: Readonly<Record<string, number>>,
  second: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    HEADLINES.filter((headline) => headline.section === section).flatMap(({ name, better: wish }) => {
      const values = [first[name], second[name]].filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[name, wish === 'less' ? Math.min(...values) : Math.max(...values)]];
    }),
  );

export const sectionsBehind = (comparisons: readonly Comparison[]): readonly string[] => [
  ...new Set(comparisons.filter(({ verdict }) => verdict === 'BEHIND').map(({ headline }) => headline.section)),
];

/** 1 where a ratio fell behind or a benchmark failed. */
export const exitCodeOf = (comparisons: readonly Comparison[]): number =>
  comparisons.some(({ verdict }) => verdict === 'BEHIND' || verdict === 'FAILED') ? 1 : 0;

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  table(
    ['Benchmark', 'Ratio', 'Document', 'Measured', 'Verdict', 'Document measured at'],
    comparisons.map(({ headline, document, measured, verdict, reason, commit }) => [
      headline.section,
      headline.name,
      document?.toFixed(2) ?? '',
      measured?.toFixed(2) ?? '',
      reason === '' ? verdict : `${verdict}: ${reason}`,
      commit,
    ]),
  );
