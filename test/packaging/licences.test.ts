/** The licences in a packed app. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/desktop/builder-tools.ts';

it('are those of the packages that are installed: node scripts/licences.ts', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/licences.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

it('hold the texts of the licences that ask for it', () => {
  const text = readFileSync(join(root, 'resources/licences.txt'), 'utf8');
  for (const words of [
    'GNU LESSER GENERAL PUBLIC LICENSE',
    'GNU GENERAL PUBLIC LICENSE',
    'Mozilla Public License',
    'Apache License',
    'ffmpeg (GPL-3.0-or-later)',
    'LICENSES.chromium.html',
    '@img/sharp-win32-x64',
    '@napi-rs/keyring-win32-x64-msvc',
    '| libvips ',
  ])
    expect(text).toContain(words);
});
