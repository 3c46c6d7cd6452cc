import { describe, expect, it } from 'vitest';
import { checkFigures, type HeadlineRecord, replaced, runsText, summary } from './headline-record.ts';

const recordOf = (commit: string, hashSpeed: number, runs: HeadlineRecord['runs'] = {}): HeadlineRecord => ({
  ...{ commit, dirty: false, machine: '' },
  ...{ hashSpeed, runs },
});

describe('the record of the headlines', () => {
  it('keeps the runs on each other processor, the newest of each', () => {
    const commits = (records: readonly HeadlineRecord[]) => records.map(({ commit }) => commit);
    const fast = replaced([], recordOf('aaaa1111', 1.8));
    const slow = replaced(fast, recordOf('bbbb2222', 0.9));
    const third = replaced(slow, recordOf('cccc3333', 1.3));
    const again = replaced(third, recordOf('dddd4444', 1.82));
    expect(commits(fast)).toEqual(['aaaa1111']);
    expect(commits(slow)).toEqual(['bbbb2222', 'aaaa1111']);
    expect(commits(third)).toEqual(['cccc3333', 'bbbb2222', 'aaaa1111']);
    expect(commits(again)).toEqual(['dddd4444', 'cccc3333', 'bbbb2222']);
  });

  it('shows the median of the runs and how far apart they are', () => {
    expect(runsText([1.2, 0.9, 1])).toBe('1.00 [0.90-1.20]');
    expect(runsText([1.2])).toBe('1.20');
  });

  it('shows the runs on other processors below the others', () => {
    const name = '100 MiB: wall / tus';
    const newest = recordOf('1234abcd', 0.9, { [name]: [2] });
    expect(summary({ upload: [newest] })).not.toContain('another speed');
    expect(summary({ upload: [newest] })).toContain(`| upload | ${name} | 2.00 | <= 0.7 | \`1234abcd\` | 0.9 GB/s |`);
    const page = summary({ upload: [newest, recordOf('5678abcd', 1.8, { [name]: [1, 1.1, 0.9] })] });
    expect(page.split('On processors of another speed:')[1]).toContain(
      `| upload | ${name} | 1.00 [0.90-1.10] | <= 0.7 | \`5678abcd\` | 1.8 GB/s |`,
    );
  });

  it('takes from a benchmark exactly the figures of its headlines, as finite numbers', () => {
    const figures = { 'Start to home: wall / bare page': 3, 'Start to library: wall / bare page': 4 };
    expect(() => checkFigures('ui', figures)).not.toThrow();
    expect(() => checkFigures('ui', { ...figures, other: 1 })).toThrow('unknown [other]');
    expect(() => checkFigures('ui', { ...figures, 'Start to home: wall / bare page': Number.NaN })).toThrow(
      'missing [Start to home: wall / bare page]',
    );
  });
});
