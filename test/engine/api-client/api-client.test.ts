import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { ContentId } from '../../../src/api/ids.ts';
import { LIMITS, partCount } from '../../../src/api/limits.ts';
import { backoffMs, LONGEST_BACKOFF_MS } from '../../../src/base/common/backoff.ts';
import { concurrencyFor, createAdaptiveConcurrency } from '../../../src/engine/api-client/adaptive-concurrency.ts';
import { createServiceClient } from '../../../src/engine/api-client/client.ts';
import { encodeForm } from '../../../src/engine/api-client/multipart-form.ts';
import { createRateLimiter } from '../../../src/engine/api-client/rate-limiter.ts';
import { failureOfError, failureOfRefusal } from '../../../src/engine/api-client/request-errors.ts';
import { retryAfterMs } from '../../../src/engine/api-client/retry-after.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { fingerprintOf, partHash } from '../../../src/engine/upload/manifest.ts';
import { fastClock, wait } from '../../support/engine.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { modelAccount, modelContent } from '../../support/server/model-account.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';

const never = new AbortController().signal;

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Only for what is never answered: a busy machine takes longer for an answer, and for a connection. */
const IMPATIENT = { connectMs: 120_000, idleMs: 200, replyMs: 400, completeMs: 400 };
const PATIENT = { connectMs: 120_000, idleMs: 120_000, replyMs: 120_000, completeMs: 120_000 };

const clientOf = (server: string, timeouts = PATIENT, clock = systemClock) => {
  const client = createServiceClient({
    clock,
    gate: createRateLimiter({ clock, random: systemRandom }),
    server,
    key: 'k',
    timeouts,
  });
  onTestFinished(() => client.close());
  return client;
};

