/** Published items from the command line: listed, shown, changed, edited, linked and deleted at a real server. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOfItsService } from '../../src/cli/input/resolve-items.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { performCommand } from '../support/command-line.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { image } from '../support/media/media.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CONNECTION, connected, makeLibraryItem, NOON, SERVER } from '../support/window/app-state.ts';

const root = temporaryFolder('cli-library');
let server: RunningServer;
let user: User;

const run = (words: readonly string[], input?: string) =>
  performCommand(
    words,
    { LINKSHOT_SERVER: server.url, LINKSHOT_KEY: user.apiKey, LINKSHOT_PROFILE: join(root, 'profile') },
    input,
  );
const json = async (words: readonly string[], input?: string) => {
  const { code, json: lines, stderr } = await run([...words, '--json'], input);
  return { code, lines: lines(), first: lines()[0] ?? {}, stderr };
};
const errorOf = (line: Record<string, unknown>) => line['error'] as { code: string; message: string; params?: object };
const ask = async (path: string) => {
  const reply = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${user.apiKey}` } });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

beforeAll(async () => {
  server = await startServer({ config: { limits: { requestsPerMinute: 10_000, uploadRequestsPerMinute: 10_000 } } });
  user = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

describe('a note', () => {
  it('is published from a file and from the standard input, with format and language from its name or the options', async () => {
    const file = join(root, 'TODO.md');
    writeFileSync(file, '# Plan\n\n- [ ] all of it\n');
    const markdown = await json(['note', file, '--ttl', 'week', '--tags', 'plan,2026', '--views', '7']);
    expect(markdown).toMatchObject({ code: 0, stderr: '', lines: [{ type: 'PASTE', name: file, format: 'markdown' }] });
    expect(markdown.first['url']).toBe(`${server.url}/s/${markdown.first['id']}`);
    const code = await json(['note', '-', '--language', 'go', '--title', 'Main'], 'package main\n');
    const published = await Promise.all([markdown, code].map(({ first }) => ask(`/content/${first['id']}`)));
    expect(published.map(({ body }) => body)).toMatchObject([
      { pasteFormat: 'markdown', tags: ['plan', '2026'], viewLimit: 7, expiresAt: expect.any(String) },
      { pasteFormat: 'code', pasteLanguage: 'go', title: 'Main' },
    ]);
    expect((await ask(`/content/${code.first['id']}/text`)).body).toMatchObject({ text: 'package main\n' });
  });

  it('is edited without changing its link; a change from elsewhere is only overwritten with --force', async () => {
    const { first } = await json(['note', '-'], 'first\n');
    const id = String(first['id']);
    expect((await json(['edit', id, '-'], 'second\n')).first).toMatchObject({ id, revision: 2 });
    const late = await json(['edit', id, '-', '--revision', '1'], 'from long ago\n');
    expect(late.code).toBe(1);
    expect(errorOf(late.first)).toMatchObject({
      code: 'PASTE_REVISION_CONFLICT',
      params: { currentRevision: 2 },
      message: expect.stringContaining('--force'),
    });
    expect((await run(['show', id, '--text'])).stdout).toBe('second\n');
    await json(['edit', id, '-', '--revision', '1', '--force'], 'mine\n');
    expect((await ask(`/content/${id}/text`)).body).toMatchObject({ text: 'mine\n', revision: 3 });
  });

  it('that is no text, too long or empty is refused with advice, before anything is sent', async () => {
    const pixels = join(root, 'pixels');
    copyFileSync(await image('png'), pixels);
    const refused = [
      await json(['note', pixels]),
      await json(['note', '-'], 'x'.repeat(200_001)),
      await json(['note', '-'], ''),
    ];
    expect(refused.map(({ code, first }) => [code, errorOf(first).code])).toEqual([
      [1, 'NOTE_NOT_TEXT'],
      [1, 'NOTE_TOO_LONG'],
      [1, 'NOTE_EMPTY'],
    ]);
  });
});

describe('a folder', () => {
  it('of too many files is refused, and does not stay in the queue, where it would fail again and again', async () => {
    const folder = join(root, 'many');
    mkdirSync(folder);
    for (let number = 0; number <= 2_000; number++) writeFileSync(join(folder, `${number}.txt`), `${number}`);
    expect(await json(['folder', folder])).toMatchObject({
      code: 1,
      first: { error: { code: 'FOLDER_TOO_MANY_FILES', file: folder } },
    });
    expect((await json(['status'])).lines.filter(({ name }) => name === 'many')).toEqual([]);
  });

  it('is published without its secrets, and the output names the excluded files', async () => {
    const folder = join(root, 'project');
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/main.ts'), 'export {};\n');
    writeFileSync(join(folder, '.env'), 'TOKEN=very-secret\n');
    const { code, first } = await json(['folder', folder, '--title', 'The project', '--ttl', 'day']);
    expect(code).toBe(0);
    expect(first).toMatchObject({
      ...{ url: `${server.url}/s/${first['id']}`, type: 'FOLDER', name: folder },
      made: { selection: { files: 1, skipped: [{ path: '.env', reason: 'secret' }] } },
    });
    expect((await ask(`/content/${first['id']}`)).body).toMatchObject({ title: 'The project', folderFiles: 1 });
    expect((await json(['folder', join(folder, '.env')])).first).toMatchObject({
      error: { code: 'SOURCE_NOT_A_FOLDER' },
    });
  });
});

describe('the library', () => {
  const ids: string[] = [];

  it('lists published items by words and kinds, in the requested order and number', async () => {
    const shot = join(root, 'beach.png');
    copyFileSync(await image('png'), shot);
    const { lines } = await json([
      'upload',
      shot,
      '--title',
      'At the beach',
      '--tags',
      'trip',
      '--one-time',
      '--views',
      '9',
    ]);
    ids.push(String(lines[0]?.['id']));
    const note = await json(['note', '-', '--title', 'Beach notes'], 'sun\n');
    ids.push(String(note.first['id']));

    const found = await json(['list', 'beach', '--sort', 'oldest']);
    expect(found.lines).toMatchObject([
      { id: ids[0], type: 'IMAGE', title: 'At the beach', tags: ['trip'], oneTime: true, viewLimit: 9, gone: false },
      { id: ids[1], type: 'PASTE', title: 'Beach notes' },
    ]);
    expect((await json(['list', '--kind', 'image', '--limit', '1'])).lines).toMatchObject([{ id: ids[0] }]);
    const human = await run(['list', 'beach', '--limit', '1']);
    expect(human.stdout).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d .* note +Beach notes .*/s/${ids[1]}\\n$`));
    expect(human.stderr).toContain('1 of 2 items');
  });

  it('imports what another device has published', async () => {
    const words = ['list', '--json', '--profile', join(root, 'other-device')];
    expect((await run(words)).json().map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it('shows one item as the service has it now', async () => {
    await fetch(`${server.url}/s/${ids[1]}`);
    await fetch(`${server.url}/api/share/${ids[1]}/open`, { method: 'POST' });
    const { first } = await json(['show', `${server.url}/s/${ids[1]}`]);
    expect(first).toMatchObject({ id: ids[1], views: 1, content: { mime: expect.stringContaining('text') } });
    expect((await run(['show', ids[1] ?? ''])).stdout).toMatch(/^Beach notes\nLink +http.*\nKind +note/);
  });

  it('shows the last known state where the service refuses, with its reason', async () => {
    const { apiKey } = await server.key(user, { scopes: ['account:read'] });
    const shown = await performCommand(['show', ids[1] ?? ''], {
      ...{ LINKSHOT_SERVER: server.url, LINKSHOT_KEY: apiKey, LINKSHOT_PROFILE: join(root, 'profile') },
    });
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Beach notes') });
    expect(shown.stderr).toMatch(/^The API key lacks the permission .* This is the last known state\.\n$/);
  });

  it('shows and links what is known where the service of the run cannot be reached, and says so', async () => {
    const offline = (...words: string[]) =>
      performCommand(
        words,
        { LINKSHOT_SERVER: 'http://127.0.0.1:9', LINKSHOT_KEY: user.apiKey, LINKSHOT_PROFILE: join(root, 'profile') },
        undefined,
        { clock: hurriedClock() },
      );
    expect(await offline('show', ids[1] ?? '')).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('Beach notes') },
      stderr:
        'No service responds at this address. Check the address and whether the service is running. This is the last known state.\n',
    });
    expect(await offline('link', ids[1] ?? '')).toMatchObject({ code: 0, stdout: `${server.url}/s/${ids[1]}\n` });
    const unknown = await offline('link', 'unknown');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/^unknown: No service responds/)]);
  });

  it('changes many links at once, and answers each', async () => {
    const changed = await json([
      'set',
      ids[0] ?? '',
      'unknown',
      ids[1] ?? '',
      '--visibility',
      'private',
      '--views',
      '5',
    ]);
    expect(changed.code).toBe(1);
    expect(changed.lines).toMatchObject([
      { error: { code: 'NOT_FOUND', file: 'unknown' } },
      { id: ids[0], visibility: 'private', viewLimit: 5 },
      { id: ids[1], visibility: 'private', viewLimit: 5 },
    ]);
    await json([
      'set',
      ids[0] ?? '',
      '--no-one-time',
      '--views',
      'none',
      '--expires',
      '3d',
      '--downloads',
      'forbidden',
    ]);
    const retagged = await json(['set', ids[0] ?? '', ids[1] ?? '', '--add-tags', 'Sea,old', '--remove-tags', 'old']);
    expect(retagged.lines).toMatchObject([{ tags: ['trip', 'sea'] }, { tags: ['sea'] }]);
    const both = await run(['set', ids[0] ?? '', '--tags', 'a', '--add-tags', 'b']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--add-tags and --remove-tags')]);
    const twoEnds = await run(['set', ids[0] ?? '', '--ttl', 'day', '--expires', '3d']);
    expect([twoEnds.code, twoEnds.stderr]).toEqual([2, expect.stringContaining('Use either --ttl or --expires')]);
    const onAndOff = await run(['set', ids[0] ?? '', '--password', 'wide open', '--no-password']);
    expect([onAndOff.code, onAndOff.stderr]).toEqual([2, expect.stringContaining('--password and --no-password')]);
    const { body } = await ask(`/content/${ids[0]}`);
    expect(body).toMatchObject({ oneTime: false, viewLimit: null, allowDownload: false });
    const left = Date.parse(String(body['expiresAt'])) - Date.now();
    expect(left / 86_400_000).toBeGreaterThan(2.9);
    expect(left / 86_400_000).toBeLessThanOrEqual(3);
  });

  it('gives links in the form that is asked for', async () => {
    const markdown = await run(['link', ...ids, '--as', 'markdown']);
    expect(markdown.stdout.split('\n')[0]).toMatch(/At the beach.*\(http.*\)/);
    expect(markdown.stdout.trim().split('\n')).toHaveLength(2);
    const { first } = await json(['link', ids[1] ?? '', '--template', '<{title}> {url}']);
    expect(first).toMatchObject({ id: ids[1], text: `<Beach notes> ${first['url']}` });
    const directed = await run(['link', ids[1] ?? '', '--template', '\u2067{title}\u2069']);
    expect(directed.stdout).toBe('\u2067Beach notes\u2069\n');
  });

  it('changes and deletes no item for a link of another service that has its id', async () => {
    const { body } = await ask(`/content/${ids[1]}`);
    const other = `https://share.other.example/s/${ids[1]}`;
    for (const link of [other, other.replace('https://', '')]) {
      for (const words of [
        ['rm', link],
        ['set', link, '--title', 'another'],
        ['edit', link, '-'],
      ]) {
        const { code, first } = await json(words, 'another text');
        expect([code, errorOf(first)]).toMatchObject([1, { code: 'NOT_FOUND', file: link }]);
        expect(errorOf(first).message).toContain(`${server.url}/s/${ids[1]}`);
      }
    }
    expect((await ask(`/content/${ids[1]}`)).body).toEqual(body);
    expect((await json(['show', other])).first).toMatchObject({ id: ids[1] });
  });

  it('knows a link by the host of the item, or by the connection where no account is at that host', () => {
    const connection = connected();
    const account = { id: CONNECTION, isActive: true, connection, readAt: NOON };
    const isKnown = (word: string, url: string, accounts: AppState['accounts']) =>
      isOfItsService(word, makeLibraryItem(1, { url }), { connection, accounts });
    const [here, moved, other] = [`${SERVER}/s/abc`, 'https://moved.example/s/abc', 'https://other.example/s/abc'];
    const of = (url: string, accounts: AppState['accounts'] = []) =>
      [here, moved, other, 'abc'].map((word) => isKnown(word, url, accounts));
    expect(of(here)).toEqual([true, false, false, true]);
    expect(of(moved)).toEqual([true, true, false, true]);
    const elsewhere = { ...account, connection: { ...connection, server: 'https://moved.example' } };
    expect(of(moved, [account, elsewhere] as AppState['accounts'])).toEqual([false, true, false, true]);
  });

  it.each([
    ['of the item', true, ['share.example.com/s/abc', '//share.example.com/s/abc', 'SHARE.example.com:443/s/abc']],
    ['of another service', false, ['other.example/s/abc', '//other.example/s/abc', 'localhost:4800/s/abc']],
    [
      'of another service in an odd form',
      false,
      [' other.example/s/abc', 'other host/s/abc', 'ftp://other.example/abc'],
    ],
    ['that names no service', true, ['abc', 'abc/', '/s/abc']],
  ])('knows a link without a scheme %s', (_, isOfIt, words) => {
    const item = makeLibraryItem(1, { url: 'https://share.example.com/s/abc' });
    const state = { connection: connected(), accounts: [] };
    expect(words.map((word) => isOfItsService(word, item, state))).toEqual(words.map(() => isOfIt));
  });

  it('deletes permanently, and an item that is named twice once', async () => {
    const [first = ''] = ids;
    expect(await json(['rm', ...ids, `${server.url}/s/${first}`])).toMatchObject({
      code: 0,
      lines: ids.map((id) => ({ id, deleted: true })),
    });
    expect((await ask(`/content/${ids[0]}`)).status).toBe(404);
    expect((await json(['rm', ids[0] ?? ''])).code).toBe(1);
  });
});
