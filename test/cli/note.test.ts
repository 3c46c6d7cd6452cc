/** Reading the text of `linkshot note FILE` from any kind of file, and the secrets before it from a pipe. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScene, publishNote } from '../engine/library/library-scenario.ts';
import { performCommand, runCommand } from '../support/command-line.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
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

it('an edit from a file leaves the text alone that the user has typed in the window and not sent', async () => {
  const scene = await openScene(root);
  const { id, content } = await publishNote(scene.engine, 'one\n');
  must(await scene.engine.note.read({ id }, soon()));
  const typed = { text: 'typed for an hour\n', revision: 1 };
  must(scene.engine.note.saveDraft({ id, ...typed }));
  await scene.engine.close();
  const environment = { LINKSHOT_SERVER: scene.proxy.url, LINKSHOT_KEY: scene.user.apiKey };
  const edit = (text: string, ...more: readonly string[]) =>
    performCommand(['edit', content.id, '-', '--json', '--profile', scene.profileDir, ...more], environment, text);
  expect((await edit('from a file\n')).json()).toMatchObject([{ id: content.id, revision: 2 }]);
  const late = await edit('from long ago\n', '--revision', '1');
  expect(late.json()).toMatchObject([{ error: { code: 'PASTE_REVISION_CONFLICT' } }]);
  const { engine } = await scene.restart();
  expect(must(await engine.note.read({ id }, soon()))).toMatchObject({
    note: { text: 'from a file\n', revision: 2 },
    draft: typed,
  });
});

it('a pipe has the key and the password in a line each, and all that follows is the content', async () => {
  const scene = await openScene(root);
  const { content } = await publishNote(scene.engine, 'one\n');
  await scene.engine.close();
  const { apiKey } = scene.user;
  const file = join(root, 'with-password.txt');
  writeFileSync(file, 'text');
  const to = ['--json', '--profile', scene.profileDir, '--server', scene.proxy.url, '--key', '-'];
  const read = async (id: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    return (await fetch(`${scene.proxy.url}/api/v1/content/${id}/text`, { headers })).json();
  };
  const text = `${'Линия\n'.repeat(20_000)}the end\r\n`;
  const [noted] = (await runCommand(['note', '-', ...to], {}, `${apiKey}\r\n${text}`)).json();
  expect(await read(noted?.['id'])).toMatchObject({ text });
  await performCommand(['edit', content.id, '-', ...to], {}, `${apiKey}\nedited\n`);
  expect(await read(content.id)).toMatchObject({ text: 'edited\n' });

  const both = await runCommand(['note', file, '--password', '-', ...to], {}, `${apiKey}\nonly for friends`);
  const open = (password: string) =>
    fetch(`${scene.proxy.url}/api/share/${both.json()[0]?.['id']}/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    });
  expect([(await open('another word')).status, (await open('only for friends')).status]).toEqual([403, 200]);

  for (const words of [
    ['upload', '-'],
    ['note', '-'],
    ['note', file, '--password', '-'],
  ]) {
    const alone = await performCommand([...words, ...to], {}, `${apiKey}\n`);
    expect([alone.code, alone.json()]).toMatchObject([
      1,
      [{ error: { code: expect.stringMatching(/_EMPTY$|^CANCELLED$/) } }],
    ]);
  }
});
