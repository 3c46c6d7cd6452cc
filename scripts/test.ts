/**
 * `npm test`: installs missing system packages, then runs the static checks, the build, the tests, the end-to-end tests
 * and, if Wine is set up, a short run of the Windows tests. Every stage runs even if another one failed; the failures
 * are repeated at the end, and the last line is `N passed, N failed, N skipped`.
 *
 * The end-to-end tests mostly wait, so they run in parallel with the static checks and the tests. Temporary files of
 * the stages are removed when the run ends.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { BUILT } from './test-run/built-variable.ts';
import {
  type Count,
  counted,
  countOfCheck,
  countOfPlaywright,
  countOfVitest,
  lineOf,
  SKIPPED,
  totalOf,
} from './test-run/count.ts';
import {
  endOf,
  type Failure,
  failuresIn,
  failuresOfPlaywright,
  failuresOfVitest,
  linesOf,
} from './test-run/failures.ts';
import { npm, programOf } from './test-run/package-command.ts';
import { insideRunFolder, makeRunFolder } from './test-run/run-folder.ts';
import { scenarioReport, whyNotReady, windowsFolder } from './windows/windows-test-paths.ts';

const reports = resolve('test-results');
const provision = resolve('scripts/provision');
const run = makeRunFolder();

interface Stage {
  readonly title: string;
  readonly words: readonly [command: string, ...args: string[]];
  readonly env?: Record<string, string>;
  /** Prints its output when it has ended, so that it does not mix with that of parallel stages. */
  readonly isHeld?: boolean;
}

const processes = new Set<ReturnType<typeof spawn>>();

interface Ended {
  readonly title: string;
  readonly isGood: boolean;
  /** The end of what it printed; of a stage that is not held only how it ended. */
  readonly output: string;
}

interface Result {
  readonly count: Count;
  readonly failures: readonly Failure[];
}

const runStage = async ({ title, words: [command, ...args], env, isHeld = false }: Stage): Promise<Ended> => {
  const started = performance.now();
  const held: Buffer[] = [];
  const heading = `\n> ${title}\n`;
  if (!isHeld) process.stdout.write(heading);
  const child = spawn(command, args, {
    stdio: ['ignore', isHeld ? 'pipe' : 'inherit', isHeld ? 'pipe' : 'inherit'],
    env: { ...process.env, ...insideRunFolder(run.folder), ...env },
  });
  processes.add(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => held.push(chunk));
  const ended = await new Promise<string | null>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('close', (code, signal) => done(code === 0 ? null : `${signal ?? code}`));
  });
  processes.delete(child);
  if (isHeld) process.stdout.write(Buffer.concat([Buffer.from(heading), ...held]));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`  ${title}: ${ended === null ? 'ok' : `failed (${ended})`}, ${seconds} s`);
  const output = endOf(`${Buffer.concat(held)}\n${ended === null ? '' : `ended with ${ended}`}`);
  return { title, isGood: ended === null, output };
};

const heldStage = async (stage: Omit<Stage, 'isHeld'>): Promise<Result> => {
  const { isGood, output } = await runStage({ ...stage, isHeld: true });
  return { count: countOfCheck(isGood), failures: isGood ? [] : [{ title: stage.title, message: output }] };
};
const check = (title: string, ...words: Stage['words']): Promise<Result> => heldStage({ title, words });

/** Several threads work out again what they share; collecting garbage half as often saves as much processor time. */
const types = (): Promise<Result> =>
  heldStage({
    title: 'types (tsc)',
    words: [...programOf('typescript', 'tsc'), '-b', '--singleThreaded'],
    env: { GOGC: '200' },
  });

const reportIn = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

const ofVitest = (ended: Ended, report: string | null): Result => ({
  count: counted(ended.isGood, report, countOfVitest),
  failures: failuresIn(ended, report, failuresOfVitest),
});

/** `isBuilt`: commands are those that ship, which start in a third of the time. */
const unit = async (isBuilt: boolean): Promise<Result> => {
  const file = resolve(reports, 'vitest.json');
  const words = [
    ...programOf('vitest'),
    ...['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
  ] as const;
  const env = { [BUILT]: isBuilt ? '1' : '0' };
  return ofVitest(await runStage({ title: 'tests (vitest)', words, env }), reportIn(file));
};

const endToEnd = async (): Promise<Result> => {
  const file = resolve(reports, 'playwright.json');
  const ended = await runStage({
    title: 'end to end (Playwright)',
    // It clears its own results folder when it starts.
    words: [
      ...programOf('@playwright/test', 'playwright'),
      ...['test', '--reporter=list,json', `--output=${resolve(reports, 'playwright')}`],
      // Runs in parallel with the tests.
      '--workers=1',
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    isHeld: true,
  });
  const report = reportIn(file);
  return {
    count: counted(ended.isGood, report, countOfPlaywright),
    failures: failuresIn(ended, report, failuresOfPlaywright),
  };
};

/** The short part of `npm run test:windows`, if that has set Wine up. */
const windows = async (): Promise<Result> => {
  const title = 'Windows (Wine)';
  const folder = windowsFolder(process.env);
  const why = whyNotReady(folder, resolve('.'));
  if (why !== null) {
    console.log(`\n> ${title}\n  ${title}: skipped. ${why}`);
    return { count: SKIPPED, failures: [] };
  }
  const file = scenarioReport(folder);
  rmSync(file, { force: true });
  const words = [process.execPath, 'scripts/test-windows.ts', 'smoke', '--short'] as const;
  return ofVitest(await runStage({ title, words, isHeld: true }), reportIn(file));
};

const checksAndTests = async (built: Promise<Result>): Promise<Result[]> => {
  const checks = await Promise.all([
    types(),
    check('lint and format (Biome)', ...programOf('@biomejs/biome', 'biome'), 'check', '.'),
    // The import rules are in test/architecture.test.ts.
    check('dead code (knip)', ...programOf('knip')),
    built,
  ]);
  return [...checks, await unit((await built).count.failed === 0), await windows()];
};

process.once('exit', run.remove);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of processes) child.kill(signal);
    process.exit(1);
  });
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
console.log('> system packages');
// Debian's packages; elsewhere nothing is installed.
if (process.platform !== 'linux' || spawnSync(provision, { stdio: 'inherit' }).status !== 0)
  console.log('  continuing with what this machine has; tests that need more will fail and say what');

const built = check(
  'build (electron-vite, vite)',
  ...npm(),
  ...['run', 'build', '--silent', '--', '--logLevel', 'warn'],
);
const [results, atTheEnd] = await Promise.all([checksAndTests(built), built.then(endToEnd)]);
results.push(atTheEnd);
const counts = results.map(({ count }) => count);
for (const line of linesOf(results.flatMap(({ failures }) => failures))) console.log(line);
console.log(`\n${lineOf(counts)}`);
process.exitCode = totalOf(counts).failed === 0 ? 0 : 1;
