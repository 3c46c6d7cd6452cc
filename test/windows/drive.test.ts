/** A missing drive or share causes an error message, and nothing hangs or overflows. */
import { expect, it } from 'vitest';
import { startNode } from '../../scripts/windows/windows-process.ts';
import { inProject, linkshot } from './support/linkshot.ts';

const NOWHERE = ['Q:\\x\\y', '\\\\nowhere\\share\\x'];

it.each(NOWHERE)('the command line reports that the profile %s cannot be created', async (profile) => {
  const { code, stdout, stderr } = await linkshot(['list'], { profile });
  expect(code).toBe(1);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string; readonly message: string } };
  expect(error.message).toMatch(/ENOENT|no such|not there|cannot/i);
  expect(error.message + stderr).not.toMatch(/Maximum call stack|\n {4}at /);
});

it.each(NOWHERE)('the server reports that the data folder %s cannot be created', async (data) => {
  const { code, stdout, stderr } = await startNode([
    inProject('src/server/cli.ts'),
    'serve',
    '--port',
    '0',
    '--data',
    data,
  ]).done;
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/ENOENT|no such|not there|cannot/i);
  expect(stdout + stderr).not.toMatch(/Maximum call stack|\n {4}at /);
});