describe('the service client', () => {
  it('takes for success only the shape that the contract writes', async () => {
    const bodies = [JSON.stringify({ user: {} }), '<html>', '', JSON.stringify(modelAccount('a'))];
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodies.shift()),
    );
    const client = clientOf(url);
    for (let turn = 0; turn < 3; turn++) {
      expect(await client.call('readAccount', {}, never)).toMatchObject({
        ok: false,
        error: { code: 'NOT_THE_SERVICE' },
      });
    }
    expect(await client.call('readAccount', {}, never)).toMatchObject({ ok: true, value: { user: { id: 'a' } } });
  });

  it('reads an account of a newer service: unknown fields and values are accepted', async () => {
    const known = modelAccount('a');
    const { limits, entitlements, credential } = known;
    const newer = {
      ...{ ...known, theme: 'dark' },
      limits: {
        ...limits,
        video: { ...limits.video, formats: [{ container: 'mkv', videoCodecs: ['av1'] }, ...limits.video.formats] },
      },
      entitlements: { ...entitlements, features: ['view_stats', 'teleport'] },
      ...(credential && { credential: { ...credential, scopes: [...credential.scopes, 'content:teleport'] } }),
    };
    const client = clientOf(await serve((_, response) => response.end(JSON.stringify(newer))));
    const read = await client.call('readAccount', {}, never);
    expect(read).toMatchObject({ ok: true, value: { limits, entitlements: { features: ['view_stats'] }, credential } });
  });

  it('reads optional members that are null or have values of a newer service as absent, and required ones never', async () => {
    const known = { ...modelContent('a', 'https://a.example', { title: 't', name: 'n', size: 1 }), theme: 'dark' };
    const odd = {
      ...{ ...known, author: null, favorite: null, owned: null, hasAudio: null, hasVideoText: null },
      ...{ videoTextRevision: null, mediaStatus: 'QUEUED', pasteLanguage: 'kotlin', moderationHold: 'appeal' },
    };
    const read = { ...known, pasteLanguage: null, moderationHold: null };
    const { credential, ...account } = modelAccount('a');
    const cases = [
      ['readContent', odd, read],
      ['readContent', { ...odd, originalName: null }, { ...read, originalName: undefined }],
      ['uploadFile', { ...odd, content: odd }, { ...read, content: read }],
      ['listContent', { items: [odd], nextCursor: null }, { items: [read], nextCursor: null }],
      ['readAccount', { ...account, credential: null }, account],
      [
        'readAccount',
        { ...account, credential: { ...credential, client: 'linux' } },
        { ...account, credential: { ...credential, client: null } },
      ],
      ['readContent', { ...odd, visibility: 'friends' }, null],
      ['readContent', { ...odd, size: null }, null],
      ['readContent', { ...odd, width: 'wide' }, null],
    ] as const;
    let body: unknown;
    const url = await serve((request, response) =>
      response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify(body)),
    );
    const client = clientOf(url);
    for (const [operation, sent, value] of cases) {
      body = sent;
      const reply = await client.call(operation, { params: { id: 'a' } }, never);
      expect(reply).toEqual(
        value ? { ok: true, value } : { ok: false, error: expect.objectContaining({ code: 'NOT_THE_SERVICE' }) },
      );
    }
  });

  it('limits texts for display to one plain line of bounded length, and refuses an invalid address', async () => {
    const known = modelAccount('a');
    const evil = '\u001b]0;x\u0007\u202e\n\u009b\u2028';
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies = [
      { ...known, user: { ...known.user, username: `a${evil}b`, name: 'x'.repeat(1_000_000) } },
      {
        deviceCode: 'd',
        userCode: 'u',
        expiresIn: 600,
        interval: 5,
        verificationUri: 'https://a.example/device',
        verificationUriComplete: `https://a.example/${evil}`,
      },
    ].map((body) => JSON.stringify(body));
    const client = clientOf(await serve((_, response) => response.end(bodies.shift() ?? deep)));
    const read = await client.call('readAccount', {}, never);
    if (!read.ok) throw new Error(read.error.detail);
    expect(read.value.user.username).toBe('a ]0;x    b');
    expect(read.value.user.name.length).toBeLessThanOrEqual(4_096);
    const json = { deviceName: 'd', deviceId: 'd', platform: 'linux' };
    expect(await client.call('startDeviceAuth', { json }, never)).toMatchObject({ error: { code: 'NOT_THE_SERVICE' } });
    expect(await client.call('readAccount', {}, never)).toMatchObject({ error: { code: 'NOT_THE_SERVICE' } });
  });

  it('keeps of an error what can be shown, and nothing that is nested without end', () => {
    const problem = { type: 'about:blank', title: 't', status: 400, code: 'INVALID_INPUT', requestId: 'r' };
    const refusal = (detail: string, params: unknown) =>
      failureOfRefusal({ status: 400, text: JSON.stringify({ ...problem, detail, params }), afterMs: null });
    expect(refusal('a\u001b[2J\nb', { issues: [{ message: '\u0007c' }] })).toMatchObject({
      detail: 'a [2J b',
      params: { issues: [{ message: ' c' }] },
    });
    let deep: unknown = 'x';
    for (let level = 0; level < 100; level++) deep = { deep };
    expect(refusal('d', deep)).toMatchObject({ code: 'NOT_THE_SERVICE' });
    expect(refusal('d'.repeat(1_000_000), {}).detail.length).toBeLessThanOrEqual(4_096);
  });

  it('reads an answer without end up to a bound', async () => {
    const client = clientOf(
      await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          response.once('drain', more);
        };
        more();
      }),
    );
    expect(await client.call('readAccount', {}, never)).toMatchObject({ ok: false });
  });

  it('times out on a service that accepts the request and never answers', async () => {
    const client = clientOf(await serve(() => {}), IMPATIENT);
    expect(await client.call('readAccount', {}, never)).toMatchObject({ ok: false, error: { code: 'REPLY_TIMEOUT' } });
  });

  it('reports a suspend of the computer during a request', async () => {
    const clock = sleepingClock();
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const timeouts = { connectMs: 30_000, idleMs: 30_000, replyMs: 30_000, completeMs: 30_000 };
    const gate = createRateLimiter({ clock, random: systemRandom });
    const client = createServiceClient({ clock, gate, server, key: 'k', timeouts });
    onTestFinished(() => client.close());
    const reply = client.call('readAccount', {}, never);
    await arrived.promise;
    await clock.advance(10 * 60_000);
    expect(await reply).toMatchObject({ ok: false, error: { code: 'REPLY_TIMEOUT', params: { slept: true } } });
  });

  describe('counts as sent', () => {
    const file = Buffer.alloc(600 * 1024, 'x');
    const form = encodeForm({
      boundary: 'b'.repeat(32),
      fields: { title: 'A title' },
      file: {
        ...{ name: 'shot.png', type: 'image/png' },
        source: {
          size: file.length,
          read: async (into, position) => ok(into.subarray(0, file.copy(into, 0, position))),
        },
      },
    });
    const refusing = (key: string) =>
      serve((request, response) => {
        request.resume().once('end', () => {
          const isRefused = request.headers.authorization === `Bearer ${key}`;
          response.writeHead(isRefused ? 401 : 500, { 'content-type': 'application/problem+json' });
          response.end(JSON.stringify({ code: isRefused ? 'API_KEY_REVOKED' : 'INTERNAL' }));
        });
      });

    it('the bytes of the file, and not those of the form around it', async () => {
      let sent = 0;
      const onSent = (bytes: number) => {
        sent += bytes;
      };
      await clientOf(await refusing('other')).call('uploadFile', { form, onSent }, never);
      expect(sent).toBe(file.length);
    });

    it('the same bytes once where a new key makes the request go again', async () => {
      const client = clientOf(await refusing('k'));
      let sent = 0;
      const onSent = (bytes: number) => {
        if (sent === 0) client.rekey('new');
        sent += bytes;
      };
      const reply = await client.call('uploadFile', { form, onSent }, never);
      expect(reply).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
      expect(sent).toBe(file.length);
    });
  });

  it('times out on a body that the service does not read', async () => {
    const url = await serve((request) => void request.pause());
    const bytes = Buffer.alloc(64 * 1024 * 1024);
    const params = { id: '00000000-0000-4000-8000-000000000000', index: 0 };
    const reply = await clientOf(url, IMPATIENT).call('putPart', { params, bytes }, never);
    expect(reply).toMatchObject({ ok: false, error: { code: 'REPLY_TIMEOUT' } });
  });

  it('times out on an answer that stops in the middle', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{');
    });
    expect(await clientOf(url, IMPATIENT).call('readAccount', {}, never)).toMatchObject({
      ok: false,
      error: { code: 'REPLY_TIMEOUT' },
    });
  });

  it('ends a request when its signal is aborted', async () => {
    const client = clientOf(await serve(() => {}));
    const abort = new AbortController();
    const reply = client.call('readAccount', {}, abort.signal);
    await wait(30);
    abort.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(await client.call('readAccount', {}, abort.signal)).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });

  it('stays below an announced budget, and waits for the next window', async () => {
    // One clock for both, which only waiting moves: a busy machine lets no window end between two requests.
    const clock = { ...systemClock, ...hurriedClock() };
    let remaining = 5;
    let refused = 0;
    let windowEnds = clock.monotonic() + 1_000;
    const url = await serve((_, response) => {
      if (clock.monotonic() >= windowEnds) {
        remaining = 5;
        windowEnds = clock.monotonic() + 1_000;
      }
      if (remaining === 0) refused++;
      else remaining--;
      const reset = String(Math.ceil((windowEnds - clock.monotonic()) / 1_000));
      const headers = {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': reset,
      };
      response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(modelAccount('a')));
    });
    const gate = createRateLimiter({ clock, random: systemRandom });
    const client = createServiceClient({ clock: systemClock, gate, server: url, key: 'k', timeouts: PATIENT });
    onTestFinished(() => client.close());
    const replies = await Promise.all(Array.from({ length: 12 }, () => client.call('readAccount', {}, never)));
    expect(replies.every(({ ok }) => ok)).toBe(true);
    expect(refused).toBe(0);
    // It has waited for two more windows.
    expect(clock.monotonic()).toBeGreaterThan(2_000);
  });

  it('learns the budget of guests from the replies with bytes of items', async () => {
    const headers = { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '30' };
    const url = await serve((request, response) => {
      if (request.url?.endsWith('/preview')) return response.destroy();
      return response.writeHead(200, { 'content-type': 'image/png', ...headers }).end('bytes');
    });
    const learned: unknown[] = [];
    const gate = {
      ...createRateLimiter({ clock: systemClock, random: systemRandom }),
      enter: async () => {},
      done: (...answer: readonly unknown[]) => void learned.push(answer),
    };
    const client = createServiceClient({ clock: systemClock, gate, server: url, key: 'k' });
    onTestFinished(() => client.close());
    const media = async (kind: 'file' | 'preview') => {
      const reply = await client.media({ id: 'a' as ContentId, kind, range: null }, never);
      if (reply.ok) reply.value.body.destroy();
      return reply.ok;
    };
    expect([await media('file'), await media('preview')]).toEqual([true, false]);
    expect(learned).toEqual([
      ['guest', { limit: 20, remaining: 7, resetMs: 30_000 }],
      ['guest', 'lost'],
    ]);
  });

  it('uses the budgets of the API document where the service sends none', async () => {
    let seen = 0;
    const url = await serve((_, response) => {
      seen++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(modelAccount('a')));
    });
    const client = clientOf(url, PATIENT, fastClock);
    const begun = fastClock.monotonic();
    // A few at a time: with this fast clock a busy machine would time out some of sixty concurrent requests.
    for (let sent = 0; sent < LIMITS.requestsPerMinute; sent += 4)
      await Promise.all(Array.from({ length: 4 }, () => client.call('readAccount', {}, never)));
    expect(seen).toBe(LIMITS.requestsPerMinute);
    await client.call('readAccount', {}, never);
    expect(fastClock.monotonic() - begun).toBeGreaterThan(LIMITS.budgetWindowMs * 0.95);
  });
});

