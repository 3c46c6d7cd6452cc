/** The account, its key, storage and upload windows change while items wait or are being sent. */
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../src/api/ids.ts';
import { connectTo, fastClock, itemOf, until, wait } from '../support/engine.ts';
import { soon } from '../support/poll-timeouts.ts';
import { ask } from '../support/server/service-client.ts';
import { faultScenes, openScene, PART, PATIENCE, type Picture, type Scene, uploadsOf } from './scene.ts';

const HOUR = 3_600_000;
let later = 0;
const clock = { now: () => fastClock.now() + later };
const MIB = 1024 * 1024;
const scene = faultScenes(
  { plans: { free: { quotaBytes: 1.5 * MIB, imageBytes: 10 * MIB, videoBytes: 100 * MIB, features: [] } } },
  { clock },
);

/** Until `isOpen()` parts are answered by something else, so that the item stays begun. */
const holdParts = ({ proxy }: Scene, isOpen: () => boolean) => {
  proxy.fault = ({ operation }) =>
    operation === 'part' && !isOpen() ? { do: 'answer', status: 502, body: 'not now' } : null;
};

describe('space', () => {
  it('fault 23: that is missing at the start waits for the user, without repeated requests', async () => {
    const { picture, add, engine, count, linked, expectPublished, user, service } = await scene({ plan: 'free' });
    const [first, second] = [await picture(1), await picture(1)];
    await linked(await add(first));
    const id = await add(second);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'QUOTA_EXCEEDED' },
    });
    const asked = count('start');
    await wait(300);
    expect(count('start')).toBe(asked);
    await expectPublished(first);
    await service.server.accounts.setPlan(user.username, 'pro', null);
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(first, second);
  });

  it('fault 23: that is used up before complete waits for the user, without sending anything again', async () => {
    const { picture, add, engine, count, proxy, linked, item, errorOf, published, user, service } = await scene({
      plan: 'free',
    });
    // Both fit when they start, but only one when they are published.
    let bothCame = () => {};
    const both = new Promise<void>((resolve) => {
      bothCame = resolve;
    });
    proxy.fault = ({ operation, nth }) => {
      if (operation !== 'complete') return null;
      if (nth === 1) bothCame();
      return nth < 2 ? { do: 'hold', until: both } : null;
    };
    const ids = [await add(await picture(1)), await add(await picture(1))];
    await until(
      () => ids.some((id) => errorOf(id) === 'QUOTA_EXCEEDED') && ids.some((id) => item(id)?.state === 'linked'),
    );
    const full = ids.find((id) => errorOf(id) === 'QUOTA_EXCEEDED');
    if (!full) throw new Error('none was refused');
    expect(item(full)).toMatchObject({ state: 'completing', error: { retryAt: null } });
    await wait(300);
    expect([count('complete'), count('part')]).toEqual([2, 2]);

    const [only] = await published();
    const path = `/api/v1/content/${only?.id}`;
    expect((await ask(service.url, { method: 'DELETE', path, key: user.apiKey })).status).toBe(204);
    engine.queue.retry({ ids: [full] });
    await linked(full);
    expect(await published()).toHaveLength(1);
    expect([count('complete'), count('part')]).toEqual([3, 2]);
  });
});

