/**
 * `npm test`: installs missing system packages, then runs the static checks, the build, the tests, the end-to-end tests
 * and, if Wine is set up, a short run of the Windows tests. Every stage runs even if another one failed; the last line
 * is `N passed, N failed, N skipped`.
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

/** Runs a stage; resolves with whether it succeeded. */
const runStage = async ({ title, words: [command, ...args], env, isHeld = false }: Stage): Promise<boolean> => {
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
  return ended === null;
};

const check = async (title: string, ...words: Stage['words']): Promise<Count> =>
  countOfCheck(await runStage({ title, words, isHeld: true }));

const reportIn = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

/** `isBuilt`: commands are those that ship, which start in a third of the time. */
const unit = async (isBuilt: boolean): Promise<Count> => {
  const file = resolve(reports, 'vitest.json');
  const words = [
    ...programOf('vitest'),
    ...['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
  ] as const;
  const env = { [BUILT]: isBuilt ? '1' : '0' };
  return counted(await runStage({ title: 'tests (vitest)', words, env }), reportIn(file), countOfVitest);
};

const endToEnd = async (): Promise<Count> => {
  const file = resolve(reports, 'playwright.json');
  const isGood = await runStage({
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
  return counted(isGood, reportIn(file), countOfPlaywright);
};

/** The short part of `npm run test:windows`, if that has set Wine up. */
const windows = async (): Promise<Count> => {
  const title = 'Windows (Wine)';
  const folder = windowsFolder(process.env);
  const why = whyNotReady(folder, resolve('.'));
  if (why !== null) {
    console.log(`\n> ${title}\n  ${title}: skipped. ${why}`);
    return SKIPPED;
  }
  const file = scenarioReport(folder);
  rmSync(file, { force: true });
  const words = [process.execPath, 'scripts/test-windows.ts', 'smoke', '--short'] as const;
  return counted(await runStage({ title, words, isHeld: true }), reportIn(file), countOfVitest);
};

const checksAndTests = async (built: Promise<Count>): Promise<Count[]> => {
  const checks = await Promise.all([
    // Each checker works out again what it shares with the others: four take more than twice the processor time of one.
    check('types (tsc)', ...programOf('typescript', 'tsc'), ...['-b', '--checkers', '1']),
    check('lint and format (Biome)', ...programOf('@biomejs/biome', 'biome'), 'check', '.'),
    check(
      'import rules (dependency-cruiser)',
      ...programOf('dependency-cruiser', 'depcruise'),
      ...['src', '--config', '.dependency-cruiser.mjs'],
    ),
    check('dead code (knip)', ...programOf('knip')),
    built,
  ]);
  return [...checks, await unit((await built).failed === 0), await windows()];
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
const [counts, atTheEnd] = await Promise.all([checksAndTests(built), built.then(endToEnd)]);
counts.push(atTheEnd);
console.log(`\n${lineOf(counts)}`);
process.exitCode = totalOf(counts).failed === 0 ? 0 : 1;