describe('an error answer', () => {
  const refusal = (status: number, text: string, afterMs: number | null = null) =>
    failureOfRefusal({ status, text, afterMs });
  const problem = (status: number, code: string) =>
    JSON.stringify({
      type: 'about:blank',
      title: 't',
      status,
      detail: 'why',
      code,
      requestId: 'r',
      params: { limitBytes: 1 },
    });

  it('of the service keeps its code, detail and params', () => {
    expect(refusal(413, problem(413, 'IMAGE_TOO_LARGE'))).toEqual({
      code: 'IMAGE_TOO_LARGE',
      detail: 'why',
      status: 413,
      params: { limitBytes: 1 },
    });
  });

  it('keeps a code that is known, whatever else the body leaves out: a problem needs no member', () => {
    expect(refusal(401, '{"code":"API_KEY_REVOKED"}')).toMatchObject({
      code: 'API_KEY_REVOKED',
      detail: 'The API key was revoked.',
    });
    expect(refusal(413, '{"status":413,"code":"QUOTA_EXCEEDED","detail":"full"}')).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      detail: 'full',
    });
    for (const foreign of ['{"code":"API_KEY"}', '{"code":401}', '{"error":{"code":"API_KEY_REVOKED"}}', '"x"', '[]'])
      expect(refusal(401, foreign).code).toBe('NOT_THE_SERVICE');
  });

  it('keeps its code, whatever another member holds: one of another type is as if absent (RFC 9457, 3.1)', () => {
    const members = ['type', 'title', 'status', 'detail', 'params', 'currentRevision', 'requestId'];
    const odd = fc.oneof(fc.constantFrom(null, [], {}, 0, '', true), fc.jsonValue({ maxDepth: 2 }));
    const extensions = fc.record(Object.fromEntries(members.map((name) => [name, odd])), { requiredKeys: [] });
    fc.assert(
      fc.property(extensions, (others) => {
        const { code, detail, params } = refusal(401, JSON.stringify({ ...others, code: 'API_KEY_REVOKED' }));
        expect(code).toBe('API_KEY_REVOKED');
        expect(typeof detail).toBe('string');
        expect(params === undefined || (typeof params === 'object' && !Array.isArray(params))).toBe(true);
      }),
    );
    for (const odd of [null, [], 'x']) {
      const text = JSON.stringify({ ...JSON.parse(problem(404, 'CONTENT_GONE')), params: odd, currentRevision: odd });
      expect(refusal(404, text)).toEqual({ code: 'CONTENT_GONE', detail: 'why', status: 404 });
      expect(refusal(404, text.replace('CONTENT_GONE', 'NEW'))).toEqual({
        code: 'NOT_FOUND',
        detail: 'why',
        status: 404,
      });
    }
  });

  it('with a code of a later version is judged by its status', () => {
    expect(refusal(401, problem(401, 'NEW')).code).toBe('AUTH_REQUIRED');
    expect(refusal(500, problem(500, 'NEW')).code).toBe('INTERNAL');
    expect(refusal(422, problem(422, 'NEW')).code).toBe('INVALID_INPUT');
  });

  it('of a proxy never condemns the key and never shows its body', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.string(), (status, text) => {
        const failure = refusal(status, `<html>${text}`);
        expect(failure.status).toBe(status);
        expect(failure.detail).not.toContain('<html>');
        expect(failure.code).not.toMatch(/^(API_KEY|AUTH|ACCOUNT)/);
      }),
    );
    expect(refusal(502, '<html>').code).toBe('INTERNAL');
    expect(refusal(413, '<html>').code).toBe('UPLOAD_TOO_LARGE');
    expect(refusal(401, '<html>').code).toBe('NOT_THE_SERVICE');
  });

  it('that is busy always contains the time to wait', () => {
    expect(refusal(429, problem(429, 'UPLOAD_USER_BUSY')).afterMs).toBeGreaterThan(0);
    expect(refusal(503, '', 7_000).afterMs).toBe(7_000);
  });
});

