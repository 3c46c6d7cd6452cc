/**
 * Slow clients cannot block the server: headers, forms, JSON, parts and files have to arrive in time, and responses to
 * be read.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { isTooSlow, paceLimits, progressed } from '../../../src/server/http/in-flight-requests.ts';
import { longPngBytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { PATIENCE_MS } from '../../support/poll-timeouts.ts';
import { drip, head, join } from '../../support/server/crowd.ts';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';

const MIB = 1024 * 1024;
const BUDGETS = { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000, uploadRequestsPerMinute: 100_000 };
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '500' };
const FORM_PATHS = ['/sign-in', '/s/abcdefgh/open', '/connect', '/connect/device', '/account/profile'];

// Each waits for a time limit of the server: run them concurrently.
describe('a request that arrives too slowly', () => {
  let service: RunningServer;
  let user: User;
  beforeAll(async () => {
    const limits = {
      ...BUDGETS,
      headerSeconds: 0.4,
      formStallSeconds: 0.3,
      requestSeconds: 0.6,
      bodyGraceSeconds: 0.4,
      // Faster than any line: everything incomplete is too slow.
      bodyBytesPerSecond: 1e12,
    };
    service = await startServer({ config: { limits } });
    user = await service.user();
  });
  afterAll(() => service.stop());

  it.concurrent('is closed when nothing, or half of its header, comes', async () => {
    const silent = [join(service.url, ''), join(service.url, 'GET / HTTP/1.1\r\nHost: a')];
    for (const { closed } of silent) {
      const answer = await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('UPLOAD_STALLED');
    }
  });

  it.concurrent.each(FORM_PATHS)(
    'is answered 408 when the form of %s stops arriving, and its connection is closed',
    async (path) => {
      const client = join(service.url, `${head(service.url, `POST ${path}`, FORM)}a=`);
      expect(await client.closed).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
    },
  );

  it.concurrent.each(FORM_PATHS)('is answered 408 when the form of %s comes byte by byte', async (path) => {
    const client = join(service.url, `${head(service.url, `POST ${path}`, FORM)}a=`);
    drip(client);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.concurrent('is answered 408 UPLOAD_STALLED when its JSON comes byte by byte', async () => {
    const headers = {
      authorization: `Bearer ${user.apiKey}`,
      'content-type': 'application/json',
      'content-length': '900',
    };
    const client = join(service.url, head(service.url, 'POST /api/v1/pastes', headers));
    drip(client);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 [\s\S]*UPLOAD_STALLED/);
  });

  it.concurrent('is answered 408 UPLOAD_STALLED when a part comes below the least rate, and its place is free', async () => {
    const bytes = await pngBytes();
    // Its own request has as little time, which a busy machine can miss.
    const id = await vi.waitUntil(async () => (await uploader(service.url, user).start(bytes)).body.id, {
      timeout: PATIENCE_MS,
    });
    const headers = { authorization: `Bearer ${user.apiKey}`, 'content-length': String(bytes.length) };
    for (let turn = 0; turn < 4; turn += 1) {
      const client = join(service.url, head(service.url, `PUT /api/v1/uploads/resumable/${id}/parts/0`, headers));
      drip(client, 200);
      expect(await client.closed).toMatch(/^HTTP\/1\.1 408 [\s\S]*UPLOAD_STALLED/);
    }
  });

  it.concurrent('is answered 408 UPLOAD_STALLED when a whole file comes below the least rate', async () => {
    const headers = {
      authorization: `Bearer ${(await service.user()).apiKey}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '100000',
    };
    const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
    const client = join(service.url, head(service.url, 'POST /api/v1/uploads', headers) + form);
    drip(client);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 [\s\S]*UPLOAD_STALLED/);
  });

  it.concurrent('is cut when its body continues after the response', async () => {
    const answered = async () => {
      const client = join(service.url, head(service.url, 'GET /healthz', { 'content-length': '1000000' }));
      drip(client);
      return client.closed;
    };
    // Its head has as little time, which a busy machine can miss.
    await expect.poll(answered).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('fault 46: leaves nothing behind, and other clients are served', async () => {
    await expect.poll(() => service.server.load().requests).toBe(0);
    expect((await ask(service.url, { path: '/healthz' })).status).toBe(200);
    expect(service.logged).toEqual([]);
  });
});

describe('an answer that is not read', () => {
  it('fault 46: is aborted once the client has read nothing for the limit, and its slot and file are freed', async () => {
    const service = await startServer({ config: { limits: { ...BUDGETS, readStallSeconds: 0.5 } } });
    try {
      const { mediaUrl } = await publish(
        service,
        await service.user({ plan: 'pro' }),
        {},
        await longPngBytes(40 * MIB),
      );
      const readers = Array.from({ length: 10 }, () => {
        const reader = join(service.url, head(service.url, `GET ${mediaUrl}`));
        reader.socket.once('data', () => reader.pause());
        return reader;
      });
      await expect.poll(() => readers.filter((reader) => reader.text() !== '').length).toBe(10);
      await expect.poll(() => service.server.load()).toMatchObject({ reads: 0, requests: 0 });
      expect((await ask(service.url, { path: '/healthz' })).status).toBe(200);
      for (const reader of readers) {
        reader.read();
        expect((await reader.closed).length).toBeLessThan(40 * MIB);
      }
    } finally {
      await service.stop();
    }
  });
});

describe('the pace of a body', () => {
  const limits = { ...paceLimits(DEFAULT_CONFIG), bytesPerMs: 1 };
  it('has one time limit for a small body, however steadily it comes', () => {
    expect(isTooSlow('whole', 1_000_000, 300_000, limits)).toBe(false);
    expect(isTooSlow('whole', 1_000_000, 300_001, limits)).toBe(true);
  });
  it('has a least rate for parts and files, after a grace, and no time limit', () => {
    expect(isTooSlow('steady', 0, 30_000, limits)).toBe(false);
    expect(isTooSlow('steady', 30_000, 30_001, limits)).toBe(true);
    expect(isTooSlow('steady', 4_000_000, 4_000_000, limits)).toBe(false);
  });
  it('remembers when a count last grew', () => {
    const before = { count: 5, at: 10 };
    expect(progressed(before, 5, 20)).toBe(before);
    expect(progressed(before, 6, 20)).toEqual({ count: 6, at: 20 });
  });
});
