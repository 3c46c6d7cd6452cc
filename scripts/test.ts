/**
 * `npm test`: installs what is missing, then runs the static checks, the build, the tests and the end-to-end tests.
 * Every stage runs even when an earlier one failed; the last line is `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = resolve('test-results');

const run = (title: string, command: string, args: readonly string[], env: Record<string, string> = {}): boolean => {
  console.log(`\n> ${title}`);
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  console.log(`  ${status === 0 ? 'ok' : `failed (${status})`}, ${Math.round((performance.now() - started) / 1000)} s`);
  return status === 0;
};

/** A stage without test cases of its own counts as one test. */
const check = (title: string, command: string, ...args: string[]): Count =>
  run(title, command, args) ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

/** What a runner wrote into its JSON report; a runner that failed without a failed test counts as one failure. */
const counted = (isGood: boolean, file: string, read: (report: never) => Count): Count => {
  try {
    const count = read(JSON.parse(readFileSync(file, 'utf8')) as never);
    return !isGood && count.failed === 0 ? { ...count, failed: 1 } : count;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const unit = (): Count => {
  const file = resolve(reports, 'vitest.json');
  const isGood = run('tests (vitest)', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${file}`,
  ]);
  return counted(
    isGood,
    file,
    (report: { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number }) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }),
  );
};

const endToEnd = (): Count => {
  const file = resolve(reports, 'playwright.json');
  const isGood = run('end to end (Playwright)', 'playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  return counted(
    isGood,
    file,
    ({ stats }: { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }),
  );
};

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (!run('system packages', 'scripts/provision', []))
  console.log('  continuing with what this machine has; tests that need more will fail and say what');

const counts = [
  check('types (tsc)', 'tsc', '-b'),
  check('lint and format (Biome)', 'biome', 'check', '.'),
  check('import rules (dependency-cruiser)', 'depcruise', 'src', '--config', '.dependency-cruiser.mjs'),
  check('dead code (knip)', 'knip'),
  check('build (electron-vite, vite)', 'npm', 'run', 'build', '--silent', '--', '--logLevel', 'warn'),
  unit(),
  endToEnd(),
];
const sum = (key: keyof Count): number => counts.reduce((total, count) => total + count[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
