/** A copy at a path of the user never takes the place of what is there, however it fails. */
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkNewFile, saveNewFile } from '../../src/engine/save-new-file.ts';
import { itWith, shownMode } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('save');
const draft = join(folder, 'draft');
writeFileSync(draft, 'new', { mode: 0o600 });

it('is written beside what is there, and readable by others unless it is private', async () => {
  const [open, closed] = [join(folder, 'open'), join(folder, 'closed')];
  expect(await saveNewFile(draft, open)).toMatchObject({ ok: true });
  expect(await saveNewFile(draft, closed, { isPrivate: true })).toMatchObject({ ok: true });
  expect([open, closed].map((path) => readFileSync(path, 'utf8'))).toEqual(['new', 'new']);
  const modes = [open, closed].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([shownMode(0o644 & ~process.umask()), shownMode(0o600)]);
});

it.each([
  ['a file that is there', draft],
  ['a temporary file that is gone', join(folder, 'missing')],
  ['a temporary file that is a folder', folder],
])('leaves the file of the user alone for %s', async (_, source) => {
  const path = join(folder, 'own');
  writeFileSync(path, 'own');
  expect(await saveNewFile(source, path)).toMatchObject({ ok: false, error: { code: 'SAVE_FAILED' } });
  expect(readFileSync(path, 'utf8')).toBe('own');
});

it('leaves nothing where the copy cannot be made', async () => {
  const path = join(folder, 'nothing');
  expect(await saveNewFile(join(folder, 'missing'), path)).toMatchObject({ ok: false });
  expect(await saveNewFile(folder, path)).toMatchObject({ ok: false });
  expect(existsSync(path)).toBe(false);
});

it('is reported in advance where it cannot be saved, in the words of the copy itself', async () => {
  const taken = join(folder, 'taken');
  writeFileSync(taken, 'own');
  for (const path of [taken, folder, join(folder, 'none', 'new'), join(taken, 'new')]) {
    const checked = await checkNewFile(path);
    expect(checked).toMatchObject({ ok: false, error: { code: 'SAVE_FAILED' } });
    expect(checked, path).toEqual(await saveNewFile(draft, path));
  }
  const free = join(folder, 'free');
  expect(await checkNewFile(free)).toMatchObject({ ok: true });
  expect(existsSync(free)).toBe(false);
});

itWith('links without a right of their own')('is reported in advance where a link is in its place', async () => {
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'nowhere'), link);
  expect(await checkNewFile(link)).toEqual(await saveNewFile(draft, link));
});
