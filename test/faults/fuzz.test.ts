/**
 * Sends malformed requests to every endpoint: wrong types, deep and huge JSON, odd headers, bad paths, broken bodies.
 * No reply is a server failure, every error is problem details, and the server stays alive in bounded memory.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '../../src/api/account.ts';
import { isServiceErrorCode, Problem, SERVICE_ERRORS } from '../../src/api/errors.ts';
import type { AccountId } from '../../src/api/ids.ts';
import { lengthOf, seedOf } from '../support/campaign.ts';
import { pngBytes } from '../support/media/sample-bytes.ts';
import { type ServerProcess, serverCommand, startServerProcess } from '../support/server/server.ts';
import { ask, manifestOf, uploader } from '../support/server/service-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FuzzedRequest, fuzzedRequest, type Targets } from './fuzzed-requests.ts';
import { exchange, type RawReply } from './raw-exchange.ts';

const BATCHES = lengthOf('FUZZ_BATCHES', { short: 4, long: 300 });
const SEED = seedOf(41);
/** Requests between two looks at the server's health, each with items that are fresh and whole. */
const BATCH = 300;
/** A small heap: what leaks shows soon, and what is only not collected yet does not. */
const HEAP = ['--max-old-space-size=128', '--max-semi-space-size=4'];
const MEMORY_LIMIT_MIB = 500;
/** How much the second half of the batches may hold more than the first. */
const GROWTH_LIMIT_MIB = 64;
/** In fewer the memory still grows by what runs at once for the first time: a hash of a password takes 19 MiB, a renderer 16. */
const WARM_BATCHES = 20;

const data = join(temporaryFolder('fuzz'), 'data');
let service: ServerProcess;
/** The cookie of someone who is signed in to the pages. */
let session = '';
let user: { readonly accountId: AccountId; readonly apiKey: string };

/** Fresh items, and bodies that would be right, so that what is fuzzed gets past the first check. */
const makeTargets = async (): Promise<Targets> => {
  const png = await pngBytes();
  const api = uploader(service.url, user);
  const note = { text: 'a note', format: 'code', language: 'json', visibility: 'public', tags: ['a'] };
  const { body } = await ask<{ id: string }>(service.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body: note },
  });
  const picture = await api.publish(png, { password: 'right password' });
  const pending = await api.start(png);
  return {
    key: user.apiKey,
    session,
    items: [body.id, picture.body.content?.id ?? ''],
    upload: pending.body.id,
    bodies: {
      startUpload: manifestOf(user.accountId, png),
      completeUpload: {
        completeKey: randomUUID(),
        title: 'a',
        tags: ['b'],
        visibility: 'public',
        ttl: 'day',
        oneTime: false,
      },
      createNote: note,
      updateContent: {
        title: 'a',
        tags: ['b'],
        visibility: 'unlisted',
        text: 'c',
        revision: 1,
        expiresAt: null,
        viewLimit: 3,
      },
      openShare: { password: 'right password' },
      startDeviceAuth: { deviceName: 'a', deviceId: 'b', platform: 'linux' },
      deviceToken: { grantType: 'device_code', deviceCode: 'a' },
      createAlbum: { title: 'a', visibility: 'private' },
      updateAlbum: { title: 'b' },
    },
  };
};

/** Throws what a documented answer would not be. */
const judge = ({ text, isBroken }: FuzzedRequest, reply: RawReply | null): void => {
  const [method, path = ''] = text.slice(0, text.indexOf('\r\n')).split(' ');
  if (reply === null) {
    if (!isBroken) throw new Error('The server hung up without an answer.');
    return;
  }
  const { status, headers, body } = reply;
  if (status < 400 || method === 'HEAD') {
    expect(status).toBeLessThan(500);
    return;
  }
  const isPage = headers['content-type']?.startsWith('text/html') === true && !path.startsWith('/api/');
  if (isPage) {
    expect(status).toBeLessThan(500);
    return;
  }
  // A range beyond the end is reported by its header alone (RFC 9110, 15.5.17).
  if (status === 416) {
    expect(headers['content-range']).toMatch(/^bytes \*\/\d+$/);
    return;
  }
  expect(headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(Buffer.from(body, 'latin1').toString()) as Problem;
  expect(Value.Errors(Problem, problem)).toEqual([]);
  expect(problem.status).toBe(status);
  if (status >= 500) {
    expect([problem.status, problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  // What is no HTTP is answered by the parser, whose 431 and 408 have no code of their own.
  const expected = isServiceErrorCode(problem.code) ? SERVICE_ERRORS[problem.code].status : undefined;
  if (problem.code !== 'INVALID_INPUT' || ![408, 431].includes(status)) expect(expected).toBe(status);
  if (problem.code !== 'SHARE_UNAVAILABLE') expect(problem.requestId).toBe(headers['x-request-id']);
};

const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;

beforeAll(async () => {
  const { id } = await serverCommand(
    ...['account', 'add', 'k', '--plan', 'pro', '--password', 'a long password', '--data', data],
  );
  const scopes = SCOPES.join();
  const key = await serverCommand('key', 'add', '--account', 'k', '--scopes', scopes, '--data', data);
  user = { accountId: id as AccountId, apiKey: key['apiKey'] ?? '' };
  service = await startServerProcess(data, {
    nodeArgs: HEAP,
    config: {
      limits: {
        requestsPerMinute: 10_000_000,
        uploadRequestsPerMinute: 10_000_000,
        partsPerMinute: 10_000_000,
        guestRequestsPerMinute: 10_000_000,
        pendingUploads: 1_000_000,
        partStallSeconds: 2,
        uploadStallSeconds: 2,
      },
    },
  });
  const form = new URLSearchParams({ username: 'k', password: 'a long password' });
  const signedIn = await fetch(`${service.url}/sign-in`, { method: 'POST', body: form, redirect: 'manual' });
  session = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(session).not.toBe('');
});
afterAll(() => service.end('SIGKILL'));

it(`${BATCHES * BATCH} malformed requests give documented answers only, and the server lives on (seed ${SEED})`, {
  timeout: 120_000 + BATCHES * 60_000,
}, async () => {
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const targets = await makeTargets();
    await fc.assert(
      fc.asyncProperty(fuzzedRequest(targets), async (request) => {
        const reply = await exchange(service.url, Buffer.from(request.text, 'latin1'), {
          after: request.isBroken ? 'leave' : 'listen',
        });
        judge(request, reply);
        statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1);
      }),
      { numRuns: BATCH, seed: SEED + batch, endOnFailure: true },
    );
    expect((await ask(service.url, { path: '/api/v1/account', key: user.apiKey })).status).toBe(200);
    memory.push(residentMib());
  }
  const half = memory.length >> 1;
  const [before, after] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  console.log(
    `answers: ${JSON.stringify(Object.fromEntries(statuses))}; RSS MiB: ${before.toFixed(0)}, then ${after.toFixed(0)}`,
  );
  expect(after).toBeLessThan(MEMORY_LIMIT_MIB);
  if (BATCHES >= WARM_BATCHES) expect(after - before).toBeLessThan(GROWTH_LIMIT_MIB);
  expect(statuses.get(200), 'some requests get through').toBeGreaterThan(0);
  expect(await service.end('SIGTERM')).toBe(0);
});
