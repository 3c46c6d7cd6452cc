/** Reading the text of `linkshot note FILE` from any kind of file, and the secrets before it from a pipe. */
import { execFileSync, execFile as execFileWithCallback } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NOTE_TEXT } from '../../src/cli/commands/note.ts';
import { readTextArgument } from '../../src/cli/input/read-text-argument.ts';
import { openScene, publishNote } from '../engine/library/library-scenario.ts';
import { performCommand, runCommand, startCommand } from '../support/command-line.ts';
import { itWith } from '../support/only-on.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const execFile = promisify(execFileWithCallback);
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
  writeFileSync(join(root, 'empty.md'), '');
  expect(await failureOf(join(root, 'empty.md'))).toMatchObject({ code: 'NOTE_EMPTY' });
  expect(await failureOf(root)).toMatchObject({ code: 'SOURCE_NOT_A_FILE', params: { kind: 'folder' } });
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

it('a file that is edited in place while it is read is never read as mixed content', async () => {
  const file = join(root, 'edited.md');
  const size = 190_000;
  let edits = 0;
  const edit = () => {
    edits += 1;
    writeSync(descriptor, Buffer.alloc(size, 65 + (edits % 26)), 0, size, 0);
  };
  const descriptor = openSync(file, 'w+');
  edit();
  for (let attempt = 0; attempt < 20; attempt++) {
    let isRead = false;
    const reading = readTextArgument(file, { cwd: root, input: null as never }, NOTE_TEXT, soon()).finally(() => {
      isRead = true;
    });
    const editing = (): void => {
      if (isRead) return;
      edit();
      setImmediate(editing);
    };
    editing();
    const read = await reading;
    if (read.ok) expect(new Set(read.value).size).toBe(1);
    else expect(read.error.code).toBe('SOURCE_CHANGED');
  }
  closeSync(descriptor);
  const still = await readTextArgument(file, { cwd: root, input: null as never }, NOTE_TEXT, soon());
  expect(must(still) === readFileSync(file, 'utf8')).toBe(true);
});

describe('a named pipe', () => {
  const newPipe = (name: string): string => {
    const path = join(root, name);
    execFileSync('mkfifo', [path]);
    return path;
  };

  itWith('sockets and pipes among files')(
    'is waited for and read to its end, however slowly it is filled',
    async () => {
      const server = await startServer();
      const { apiKey } = await server.user();
      const pipe = newPipe('filled');
      const words = ['note', pipe, '--json', '--profile', join(root, 'pipes'), '--server', server.url];
      const noting = performCommand(words, { LINKSHOT_KEY: apiKey });
      const writer = await open(pipe, 'w');
      const text = 'a line\n'.repeat(20_000);
      await writer.write(text);
      await writer.write('the end\n');
      await writer.close();
      const id = String((await noting).json()[0]?.['id']);
      const headers = { authorization: `Bearer ${apiKey}` };
      const read = (await (await fetch(`${server.url}/api/v1/content/${id}/text`, { headers })).json()) as {
        text: string;
      };
      expect(read.text === `${text}the end\n`).toBe(true);

      const substituted = `exec "$0" "$1" note <(head -c 3 < "$2"; cat "$3") --json --profile "$4" --server "$5"`;
      const cli = join(import.meta.dirname, '../../src/cli/cli.ts');
      const [first, second] = [join(root, 'first.txt'), newPipe('later')];
      writeFileSync(first, 'one two');
      const command = execFile(
        'bash',
        ['-c', substituted, process.execPath, cli, first, second, join(root, 'pipes'), server.url],
        {
          env: { PATH: process.env['PATH'], HOME: root, LINKSHOT_KEY: apiKey },
        },
      );
      const later = await open(second, 'w');
      await later.write(' and four');
      await later.close();
      const line = JSON.parse((await command).stdout) as { id: string };
      expect(await (await fetch(`${server.url}/api/v1/content/${line.id}/text`, { headers })).json()).toMatchObject({
        text: 'one and four',
      });
      await server.stop();
    },
  );

  itWith('sockets and pipes among files')('that nobody fills is no longer waited for after Ctrl+C', async () => {
    const profile = join(root, 'pipes');
    const stop = new AbortController();
    const unopened = performCommand(['note', newPipe('unopened'), '--profile', profile], {}, '', {
      signal: stop.signal,
    });
    stop.abort();
    expect((await unopened).code).toBe(130);

    const pipe = newPipe('silent');
    const { child, done } = startCommand(['note', pipe, '--profile', profile]);
    onTestFinished(() => void child.kill('SIGKILL'));
    // Succeeds once the command has opened it for reading.
    let writer = -1;
    const openWriter = () => {
      writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      return writer;
    };
    await expect.poll(openWriter).toBeGreaterThan(0);
    child.kill('SIGINT');
    expect((await done).code).toBe(130);
    closeSync(writer);
  });
});
