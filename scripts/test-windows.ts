/**
 * `npm run test:windows [-- WORDS]`: runs the scenarios of test/windows and most unit tests with the semantics of
 * Windows: on Windows itself, or on Debian as root under Wine, which it sets up in a persistent folder
 * (`LINKSHOT_WINE`). The last line is `N passed, N failed, N skipped`.
 *
 * WORDS name scenarios (`smoke`, `kill`) or folders of tests (`test/engine/queue`); without them all run. `LONG=1`
 * kills a hundred times. Exits with 3 if Wine cannot be set up.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Count, counted, countOfVitest, lineOf, totalOf } from './test-run/count.ts';
import { programOf } from './test-run/package-command.ts';
import { prepareProject } from './windows/project.ts';
import { IS_WINDOWS, startNode, windowsPath } from './windows/windows-process.ts';
import { scenarioReport, windowsFolder } from './windows/windows-test-paths.ts';

const root = resolve(import.meta.dirname, '..');
/** Folder by folder, so that a log shows how far it is. docs/platforms.md has the numbers, and says what is not in this list. */
const inFolder = (name: string): readonly string[] =>
  readdirSync(join(root, 'test', name))
    .toSorted()
    .map((entry) => `test/${name}/${entry}`);
const UNITS = [
  ...[
    'base',
    'api',
    'ipc',
    'host',
    'cli',
    'main/system/explorer-menu.test.ts',
    'main/system/terminal-command.test.ts',
  ].map((name) => `test/${name}`),
  ...inFolder('engine'),
  ...inFolder('server'),
];

const folder = windowsFolder(process.env);
/** `--short`: as part of `npm test`, with the window that it has built, within 90 seconds. */
const words = process.argv.slice(2).filter((word) => word !== '--short');
const isShort = process.argv.includes('--short');

const ended = (command: string, args: readonly string[]): Promise<number> =>
  new Promise((answer, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('exit', (code) => answer(code ?? 1));
  });

const reportIn = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

/** They start, kill and observe processes of Windows: on Linux those under Wine. */
const scenarios = async (filters: readonly string[]): Promise<Count> => {
  const file = scenarioReport(folder);
  rmSync(file, { force: true });
  const [node, vitest] = programOf('vitest');
  const config = ['--config', 'test/windows/vitest.config.ts'];
  const reports = ['--reporter=verbose', '--reporter=json', `--outputFile=${file}`];
  const code = await ended(node, [vitest, 'run', ...config, ...reports, ...filters]);
  return counted(code === 0, reportIn(file), countOfVitest);
};

/** On Windows: node.exe runs the tests themselves. */
const units = async (filter: string): Promise<Count> => {
  const file = join(folder.path, 'logs', `${filter.replaceAll('/', '-')}.json`);
  rmSync(file, { force: true });
  console.log(`\n> ${filter}, by node.exe`);
  const reports = ['--reporter=dot', '--reporter=json', `--outputFile=${windowsPath(file)}`];
  const run = startNode(['node_modules/vitest/vitest.mjs', 'run', ...reports, filter]);
  const { code, stdout, stderr } = await run.done;
  console.log(`${stdout}${stderr}`.trim());
  const count = counted(code === 0, reportIn(file), countOfVitest);
  console.log(`  ${filter}: ${lineOf([count])}`);
  return count;
};

const runAll = async (): Promise<Count[]> => {
  prepareProject(root, folder, isShort);
  if (isShort) process.env['LINKSHOT_SHORT'] = '1';
  const isUnit = (word: string): boolean => word.startsWith('test/') && !word.startsWith('test/windows');
  const counts: Count[] = [];
  if (words.length === 0 || !words.every(isUnit)) counts.push(await scenarios(words.filter((word) => !isUnit(word))));
  for (const unit of words.length === 0 ? UNITS : words.filter(isUnit)) counts.push(await units(unit));
  return counts;
};

if (!IS_WINDOWS && process.env['WINE_ROOT'] === undefined) {
  const provision = join(root, 'scripts/provision');
  if ((await ended(provision, ['windows'])) !== 0) console.log('  continuing with what this machine has');
  const again = [process.execPath, ...process.execArgv, import.meta.filename, ...process.argv.slice(2)];
  process.exitCode = await ended(join(root, 'scripts/windows/in-wine'), [folder.path, ...again]);
} else {
  const counts = await runAll();
  console.log(`\n${lineOf(counts)}`);
  process.exitCode = totalOf(counts).failed === 0 ? 0 : 1;
}
