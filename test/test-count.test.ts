/** The closing line of `npm test`: whatever ran is counted, and whatever failed shows. */
import { describe, expect, it } from 'vitest';
import { counted, countOfCheck, countOfPlaywright, countOfVitest, lineOf } from '../scripts/test-run/count.ts';

const vitest = {
  ...{ numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 },
  testResults: [{ status: 'passed', assertionResults: [{}, {}] }],
};

describe('The closing line of npm test', () => {
  it('adds the tests of every stage', () => {
    const playwright = JSON.stringify({ stats: { expected: 3, unexpected: 1, flaky: 0, skipped: 2 } });
    expect(
      lineOf([
        countOfCheck(true),
        countOfCheck(false),
        counted(true, JSON.stringify(vitest), countOfVitest),
        counted(false, playwright, countOfPlaywright),
      ]),
    ).toBe('9 passed, 2 failed, 4 skipped');
  });

  it.each([
    ['without a report', null],
    ['with half a report', JSON.stringify(vitest).slice(0, 40)],
    ['with a report of another shape', '{}'],
  ])('has a failure for a runner %s', (_, text) => {
    expect(counted(false, text, countOfVitest)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(counted(true, text, countOfVitest)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('has a failure for a runner that failed although every test of its report passed', () => {
    expect(counted(false, JSON.stringify(vitest), countOfVitest)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  });

  it('has a failure for each test file that failed before its first test', () => {
    const broken = { status: 'failed', assertionResults: [] };
    const report = { ...vitest, numFailedTests: 1, testResults: [...vitest.testResults, broken, broken] };
    expect(countOfVitest(report).failed).toBe(3);
  });

  it('has a failure for a test that passed only when it was repeated', () => {
    expect(countOfPlaywright({ stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 0 } })).toEqual({
      ...{ passed: 3, failed: 1, skipped: 0 },
    });
  });
});
