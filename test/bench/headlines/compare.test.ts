import { describe, expect, it } from 'vitest';
import { allowance, better, type Comparison, compare, comparisonTable, exitCodeOf, sectionsBehind } from './compare.ts';
import type { HeadlineRecord, HeadlineRecords } from './headline-record.ts';

const LESS = '100 MiB: wall / tus';
const MORE = 'GET /api/v1/account: requests / bare route';

const SPEED = 0.9;

const recordOf = (commit: string, runs: HeadlineRecord['runs'], hashSpeed = SPEED, dirty = false): HeadlineRecord => ({
  ...{ commit, dirty, machine: '' },
  ...{ hashSpeed, runs },
});

const record = (less: readonly number[], more: readonly number[]): HeadlineRecords => ({
  upload: [recordOf('1111aaaa', { [LESS]: less })],
  server: [recordOf('2222bbbb', { [MORE]: more }, SPEED, true)],
});
const STEADY = record([1], [0.8]);

const rowOf = (rows: readonly Comparison[], name: string): Comparison => {
  const row = rows.find(({ headline }) => headline.name === name);
  if (!row) throw new Error(`no row ${name}`);
  return row;
};

const verdicts = (less: number, more: number) => {
  const rows = compare(
    STEADY,
    {
      upload: { figures: { [LESS]: less } },
      server: { figures: { [MORE]: more } },
    },
    SPEED,
  );
  return [rowOf(rows, LESS).verdict, rowOf(rows, MORE).verdict];
};

describe('comparing benchmarks with the document', () => {
  it('lets a ratio hold that moved by no more than a tenth, in either direction', () => {
    expect(verdicts(1.09, 0.74)).toEqual(['holds', 'holds']);
    expect(verdicts(0.95, 0.85)).toEqual(['holds', 'holds']);
  });

  it('reports a ratio that is worse by more than a tenth as behind', () => {
    expect(verdicts(1.11, 0.72)).toEqual(['BEHIND', 'BEHIND']);
  });

  it('reports a ratio that is better by more than a tenth as better', () => {
    expect(verdicts(0.5, 1.2)).toEqual(['better', 'better']);
  });

  it('ends with exit code 1 where a ratio fell behind, and names its section', () => {
    const rows = compare(STEADY, { upload: { figures: { [LESS]: 1.2 } } }, SPEED);
    expect(sectionsBehind(rows)).toEqual(['upload']);
    expect(exitCodeOf(rows)).toBe(1);
  });

  it('ends with exit code 1 where a benchmark failed or lacks a figure that it should have', () => {
    const failed = compare(STEADY, { server: { missing: 'It ended with 1.', failed: true } }, SPEED);
    expect(rowOf(failed, MORE)).toMatchObject({ verdict: 'FAILED', measured: null, reason: 'It ended with 1.' });
    expect(exitCodeOf(failed)).toBe(1);
    const lacking = compare(STEADY, { server: { figures: {} } }, SPEED);
    expect(exitCodeOf(lacking)).toBe(1);
  });

  it('ends with exit code 0 where everything that could be measured holds, and shows what could not be', () => {
    const rows = compare(
      STEADY,
      {
        'video-handbrake': { missing: 'Its peer is not installed.', failed: false },
        server: { figures: { [MORE]: 0.8, 'GET /api/v1/content/{id}: requests / bare route': 0.7 } },
      },
      SPEED,
    );
    expect(exitCodeOf(rows)).toBe(0);
    expect(rowOf(rows, LESS)).toMatchObject({ verdict: 'not measured', reason: 'There was no time left.' });
    expect(rowOf(rows, 'GET /api/v1/content/{id}: requests / bare route').verdict).toBe('new');
  });

  it('keeps of two measurements of a section the better value of each headline, in the direction that is better for it', () => {
    expect(better('upload', { [LESS]: 1.2 }, { [LESS]: 0.9 })).toEqual({ [LESS]: 0.9 });
    expect(better('server', { [MORE]: 0.6 }, { [MORE]: 0.8 })).toEqual({ [MORE]: 0.8 });
  });

  it('allows what the runs of the document differ by, where that is more than a tenth', () => {
    expect(allowance([1])).toBe(1.1);
    expect(allowance([0.98, 1, 1.02])).toBe(1.1);
    expect(allowance([0.8, 1, 1.2])).toBeCloseTo(1.5);
    const noisy = record([1.2, 0.8, 1], [0.8, 0.64, 0.8]);
    const verdictsOf = (less: number, more: number) => {
      const measured = { upload: { figures: { [LESS]: less } }, server: { figures: { [MORE]: more } } };
      const rows = compare(noisy, measured, SPEED);
      return [rowOf(rows, LESS).verdict, rowOf(rows, MORE).verdict];
    };
    expect(verdictsOf(1.51, 0.63)).toEqual(['BEHIND', 'BEHIND']);
    expect(verdictsOf(1.49, 0.65)).toEqual(['in range', 'in range']);
    expect(verdictsOf(1.09, 0.74)).toEqual(['holds', 'holds']);
    expect(verdictsOf(0.68, 0.99)).toEqual(['holds', 'holds']);
    expect(verdictsOf(0.65, 1.01)).toEqual(['better', 'better']);
    const inRange = { server: { figures: { [MORE]: 0.65, 'GET /api/v1/content/{id}: requests / bare route': 0.7 } } };
    expect(exitCodeOf(compare(noisy, inRange, SPEED))).toBe(0);
  });

  it('judges by the runs on a processor of the same speed, where the document has them', () => {
    const { upload = [], server = [] } = STEADY;
    const both = { upload: [...upload, recordOf('3333cccc', { [LESS]: [1.9] }, 0.4)], server };
    const verdictOf = (value: number, speed: number) =>
      rowOf(compare(both, { upload: { figures: { [LESS]: value } } }, speed), LESS);
    expect(verdictOf(2, 0.42)).toMatchObject({ verdict: 'holds', runs: [1.9], commit: '`3333cccc`' });
    expect(verdictOf(2.2, 0.42).verdict).toBe('BEHIND');
    expect(verdictOf(2, SPEED)).toMatchObject({ verdict: 'BEHIND', runs: [1], commit: '`1111aaaa`' });
    expect(verdictOf(2, 1.8).verdict).toBe('not comparable');
  });

  it('does not judge by the runs on a processor of another speed', () => {
    const measured = { upload: { figures: { [LESS]: 2 } }, server: { figures: { [MORE]: 0.5 } } };
    const rows = compare(STEADY, measured, 0.4);
    expect([rowOf(rows, LESS), rowOf(rows, MORE)]).toMatchObject([
      { verdict: 'not comparable', measured: 2 },
      { verdict: 'not comparable', measured: 0.5 },
    ]);
    expect(comparisonTable(rows)).toContain('not comparable: SHA-256 takes 0.4 GB/s here, 0.9 there;');
    expect(rowOf(compare(STEADY, measured, 0.8), LESS).verdict).toBe('BEHIND');
  });

  it('prints for each ratio the runs of the document, what is allowed, what was measured, the verdict and the commit', () => {
    const rows = compare(record([1], [0.8, 0.75, 0.9]), { server: { figures: { [MORE]: 0.5 } } }, SPEED);
    expect(comparisonTable(rows)).toContain(
      `| server | ${MORE} | 0.80 [0.75-0.90] | 20 % | 0.50 | BEHIND | \`2222bbbb\` with uncommitted changes |`,
    );
  });
});
