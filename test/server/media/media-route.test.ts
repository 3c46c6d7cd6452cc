import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { goodMp4, image } from '../../support/media/media.ts';
import { browser, change, editRow, keepProcessing, publish, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask as askService, uploader } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const data = temporaryFolder('processing');
let server: RunningServer;
let owner: User;
let bytes: Buffer;
let item: Content;

beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 100_000 } } });
  owner = await server.user({ plan: 'pro' });
  bytes = await readFile(await image('png'));
  item = await publish(server, owner);
});
afterAll(() => server.stop());

const ask = async (id: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', query = '') => {
  const answer = await request(`${server.url}/api/media/${id}${query}`, { method, headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body };
};
const asOwner = () => ({ authorization: `Bearer ${owner.apiKey}` });
const codeOf = (body: Buffer): string => JSON.parse(body.toString()).code;

describe('Media', () => {
  it('comes as it was uploaded, under the type that its bytes have', async () => {
    const answer = await ask(item.id);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="picture.png"',
    });
    expect(answer.headers['etag']).toMatch(/^"[\w-]{22}"$/);
  });
  it('may be shown by other sites only if it is a picture that anyone with the link may load', async () => {
    const policyOf = async (id: string, headers = {}) =>
      (await ask(id, headers)).headers['cross-origin-resource-policy'];
    expect(await policyOf(item.id)).toBe('cross-origin');
    expect(await policyOf(item.id, asOwner())).toBe('same-origin');
    const open = await publish(server, owner, { visibility: 'public' });
    expect(await policyOf(open.id)).toBe('cross-origin');
    const hidden = await publish(server, owner, { visibility: 'private' });
    expect(await policyOf(hidden.id, asOwner())).toBe('same-origin');
    const limited = await publish(server, owner);
    await change(server, owner, limited.id, { viewLimit: 5 });
    const opened = browser(server);
    await opened.open(limited.id);
    const seen = await opened.send({ path: `/api/media/${limited.id}` });
    expect([seen.status, seen.headers['cross-origin-resource-policy']]).toEqual([200, 'same-origin']);
  });
  it('answers HEAD like GET without the bytes', async () => {
    const [get, head] = [await ask(item.id), await ask(item.id, {}, 'HEAD')];
    // The client itself closes the connection after a HEAD.
    const same = (headers: Record<string, string>) =>
      Object.entries(headers).filter(
        ([name]) => !/^(date|x-request-id|x-ratelimit-.*|connection|keep-alive)$/.test(name),
      );
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(same(head.headers)).toEqual(same(get.headers));
    expect((await ask(item.id, { range: 'bytes=0-3' }, 'HEAD')).status).toBe(200);
    expect((await ask('unknown', {}, 'HEAD')).status).toBe(404);
  });
  it('comes in parts', async () => {
    const size = bytes.length;
    for (const [header, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=-1', size - 1, size - 1],
      ['bytes=5-', 5, size - 1],
      ['bytes=10-19', 10, 19],
      [`bytes=${size - 5}-${size + 100}`, size - 5, size - 1],
    ] as const) {
      const answer = await ask(item.id, { range: header });
      expect([answer.status, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${size}`]);
      expect(answer.headers['content-length']).toBe(String(to - from + 1));
      expect(answer.body.equals(bytes.subarray(from, to + 1))).toBe(true);
    }
  });
  it('is 416 with its size beyond the end, and whole for several ranges', async () => {
    const beyond = await ask(item.id, { range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
    expect(beyond.headers['content-type']).not.toBe('image/png');
    const several = await ask(item.id, { range: 'bytes=0-1,4-5' });
    expect([several.status, several.body.length]).toEqual([200, bytes.length]);
  });
  it('honours a Range only while If-Range matches', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await ask(item.id)).headers;
    const range = 'bytes=0-3';
    for (const [ifRange, status] of [
      [etag, 206],
      [modified, 206],
      [`W/${etag}`, 200],
      ['"stale"', 200],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 200],
    ] as const)
      expect((await ask(item.id, { range, 'if-range': ifRange })).status, ifRange).toBe(status);
  });
  it('is 304 for a copy that is still good', async () => {
    const { etag = '' } = (await ask(item.id)).headers;
    const answer = await ask(item.id, { 'if-none-match': etag });
    expect([answer.status, answer.body.length]).toEqual([304, 0]);
    expect((await ask(item.id, { 'if-none-match': '"other"' })).status).toBe(200);
  });
  it('is 412 for a condition on other bytes, also in a range or a copy that is still valid', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await ask(item.id)).headers;
    const others: Record<string, string>[] = [
      { 'if-match': '"other"' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ];
    for (const insisting of others) {
      for (const more of [{}, { range: 'bytes=0-3' }, { 'if-none-match': etag }]) {
        const answer = await ask(item.id, { ...insisting, ...more });
        expect([answer.status, answer.body.length]).toEqual([412, 0]);
      }
    }
    expect((await ask(item.id, { 'if-match': etag, range: 'bytes=0-3' })).status).toBe(206);
    expect((await ask(item.id, { 'if-unmodified-since': modified })).status).toBe(200);
  });
  it('is 412 for the rest of a note that was edited, by the date of its first text', async () => {
    const body = { text: '0123456789', format: 'plain' };
    const question = { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body } as const;
    const { id } = (await askService<Content>(server.url, question)).body;
    const { etag = '', 'last-modified': modified = '' } = (await ask(id)).headers;
    const rest = { range: 'bytes=5-' };
    expect((await ask(id, { ...rest, 'if-unmodified-since': modified })).status).toBe(206);
    await change(server, owner, id, { text: 'abcdefghij', revision: 1 });
    for (const condition of [{ 'if-unmodified-since': modified }, { 'if-match': etag }]) {
      const answer = await ask(id, { ...rest, ...condition });
      expect([answer.status, answer.body.length]).toEqual([412, 0]);
    }
    const whole = await ask(id, { ...rest, 'if-range': modified });
    expect([whole.status, whole.body.toString(), whole.headers['last-modified']]).toEqual([
      200,
      'abcdefghij',
      undefined,
    ]);
  });
  it('is an attachment with ?download=1, under its own name in any language', async () => {
    const up = uploader(server.url, owner);
    const id = await up.send(bytes, { filename: '"\r\n фото;.png' });
    const { content } = (await up.complete(id, crypto.randomUUID())).body;
    const answer = await ask(content?.id ?? '', {}, 'GET', '?download=1');
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="_ ____;.png"; filename*=UTF-8''%22%20%D1%84%D0%BE%D1%82%D0%BE%3B.png`,
    );
    expect(answer.body.equals(bytes)).toBe(true);
  });
  it('is not stored by any cache when the item is guarded', async () => {
    const { id } = await publish(server, owner, { visibility: 'private' });
    const answer = await ask(id, asOwner());
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  });
  it('is served by a server that a slow reader does not fill', async () => {
    const video = await publish(server, owner, {}, await readFile(await goodMp4()));
    await ready(server, owner, video.id);
    const slow = await request(`${server.url}/api/media/${video.id}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(Buffer.from(await slow.body.arrayBuffer()).equals(await readFile(await goodMp4()))).toBe(true);
  });
});

describe('A download', () => {
  it('that the owner does not allow is 403 for others and fine for the owner', async () => {
    const { id } = await publish(server, owner);
    await change(server, owner, id, { allowDownload: false });
    const refused = await ask(id, {}, 'GET', '?download=1');
    expect([refused.status, codeOf(refused.body)]).toEqual([403, 'DOWNLOAD_DISABLED']);
    expect((await ask(id)).status).toBe(200);
    expect((await ask(id, asOwner(), 'GET', '?download=1')).status).toBe(200);
  });
});

describe('A video that is not ready', () => {
  it.each(['PROCESSING', 'FAILED'])(
    '(%s) is 409 for playing, and the owner may download the original',
    async (status) => {
      const { id } = await publish(server, owner);
      await keepProcessing(server, id);
      await editRow(server, 'UPDATE content SET mediaStatus = ? WHERE id = ?', status, id);
      for (const answer of [await ask(id), await ask(id, {}, 'GET', '?download=1'), await ask(id, asOwner())])
        expect([answer.status, codeOf(answer.body), answer.headers['retry-after']]).toEqual([
          409,
          'MEDIA_PROCESSING',
          // A failed item is not worth waiting for.
          status === 'PROCESSING' ? '2' : undefined,
        ]);
      const original = await ask(id, asOwner(), 'GET', '?download=1');
      expect(original.status).toBe(200);
      expect(original.headers['content-type']).toBe('application/octet-stream');
      expect(original.headers['content-disposition']).toMatch(/^attachment;/);
      expect(original.body.equals(bytes)).toBe(true);
    },
  );
  it('becomes READY by itself, also when the server was killed meanwhile', async () => {
    const first = await startServer({ data });
    const user = await first.user();
    const { id } = await publish(first, user, {}, await readFile(await goodMp4()));
    const facts = { mediaError: null, videoCodec: 'h264', hasAudio: true, durationMs: 2_000 };
    expect(await ready(first, user, id)).toMatchObject(facts);
    await editRow(first, "UPDATE content SET mediaStatus = 'PROCESSING' WHERE id = ?", id);
    await first.stop();
    const second = await startServer({ data });
    expect(await ready(second, user, id)).toMatchObject(facts);
    await second.stop();
  });
});
