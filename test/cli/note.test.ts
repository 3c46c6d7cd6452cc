/** The text that `linkshot note FILE` means, whatever stands behind the name. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-note');
const failureOf = async (file: string) => {
  const { code, json } = await performCommand(['note', file, '--json', '--profile', join(root, 'profile')]);
  expect(code).toBe(1);
  return json()[0]?.['error'];
};

it('a device without an end is too long a note, and is not read for ever', async () => {
  expect(await failureOf('/dev/zero')).toMatchObject({ code: 'NOTE_TOO_LONG', file: '/dev/zero' });
});

it('nothing, and a name of nothing, are no notes, and neither is said to wait in the queue', async () => {
  expect(await failureOf('/dev/null')).toMatchObject({ code: 'NOTE_EMPTY' });
  expect(await failureOf(join(root, 'none.md'))).toMatchObject({
    code: 'SOURCE_MISSING',
    message: 'There is nothing of this name. Check it.',
  });
  const dry = await performCommand(['folder', join(root, 'none'), '--dry-run', '--profile', join(root, 'profile')]);
  expect(dry.stderr).toContain('There is nothing of this name. Check it.');
});
