/** The failures that `npm test` repeats above its last line: whatever failed is named, with the error it failed with. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endOf, failuresIn, failuresOfPlaywright, failuresOfVitest, linesOf } from '../scripts/test-run/failures.ts';

const vitest = (isGood: boolean) => ({
  testResults: [
    {
      ...{ name: resolve('test/some.test.ts'), status: isGood ? 'passed' : 'failed' },
      assertionResults: [
        { status: 'passed', fullName: 'a link opens', failureMessages: [] },
        isGood
          ? { status: 'passed', fullName: 'a link closes', failureMessages: [] }
          : {
              status: 'failed',
              fullName: 'a link closes',
              failureMessages: ['\u001b[31mAssertionError\u001b[39m: no'],
            },
      ],
    },
  ],
});

const runner = (isGood: boolean) => ({ title: 'tests', isGood, output: 'out of memory' });

describe('The failures of npm test', () => {
  it('name the file and the test, with the first error in plain text', () => {
    const failures = failuresIn(runner(false), JSON.stringify(vitest(false)), failuresOfVitest);
    expect(linesOf(failures)).toEqual(['> failures', '  test/some.test.ts > a link closes', '    AssertionError: no']);
  });

  it('are not printed where nothing failed', () => {
    expect(linesOf(failuresIn(runner(true), JSON.stringify(vitest(true)), failuresOfVitest))).toEqual([]);
  });

  it('name a test file that failed before its first test', () => {
    const broken = {
      name: resolve('test/broken.test.ts'),
      status: 'failed',
      message: 'No such module',
      assertionResults: [],
    };
    expect(failuresOfVitest({ testResults: [broken] })).toEqual([
      { title: 'test/broken.test.ts', message: 'No such module' },
    ]);
  });

  it('name each end-to-end test of a nested suite that failed, also one that passed on a retry', () => {
    const spec = (title: string, status: string) => ({
      title,
      tests: [{ status, results: status === 'expected' ? [{}] : [{ error: { message: `${title}: no` } }, {}] }],
    });
    const inner = {
      file: 'a.spec.ts',
      specs: [spec('one', 'expected'), spec('two', 'unexpected'), spec('three', 'flaky')],
    };
    expect(
      failuresOfPlaywright({ suites: [{ file: 'a.spec.ts', suites: [inner] }], errors: [{ message: 'no browser' }] }),
    ).toEqual([
      { title: 'a.spec.ts > two', message: 'two: no' },
      { title: 'a.spec.ts > three', message: 'three: no' },
      { title: 'outside the tests', message: 'no browser' },
    ]);
  });

  it.each([
    ['without a report', null],
    ['with half a report', '{"testRes'],
    ['whose report has no failure', JSON.stringify(vitest(true))],
  ])('show the end of the output of a runner that failed %s', (_, text) => {
    expect(failuresIn(runner(false), text, failuresOfVitest)).toEqual([{ title: 'tests', message: 'out of memory' }]);
  });

  it('keep the end of a long output and the beginning of a long error, and tell how many more there are', () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    expect(endOf(lines).split('\n').at(-1)).toBe('line 99');
    expect(linesOf([{ title: 'one', message: lines }]).slice(0, 3)).toEqual(['> failures', '  one', '    line 0']);
    expect(linesOf(Array.from({ length: 23 }, () => ({ title: 'one', message: '' }))).at(-1)).toBe('  and 3 more');
  });
});