it('fault 28: an upload of yesterday is restarted with its hashes, and there is always one item', async () => {
  let reads = 0;
  const parts = await scene({
    alter: (real) => ({
      ...real,
      async openSource(path) {
        const opened = await real.openSource(path);
        if (!opened.ok) return opened;
        const { value } = opened;
        const read: typeof value.read = (into, position) => {
          reads++;
          return value.read(into, position);
        };
        return { ok: true, value: { ...value, read } };
      },
    }),
  });
  const { picture, add, linked, item, proxy, service, user, engine, count, expectPublished } = parts;
  let isOpen = false;
  proxy.fault = ({ operation, nth }) =>
    operation === 'part' && nth > 0 && !isOpen ? { do: 'answer', status: 502, body: 'not now' } : null;
  const file = await picture(3);
  const id = await add(file);
  await until(() => item(id)?.error?.failure.code === 'INTERNAL');
  later += 25 * HOUR;
  const sent = count('part');
  isOpen = true;
  await linked(id);
  await expectPublished(file);
  expect(count('part') - sent).toBe(3);
  // The three parts were read once to be hashed; all other reads were to send them.
  expect(reads - count('part')).toBeLessThan(2 * 3);
  expect(engine.state().queue.items).toHaveLength(1);
  const uploads = await uploadsOf(service.data, user.accountId);
  expect(uploads.map(({ state }) => state)).toEqual(['EXPIRED', 'COMPLETED']);
  expect(new Set(uploads.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

describe('a clock', () => {
  const YEAR = 365 * 24 * HOUR;

  it.each([
    ['back by a year', -YEAR],
    ['forth by a year', YEAR],
  ])('fault 29: that jumps %s while an item waits does not change the wait', async (_, jump) => {
    let skew = 0;
    const jumping = { ...fastClock, now: () => fastClock.now() + skew };
    const { proxy, picture, add, errorOf, linked, expectPublished } = await scene({ ports: { clock: jumping } });
    const WAIT_S = 20;
    let announcedAt = 0;
    let askedAt = 0;
    proxy.fault = ({ operation, nth }) => {
      if (operation !== 'start') return null;
      if (nth > 0) {
        askedAt ||= fastClock.monotonic();
        return null;
      }
      announcedAt = fastClock.monotonic();
      return { do: 'answer', status: 503, headers: { 'retry-after': String(WAIT_S) }, body: 'busy' };
    };
    const file = await picture(1);
    const id = await add(file);
    await until(() => errorOf(id) === 'UPLOAD_SERVER_BUSY');
    skew = jump;
    await linked(id);
    expect(askedAt - announcedAt).toBeGreaterThanOrEqual(WAIT_S * 1_000);
    await expectPublished(file);
  });

  it('fault 29: that was set back before a start does not delay an item by a year', async () => {
    // Four hundred times as fast: the longest wait that is believed is over within a second.
    const swift = (skew: number) => ({
      now: () => Math.round(performance.now() * 400 + Date.now() + skew),
      monotonic: () => performance.now() * 400,
      sleep: (ms: number, signal: AbortSignal) => fastClock.sleep(ms / 20, signal),
    });
    const parts = await scene({ ports: { clock: swift(YEAR) } });
    const { proxy, picture, add, errorOf, engine, profile, user, published } = parts;
    proxy.fault = ({ operation }) =>
      operation === 'start' ? { do: 'answer', status: 503, headers: { 'retry-after': '300' }, body: 'busy' } : null;
    const id = await add(await picture(1));
    await until(() => errorOf(id) === 'UPLOAD_SERVER_BUSY');
    await engine.close();
    proxy.fault = () => null;
    const again = await openScene(profile, { ports: { clock: swift(0) } });
    await connectTo(again.engine, proxy.url, user.apiKey);
    await until(() => itemOf(again.engine, id)?.state === 'linked');
    expect(await published()).toHaveLength(1);
  });

  it('fault 29: that is wrong does not end an upload: only the service decides what has expired', async () => {
    const wrong = { ...fastClock, now: () => fastClock.now() + YEAR };
    const { picture, add, linked, count, expectPublished, proxy } = await scene({ ports: { clock: wrong } });
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 0 ? { do: 'lose-answer' } : null);
    const file = await picture(2);
    await linked(await add(file));
    await expectPublished(file);
    expect(count('start')).toBe(1);
  });
});

it('fault 30: items of an account that is not connected wait for it, and are never sent under another one', async () => {
  const parts = await scene();
  const { picture, add, linked, item, engine, proxy, service, user, errorOf, expectPublished } = parts;
  let isOpen = false;
  holdParts(parts, () => isOpen);
  const [begun, waiting] = [await picture(2), await picture(1)];
  const ids = [await add(begun), await add(waiting)];
  await until(() => ids.every((id) => item(id)?.state === 'started'));
  await engine.connection.disconnect({});
  isOpen = true;
  const other = await service.user();
  await connectTo(engine, proxy.url, other.apiKey);
  const waits = ['ACCOUNT_MISMATCH', 'NOT_CONNECTED'];
  await until(() => ids.every((id) => waits.includes(errorOf(id) ?? '')));
  // What is new belongs to the account of now, and nothing else is asked for with its key.
  const file = await picture(1);
  await linked(await add(file));
  const uploads = await uploadsOf(service.data, other.accountId);
  expect(uploads).toHaveLength(1);
  const mine = (path: string) => path === '/api/v1/uploads/resumable' || path.includes(uploads[0]?.id ?? '?');
  const asked = proxy.requests.filter(
    ({ headers, operation }) => operation !== 'account' && headers['authorization'] === `Bearer ${other.apiKey}`,
  );
  expect(asked.filter(({ path }) => !mine(path))).toEqual([]);
  await expectPublished();

  // Both are connected now: each item continues under its own account, regardless of the active one.
  await connectTo(engine, proxy.url, user.apiKey);
  await connectTo(engine, proxy.url, other.apiKey);
  for (const id of ids) await linked(id);
  await expectPublished(begun, waiting);
  expect(await uploadsOf(service.data, other.accountId)).toHaveLength(1);
});

it('fault 30: a key that has become another account’s is refused before a byte of the body', async () => {
  const { picture, add, engine, proxy, service, linked, expectPublished } = await scene();
  const other = await service.user();
  proxy.fault = ({ operation }) =>
    operation === 'part' ? { do: 'rewrite', headers: { authorization: `Bearer ${other.apiKey}` } } : null;
  const file = await picture(2);
  const id = await add(file);
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
    ok: false,
    error: { code: 'ACCOUNT_MISMATCH', status: 409 },
  });
  expect(await uploadsOf(service.data, other.accountId)).toEqual([]);
  proxy.fault = () => null;
  engine.queue.retry({ ids: [id] });
  await linked(id);
  await expectPublished(file);
});

describe('a key', () => {
  /** Two items meet a key that is refused; nothing is asked with it afterwards. */
  const refused = async (
    parts: Scene,
    code: string,
    spoil: () => Promise<unknown>,
  ): Promise<{ files: Picture[]; ids: ItemId[] }> => {
    const { picture, add, errorOf, engine, proxy } = parts;
    let isOpen = false;
    holdParts(parts, () => isOpen);
    const files = [await picture(1), await picture(1)];
    const ids: ItemId[] = [];
    for (const file of files) ids.push(await add(file));
    await until(() => ids.every((id) => parts.item(id)?.state === 'started'));
    await spoil();
    isOpen = true;
    await until(() => ids.every((id) => errorOf(id) === code));
    for (const id of ids) expect(parts.item(id)).toMatchObject({ state: 'started', error: { retryAt: null } });
    await until(() => engine.state().connection.state === 'failed');
    expect(engine.state().connection).toMatchObject({ failure: { code, status: 401 } });
    // Only the account is requested again to confirm it.
    const uploading = () => proxy.requests.filter(({ operation }) => operation !== 'account').length;
    const asked = uploading();
    await wait(300);
    expect(uploading()).toBe(asked);
    return { files, ids };
  };
  const reconnected = async (parts: Scene, { files, ids }: Awaited<ReturnType<typeof refused>>) => {
    await connectTo(parts.engine, parts.proxy.url, (await parts.service.key(parts.user)).apiKey);
    for (const id of ids) await parts.linked(id);
    await parts.expectPublished(...files);
    expect(await uploadsOf(parts.service.data, parts.user.accountId)).toHaveLength(2);
  };

  it('fault 31: that is revoked stops everything once, and all of it continues after connecting again', async () => {
    const parts = await scene();
    await reconnected(
      parts,
      await refused(parts, 'API_KEY_REVOKED', () => parts.service.server.keys.revoke(parts.user.keyId)),
    );
  });

  it('fault 31: that has expired stops everything once, and all of it continues after connecting again', async () => {
    const parts = await scene({ connect: 'later' });
    const { service, user, engine, proxy } = parts;
    const short = await service.key(user, { expiresAt: clock.now() + HOUR });
    await connectTo(engine, proxy.url, short.apiKey);
    await reconnected(parts, await refused(parts, 'API_KEY_EXPIRED', async () => { later += 2 * HOUR; })); // biome-ignore format: one thought
  });

  it('fault 31: of an account that is banned stops everything, and every item stays in the queue', async () => {
    const parts = await scene();
    const { ids } = await refused(parts, 'ACCOUNT_BANNED', () =>
      parts.service.server.accounts.ban(parts.user.username),
    );
    expect(parts.engine.state().queue.items.map(({ id }) => id)).toEqual(ids);
    await parts.expectPublished();
  });

  it('fault 31: without the permission is refused with the name of the permission', async () => {
    const { engine, proxy, service, user, picture, add, linked, expectPublished } = await scene({ connect: 'later' });
    await connectTo(engine, proxy.url, (await service.key(user, { scopes: ['account:read'] })).apiKey);
    const file = await picture(1);
    const id = await add(file);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SCOPE_MISSING', status: 403, params: { scope: 'content:write' } },
    });
    await connectTo(engine, proxy.url, user.apiKey);
    await linked(id);
    await expectPublished(file);
  });
});