it('names the cause of a request without an answer', () => {
  const codeOf = (code: string) => failureOfError(Object.assign(new Error('x'), { code })).code;
  expect(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ECONNRESET', 'UND_ERR_SOCKET'].map(codeOf)).toEqual([
    'CONNECTION_REFUSED',
    'SERVER_UNREACHABLE',
    'SERVER_UNREACHABLE',
    'NETWORK_FAILED',
    'NETWORK_FAILED',
  ]);
  expect(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(codeOf)).toEqual(
    Array(3).fill('TLS_FAILED'),
  );
  expect(codeOf('HPE_INVALID_CONSTANT')).toBe('NOT_THE_SERVICE');
});

describe('Retry-After', () => {
  it('is read as seconds and as a date, against the date of the answer', () => {
    expect(retryAfterMs('7', undefined, 0)).toBe(7_000);
    const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
    const later = 'Fri, 20 Nov 2026 10:00:30 GMT';
    expect(retryAfterMs(later, date, 0)).toBe(30_000);
    expect(retryAfterMs(later, undefined, Date.parse(date))).toBe(30_000);
    expect(retryAfterMs('soon', date, 0)).toBeNull();
    expect(retryAfterMs(undefined, date, 0)).toBeNull();
  });

  it('is limited to a reasonable value, whatever the server sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), fc.string(), (value, date) => {
        const ms = retryAfterMs(value, date, Date.now());
        expect(ms === null || (ms >= 0 && ms <= 300_000)).toBe(true);
      }),
    );
  });
});

