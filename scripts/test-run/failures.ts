/**
 * The failures of `npm test`, which repeats them above its last line: whoever reads only the end of a long log sees
 * what failed.
 */
import { relative } from 'node:path';

/** A failed test or stage, with its first error. */
export interface Failure {
  readonly title: string;
  /** Plain text, without colours. */
  readonly message: string;
}

interface VitestReport {
  readonly testResults: readonly {
    /** An absolute path. */
    readonly name: string;
    readonly status: string;
    /** The error of a file that failed before its first test. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

export const failuresOfVitest = ({ testResults }: VitestReport): Failure[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('', name);
    if (status === 'failed' && assertionResults.length === 0) return [{ title: file, message: message ?? '' }];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ title: `${file} > ${test.fullName}`, message: test.failureMessages?.[0] ?? '' }));
  });

interface PlaywrightSuite {
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: { readonly message?: string; readonly stack?: string } }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  /** Errors outside every test. */
  readonly errors?: readonly { readonly message?: string; readonly stack?: string }[];
}

const failuresOfSuite = ({ file, suites = [], specs = [] }: PlaywrightSuite): Failure[] => [
  ...suites.flatMap(failuresOfSuite),
  ...specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const error = results.find((result) => result.error !== undefined)?.error;
        return { title: `${file} > ${title}`, message: error?.stack ?? error?.message ?? '' };
      }),
  ),
];

export const failuresOfPlaywright = ({ suites, errors = [] }: PlaywrightReport): Failure[] => [
  ...suites.flatMap(failuresOfSuite),
  ...errors.map(({ message, stack }) => ({ title: 'outside the tests', message: stack ?? message ?? '' })),
];

/**
 * The failures in `text`, a runner's report. A runner that failed and reports none is one failure with `output`, the
 * end of what it printed.
 */
export const failuresIn = <Report>(
  runner: { readonly title: string; readonly isGood: boolean; readonly output: string },
  text: string | null,
  read: (report: Report) => Failure[],
): Failure[] => {
  const whole = { title: runner.title, message: runner.output };
  try {
    const failures = read(JSON.parse(text ?? '') as Report);
    return !runner.isGood && failures.length === 0 ? [whole] : failures;
  } catch {
    return [whole];
  }
};

const LINES_SHOWN = 12;
const FAILURES_SHOWN = 20;

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one.
const COLOURS = /\u001b\[[\d;]*m/gu;

const excerptOf = (message: string): string[] =>
  message
    .replaceAll(COLOURS, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_SHOWN)
    .map((line) => `    ${line.trimEnd().slice(0, 300)}`);

/** The last lines of a stage's output, with the error that it ended with. */
export const endOf = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LINES_SHOWN)
    .join('\n');

/** The lines that `npm test` prints; none without a failure. */
export const linesOf = (failures: readonly Failure[]): string[] =>
  failures.length === 0
    ? []
    : [
        '> failures',
        ...failures.slice(0, FAILURES_SHOWN).flatMap(({ title, message }) => [`  ${title}`, ...excerptOf(message)]),
        ...(failures.length > FAILURES_SHOWN ? [`  and ${failures.length - FAILURES_SHOWN} more`] : []),
      ];
