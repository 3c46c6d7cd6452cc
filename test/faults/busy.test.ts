/** The service, or a proxy in front of it, is busy or stops responding. */
import { describe, expect, it } from 'vitest';
import type { ServiceErrorCode } from '../../src/api/errors.ts';
import { SERVICE_ERRORS } from '../../src/api/errors.ts';
import { LONGEST_BACKOFF_MS } from '../../src/base/common/backoff.ts';
import { fastClock, until } from '../support/engine.ts';
import { rawRequest } from '../support/server/raw-http.ts';
import { partsOf, uploader } from '../support/server/service-client.ts';
import type { Fault } from './fault.ts';
import { faultScenes, PART, uploadsOf } from './scene.ts';

const scene = faultScenes();
/** A busy machine may keep the test, and the server in its process, waiting for a second. */
const hastyScene = faultScenes({ limits: { partStallSeconds: 3 } });

/** The service's own refusal, as it would write it. */
const refusal = (code: ServiceErrorCode, headers: Record<string, string> = {}): Fault => {
  const { status, title } = SERVICE_ERRORS[code];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: title, code, requestId: 'r' });
  return { do: 'answer', status, headers: { 'content-type': 'application/problem+json', ...headers }, body };
};

it('fault 11: a body that stops arriving is answered 408 by the service, and the part is sent again', async () => {
  const { proxy, picture, add, linked, expectPublished } = await hastyScene();
  proxy.fault = ({ operation, nth }) =>
    operation === 'part' && nth === 0 ? { do: 'stall-behind', at: PART / 2 } : null;
  const file = await picture(2);
  await linked(await add(file));
  const parts = proxy.requests.filter(({ operation }) => operation === 'part');
  const indexesOf = (status: number) =>
    parts.filter(({ answer }) => answer?.status === status).map(({ index }) => index);
  expect(parts[0]?.answer?.status).toBe(408);
  expect(indexesOf(200).toSorted()).toEqual([0, 1]);
  // On a machine that pauses, another one stops for as long.
  expect(indexesOf(408).length + 2).toBe(parts.length);
  await expectPublished(file);
});

it('fault 13: slots that another device uses are waited for, and do not count as a failed attempt', async () => {
  const { proxy, picture, add, linked, user, service, item, engine, errorOf, expectPublished } = await scene();
  const file = await picture(1);
  // Three parts of another device keep all places: their bodies come a byte at a time and never stop.
  const api = uploader(service.url, user);
  const bytes = Buffer.alloc(3 * PART, 7);
  const { body } = await api.start(bytes);
  const others = partsOf(bytes).map((part, index) => {
    const request = rawRequest(service.url, `PUT /api/v1/uploads/resumable/${body.id}/parts/${index}`, {
      authorization: `Bearer ${user.apiKey}`,
      'content-length': String(part.length),
    });
    request.send('x');
    return request;
  });
  const trickle = setInterval(() => {
    for (const { send } of others) send('x');
  }, 50);
  const id = await add(file);
  await until(() => errorOf(id) === 'UPLOAD_USER_BUSY');
  expect(item(id)).toMatchObject({ attempts: 0, error: { retryAt: expect.any(Number) } });
  expect(engine.state().connection.state).toBe('connected');
  clearInterval(trickle);
  for (const { socket } of others) socket.destroy();
  await linked(id);
  expect((await api.cancel(body.id)).status).toBe(204);
  await expectPublished(file);
  expect(proxy.requests.some(({ answer }) => answer?.status === 429)).toBe(true);
});

/** One item is refused: no request of the account is sent before the wait is over. */
const holdsEverything = async (code: ServiceErrorCode): Promise<void> => {
  const { proxy, picture, add, linked, item, errorOf, expectPublished } = await scene();
  const WAIT_S = 20;
  let announcedAt = 0;
  const early: string[] = [];
  proxy.fault = ({ operation }) => {
    if (operation === 'account') return null;
    if (announcedAt === 0) {
      announcedAt = fastClock.monotonic();
      return refusal(code, { 'retry-after': String(WAIT_S) });
    }
    if (fastClock.monotonic() - announcedAt < WAIT_S * 1_000) early.push(operation);
    return null;
  };
  const [first, second] = [await picture(1), await picture(1)];
  const id = await add(first);
  await until(() => errorOf(id) === code);
  expect(item(id)).toMatchObject({ attempts: 0, error: { retryAt: expect.any(Number) } });
  const next = await add(second);
  await linked(id);
  await linked(next);
  expect(early).toEqual([]);
  await expectPublished(first, second);
};

it('fault 14: the wait of 429 applies to every item of the account, and does not count as a failed attempt', () =>
  holdsEverything('RATE_LIMITED'));

it('fault 15: the wait of 503 applies to every item of the account, and does not count as a failed attempt', () =>
  holdsEverything('UPLOAD_SERVER_BUSY'));

