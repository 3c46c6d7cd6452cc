/** The ffmpeg that a package brings along: it is put where electron-builder takes it from, never without its licence. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builderConfig, root } from '../support/desktop/builder-tools.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const vendor = (project: string) =>
  spawnSync(process.execPath, [join(root, 'scripts/vendor-ffmpeg.ts'), project], { encoding: 'utf8' });

it('lies where electron-builder looks, can be run, and has its licence beside it', async () => {
  const project = temporaryFolder('vendor');
  const from = join(project, 'node_modules/ffmpeg-static');
  mkdirSync(from, { recursive: true });
  for (const name of ['ffmpeg', 'LICENSE', 'ffmpeg.README', 'index.js']) writeFileSync(join(from, name), name);
  expect(vendor(project)).toMatchObject({ status: 0, stderr: '' });

  const { platform, arch } = process;
  const [pattern] = ((await builderConfig())['extraResources'] as { from: string; to: string }[]).flatMap((each) =>
    each.to === 'ffmpeg' ? [each.from] : [],
  );
  const place = pattern?.replace(/\$\{platform\}/, platform).replace(/\$\{arch\}/, arch) ?? '';
  expect(readdirSync(join(project, place)).sort()).toEqual(['LICENSE', 'ffmpeg', 'ffmpeg.README']);
  expect(statSync(join(project, place, 'ffmpeg')).mode & 0o111).toBe(0o111);
});

it('is not taken without the licence that must go along, nor where there is none', () => {
  const project = temporaryFolder('vendor');
  const from = join(project, 'node_modules/ffmpeg-static');
  mkdirSync(from, { recursive: true });
  writeFileSync(join(from, 'ffmpeg'), '');
  expect(vendor(project)).toMatchObject({ status: 1, stderr: expect.stringMatching(/has no LICENSE\./) });
  rmSync(from, { recursive: true });
  expect(vendor(project)).toMatchObject({ status: 1, stderr: expect.stringMatching(/has no ffmpeg, no LICENSE\./) });
  expect(existsSync(join(project, 'vendor'))).toBe(false);
});
