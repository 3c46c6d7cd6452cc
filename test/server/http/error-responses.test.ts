/** Every error is problem details (API decisions 2), for any input. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isServiceErrorCode, Problem, SERVICE_ERRORS } from '../../../src/api/errors.ts';
import { rawRequest } from '../../support/server/raw-http.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';

let service: RunningServer;
let user: User;
beforeAll(async () => {
  service = await startServer({
    config: {
      limits: {
        requestsPerMinute: 100_000,
        uploadRequestsPerMinute: 100_000,
        partsPerMinute: 100_000,
        guestRequestsPerMinute: 100_000,
      },
    },
  });
  user = await service.user();
});
afterAll(() => service.stop());

const START = '/api/v1/uploads/resumable';

const expectProblem = (answer: Answer<unknown>, status: number, code: string): void => {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(Value.Errors(Problem, answer.problem)).toEqual([]);
  expect([answer.status, answer.problem.status, answer.problem.code]).toEqual([status, status, code]);
  expect(answer.headers['x-request-id']).toBe(answer.problem.requestId);
  expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThan(0);
  expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThan(0);
};

/** Sends a raw body. */
const post = (body: string | Buffer, headers: Record<string, string>) =>
  ask(service.url, {
    method: 'POST',
    path: START,
    key: user.apiKey,
    headers: { 'idempotency-key': '00000000-0000-4000-8000-000000000000', ...headers },
    body: Buffer.from(body),
  });

