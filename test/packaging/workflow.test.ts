/** The workflow for a public forge: it is valid, requests no unnecessary permissions, and names only existing files. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builderConfig, parseYaml, root } from '../support/desktop/builder-tools.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly 'timeout-minutes': number;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string>>[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const text = readFileSync(join(root, '.github/workflows/desktop.yml'), 'utf8');
const workflow = parseYaml(text) as Workflow;
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run?.split('\n') ?? []);
const all = (pattern: RegExp): string[] =>
  commands.flatMap((line) => [...line.matchAll(pattern)].map(([, it]) => it ?? ''));

describe('actionlint', () => {
  const lint = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/lint-workflows.ts'), ...words], { encoding: 'utf8' });

  it('has no objection to any of the workflows', () => {
    const { length } = readdirSync(join(root, '.github/workflows'));
    expect(lint()).toMatchObject({ status: 0, stderr: '', stdout: `${length} workflows, 0 problems\n` });
  });

  it('names the line of each mistake', () => {
    const folder = temporaryFolder('workflows');
    mkdirSync(folder, { recursive: true });
    const wrong = text
      .replace('runs-on: ubuntu-latest', 'runs-on: ubuntu-6')
      .replace('matrix.program', 'matrix.progam');
    writeFileSync(join(folder, 'wrong.yml'), wrong);
    const { status, stderr } = lint(folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^wrong\.yml:\d+:\d+: label "ubuntu-6" is unknown/m);
    expect(stderr).toMatch(/^wrong\.yml:\d+:\d+: property "progam" is not defined/m);
  });
});

describe('the workflow of the desktop app', () => {
  it('reads the sources, has no secret, and ends', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.filter(({ permissions }) => permissions !== undefined)).toEqual([]);
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
    expect(jobs.every((job) => job['timeout-minutes'] <= 60)).toBe(true);
    for (const { uses, with: options } of steps)
      if (uses?.startsWith('actions/checkout')) expect(options).toMatchObject({ 'persist-credentials': false });
  });

  it('names each action by the hash of its commit, with the version beside it', () => {
    const used = [...text.matchAll(/\buses:\s*(.+)/g)].map(([, it]) => it ?? '');
    expect(used.length).toBeGreaterThan(3);
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    expect(used.filter((each) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
  });

  it('installs ffmpeg with the pinned hashes, and checks it before packing', () => {
    const lock = JSON.parse(readFileSync(join(root, 'scripts/ffmpeg.lock.json'), 'utf8')) as {
      readonly package: string;
      readonly sha256: Readonly<Record<string, string>>;
    };
    expect(all(/(ffmpeg-static@\S+)/g)).toEqual([lock.package]);
    expect(Object.keys(lock.sha256)).toEqual(expect.arrayContaining(['win32-x64', 'linux-x64', 'darwin-arm64']));
    for (const [computer, pin] of Object.entries(lock.sha256)) expect(pin, computer).toMatch(/^[0-9a-f]{64}$/);
    const place = (part: string) => commands.findIndex((line) => line.includes(part));
    expect(place('vendor-ffmpeg')).toBeGreaterThan(place('ffmpeg-static/install.js'));
    expect(place('npm run dist')).toBeGreaterThan(place('vendor-ffmpeg'));
  });

  it('runs scripts of package.json, files and projects that are there', () => {
    const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      'scripts' | 'devDependencies',
      Record<string, string>
    >;
    const called = all(/npm run ([\w:-]+)/g);
    expect(called).toEqual(expect.arrayContaining(['build', 'dist']));
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
    const files = all(/\bnode ([\w./-]+\.[jt]s)/g);
    // Only the workflow installs ffmpeg-static.
    expect(files.filter((path) => !path.includes('ffmpeg-static') && !existsSync(join(root, path)))).toEqual([]);
    expect(files.length).toBeGreaterThan(3);
    expect(all(/npx (\w+)/g).filter((name) => !(`@${name}/test` in devDependencies))).toEqual([]);
    const projects = [
      ...readFileSync(join(root, 'playwright.config.ts'), 'utf8').matchAll(/\{ name: '(\w+)', testDir/g),
    ].map(([, name]) => name);
    expect(projects).toEqual(expect.arrayContaining(all(/--project=(\w+)/g)));
    accessSync(join(root, '.ci/run'), constants.X_OK);
    expect(commands).toContain('.ci/run');
  });

  it('builds and starts the app on each platform, and keeps the packages for users', async () => {
    const computers = workflow.jobs['app']?.strategy?.matrix.include ?? [];
    expect(computers.map(({ os }) => os)).toEqual(['windows-latest', 'ubuntu-latest', 'macos-latest']);
    const config = await builderConfig();
    for (const { platform = '', program = '' } of computers) {
      const name = platform.split(' ')[0]?.slice(2) ?? '';
      expect(config, platform).toHaveProperty(name);
      expect(program).toMatch(/^dist\/[\w./-]*inkshot(\.exe)?$/);
    }
    // Without the zip an update of macOS could not be installed.
    expect(config).toMatchObject({ mac: { target: ['dmg', 'zip'] } });
    for (const ending of ['exe', 'AppImage', 'deb', 'dmg', 'zip']) expect(text).toContain(`dist/*.${ending}`);
  });
});

describe('the workflow of the campaigns', () => {
  it('runs them at length every night, reads the sources only, and ends', () => {
    const campaigns = readFileSync(join(root, '.github/workflows/campaigns.yml'), 'utf8');
    const parsed = parseYaml(campaigns) as Workflow & { readonly on: unknown };
    expect(Object.keys(parsed.jobs)).toEqual(['campaigns', 'engines', 'stores', 'containers', 'desktops']);
    expect(parsed.permissions).toEqual({ contents: 'read' });
    expect(parsed.on).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }] });
    for (const job of Object.values(parsed.jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(360);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const commands = Object.values(parsed.jobs).map(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const engines = ['npm ci', 'scripts/provision', 'scripts/provision engines'];
    expect(commands).toEqual([
      ['npm ci', 'scripts/provision', 'npm run test:long', 'npm run test:fairness', 'npm run test:redaction'],
      [...engines, 'npm run test:engines'],
      [...engines, 'npm run test:stores', 'npm run test:cluster', 'npm run test:move', 'npm run test:upgrade'],
      expect.arrayContaining(['docker build --file deploy/Containerfile --tag linkshot .']),
      ['npm ci', 'scripts/provision', 'scripts/provision desktops', 'npm run test:desktops', 'npm run test:scroll'],
    ]);
    expect(scripts['test:long']).toMatch(/^node scripts\/test-run\/long\.ts /);
  });
});

describe('the workflow of Windows', () => {
  const windows = readFileSync(join(root, '.github/workflows/windows.yml'), 'utf8');
  const parsed = parseYaml(windows) as Workflow;

  it('runs scenarios and unit tests on Windows and under Wine, reads the sources only, and ends', () => {
    expect(Object.keys(parsed.jobs)).toEqual(['windows', 'wine']);
    expect(parsed.permissions).toEqual({ contents: 'read' });
    expect(windows).not.toMatch(/secrets\.|pull_request_target/);
    for (const job of Object.values(parsed.jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(180);
    expect(parsed.jobs['windows']).toMatchObject({ 'runs-on': 'windows-latest' });
    for (const { steps } of Object.values(parsed.jobs))
      expect(steps.flatMap(({ run }) => run ?? [])).toContain('npm run test:windows');
  });

  it('names each action by the hash of its commit', () => {
    const used = [...windows.matchAll(/\buses:\s*(.+)/g)].map(([, it]) => it ?? '');
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((each) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
  });
});
