/**
 * The vendored ffmpeg: copied for electron-builder, never without its licence, and only if it has the hash in the
 * repository.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builderConfig, root } from '../support/desktop/builder-tools.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const vendor = (project: string) =>
  spawnSync(process.execPath, [join(root, 'scripts/vendor-ffmpeg.ts'), project], { encoding: 'utf8' });

const computer = `${process.platform}-${process.arch}`;

/** A project with a stand-in for ffmpeg and a lock file with these hashes. */
const projectWith = (program: string, sha256: Readonly<Record<string, string>>): string => {
  const project = temporaryFolder('vendor');
  const from = join(project, 'node_modules/ffmpeg-static');
  mkdirSync(from, { recursive: true });
  for (const name of ['LICENSE', 'ffmpeg.README', 'index.js']) writeFileSync(join(from, name), name);
  writeFileSync(join(from, 'ffmpeg'), program);
  mkdirSync(join(project, 'scripts'));
  writeFileSync(join(project, 'scripts/ffmpeg.lock.json'), JSON.stringify({ sha256 }));
  return project;
};
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

it('is where electron-builder expects it, can be run, and has its licence beside it', async () => {
  const project = projectWith('ffmpeg', { [computer]: hashOf('ffmpeg') });
  expect(vendor(project)).toMatchObject({ status: 0, stderr: '' });

  const { platform, arch } = process;
  const [pattern] = ((await builderConfig())['extraResources'] as { from: string; to: string }[]).flatMap((each) =>
    each.to === 'ffmpeg' ? [each.from] : [],
  );
  const place = pattern?.replace(/\$\{platform\}/, platform).replace(/\$\{arch\}/, arch) ?? '';
  expect(readdirSync(join(project, place)).sort()).toEqual(['LICENSE', 'ffmpeg', 'ffmpeg.README']);
  expect(statSync(join(project, place, 'ffmpeg')).mode & 0o111).toBe(0o111);
});

it('is rejected without the licence that must be included, and where it is missing', () => {
  const project = temporaryFolder('vendor');
  const from = join(project, 'node_modules/ffmpeg-static');
  mkdirSync(from, { recursive: true });
  writeFileSync(join(from, 'ffmpeg'), '');
  expect(vendor(project)).toMatchObject({ status: 1, stderr: expect.stringMatching(/has no LICENSE\./) });
  rmSync(from, { recursive: true });
  expect(vendor(project)).toMatchObject({ status: 1, stderr: expect.stringMatching(/has no ffmpeg, no LICENSE\./) });
  expect(existsSync(join(project, 'vendor'))).toBe(false);
});

it('is not packed when its bytes are not those that the repository names', () => {
  const expected = hashOf('ffmpeg');
  const project = projectWith('something else', { [computer]: expected });
  const { status, stderr } = vendor(project);
  expect(status).toBe(1);
  expect(stderr).toContain(`is not the program that scripts/ffmpeg.lock.json names for ${computer}`);
  expect(stderr).toContain(`Expected SHA-256 ${expected}, found ${hashOf('something else')}.`);
  expect(existsSync(join(project, 'vendor'))).toBe(false);
});

it('is not packed for a computer without a hash in the repository', () => {
  const project = projectWith('ffmpeg', { 'other-computer': hashOf('ffmpeg') });
  expect(vendor(project)).toMatchObject({ status: 1, stderr: expect.stringContaining(`no SHA-256 for ${computer}`) });
  expect(existsSync(join(project, 'vendor'))).toBe(false);
});
