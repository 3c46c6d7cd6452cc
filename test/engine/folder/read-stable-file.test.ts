/** A folder's file that is being written is read in one consistent state, even where modification times are late. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStableFile } from '../../../src/engine/folder/read-stable-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('read-file');
const LONG_AGO = 1_000_000;

/** A file that is edited in place after the first read without a change of its modification time. */
const editedOnce = () => {
  const path = join(folder, 'edited.ts');
  const write = (text: string): void => {
    writeFileSync(path, text);
    utimesSync(path, LONG_AGO, LONG_AGO);
  };
  write('old old');
  let isEdited = false;
  const edit = (): void => {
    if (isEdited) return;
    isEdited = true;
    write('new new');
  };
  return { path, edit };
};

const textOf = async (...call: Parameters<typeof readStableFile>): Promise<string> => {
  const read = await readStableFile(...call);
  return 'bytes' in read ? read.bytes.toString() : read.stays;
};

it('fault 47: is read until its bytes are the same twice where modification times change late', async () => {
  const { path, edit } = editedOnce();
  const now = () => Date.now();
  const times = {
    get platform(): NodeJS.Platform {
      edit();
      return 'win32';
    },
    now,
  };
  expect(await textOf(path, times)).toBe('new new');
});

it('is read once where its modification time is reliable', async () => {
  const { path, edit } = editedOnce();
  const times = {
    platform: 'linux' as const,
    now() {
      edit();
      return Date.now();
    },
  };
  expect(await textOf(path, times)).toBe('old old');
});

it('fault 47: that was changed within the last step of a clock is read again, too', async () => {
  const { path, edit } = editedOnce();
  const times = {
    platform: 'linux' as const,
    now() {
      edit();
      return LONG_AGO * 1_000 + 500;
    },
  };
  expect(await textOf(path, times)).toBe('new new');
});
