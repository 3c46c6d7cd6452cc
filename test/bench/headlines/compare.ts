/** Compares measured headlines with those of the document. */

import { commitText, table } from '../record.ts';
import { median } from '../statistics.ts';
import { type HeadlineRecords, recordFor, runsText } from './headline-record.ts';
import { HEADLINES, type Headline } from './headlines.ts';

/** A ratio that is worse by more than this fell behind, unless runs of one commit differ by as much. */
const TOLERANCE = 1.1;

/** Result of measuring a section: its figures, or why they are missing. `failed` where it should have worked. */
export type Measurement =
  | { readonly figures: Readonly<Record<string, number>> }
  | { readonly missing: string; readonly failed: boolean };

type Verdict = 'holds' | 'in range' | 'better' | 'BEHIND' | 'new' | 'FAILED' | 'not measured' | 'not comparable';

export interface Comparison {
  readonly headline: Headline;
  /** Of the document, on a processor like this one if there are any; null where it has none. */
  readonly runs: readonly number[] | null;
  /** Of the runs; empty where there are none. */
  readonly commit: string;
  readonly measured: number | null;
  readonly verdict: Verdict;
  /** Why nothing was measured or compared. */
  readonly reason: string;
}

/** By what factor a ratio may be worse than the median: a tenth, or what the runs differ by if that is more. */
export const allowance = (runs: readonly number[]): number =>
  Math.max(TOLERANCE, Math.max(...runs) / Math.min(...runs));

const verdictOn = ({ better }: Headline, runs: readonly number[], measured: number): Verdict => {
  const middle = median(runs);
  const worsening = better === 'less' ? measured / middle : middle / measured;
  if (worsening > allowance(runs)) return 'BEHIND';
  if (worsening > TOLERANCE) return 'in range';
  return worsening < 1 / allowance(runs) ? 'better' : 'holds';
};

/** One row for each headline. `speed` is that of `hashSpeed`. */
export const compare = (
  records: HeadlineRecords,
  measured: Readonly<Record<string, Measurement>>,
  speed: number,
): readonly Comparison[] =>
  HEADLINES.map((headline) => {
    const section = records[headline.section] ?? [];
    const comparable = recordFor(section, speed);
    const shown = comparable ?? section[0];
    const runs = shown?.runs[headline.name] ?? null;
    const row = { headline, runs, commit: shown && runs ? commitText(shown) : '' };
    const measurement = measured[headline.section] ?? { missing: 'There was no time left.', failed: false };
    if ('missing' in measurement) {
      const verdict = measurement.failed ? 'FAILED' : 'not measured';
      return { ...row, measured: null, verdict, reason: measurement.missing };
    }
    const value = measurement.figures[headline.name] ?? null;
    if (value === null) return { ...row, measured: null, verdict: 'FAILED', reason: 'It answered no such figure.' };
    if (comparable === null && shown) {
      const reason = `SHA-256 takes ${speed} GB/s here, ${shown.hashSpeed} there; npm run bench:headlines measures it here.`;
      return { ...row, measured: value, verdict: 'not comparable', reason };
    }
    return { ...row, measured: value, verdict: runs ? verdictOn(headline, runs, value) : 'new', reason: '' };
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
    ['Benchmark', 'Ratio', 'Document', 'Allowed', 'Measured', 'Verdict', 'Document measured at'],
    comparisons.map(({ headline, runs, measured, verdict, reason, commit }) => [
      headline.section,
      headline.name,
      runs ? runsText(runs) : '',
      runs ? `${Math.round((allowance(runs) - 1) * 100)} %` : '',
      measured?.toFixed(2) ?? '',
      reason === '' ? verdict : `${verdict}: ${reason}`,
      commit,
    ]),
  );