it('backoff doubles up to its end, with jitter of a half, for any attempt', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const ms = backoffMs(attempt, random);
        const full = Math.min(LONGEST_BACKOFF_MS, 500 * 2 ** Math.min(attempt - 1, 30));
        expect(ms).toBeGreaterThanOrEqual(full / 2);
        expect(ms).toBeLessThanOrEqual(full);
      },
    ),
  );
});

describe('the fingerprint', () => {
  it('of one byte is the check value of the API', () => {
    const hash = partHash(Buffer.from('a')).toString('hex');
    expect(fingerprintOf(1, [hash])).toBe('1b4e09a4ca02ff38eda51cf0aa3b9c5806303cdd5a4dd35588cbb085d29bfbbf');
  });

  it('gives different manifests different fingerprints', () => {
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    const manifest = fc.tuple(fc.nat(), fc.array(hash, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(manifest, manifest, ([size, hashes], [otherSize, others]) => {
        const same = size === otherSize && hashes.join() === others.join();
        expect(fingerprintOf(size, hashes) === fingerprintOf(otherSize, others)).toBe(same);
      }),
    );
  });

  it('covers as many parts as the file has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LIMITS.maxResumableBytes }), (size) => {
        expect(partCount(size)).toBeGreaterThan((size - 1) / LIMITS.partBytes);
        expect(partCount(size) - 1).toBeLessThanOrEqual((size - 1) / LIMITS.partBytes);
      }),
    );
  });
});