describe('problem details', () => {
  it('answer an unknown address and a wrong method with 404 NOT_FOUND', async () => {
    expectProblem(await ask(service.url, { path: '/nothing/here' }), 404, 'NOT_FOUND');
    expectProblem(await ask(service.url, { path: `/${'x'.repeat(3_000)}` }), 404, 'NOT_FOUND');
    expectProblem(
      await ask(service.url, { method: 'PATCH', path: '/api/v1/account', key: user.apiKey }),
      404,
      'NOT_FOUND',
    );
  });

  it('answer an address that cannot be decoded with 400', async () => {
    expectProblem(await ask(service.url, { path: '/%zz' }), 400, 'INVALID_INPUT');
    expectProblem(await ask(service.url, { path: '/api/v1/content/%ff', key: user.apiKey }), 400, 'INVALID_INPUT');
  });

  it.each([
    ['half of JSON', '{"a":'],
    ['no object', '"text"'],
    ['null', 'null'],
    ['an array', '[]'],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"x":1}}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ])('answer a body of %s with 400 INVALID_INPUT', async (_, body) => {
    expectProblem(await post(body, { 'content-type': 'application/json' }), 400, 'INVALID_INPUT');
  });

  it('arrive before the rest of a body that is refused, which is read and not reset', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const sent = rawRequest(service.url, `POST ${START}`, {
      authorization: `Bearer ${user.apiKey}`,
      'idempotency-key': '00000000-0000-4000-8000-000000000000',
      'content-type': 'application/json',
      'content-length': String(4 * megabyte.length),
    });
    const faults: Error[] = [];
    sent.socket.on('error', (error) => faults.push(error));
    expect(await sent.answer).toMatchObject({ status: 413 });
    for (let left = 4; left > 0; left -= 1) await new Promise((written) => sent.socket.write(megabyte, written));
    expect(faults).toEqual([]);
    sent.socket.end();
    await sent.closed;
    expect(faults).toEqual([]);
  });

  it('answer another content type with 400, and a JSON body over 1 MB with 413', async () => {
    expectProblem(await post('<a/>', { 'content-type': 'text/xml' }), 400, 'INVALID_INPUT');
    expectProblem(await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 400, 'INVALID_INPUT');
    const large = JSON.stringify({ filename: 'x'.repeat(1024 * 1024) });
    expectProblem(await post(large, { 'content-type': 'application/json' }), 413, 'UPLOAD_TOO_LARGE');
  });

  it.each([
    ['PATCH', '/api/v1/albums/x', { visibility: 'public' }, '/visibility must be one of private, unlisted.'],
    [
      'POST',
      '/api/v1/pastes',
      { text: 'a', format: 'plain', language: 7 },
      /^\/language must be one of text, .*, yaml\.$/,
    ],
    ['POST', '/api/v1/device-auth/token', { grantType: 'device_code' }, '/deviceCode is required.'],
    [
      'POST',
      '/api/v1/device-auth/token',
      { grantType: 'x' },
      '/grantType must be one of authorization_code, device_code.',
    ],
    ['POST', '/api/v1/device-auth/token', [], 'The request must be object.'],
    ['POST', '/api/share/x/open', { password: 1 }, '/password must be string.'],
    ['PATCH', '/api/v1/content/x', { viewLimit: 0 }, '/viewLimit must be >= 1.'],
    ['PATCH', '/api/v1/content/x', { viewLimit: 'x' }, '/viewLimit must be integer or null.'],
  ] as const)('name the allowed values: %s %s %j', async (method, path, body, detail) => {
    const answer = await ask(service.url, { method, path, key: user.apiKey, body });
    expectProblem(answer, 400, 'INVALID_INPUT');
    expect(answer.problem.detail).toMatch(detail);
    expect(answer.problem.params?.['issues']).toHaveLength(1);
  });

  it('ignore the type of an empty body', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'application/octet-stream', '?']) {
      const request = rawRequest(service.url, 'DELETE /api/v1/albums/nobody-has-this', {
        authorization: `Bearer ${user.apiKey}`,
        'content-type': type,
        'content-length': '0',
      });
      const { status, body } = await request.answer;
      expect([type, status, JSON.parse(body).code]).toEqual([type, 404, 'NOT_FOUND']);
      request.socket.destroy();
    }
  });

  it('answer a chunked JSON body over 1 MB with 413 as soon as it exceeds the limit', async () => {
    const request = rawRequest(service.url, `POST ${START}`, {
      authorization: `Bearer ${user.apiKey}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    const chunk = 'x'.repeat(0x8000);
    for (let count = 0; count < 34; count += 1) request.send(`8000\r\n${chunk}\r\n`);
    expect((await request.answer).status).toBe(413);
    request.socket.destroy();
  });

  it('answer a JSON body that stops arriving with 408 UPLOAD_STALLED', async () => {
    const hasty = await startServer({ config: { limits: { uploadStallSeconds: 0.3 } } });
    onTestFinished(() => hasty.stop());
    const { apiKey } = await hasty.user();
    const request = rawRequest(hasty.url, `POST ${START}`, {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': '100',
    });
    request.send('{"a":');
    const { status, body } = await request.answer;
    expect([status, JSON.parse(body).code]).toEqual([408, 'UPLOAD_STALLED']);
    await request.closed;
  });

  it('answer bytes that are not HTTP with 400 and end the connection', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  it('are pages for browsers: 400 for a form of another type, 413 for one that is too large', async () => {
    for (const [path, body, type, status] of [
      ['/account/profile', 'name=a', 'application/octet-stream', 400],
      ['/s/nothing/open', 'password=a', 'text/plain', 400],
      ['/sign-in', `username=${'a'.repeat(2 * 1024 * 1024)}`, 'application/x-www-form-urlencoded', 413],
    ] as const) {
      const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        status,
        expect.stringMatching('html'),
      ]);
    }
  });

  it('answer a request with an unknown Expect as if it had none', async () => {
    const request = rawRequest(service.url, 'GET /api/v1/account', { expect: 'a surprise' });
    expect((await request.answer).status).toBe(401);
    request.socket.destroy();
  });

  it('let a refused client send on: it gets its answer, and the connection serves the next request', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(service.url, { method: 'PUT', path: `${START}/x/parts/0`, body: Buffer.alloc(2 * 1024 * 1024) }),
      ),
    );
    for (const answer of answers) expectProblem(answer, 401, 'AUTH_REQUIRED');
  });
});

it('a NUL in an address, a query or a text is no failure of the server', async () => {
  const { apiKey: key } = user;
  const started = await ask<{ deviceCode: string }>(service.url, {
    ...{ method: 'POST', path: '/api/v1/device-auth/start' },
    body: { deviceName: 'a\0b', deviceId: 'c\0d', platform: 'linux' },
  });
  const note = await ask(service.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key },
    body: { text: 'a\0b', format: 'plain', title: 'c\0d' },
  });
  expect([started.status, note.status]).toEqual([200, 201]);
  const answers = await Promise.all([
    ask(service.url, { path: '/api/v1/content?q=a%00b', key }),
    ...['/s/a%00b', '/api/media/a%00b', '/api/v1/content/a%00b', '/api/v1/users/a%00b', '/api/v1/albums/a%00b'].map(
      (path) => ask(service.url, { path, key }),
    ),
    ask(service.url, { method: 'DELETE', path: '/api/v1/content/a%00b', key }),
    ask(service.url, { path: `${START}/a%00b`, key }),
    ask(service.url, { method: 'POST', path: '/api/share/a%00b/open', body: { password: 'a\0b' } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404, 404, 400, 404]);
  expect(service.logged).toEqual([]);
});

it('any JSON to any endpoint gives a documented answer and never 500', async () => {
  const paths = [START, `${START}/00000000-0000-4000-8000-000000000000/complete`, `${START}/x/complete`];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.json(), async (path, json) => {
      const answer = await ask(service.url, {
        method: 'POST',
        path,
        key: user.apiKey,
        headers: { 'content-type': 'application/json', 'idempotency-key': '00000000-0000-4000-8000-000000000000' },
        body: Buffer.from(json),
      });
      const { code } = answer.problem;
      expect(isServiceErrorCode(code) && SERVICE_ERRORS[code].status).toBe(answer.status);
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 150 },
  );
  expect(service.logged).toEqual([]);
});
