/** The user's pictures folder: Windows is queried once per run, and again after a failed query. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { createPicturesFolder } from '../../../src/engine/capture/pictures-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Ask = NonNullable<Parameters<typeof createPicturesFolder>[1]>;

/** A PowerShell that gives these answers, one after the other; null: it fails. */
const answering = (...answers: readonly (string | null)[]) => {
  const asked: string[] = [];
  const ask = (async (program: string, words: readonly string[]) => {
    // The console has a code page of its own.
    expect(words.at(-1)).toMatch(/^\[Console\]::OutputEncoding=\[Text\.UTF8Encoding\]::new\(\$false\);/);
    const answer = answers[asked.length] ?? null;
    asked.push(program);
    if (answer === null) throw new Error('It does not start.');
    return { stdout: Buffer.from(answer), stderr: Buffer.alloc(0) };
  }) as unknown as Ask;
  return { ask, asked };
};

const windows = { platform: 'win32', environment: { SystemRoot: 'C:\\Windows', USERPROFILE: '/users/anna' } };

it('Windows is asked once', async () => {
  const { ask, asked } = answering('D:\\OneDrive\\Изображения', 'D:\\other');
  const folder = createPicturesFolder(windows, ask);
  expect(await Promise.all([folder(), folder()])).toEqual(['D:\\OneDrive\\Изображения', 'D:\\OneDrive\\Изображения']);
  expect(await folder()).toBe('D:\\OneDrive\\Изображения');
  expect(asked).toEqual(['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe']);
});

it('Windows that does not answer is asked again, and the usual folder is taken meanwhile', async () => {
  const { ask, asked } = answering(null, 'E:\\Pictures');
  const folder = createPicturesFolder(windows, ask);
  expect(await folder()).toBe(join('/users/anna', 'Pictures'));
  expect(await folder()).toBe('E:\\Pictures');
  expect(asked).toHaveLength(2);
});

it('without a home folder there is no such folder', async () => {
  const { ask, asked } = answering('never');
  for (const platform of ['win32', 'linux', 'darwin'])
    expect(await createPicturesFolder({ platform, environment: {} }, ask)()).toBeNull();
  expect(asked).toEqual([]);
});

it('a desktop names it, and may name another one later', async () => {
  const home = temporaryFolder('pictures');
  mkdirSync(join(home, '.config'));
  const folder = createPicturesFolder({ platform: 'linux', environment: { HOME: home } });
  expect(await folder()).toBe(join(home, 'Pictures'));
  writeFileSync(join(home, '.config/user-dirs.dirs'), 'XDG_PICTURES_DIR="$HOME/Bilder"\n');
  expect(normalize((await folder()) ?? '')).toBe(join(home, 'Bilder'));
});