describe('lanes', () => {
  /** To this clock every part arrives at once, however busy the machine is. */
  const fastLink = { ...systemClock, monotonic: () => 0 };

  it('are one on a slow link and three on a fast one', () => {
    const MBIT = 125_000;
    expect([1, 4, 8, 10, 14, 100].map((mbit) => concurrencyFor(mbit * MBIT))).toEqual([1, 1, 1, 2, 3, 3]);
  });

  it('begin with one, widen as parts arrive fast, and never exceed three', async () => {
    const lanes = createAdaptiveConcurrency(fastLink);
    let busy = 0;
    let most = 0;
    const work = async () => {
      await lanes.enter(never);
      most = Math.max(most, ++busy);
      await wait(5);
      busy--;
      lanes.leave(LIMITS.partBytes);
    };
    const first = work();
    const others = Array.from({ length: 20 }, work);
    expect(busy).toBeLessThanOrEqual(1);
    await Promise.all([first, ...others]);
    expect(most).toBe(3);
  });

  it('are fewer after a refusal, until all are free again', async () => {
    const lanes = createAdaptiveConcurrency(fastLink);
    await lanes.enter(never);
    expect(lanes.narrow()).toBe(false);
    lanes.leave(LIMITS.partBytes);
    await lanes.enter(never);
    lanes.leave(LIMITS.partBytes);
    for (let count = 0; count < 3; count += 1) await lanes.enter(never);
    for (let count = 0; count < 2; count += 1) {
      expect(lanes.narrow()).toBe(true);
      lanes.leave(0);
    }
    let entered = false;
    const next = lanes.enter(never).then(() => {
      entered = true;
    });
    await wait(20);
    expect(entered).toBe(false);
    lanes.leave(LIMITS.partBytes);
    await next;
    lanes.leave(LIMITS.partBytes);
    await lanes.enter(never);
    lanes.leave(LIMITS.partBytes);
    for (let count = 0; count < 3; count += 1) await lanes.enter(AbortSignal.timeout(60_000));
  });

  it('can be cancelled while they wait', async () => {
    const lanes = createAdaptiveConcurrency(fastLink);
    await lanes.enter(never);
    const abort = new AbortController();
    const waiting = lanes.enter(abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const next = lanes.enter(never);
    lanes.leave(0);
    await next;
  });
});
