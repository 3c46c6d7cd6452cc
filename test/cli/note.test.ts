/** Reading the text of `linkshot note FILE` from any kind of file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-note');
const failureOf = async (file: string) => {
  const { code, json } = await performCommand(['note', file, '--json', '--profile', join(root, 'profile')]);
  expect(code).toBe(1);
  return json()[0]?.['error'];
};

it('an endless device is refused as too long, and not read forever', async () => {
  expect(await failureOf('/dev/zero')).toMatchObject({ code: 'NOTE_TOO_LONG', file: '/dev/zero' });
});

it('refuses an empty text and an empty name, and does not report either as queued', async () => {
  expect(await failureOf('/dev/null')).toMatchObject({ code: 'NOTE_EMPTY' });
  expect(await failureOf(join(root, 'none.md'))).toMatchObject({
    code: 'SOURCE_MISSING',
    message: 'No such file or folder. Check the name.',
  });
  const dry = await performCommand(['folder', join(root, 'none'), '--dry-run', '--profile', join(root, 'profile')]);
  expect(dry.stderr).toContain('No such file or folder. Check the name.');
});

describe('a text in another encoding', () => {
  it('is decoded by its byte order mark, as Windows PowerShell writes it', async () => {
    const server = await startServer();
    const { apiKey } = await server.user();
    const headers = { authorization: `Bearer ${apiKey}` };
    const little = Buffer.from('\uFEFFПривет 😀\r\n', 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const words = ['note', '-', '--json', '--profile', join(root, 'profile'), '--server', server.url];
      const [line] = (await performCommand(words, { LINKSHOT_KEY: apiKey }, bytes)).json();
      const read = await fetch(`${server.url}/api/v1/content/${String(line?.['id'])}/text`, { headers });
      expect(await read.json()).toMatchObject({ text: 'Привет 😀\r\n' });
    }
    await server.stop();
  });

  it('is refused without a byte order mark, with advice that does not recommend upload', async () => {
    const file = join(root, 'latin1.txt');
    writeFileSync(file, Buffer.from('café', 'latin1'));
    expect(await failureOf(file)).toMatchObject({
      code: 'NOTE_NOT_TEXT',
      message: expect.stringContaining('Save text as UTF-8'),
    });
  });
});