describe('Retry-After', () => {
  const HOUR = 3_600_000;
  const later = (ms: number) => new Date(fastClock.now() + ms).toUTCString();
  const date = () => new Date(fastClock.now()).toUTCString();

  /** How long the item means to wait after the answer, in milliseconds. */
  const waitAfter = async (code: ServiceErrorCode, headers: () => Record<string, string>): Promise<number> => {
    const { proxy, picture, add, item, errorOf, engine } = await scene();
    proxy.fault = ({ operation }) => (operation === 'start' ? refusal(code, headers()) : null);
    const id = await add(await picture(1));
    await until(() => errorOf(id) === code);
    const { since = 0, retryAt = 0 } = item(id)?.error ?? {};
    engine.queue.cancel({ ids: [id] });
    return (retryAt ?? Number.NaN) - since;
  };

  it.each<[string, () => Record<string, string>, number, number]>([
    ['is missing', () => ({}), 1_000, 10_000],
    ['is in seconds', () => ({ 'retry-after': '30' }), 30_000, 33_000],
    ['is a date', () => ({ 'retry-after': later(40_000), date: date() }), 38_000, 46_000],
    [
      'is a date of a server whose clock is a year off',
      () => {
        const date = new Date(Date.UTC(2025, 0, 1)).toUTCString();
        return { 'retry-after': new Date(Date.UTC(2025, 0, 1, 0, 0, 30)).toUTCString(), date };
      },
      30_000,
      33_000,
    ],
    ['is a date of long ago', () => ({ 'retry-after': later(-HOUR), date: date() }), 1_000, 1_200],
    ['is absurd', () => ({ 'retry-after': '99999999999' }), 200_000, 330_000],
    ['is nothing', () => ({ 'retry-after': '0' }), 1_000, 1_200],
    ['is negative', () => ({ 'retry-after': '-5' }), 1_000, 10_000],
    ['is no time at all', () => ({ 'retry-after': 'soon' }), 1_000, 10_000],
  ])('fault 16: that %s is parsed and limited', async (_, headers, least, most) => {
    for (const code of ['RATE_LIMITED', 'UPLOAD_SERVER_BUSY'] as const) {
      const wait = await waitAfter(code, headers);
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThanOrEqual(most);
    }
  });

  it('fault 15: waits from one moment are randomised, and those without a header grow to at most two minutes', async () => {
    const { proxy, picture, add, item, errorOf, engine } = await scene();
    proxy.fault = ({ operation }) => (operation === 'start' ? { do: 'answer', status: 500, body: '<html>' } : null);
    const ids = [await add(await picture(1)), await add(await picture(1))];
    await until(() => ids.every((id) => errorOf(id) === 'INTERNAL' && (item(id)?.attempts ?? 0) >= 5));
    for (const id of ids) {
      const { since = 0, retryAt } = item(id)?.error ?? {};
      expect(retryAt).toEqual(expect.any(Number));
      expect((retryAt ?? 0) - since).toBeGreaterThan(0);
    }
    expect(new Set(ids.map((id) => item(id)?.error?.retryAt)).size).toBe(2);
    expect(LONGEST_BACKOFF_MS).toBe(120_000);
    engine.queue.cancel({ ids });
  });
});

it('fault 27: when all slots for unfinished uploads are in use, items that wait here release theirs', async () => {
  const { picture, add, linked, engine, item, user, service, proxy, expectPublished } = await scene();
  engine.settings.update({ itemsAtOnce: 3 });
  // Ten uploads that are begun and then paused hold all ten places.
  proxy.fault = ({ operation }) => (operation === 'part' ? { do: 'answer', status: 502, body: '<html>' } : null);
  const files = await Promise.all(Array.from({ length: 10 }, () => picture(1)));
  const ids = [];
  for (const file of files) {
    const id = await add(file);
    await until(() => item(id)?.state === 'started');
    engine.queue.pause({ ids: [id] });
    ids.push(id);
  }
  expect((await uploadsOf(service.data, user.accountId)).filter(({ state }) => state === 'UPLOADING')).toHaveLength(10);
  proxy.fault = () => null;
  const eleventh = await picture(1);
  const id = await add(eleventh);
  await linked(id);
  await expectPublished(eleventh);
  // One of them lost its upload, but all kept their position in the queue.
  expect((await uploadsOf(service.data, user.accountId)).filter(({ state }) => state === 'CANCELLED')).toHaveLength(1);
  expect(ids.filter((each) => item(each)?.state === 'hashed')).toHaveLength(1);
  engine.queue.resume({ ids });
  for (const each of ids) await linked(each);
  await expectPublished(...files, eleventh);
});

it('fault 27: slots that other devices use are waited for, and the item shows it', async () => {
  const { picture, add, linked, engine, item, errorOf, user, service, expectPublished } = await scene();
  const api = uploader(service.url, user);
  const held = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => (await api.start(Buffer.alloc(100 + at, 1))).body.id),
  );
  const file = await picture(1);
  const id = await add(file);
  await until(() => errorOf(id) === 'UPLOAD_USER_BUSY');
  expect(item(id)).toMatchObject({ attempts: 0, state: 'hashed', error: { retryAt: expect.any(Number) } });
  await api.cancel(held[0] ?? '');
  engine.queue.retry({ ids: [id] });
  await linked(id);
  await expectPublished(file);
});
