/** `POST /api/v1/folders` (API document), on a real server. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';
import { readArchive } from '../../../src/server/folders/read-archive.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { itWith } from '../../support/only-on.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { type SingleRequest, sendFile } from '../../support/server/single-request-upload.ts';
import { objectFiles, queryData, readObject } from '../../support/server/stored-bytes.ts';

const MIB = 1024 ** 2;
const FILES = {
  'project/.gitignore': '*.log\n',
  'project/debug.log': 'x',
  'project/.env': 'SECRET=the-secret-of-the-test',
  'project/node_modules/a/index.js': 'x',
  'project/node_modules/b/index.js': 'yy',
  'project/src/main.ts': 'console.log(1);\n',
  'project/README.md': '# Project\n',
};

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: { limits: { requestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());

const send = (request: Omit<SingleRequest, 'path'>, url = service.url) =>
  sendFile(url, { path: '/api/v1/folders', filename: 'project.zip', ...request });

const download = async (id: string, key: string, headers: Readonly<Record<string, string>> = {}) =>
  await fetch(`${service.url}/api/media/${id}`, { headers: { authorization: `Bearer ${key}`, ...headers } });

const storageOf = async (accountId: string): Promise<number> =>
  (
    await queryData<{ storageUsed: number }>(service.data, 'SELECT storageUsed FROM accounts WHERE id = ?', accountId)
  )[0]?.storageUsed ?? -1;

describe('a folder of code', () => {
  it('is 201 with the fields of the item, the item as content, and what became of every file', async () => {
    const { apiKey: key, accountId } = await service.user();
    const { status, body } = await send({ key, bytes: zipOf(FILES) });
    expect(status).toBe(201);
    const { content, folder, ...fields } = body;
    expect(fields).toEqual(content);
    expect(content).toMatchObject({
      type: 'FOLDER',
      mime: 'application/zip',
      title: 'project',
      originalName: 'project.zip',
      folderFiles: 2,
      mediaStatus: 'READY',
      width: null,
      durationMs: null,
    });
    expect(folder).toEqual({
      files: 2,
      textBytes: 26,
      skipped: [
        { path: '.env', reason: 'secret', files: 1, size: 29 },
        { path: '.gitignore', reason: 'gitignore', files: 1, size: 6 },
        { path: 'debug.log', reason: 'gitignore', files: 1, size: 1 },
        { path: 'node_modules/', reason: 'dependencies', files: 2, size: 3 },
      ],
      skippedFiles: 5,
      gitignore: 'applied',
    });
    expect(await storageOf(accountId)).toBe(content.size);
    const media = Buffer.from(await (await download(content.id, key)).arrayBuffer());
    expect(media).toHaveLength(content.size);
    const read = readArchive(media);
    expect(read.ok && read.value.map(({ path }) => path)).toEqual(['README.md', 'src/main.ts']);
  });

  it('is served as stored: single files by Range through the central directory, and as an attachment', async () => {
    const { apiKey: key } = await service.user();
    const { body } = await send({ key, bytes: zipOf(FILES) });
    const size = body.content.size;
    const range = async (start: number, end: number) => {
      const answer = await download(body.id, key, { range: `bytes=${start}-${end}` });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
      return Buffer.from(await answer.arrayBuffer());
    };
    const end = await range(size - 22, size - 1);
    const directory = await range(end.readUInt32LE(16), end.readUInt32LE(16) + end.readUInt32LE(12) - 1);
    const second = directory.subarray(46 + directory.readUInt16LE(28));
    expect(second.toString('utf8', 46, 46 + second.readUInt16LE(28))).toBe('src/main.ts');
    const start = second.readUInt32LE(42) + 30 + second.readUInt16LE(28);
    const data = await range(start, start + second.readUInt32LE(20) - 1);
    expect(inflateRawSync(data).toString()).toBe('console.log(1);\n');

    const attachment = await fetch(`${service.url}/api/media/${body.id}?download=1`);
    expect(attachment.headers.get('content-type')).toBe('application/zip');
    expect(attachment.headers.get('content-disposition')).toBe('attachment; filename="project.zip"');
    expect(attachment.headers.get('x-content-type-options')).toBe('nosniff');
  });

  itWith('programs of Linux')('is the same ZIP for equal files, and unzip has nothing to complain about', async () => {
    const { apiKey: key } = await service.user();
    const [one, two] = [
      await send({ key, bytes: zipOf(FILES) }),
      await send({ key, bytes: zipOf(Object.fromEntries(Object.entries(FILES).reverse())) }),
    ];
    const [first, second] = await Promise.all(
      [one, two].map(async ({ body }) => Buffer.from(await (await download(body.id, key)).arrayBuffer())),
    );
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
    const folder = mkdtempSync(join(tmpdir(), 'linkshot-folder-'));
    writeFileSync(join(folder, 'a.zip'), first ?? '');
    expect(execFileSync('unzip', ['-tqq', join(folder, 'a.zip')]).toString()).toBe('');
    rmSync(folder, { recursive: true });
  });

  it('leaves no secret on the disk of the server', async () => {
    const { apiKey: key } = await service.user();
    const token = `the-secret-${randomUUID()}`;
    const files = { 'a.txt': 'kept', '.env': token, 'deep/notes.txt': `-----BEGIN PRIVATE KEY-----\n${token}\n` };
    const { status, body } = await send({ key, bytes: zipOf(files) });
    expect([status, body.folder?.skippedFiles]).toEqual([201, 2]);
    const { staged, permanent } = await objectFiles(service.data);
    expect(staged).toEqual([]);
    for (const id of permanent) {
      const bytes = await readObject(service.data, id);
      expect(bytes.includes(token)).toBe(false);
      expect(bytes.includes('notes.txt')).toBe(false);
    }
  });

  it('takes title, tags and access from the form; without a title the file name without .zip', async () => {
    const { apiKey: key } = await service.user();
    const bytes = zipOf({ a: 'x' });
    const fields = { title: 'Mine', tags: '["Code"]', visibility: 'public', ttl: 'week', password: 'long enough' };
    expect((await send({ key, bytes, fields })).body.content).toMatchObject({
      title: 'Mine',
      tags: ['code'],
      visibility: 'public',
      passwordProtected: true,
    });
    expect((await send({ key, bytes, filename: 'my.project.zip' })).body.title).toBe('my.project');
    expect((await send({ key, bytes, filename: 'MY.ZIP' })).body.title).toBe('MY');
    expect((await send({ key, bytes, filename: 'my.project' })).body.title).toBe('my.project');
    expect((await send({ key, bytes, fields: { visibility: 'public', oneTime: 'true' } })).problem.code).toBe(
      'ONE_TIME_NOT_PUBLIC',
    );
  });

  it('counts the stored ZIP against the quota, not what was sent: 413 QUOTA_EXCEEDED', async () => {
    const small = await startServer({ config: { plans: { free: { quotaBytes: 1_000 } } } });
    try {
      const { apiKey: key } = await small.user();
      const ignored = {
        'node_modules/big.js': Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 251)),
      };
      expect((await send({ key, bytes: zipOf({ ...ignored, 'a.txt': 'x' }) }, small.url)).status).toBe(201);
      const text = Array.from({ length: 500 }, () => randomUUID()).join('\n');
      const answer = await send({ key, bytes: zipOf({ 'a.txt': text }) }, small.url);
      expect([answer.status, answer.problem.code]).toEqual([413, 'QUOTA_EXCEEDED']);
      expect(await objectFiles(small.data)).toMatchObject({ staged: [], permanent: { length: 1 } });
    } finally {
      await small.stop();
    }
  });
});

describe('a refused folder stores nothing', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']));
  const long = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`f${index}`, 'x'.repeat(512 * 1024)]));

  it.each<[name: string, status: number, code: string, bytes: () => Buffer]>([
    ['text', 400, 'FOLDER_ARCHIVE_INVALID', () => Buffer.from('text')],
    ['nothing', 400, 'FOLDER_ARCHIVE_INVALID', () => Buffer.alloc(0)],
    [
      'an archive with bytes behind it',
      400,
      'FOLDER_ARCHIVE_INVALID',
      () => Buffer.concat([zipOf(FILES), Buffer.from('x')]),
    ],
    ['secrets alone', 400, 'FOLDER_EMPTY', () => zipOf({ '.env': 'x' })],
    ['2,001 files', 413, 'FOLDER_TOO_MANY_FILES', () => zipOf(many(2_001))],
    ['20.5 MB of text', 413, 'FOLDER_TOO_LARGE', () => zipOf(long)],
    ['an archive of more than 32 MB', 413, 'UPLOAD_TOO_LARGE', () => Buffer.alloc(32 * MIB + 1)],
  ])('%s: %i %s', async (_, status, code, bytes) => {
    const { apiKey: key, accountId } = await service.user();
    const before = await objectFiles(service.data);
    const answer = await send({ key, bytes: bytes() });
    expect([answer.status, answer.problem.code]).toEqual([status, code]);
    if (code === 'UPLOAD_TOO_LARGE') expect(answer.problem.params).toEqual({ limitBytes: 32 * MIB });
    expect(await objectFiles(service.data)).toEqual(before);
    expect(await storageOf(accountId)).toBe(0);
  });

  it('an archive of exactly 32 MB is read, and found to be none', async () => {
    const { problem } = await send({ key: (await service.user()).apiKey, bytes: Buffer.alloc(32 * MIB) });
    expect(problem.code).toBe('FOLDER_ARCHIVE_INVALID');
  });
});

describe('an Idempotency-Key of a folder', () => {
  it('makes a repeat answer 201 with the same item and folder null', async () => {
    const { apiKey: key, accountId } = await service.user();
    const idempotencyKey = `${randomUUID()}_folder`;
    const bytes = zipOf(FILES);
    const first = await send({ key, bytes, idempotencyKey });
    const again = await send({ key, bytes, idempotencyKey });
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ ...first.body, folder: null });
    expect(await queryData(service.data, 'SELECT 1 FROM content WHERE accountId = ?', accountId)).toHaveLength(1);
  });

  it('with a default that it has left out is the same request', async () => {
    const { apiKey: key } = await service.user();
    const [bytes, idempotencyKey] = [zipOf(FILES), randomUUID()];
    const { body } = await send({ key, bytes, idempotencyKey });
    const again = await send({ key, bytes, idempotencyKey, fields: { title: body.title, visibility: 'unlisted' } });
    expect([again.status, again.body.id]).toEqual([201, body.id]);
  });

  it('with another archive is 409, after the item was deleted 410', async () => {
    const { apiKey: key } = await service.user();
    const idempotencyKey = randomUUID();
    const bytes = zipOf(FILES);
    const { body } = await send({ key, bytes, idempotencyKey });
    const other = await send({ key, bytes: zipOf({ a: 'x' }), idempotencyKey });
    expect([other.status, other.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${body.id}`, key });
    const gone = await send({ key, bytes, idempotencyKey });
    expect([gone.status, gone.problem.code]).toEqual([410, 'CONTENT_GONE']);
  });

  it('is another one than that of POST /uploads', async () => {
    const { apiKey: key } = await service.user();
    const idempotencyKey = randomUUID();
    expect((await send({ key, bytes: zipOf(FILES), idempotencyKey })).status).toBe(201);
    expect((await sendFile(service.url, { key, bytes: await pngBytes(), idempotencyKey })).status).toBe(201);
  });
});

it('folders and whole files share the two places of an account', async () => {
  const { apiKey: key } = await service.user();
  const bytes = zipOf(FILES);
  const png = await pngBytes();
  const answers = await Promise.all([
    send({ key, bytes }),
    sendFile(service.url, { key, bytes: png }),
    send({ key, bytes }),
    sendFile(service.url, { key, bytes: png }),
  ]);
  const busy = answers.filter(({ status }) => status === 429);
  expect(busy.length).toBeGreaterThan(0);
  for (const { problem, headers } of busy) {
    expect(problem.code).toBe('UPLOAD_USER_BUSY');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
});

it('the server answers others while it makes the largest folder', async () => {
  const { apiKey: key } = await service.user();
  const text = Array.from({ length: 380 }, (_, index) => `const value${index} = ${index * 7919};\n`)
    .join('')
    .slice(0, 10_480);
  const bytes = zipOf(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`src/f${index}.ts`, text])));
  expect(normaliseArchive(bytes).ok).toBe(true);
  const sent = send({ key, bytes });
  let answered = 0;
  let isMaking = true;
  void sent.finally(() => {
    isMaking = false;
  });
  while (isMaking) {
    await fetch(`${service.url}/api/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    answered += 1;
  }
  expect((await sent).status).toBe(201);
  // A server that processes the folder in its own thread would answer once, and then not until it has finished.
  expect(answered).toBeGreaterThan(5);
});
