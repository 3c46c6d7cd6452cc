/** `POST /api/v1/uploads` (API decisions 3; the form of the API document's `POST /folders`), on a real server. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { ok } from '../../../src/api/errors.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { encodeForm } from '../../../src/engine/api-client/multipart-form.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { flatImage, goodMp4, rawFile, video } from '../../support/media/media.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { editRow } from '../../support/server/items.ts';
import { previewsMade } from '../../support/server/previews.ts';
import { type RawRequest, rawRequest } from '../../support/server/raw-http.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { formOf, sendFile, sendForm } from '../../support/server/single-request-upload.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';

const MIB = 1024 ** 2;
const PATH = '/api/v1/uploads';
/** A busy machine may keep the test, and the server in its process, waiting for half a second. */
const STALL_MS = 1_500;
const CONFIG = {
  ...ANY_BITRATE,
  limits: { requestsPerMinute: 10_000 },
};
const HASTY = { ...CONFIG, limits: { ...CONFIG.limits, uploadStallSeconds: STALL_MS / 1_000 } };

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: CONFIG });
});
afterAll(() => service.stop());

const countOf = async (accountId: string, data = service.data): Promise<number> =>
  (await queryData(data, 'SELECT 1 FROM content WHERE accountId = ?', accountId)).length;
const usedBy = async (accountId: string): Promise<number> =>
  (
    await queryData<{ storageUsed: number }>(service.data, 'SELECT storageUsed FROM accounts WHERE id = ?', accountId)
  )[0]?.storageUsed ?? -1;

const BOUNDARY = 'test-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;

