/** Counts the tests of a stage of `npm test`. A failed runner counts as a failure even if its report shows none. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NOTHING: Count = { passed: 0, failed: 0, skipped: 0 };

/** A stage without test cases of its own counts as one test. */
export const countOfCheck = (isGood: boolean): Count => ({ ...NOTHING, [isGood ? 'passed' : 'failed']: 1 });

/** A stage that this machine cannot run counts as one skipped test. */
export const SKIPPED: Count = { ...NOTHING, skipped: 1 };

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A test file that failed before its first test counts as one failure. */
export const countOfVitest = (report: VitestReport): Count => ({
  passed: report.numPassedTests,
  failed:
    report.numFailedTests +
    report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      .length,
  skipped: report.numPendingTests + report.numTodoTests,
});

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/** A test that passed only on a retry has failed. */
export const countOfPlaywright = ({ stats }: PlaywrightReport): Count => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

/** `text` is the runner's report, null without one. */
export const counted = <Report>(isGood: boolean, text: string | null, read: (report: Report) => Count): Count => {
  try {
    const count = read(JSON.parse(text ?? '') as Report);
    return !isGood && count.failed === 0 ? { ...count, failed: 1 } : count;
  } catch {
    return { ...NOTHING, failed: 1 };
  }
};

/** The last line of `npm test`. */
export const lineOf = (counts: readonly Count[]): string => {
  const { passed, failed, skipped } = totalOf(counts);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
};

export const totalOf = (counts: readonly Count[]): Count =>
  counts.reduce(
    (total, count) => ({
      passed: total.passed + count.passed,
      failed: total.failed + count.failed,
      skipped: total.skipped + count.skipped,
    }),
    NOTHING,
  );