it('fault 40: a first part that shows a type or size beyond the plan ends the upload and its other parts immediately', async () => {
  const { picture, add, engine, service, user, proxy, linked, item, expectPublished } = await scene({ plan: 'pro' });
  // The plan ends after the app has read it, so that only the service can know.
  const file = await picture(7);
  const planEnded = Promise.withResolvers<void>();
  proxy.fault = ({ operation, nth }) => {
    if (operation !== 'start' || nth !== 0) return null;
    void service.server.accounts.setPlan(user.username, 'free', null).then(() => planEnded.resolve());
    return { do: 'hold', until: planEnded.promise };
  };
  const id = await add(file);
  const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
  expect(settled).toMatchObject({ ok: false, error: { status: 413 } });
  expect((await uploadsOf(service.data, user.accountId)).filter(({ state }) => state === 'UPLOADING')).toEqual([]);
  expect(proxy.requests.filter(({ index, answer }) => index !== null && answer?.status === 200)).toEqual([]);
  expect(item(id)?.error?.retryAt).toBeNull();
  await expectPublished();
  await service.server.accounts.setPlan(user.username, 'pro', null);
  await engine.connection.refresh({}, soon());
  engine.queue.retry({ ids: [id] });
  await linked(id);
  await expectPublished(file);
  expect(file.size).toBeGreaterThan(6 * PART);
});