/** Starts a raw upload: sends the head of the form and `bytes`, and then nothing. */
const openUpload = (
  user: User,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  { url } = service,
): RawRequest => {
  const request = rawRequest(url, `POST ${PATH}`, {
    authorization: `Bearer ${user.apiKey}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'transfer-encoding': 'chunked',
    ...headers,
  });
  sendChunk(request, HEAD);
  sendChunk(request, bytes);
  return request;
};
const sendChunk = (request: RawRequest, bytes: string | Uint8Array): void => {
  const buffer = Buffer.from(bytes as string);
  request.send(Buffer.concat([Buffer.from(`${buffer.length.toString(16)}\r\n`), buffer, Buffer.from('\r\n')]));
};
const finish = (request: RawRequest): void => {
  sendChunk(request, `\r\n--${BOUNDARY}--\r\n`);
  request.send('0\r\n\r\n');
};
/** Waits until so many files are being received; no preview is made meanwhile. */
const receiving = async (count: number): Promise<void> => {
  await previewsMade(service.data);
  await expect.poll(async () => (await objectFiles(service.data)).staged).toHaveLength(count);
};

/** What two answers of one item share: its preview may be made between them. */
const withoutPreview = ({ body }: Awaited<ReturnType<typeof sendFile>>) => {
  const { previewUrl: _, content, ...item } = body;
  return { item, content: { ...content, previewUrl: null } };
};

describe('a whole file', () => {
  it('is published as it was sent: 201 with all fields of the item, and the item once more as content', async () => {
    const user = await service.user();
    const bytes = await pngBytes();
    const { status, body } = await sendFile(service.url, {
      key: user.apiKey,
      bytes,
      filename: 'Снимок экрана.png',
      fields: {
        title: 'A picture',
        tags: '["  Two  Words ", "ONE", "one"]',
        visibility: 'private',
        ttl: 'day',
        oneTime: 'true',
      },
    });
    expect(status).toBe(201);
    const { content, folder, ...fields } = body;
    expect(fields).toEqual(content);
    expect(folder).toBeUndefined();
    expect(content).toMatchObject({
      type: 'IMAGE',
      mime: 'image/png',
      title: 'A picture',
      tags: ['two words', 'one'],
      originalName: 'Снимок экрана.png',
      visibility: 'private',
      oneTime: true,
      size: bytes.length,
      width: 32,
      height: 20,
      mediaStatus: 'READY',
    });
    expect(Date.parse(content.expiresAt ?? '') - Date.parse(content.createdAt)).toBe(86_400_000);
    const media = await fetch(`${service.url}${content.mediaUrl}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    expect(Buffer.from(await media.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await usedBy(user.accountId)).toBe(bytes.length);
  });

  it('may be a video of many chunks, with its fields before or after it', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(12 * MIB);
    const form = new FormData();
    form.set('title', 'Before');
    form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'clip.mp4');
    form.set('visibility', 'public');
    const { status, body } = await sendForm(service.url, { path: PATH, key: user.apiKey, form });
    expect(status).toBe(201);
    expect(body.content).toMatchObject({ type: 'VIDEO', title: 'Before', visibility: 'public', size: bytes.length });
    const media = await fetch(`${service.url}/api/media/${body.id}?download=1`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    expect(Buffer.from(await media.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('is titled by its name, and protected by a password when one is given', async () => {
    const { key, bytes } = { key: (await service.user()).apiKey, bytes: await pngBytes() };
    const { body } = await sendFile(service.url, {
      key,
      bytes,
      filename: 'holiday.png',
      fields: { password: 'long enough' },
    });
    expect(body.content).toMatchObject({ title: 'holiday', passwordProtected: true });
  });

  it('keeps a name with quotation marks, in every form as in a resumable upload', async () => {
    const user = await service.user();
    const { apiKey: key } = user;
    const name = 'Чат "Anna" 100%20%2522.png';
    const picture = await pngBytes();
    const inParts = uploader(service.url, user);
    const started = await inParts.start(picture, { filename: name });
    expect(started.body.filename).toBe(name);
    // Its file is none that a later test of this server has left.
    await inParts.cancel(started.body.id);
    for (const [path, bytes] of [
      ['/api/v1/uploads', picture],
      ['/api/v1/folders', zipOf({ 'a.txt': 'text' })],
    ] as const) {
      const ofFetch = await sendFile(service.url, { path, key, bytes, filename: name });
      const read = async (into: Buffer, at: number) => ok(into.subarray(0, Buffer.from(bytes).copy(into, 0, at)));
      const file = { name, type: 'application/octet-stream', source: { size: bytes.length, read } };
      const form = encodeForm({ boundary: BOUNDARY, fields: {}, file });
      const slices: Uint8Array[] = [];
      for await (const slice of form.slices(MIB)) slices.push(slice.bytes);
      const { headers } = form;
      const ofApp = await ask<Content>(service.url, {
        method: 'POST',
        path,
        key,
        body: Buffer.concat(slices),
        headers,
      });
      for (const { body } of [ofFetch, ofApp]) expect(body.originalName).toBe(name);
    }
    const broken = await sendFile(service.url, { key, bytes: picture, filename: 'two\r\nlines.png' });
    expect(broken.body.title).toBe('twolines');
  });

  it('is sent by a client that waits for 100 Continue', async () => {
    const upload = openUpload(await service.user(), await pngBytes(), { expect: '100-continue' });
    finish(upload);
    expect((await upload.answer).status).toBe(201);
    upload.socket.destroy();
  });
});

/** Sends a form of raw parts: `[head, value]`. */
const sendParts = async (
  parts: readonly (readonly [head: string, value: string | Uint8Array])[],
  { path = PATH, end = '' } = {},
) => {
  const pieces = parts.flatMap(([head, value]) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, value, '\r\n']);
  const { apiKey: key, accountId } = await service.user();
  const answer = await ask<Content>(service.url, {
    method: 'POST',
    path,
    key,
    body: Buffer.concat([...pieces, `--${BOUNDARY}--\r\n${end}`].map((piece) => Buffer.from(piece as string))),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  return { ...answer, key, accountId };
};
const FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="a.png"';

describe('a field that comes as a part with the type JSON', () => {
  const send = async (fields: Readonly<Record<string, string>>) => {
    const headOf = (name: string) => `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/json`;
    const parts = Object.entries(fields).map(([name, json]) => [headOf(name), json] as const);
    return await sendParts([...parts, [FILE_HEAD, await pngBytes()]]);
  };

  it('has the value that the JSON says', async () => {
    const { body } = await send({ tags: '["a","1.10"]', oneTime: 'true', title: '"A title"', visibility: '"private"' });
    expect(body).toMatchObject({ tags: ['a', '1.10'], oneTime: true, title: 'A title', visibility: 'private' });
  });
  it.each([
    ['password', '12345678901234567890'],
    ['title', '1.10'],
    ['title', 'null'],
    ['title', '{"a":1}'],
    ['ttl', 'true'],
    ['visibility', '["private"]'],
    ['oneTime', '1'],
    ['tags', '{"0":"a"}'],
  ])('is refused and never rewritten where its %s is %s', async (name, json) => {
    const { status, problem } = await send({ [name]: json });
    expect([status, problem.code, problem.params?.['issues']]).toMatchObject([
      400,
      'INVALID_INPUT',
      [{ path: `/${name}` }],
    ]);
  });
});

describe('a field is what was sent, and else refused by its name', () => {
  const refusedAt = async (name: string, header: string, value: string | Uint8Array) => {
    const field = [`Content-Disposition: form-data; name="${name}"${header}`, value] as const;
    const { status, problem, accountId } = await sendParts([[FILE_HEAD, await pngBytes()], field]);
    expect([status, problem.code]).toEqual([400, 'INVALID_INPUT']);
    expect(await countOf(accountId)).toBe(0);
    return problem.params?.['issues'];
  };

  const cyrillic = Buffer.from('efe0f0eeebfc3132', 'hex');
  it.each([
    ['password', '', cyrillic],
    ['password', '\r\nContent-Type: text/plain; charset=windows-1251', cyrillic],
    ['password', '\r\nContent-Type: text/plain; charset=us-ascii', cyrillic],
    ['password', '\r\nContent-Type: text/plain; charset=utf-7', Buffer.from('long+AOk-enough')],
    ['password', '\r\nContent-Type: text/plain; charset=iso-2022-jp', Buffer.from('\x1b$B$"$"$"$"\x1b(B')],
    ['title', '\r\nContent-Type: text/plain; charset=windows-1251', Buffer.from('пароль')],
    ['title', '\r\nContent-Type: text/plain; charset=utf-16', Buffer.from('feff00410042', 'hex')],
    ['title', '\r\nContent-Type: text/plain; charset=utf-16le', Buffer.from('410042', 'hex')],
    ['title', '\r\nContent-Type: text/plain; charset=utf-8', cyrillic],
    ['title', '\r\nContent-Type: application/json', Buffer.concat([Buffer.from('"'), cyrillic, Buffer.from('"')])],
    ['tags', '\r\nContent-Type: application/json', Buffer.from('5b22ef225d', 'hex')],
  ])('where the %s is not UTF-8%j', async (name, header, value) => {
    expect(await refusedAt(name, header, value)).toEqual([{ path: `/${name}`, message: 'must be text in UTF-8' }]);
  });

  it.each<[type: string, sent: Buffer, read: string]>([
    ['text/plain; charset=us-ascii', Buffer.from('Grüße €'), 'Grüße €'],
    ['text/plain; charset=ASCII', Buffer.from('plain'), 'plain'],
    ['text/plain; charset=ANSI_X3.4-1968', Buffer.from('Grüße €'), 'Grüße €'],
    ['text/plain;CHARSET="Utf-8"', Buffer.from('Grüße €'), 'Grüße €'],
    ['text/plain; charset=iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['text/plain; charset=windows-1252', Buffer.from('Gr\xfc\xdfe \x80 \x93a\x94', 'latin1'), 'Grüße € “a”'],
    ['text/plain; charset=windows-1251', Buffer.from('plain'), 'plain'],
    ['text/plain; charset=utf-16le', Buffer.from('Grüße €', 'utf16le'), 'Grüße €'],
    ['text/plain; charset=utf-16', Buffer.from('\ufeffGrüße €', 'utf16le'), 'Grüße €'],
    ['text/plain; charset=utf-16be', Buffer.from('Grüße €', 'utf16le').swap16(), 'Grüße €'],
    ['application/json; charset=windows-1252', Buffer.from('"\x80 \\u00fc"', 'latin1'), '€ ü'],
    ['application/json', Buffer.from('\ufeff"Grüße"'), 'Grüße'],
  ])('and is read in the charset that its part names: %s', async (type, sent, read) => {
    const head = (name: string) => `Content-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}`;
    for (const parts of [
      [[head('title'), sent] as const, [FILE_HEAD, await pngBytes()] as const],
      [[FILE_HEAD, await pngBytes()] as const, [head('title'), sent] as const],
    ]) {
      const { status, body } = await sendParts(parts);
      expect([status, body.title]).toEqual([201, read]);
    }
  });

  it('and a known word is read whatever charset its part names', async () => {
    const head = 'Content-Disposition: form-data; name="visibility"\r\nContent-Type: text/plain; charset=x-windows-949';
    const { status, body } = await sendParts([
      [head, Buffer.from('private')],
      [FILE_HEAD, await pngBytes()],
    ]);
    expect([status, body.visibility]).toEqual([201, 'private']);
  });

  it('where it is encoded for a transfer, which plain labels do not', async () => {
    const value = Buffer.from('long enough').toString('base64');
    expect(await refusedAt('password', '\r\nContent-Transfer-Encoding: base64', value)).toMatchObject([
      { path: '/password' },
    ]);
    const plain = ['7bit', '8BIT', 'binary'].map((label) => `\r\nContent-Transfer-Encoding: ${label}`);
    const { status, body } = await sendParts([
      [`Content-Disposition: form-data; name="title"${plain[0]}`, 'A title'],
      [`Content-Disposition: form-data; name="password"${plain[1]}`, 'long enough'],
      [`${FILE_HEAD}${plain[2]}`, await pngBytes()],
    ]);
    expect([status, body.title, body.passwordProtected]).toEqual([201, 'A title', true]);
  });
});

describe('a part of the form whose head cannot be read is never left out in silence', () => {
  const heads: readonly [fault: string, head: string][] = [
    ['with another disposition', 'Content-Disposition: attachment; name="password"'],
    ['with a misspelt header', 'Content-Dispositon: form-data; name="password"'],
    ['with a blank before the colon', 'Content-Disposition : form-data; name="password"'],
    ['with no disposition', 'Content-Type: text/plain'],
    ['with a line break in its name', 'Content-Disposition: form-data; name="pass\nword"'],
  ];
  const routes = ['/api/v1/uploads', '/api/v1/folders'] as const;
  it.each(routes.flatMap((path) => heads.map(([fault, head]) => [path, fault, head] as const)))(
    '%s %s: 400, and nothing is published',
    async (path, _, head) => {
      const bytes = path === PATH ? await pngBytes() : zipOf({ 'a.txt': 'text' });
      const field = [head, 'long enough'] as const;
      for (const parts of [
        [[FILE_HEAD, bytes] as const, field],
        [field, [FILE_HEAD, bytes] as const],
      ]) {
        const { status, problem, accountId } = await sendParts(parts, { path });
        expect([status, problem.code, problem.params]).toMatchObject([
          400,
          'INVALID_INPUT',
          { issues: [{ path: '' }] },
        ]);
        expect(await countOf(accountId)).toBe(0);
      }
      await previewsMade(service.data);
      expect((await objectFiles(service.data)).staged).toEqual([]);
    },
  );

  it('and a file that has almost a delimiter in it is no such part, nor what follows the form', async () => {
    const almost = `\n--${BOUNDARY}\r\n--${BOUNDARY.slice(0, -1)}\r--${BOUNDARY} --${BOUNDARY}--`;
    const bytes = Buffer.concat([await pngBytes(), Buffer.from(almost)]);
    const end = `\r\n--${BOUNDARY}\r\n${FILE_HEAD}\r\n\r\nx`;
    const { status, body, key } = await sendParts([[FILE_HEAD, bytes]], { end });
    expect(status).toBe(201);
    const media = await fetch(`${service.url}${body.mediaUrl}`, { headers: { authorization: `Bearer ${key}` } });
    expect(Buffer.from(await media.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

describe('a refused upload stores nothing', () => {
  it.each<[name: string, code: string, status: number, file: () => Promise<string>]>([
    ['text', 'UPLOAD_FORMAT_UNSUPPORTED', 400, () => rawFile('a.png', 'This is text.')],
    ['an SVG', 'UPLOAD_FORMAT_UNSUPPORTED', 400, () => rawFile('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', 'UPLOAD_FORMAT_UNSUPPORTED', 400, () => rawFile('empty.png', '')],
    ['five megabytes of zeros', 'UPLOAD_FORMAT_UNSUPPORTED', 400, () => rawFile('zeros.png', Buffer.alloc(5 * MIB))],
    ['an image of too many pixels', 'UPLOAD_FORMAT_UNSUPPORTED', 400, () => flatImage('png', 10_000, 4_001)],
    [
      'a video that is too fast',
      'VIDEO_NOT_SUITABLE',
      415,
      () => video('fast.mp4', { rate: 120, args: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'] }),
    ],
  ])('%s: %s', async (_, code, status, file) => {
    const user = await service.user();
    await previewsMade(service.data);
    const before = await objectFiles(service.data);
    const answer = await sendFile(service.url, { key: user.apiKey, bytes: await readFile(await file()) });
    expect(answer.status).toBe(status);
    expect(answer.problem.code).toBe(code);
    if (status === 415) expect(answer.problem.params?.['problems']).toMatchObject([{ code: 'FPS' }]);
    expect(await objectFiles(service.data)).toEqual(before);
    expect(await countOf(user.accountId)).toBe(0);
    expect(await usedBy(user.accountId)).toBe(0);
  });

  it.each<[problem: string, form: (file: FormData) => unknown, path: string]>([
    ['no file', (form) => form.delete('file'), '/file'],
    ['two files', (form) => form.append('file', new Blob(['x']), 'b.png'), '/file'],
    ['a file of another name', (form) => form.append('other', new Blob(['x']), 'b.png'), '/other'],
    ['a text field as file', (form) => form.set('file', 'text'), '/file'],
    ['an unknown field', (form) => form.set('onetime', 'true'), '/onetime'],
    ['a field twice', (form) => ['a', 'b'].map((title) => form.append('title', title)), '/title'],
    ['an unknown visibility', (form) => form.set('visibility', 'secret'), '/visibility'],
    ['an unknown ttl', (form) => form.set('ttl', 'year'), '/ttl'],
    ['an unknown oneTime', (form) => form.set('oneTime', 'yes'), '/oneTime'],
    ['tags that are no JSON', (form) => form.set('tags', 'one, two'), '/tags'],
    ['tags that are no strings', (form) => form.set('tags', '[1]'), '/tags'],
    [
      'a tags field of 2,049 characters',
      (form) => form.set('tags', '[]'.padStart(LIMITS.folderTagsFieldCharacters + 1)),
      '/tags',
    ],
    ['a tag that is too long', (form) => form.set('tags', JSON.stringify(['x'.repeat(33)])), '/tags/0'],
    ['a title that is too long', (form) => form.set('title', 'x'.repeat(181)), '/title'],
    ['a title beyond any', (form) => form.set('title', 'x'.repeat(100_000)), '/title'],
    ['a short password', (form) => form.set('password', 'short'), '/password'],
    ['a field named like a part of every object', (form) => form.set('constructor', 'x'), ''],
    ['too many parts', (form) => Array.from({ length: 40 }, (_, index) => form.append('title', `${index}`)), '/title'],
  ])('%s: 400 INVALID_INPUT', async (_, change, path) => {
    const user = await service.user();
    const form = formOf(await pngBytes(), 'a.png');
    change(form);
    await previewsMade(service.data);
    const before = await objectFiles(service.data);
    const answer = await sendForm(service.url, { path: PATH, key: user.apiKey, form });
    expect(answer.status).toBe(400);
    expect(answer.problem).toMatchObject({ code: 'INVALID_INPUT', params: { issues: [{ path }] } });
    expect(await objectFiles(service.data)).toEqual(before);
    expect(await countOf(user.accountId)).toBe(0);
  });

  it('a tags field of 2,048 characters is read', async () => {
    const fields = { tags: '["one"]'.padStart(LIMITS.folderTagsFieldCharacters) };
    const { status } = await sendFile(service.url, {
      key: (await service.user()).apiKey,
      bytes: await pngBytes(),
      fields,
    });
    expect(status).toBe(201);
  });

  it('public together with oneTime: 400 ONE_TIME_NOT_PUBLIC', async () => {
    const fields = { visibility: 'public', oneTime: 'true' };
    const { problem } = await sendFile(service.url, {
      key: (await service.user()).apiKey,
      bytes: await pngBytes(),
      fields,
    });
    expect(problem.code).toBe('ONE_TIME_NOT_PUBLIC');
  });

  it('a body that is no form, or a broken one, is 400', async () => {
    const { apiKey: key } = await service.user();
    for (const [type, body] of [
      ['application/json', '{}'],
      ['multipart/form-data', 'no boundary'],
      ['multipart/form-data; boundary=x', 'nothing of a form'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut',
      ],
      ['multipart/form-data; boundary=x', ''],
    ] as const) {
      const bytes = Buffer.from(body);
      const answer = await ask(service.url, {
        method: 'POST',
        path: PATH,
        key,
        body: bytes,
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    }
    await previewsMade(service.data);
    expect((await objectFiles(service.data)).staged).toEqual([]);
  });

  it('a client that leaves in the middle leaves no bytes', async () => {
    await receiving(0);
    const upload = openUpload(await service.user(), await pngBytes());
    await receiving(1);
    upload.socket.destroy();
    await receiving(0);
  });

  it('a key without content:write is 403, no key is 401', async () => {
    const key = (await service.user({ scopes: ['content:read'] })).apiKey;
    expect((await sendFile(service.url, { key, bytes: await pngBytes() })).problem.code).toBe('SCOPE_MISSING');
    const answer = await ask(service.url, { method: 'POST', path: PATH });
    expect(answer.problem.code).toBe('AUTH_REQUIRED');
  });
});

describe('limits', () => {
  it('an image over its limit is 413 IMAGE_TOO_LARGE, and refused before all of it has come', async () => {
    const upload = openUpload(await service.user(), Buffer.concat([await pngBytes(), Buffer.alloc(11 * MIB)]));
    const answer = await upload.answer;
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'IMAGE_TOO_LARGE', params: { limitBytes: 10 * MIB } });
    upload.socket.destroy();
  });

  it('an image or video over every limit is refused by the limit of its type: IMAGE_TOO_LARGE and VIDEO_TOO_LARGE', async () => {
    const narrow = await startServer({
      config: { ...CONFIG, plans: { free: { imageBytes: 100, videoBytes: 100 } } },
    });
    try {
      const { apiKey: key } = await narrow.user();
      const send = async (bytes: Uint8Array) => (await sendFile(narrow.url, { key, bytes })).problem;
      expect(await send(await pngBytes())).toMatchObject({ code: 'IMAGE_TOO_LARGE', params: { limitBytes: 100 } });
      expect(await send(await readFile(await goodMp4()))).toMatchObject({
        code: 'VIDEO_TOO_LARGE',
        params: { limitBytes: 100 },
      });
      expect(await send(Buffer.alloc(5_000))).toMatchObject({ code: 'UPLOAD_TOO_LARGE', params: { limitBytes: 100 } });
    } finally {
      await narrow.stop();
    }
  });

  it('an image announced above the ceiling of every account names that ceiling, on the free plan too', async () => {
    const bytes = Buffer.concat([await pngBytes(), Buffer.alloc(11 * MIB)]);
    const upload = rawRequest(service.url, `POST ${PATH}`, {
      authorization: `Bearer ${(await service.user()).apiKey}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(65 * MIB),
    });
    upload.send(HEAD);
    upload.send(bytes);
    expect(JSON.parse((await upload.answer).body)).toMatchObject({
      code: 'IMAGE_TOO_LARGE',
      params: { limitBytes: 64 * MIB, ceiling: 'server' },
    });
    upload.socket.destroy();
  });

  it('one byte decides whether an image is above the ceiling of every account, as in a resumable upload', async () => {
    const [plan, ceiling] = [MIB, 3 * MIB];
    const small = await startServer({
      config: { ...CONFIG, server: { imageBytes: ceiling }, plans: { free: { imageBytes: plan } } },
    });
    try {
      const user = await small.user();
      const api = uploader(small.url, user);
      const picture = await pngBytes();
      for (const [size, params] of [
        [ceiling + 1, { limitBytes: ceiling, ceiling: 'server' }],
        [ceiling, { limitBytes: plan }],
      ] as const) {
        const bytes = Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
        const whole = await sendFile(small.url, { key: user.apiKey, bytes });
        const { id } = (await api.start(bytes)).body;
        const inParts = await api.part(id, 0, bytes.subarray(0, LIMITS.partBytes));
        for (const { status, problem } of [whole, inParts])
          expect([status, problem.code, problem.params]).toEqual([413, 'IMAGE_TOO_LARGE', params]);
        expect(whole.problem.detail).toBe(inParts.problem.detail);
      }
      expect((await objectFiles(small.data)).permanent).toEqual([]);
    } finally {
      await small.stop();
    }
  });

  it('a file over maxUploadBytes is 413 UPLOAD_TOO_LARGE by its announced length, unread', async () => {
    const upload = rawRequest(service.url, `POST ${PATH}`, {
      authorization: `Bearer ${(await service.user()).apiKey}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(101 * MIB),
    });
    const answer = await upload.answer;
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'UPLOAD_TOO_LARGE', params: { limitBytes: 100 * MIB } });
    upload.socket.destroy();
  });

  it('the quota is kept: 413 QUOTA_EXCEEDED, also among ten that race for the space of two', async () => {
    const bytes = await pngBytes();
    const small = await startServer({
      config: {
        ...CONFIG,
        limits: { ...CONFIG.limits, uploadsAtOnce: 10 },
        plans: { free: { quotaBytes: bytes.length * 2 + 50 } },
      },
    });
    try {
      const { apiKey: key, accountId } = await small.user();
      const answers = await Promise.all(Array.from({ length: 10 }, async () => sendFile(small.url, { key, bytes })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(8).fill(413)]);
      expect(
        answers.filter(({ status }) => status === 413).every(({ problem }) => problem.code === 'QUOTA_EXCEEDED'),
      ).toBe(true);
      expect(await countOf(accountId, small.data)).toBe(2);
      await previewsMade(small.data);
      // Two pictures with their previews.
      expect(await objectFiles(small.data)).toMatchObject({ staged: [], permanent: { length: 4 } });
    } finally {
      await small.stop();
    }
  });

  it('two at once; the third is 429 UPLOAD_USER_BUSY with Retry-After, and its place is free again afterwards', async () => {
    const user = await service.user();
    const other = await service.user();
    await receiving(0);
    const uploads = [openUpload(user, await pngBytes()), openUpload(user, await pngBytes())];
    await receiving(2);
    const third = await sendFile(service.url, { key: user.apiKey, bytes: await pngBytes() });
    expect([third.status, third.problem.code]).toEqual([429, 'UPLOAD_USER_BUSY']);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect((await sendFile(service.url, { key: other.apiKey, bytes: await pngBytes() })).status).toBe(201);
    for (const upload of uploads) finish(upload);
    for (const upload of uploads) expect((await upload.answer).status).toBe(201);
    expect((await sendFile(service.url, { key: user.apiKey, bytes: await pngBytes() })).status).toBe(201);
    for (const { socket } of uploads) socket.destroy();
  });

  it('a body that stops arriving is 408 UPLOAD_STALLED, and frees its place and its bytes', async () => {
    const hasty = await startServer({ config: HASTY });
    onTestFinished(() => hasty.stop());
    const user = await hasty.user();
    const start = performance.now();
    const upload = openUpload(user, await pngBytes(), {}, hasty);
    const answer = await upload.answer;
    expect(performance.now() - start).toBeGreaterThan(0.8 * STALL_MS);
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body).code).toBe('UPLOAD_STALLED');
    await upload.closed;
    expect((await objectFiles(hasty.data)).staged).toEqual([]);
    const empty = rawRequest(hasty.url, `POST ${PATH}`, {
      authorization: `Bearer ${user.apiKey}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': '1000',
    });
    expect((await empty.answer).status).toBe(408);
  });

  it('a body that is slow and never stops for long arrives', async () => {
    const stallMs = 4_000;
    const limits = { ...CONFIG.limits, uploadStallSeconds: stallMs / 1_000 };
    const hasty = await startServer({ config: { ...CONFIG, limits } });
    onTestFinished(() => hasty.stop());
    const upload = openUpload(await hasty.user(), await pngBytes(), {}, hasty);
    const start = performance.now();
    const sendMore = (): number => {
      sendChunk(upload, 'x');
      return performance.now() - start;
    };
    // Each pause is a small part of the permitted one, all together are longer.
    await expect.poll(sendMore, { interval: stallMs / 20 }).toBeGreaterThan(1.2 * stallMs);
    finish(upload);
    expect((await upload.answer).status).toBe(201);
    upload.socket.destroy();
  });
});

describe('an Idempotency-Key', () => {
  const newKey = () => randomUUID().replaceAll('-', '_');

  it('makes a repeat answer 201 with the same item, and nothing is published twice', async () => {
    const { apiKey: key, accountId } = await service.user();
    const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
    const fields = { title: 'Once', tags: '["b", "a"]', password: 'long enough' };
    const first = await sendFile(service.url, { key, bytes, fields, idempotencyKey });
    const again = await sendFile(service.url, {
      key,
      bytes,
      fields: { ...fields, tags: '["a","b"]' },
      idempotencyKey,
      filename: 'other name.png',
    });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(withoutPreview(again)).toEqual(withoutPreview(first));
    expect(await countOf(accountId)).toBe(1);
    expect(await usedBy(accountId)).toBe(bytes.length);
    await previewsMade(service.data);
    expect((await objectFiles(service.data)).staged).toEqual([]);
  });

  it('repeats its answer also when the file would not fit a second time', async () => {
    const bytes = await pngBytes();
    const small = await startServer({ config: { ...CONFIG, plans: { free: { quotaBytes: bytes.length + 10 } } } });
    try {
      const { apiKey: key } = await small.user();
      const idempotencyKey = newKey();
      const first = await sendFile(small.url, { key, bytes, idempotencyKey });
      const again = await sendFile(small.url, { key, bytes, idempotencyKey });
      expect(withoutPreview(again)).toEqual(withoutPreview(first));
    } finally {
      await small.stop();
    }
  });

  it('with other bytes is 409 even when those are no image', async () => {
    const { apiKey: key } = await service.user();
    const idempotencyKey = newKey();
    await sendFile(service.url, { key, bytes: await pngBytes(), idempotencyKey });
    const answer = await sendFile(service.url, { key, bytes: Buffer.alloc(3 * MIB), idempotencyKey });
    expect([answer.status, answer.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('with other bytes or other fields is 409 IDEMPOTENCY_CONFLICT', async () => {
    const { apiKey: key, accountId } = await service.user();
    const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
    await sendFile(service.url, { key, bytes, idempotencyKey, fields: { password: 'long enough' } });
    for (const change of [
      { bytes: await pngBytes() },
      { fields: { password: 'other words' } },
      { fields: {} },
      { fields: { password: 'long enough', title: 'New' } },
    ]) {
      const fields = { password: 'long enough' };
      const answer = await sendFile(service.url, { key, bytes, idempotencyKey, fields, ...change });
      expect([answer.status, answer.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    }
    expect(await countOf(accountId)).toBe(1);
  });

  it('with a default that was left out, or without one that was named, is the same request', async () => {
    const { apiKey: key, accountId } = await service.user();
    const named = { visibility: 'unlisted', title: 'picture' };
    for (const [sent, repeat] of [
      [{}, named],
      [named, {}],
    ]) {
      const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
      const send = (fields: Record<string, string> | undefined) =>
        sendFile(service.url, { key, bytes, idempotencyKey, ...(fields && { fields }) });
      const first = await send(sent);
      await editRow(service, 'UPDATE accounts SET privateByDefault = 1 WHERE id = ?', accountId);
      const again = await send(repeat);
      expect([again.status, again.body.id]).toEqual([201, first.body.id]);
      const other = await send({ visibility: 'private' });
      expect([other.status, other.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
      await editRow(service, 'UPDATE accounts SET privateByDefault = 0 WHERE id = ?', accountId);
    }
    expect(await countOf(accountId)).toBe(2);
  });
  it('of a running request is 409 for its twin at once', async () => {
    const user = await service.user();
    const idempotencyKey = newKey();
    const bytes = await pngBytes();
    await receiving(0);
    const running = openUpload(user, bytes, { 'idempotency-key': idempotencyKey });
    await receiving(1);
    const twin = await sendFile(service.url, { key: user.apiKey, bytes, idempotencyKey });
    expect([twin.status, twin.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    finish(running);
    expect((await running.answer).status).toBe(201);
    expect((await sendFile(service.url, { key: user.apiKey, bytes, idempotencyKey })).status).toBe(201);
    expect(await countOf(user.accountId)).toBe(1);
    running.socket.destroy();
  });

  it('whose item was deleted is 410', async () => {
    const { apiKey: key } = await service.user();
    const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
    const { body } = await sendFile(service.url, { key, bytes, idempotencyKey });
    await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${body.id}`, key });
    const again = await sendFile(service.url, { key, bytes, idempotencyKey });
    expect([again.status, again.problem.code]).toEqual([410, 'CONTENT_GONE']);
  });

  it('of a refused request may be used again', async () => {
    const { apiKey: key } = await service.user();
    const idempotencyKey = newKey();
    expect((await sendFile(service.url, { key, bytes: Buffer.from('text'), idempotencyKey })).status).toBe(400);
    expect((await sendFile(service.url, { key, bytes: await pngBytes(), idempotencyKey })).status).toBe(201);
  });

  it('counts for its account alone', async () => {
    const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
    const answers = await Promise.all(
      [await service.user(), await service.user()].map(({ apiKey: key }) =>
        sendFile(service.url, { key, bytes, idempotencyKey }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id);
  });

  it.each(['short', 'x'.repeat(129), 'has a space in it!', 'seventeen.letters'])(
    '%s is 400',
    async (idempotencyKey) => {
      const answer = await sendFile(service.url, {
        key: (await service.user()).apiKey,
        bytes: await pngBytes(),
        idempotencyKey,
      });
      expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    },
  );

  it('is kept for seven days and over a restart, then forgotten', async () => {
    const clock = movableClock();
    const first = await startServer({ config: CONFIG, clock });
    const data = first.data;
    const [bytes, idempotencyKey] = [await pngBytes(), newKey()];
    try {
      const { apiKey: key } = await first.user();
      const { body } = await sendFile(first.url, { key, bytes, idempotencyKey });
      await first.server.close();
      clock.advance(LIMITS.idempotencyMs - 1_000);
      const second = await startServer({ config: CONFIG, clock, data });
      expect((await sendFile(second.url, { key, bytes, idempotencyKey })).body.id).toBe(body.id);
      clock.advance(2_000);
      expect((await sendFile(second.url, { key, bytes, idempotencyKey })).body.id).not.toBe(body.id);
      await second.stop();
    } finally {
      await first.stop();
    }
  });

  it('leaves nothing in the database after seven days, also where no other one comes', async () => {
    const clock = movableClock();
    const first = await startServer({ config: CONFIG, clock });
    onTestFinished(first.stop);
    const { apiKey: key } = await first.user();
    const records = () => queryData(first.data, 'SELECT 1 AS "found" FROM idempotencyRecords');
    await sendFile(first.url, { key, bytes: await pngBytes(), idempotencyKey: newKey() });
    expect(await records()).toEqual([{ found: 1 }]);
    // The server looks when it starts, and every 30 seconds.
    await first.server.close();
    clock.advance(LIMITS.idempotencyMs);
    const second = await startServer({ config: CONFIG, clock, data: first.data });
    onTestFinished(second.stop);
    expect(await records()).toEqual([]);
  });
});

it('a form that is damaged in any place is refused as such, and never a failure of the server', async () => {
  const { apiKey: key } = await service.user({ plan: 'pro' });
  const form = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n${HEAD}text\r\n` +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="tags"\r\nContent-Type: application/json\r\n\r\n["a"]\r\n--${BOUNDARY}--\r\n`,
  );
  const position = fc.nat(form.length);
  await fc.assert(
    fc.asyncProperty(position, fc.nat(40), fc.uint8Array({ maxLength: 20 }), async (at, cut, insert) => {
      const body = Buffer.concat([form.subarray(0, at), insert, form.subarray(at + cut)]);
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const { status, problem } = await ask(service.url, { method: 'POST', path: PATH, key, body, headers });
      expect([status, ['INVALID_INPUT', 'UPLOAD_FORMAT_UNSUPPORTED'].includes(problem.code)]).toEqual([400, true]);
    }),
    { numRuns: 400 },
  );
  expect(service.logged).toEqual([]);
  await previewsMade(service.data);
  expect((await objectFiles(service.data)).staged).toEqual([]);
});

it('a real MP4 of ffmpeg is published unchanged', async () => {
  const bytes = await readFile(await goodMp4());
  const { body } = await sendFile(service.url, { key: (await service.user()).apiKey, bytes, filename: 'a.mp4' });
  expect(body.content).toMatchObject({ type: 'VIDEO', width: 320, height: 180, hasAudio: true });
});
