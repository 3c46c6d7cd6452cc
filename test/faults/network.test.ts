/** The connection between the app and the service breaks, stalls, or loses or corrupts data. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/api/limits.ts';
import { TIMEOUTS } from '../../src/engine/api-client/request-timeout.ts';
import { fastClock, until } from '../support/engine.ts';
import { fastLinkClock } from '../support/fast-link-clock.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
import { ENDLESS_TIMEOUTS, faultScenes, PART, PATIENCE, SHORT_TIMEOUTS, uploadsOf } from './scene.ts';

// The server never times out a stalled body here: only the app, or a newer request, ends one.
const scene = faultScenes({ limits: { partStallSeconds: 3_600 } });

describe('a line that breaks', () => {
  it('fault 6: complete whose answer is lost results in one published item, counted once', async () => {
    const { proxy, picture, add, linked, count, item, engine, expectPublished, published } = await scene();
    proxy.fault = ({ operation, nth }) => (operation === 'complete' && nth === 0 ? { do: 'lose-answer' } : null);
    const file = await picture(2);
    const id = await add(file);
    await linked(id);
    await expectPublished(file);
    const [only] = await published();
    expect(item(id)).toMatchObject({ content: { id: only?.id } });
    expect(must(engine.library.search({ text: '' })).items).toHaveLength(1);
    // Its status said what had become of it; nothing was asked to be published a second time.
    expect(count('complete')).toBe(1);
  });

  it('fault 10: a connection that is reset during a part only repeats that part', async () => {
    const { proxy, picture, add, linked, count, expectPublished } = await scene();
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 1 ? { do: 'reset', at: PART / 2 } : null);
    const file = await picture(5);
    const id = await add(file);
    await linked(id);
    await expectPublished(file);
    expect(count('part')).toBe(5 + 1);
    expect([count('start'), count('complete')]).toEqual([1, 1]);
  });

  it('fault 10: resets at any point of any request result in one complete item', async () => {
    const { proxy, picture, add, linked, expectPublished } = await scene();
    // Every request but each third breaks off: at its first byte, in the middle, at its last.
    const places = [0, 100, PART / 2, PART];
    let turn = 0;
    proxy.fault = ({ operation }) => {
      const at = places[turn % places.length] ?? 0;
      return operation !== 'account' && turn++ % 3 !== 2 ? { do: 'reset', at } : null;
    };
    const file = await picture(4);
    await linked(await add(file));
    await expectPublished(file);
  });

  it('an answer that breaks off in the middle is no answer', async () => {
    const { proxy, picture, add, linked, expectPublished } = await scene();
    proxy.fault = ({ nth, operation }) => (nth === 0 && operation !== 'account' ? { do: 'cut-answer', at: 20 } : null);
    const file = await picture(2);
    await linked(await add(file));
    await expectPublished(file);
  });
});

describe('a line that stalls', () => {
  it('fault 11: a body that is no longer read is aborted by the app, and the part is sent again', async () => {
    const { proxy, picture, add, linked, count, expectPublished } = await scene({ timeouts: SHORT_TIMEOUTS });
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 0 ? { do: 'stall', at: PART / 4 } : null);
    const file = await picture(3);
    const id = await add(file);
    await linked(id);
    await expectPublished(file);
    const [stalled, ...others] = proxy.requests.filter(({ operation }) => operation === 'part');
    expect(stalled?.answer).toBeNull();
    // On a busy machine another one may be aborted too.
    const again = others.filter(({ index, answer }) => index === stalled?.index && answer?.status === 200);
    expect(again.length).toBeGreaterThanOrEqual(1);
    expect(count('part')).toBeGreaterThanOrEqual(4);
    expect(TIMEOUTS.idleMs).toBeLessThan(LIMITS.partStallMs);
  });

  it('fault 12: an answer that never comes after the whole body times out, and the status is requested before anything is sent again', async () => {
    const { proxy, picture, add, linked, expectPublished } = await scene({ timeouts: SHORT_TIMEOUTS });
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 0 ? { do: 'swallow' } : null);
    const file = await picture(3);
    const id = await add(file);
    await linked(id);
    await expectPublished(file);
    const order = proxy.requests.filter(({ operation }) => operation === 'part' || operation === 'status');
    const [lost, next, ...rest] = order;
    expect(lost).toMatchObject({ operation: 'part', answer: null });
    expect(next?.operation).toBe('status');
    // What the status says has arrived never goes again.
    const has = JSON.parse(next?.answer?.body ?? '{}') as { received: number[] };
    for (const { operation, index } of rest) if (operation === 'part') expect(has.received).not.toContain(index);
  });

  it('fault 12: complete without an answer is followed by a status request, and published once', async () => {
    const { proxy, picture, add, linked, expectPublished } = await scene({ timeouts: SHORT_TIMEOUTS });
    proxy.fault = ({ operation, nth }) => (operation === 'complete' && nth === 0 ? { do: 'swallow' } : null);
    const file = await picture(1);
    await linked(await add(file));
    await expectPublished(file);
  });
});

describe('another network', () => {
  it('fault 13: parts that hang on dead connections are replaced by the same parts on new ones', async () => {
    const { proxy, picture, add, linked, expectPublished } = await scene({
      timeouts: SHORT_TIMEOUTS,
      ports: { clock: fastLinkClock },
    });
    // A few parts pass, so that the app uses all three places; then the network is another one.
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth >= 4 ? { do: 'stall', at: PART / 2 } : null);
    const file = await picture(9);
    const id = await add(file);
    const hanging = () => new Set(proxy.requests.filter(({ passedBytes }) => passedBytes === PART / 2).map(({ index }) => index)); // biome-ignore format: one thought
    await until(() => hanging().size >= 3);
    proxy.fault = () => null;
    await linked(id);
    await expectPublished(file);
  });

  it('fault 32: requests in progress when the computer slept are sent again as soon as it wakes', async () => {
    // Without a look at the clock everything here would be waited for for ten minutes.
    let slept = 0;
    const clock = { ...fastClock, now: () => fastClock.now() + slept };
    const { proxy, picture, add, linked, count, expectPublished } = await scene({
      timeouts: ENDLESS_TIMEOUTS,
      ports: { clock },
    });
    proxy.fault = ({ operation }) => (operation === 'part' ? { do: 'stall', at: PART / 2 } : null);
    const file = await picture(3);
    const id = await add(file);
    await until(() => proxy.requests.some(({ operation, passedBytes }) => operation === 'part' && passedBytes > 0));
    proxy.freeze();
    proxy.fault = () => null;
    const asked = count('status');
    slept += 8 * 3_600_000;
    await linked(id);
    await expectPublished(file);
    // The service was asked what it has before anything went again.
    expect(count('status')).toBe(asked + 1);
  });
});

describe('a line that garbles', () => {
  it('fault 17: a part that arrives with other bytes is refused and sent again', async () => {
    const { proxy, picture, add, linked, expectPublished, count } = await scene();
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 0 ? { do: 'corrupt', at: 1_000 } : null);
    const file = await picture(2);
    await linked(await add(file));
    await expectPublished(file);
    expect(count('part')).toBe(3);
    expect(proxy.requests.find(({ operation }) => operation === 'part')?.answer?.status).toBe(400);
  });

  it('fault 17: parts that are corrupted every time stop the item with an explanatory error, and nothing is published', async () => {
    const { proxy, picture, add, engine, item, expectPublished, count, linked } = await scene();
    proxy.fault = ({ operation }) => (operation === 'part' ? { do: 'corrupt', at: 1_000 } : null);
    const file = await picture(1);
    const id = await add(file);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'UPLOAD_PART_MISMATCH' },
    });
    expect(item(id)?.error?.retryAt).toBeNull();
    expect(count('part')).toBeLessThanOrEqual(3);
    await expectPublished();
    proxy.fault = () => null;
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(file);
  });

  it('fault 18: a part that ends too early is not stored, and its slot is freed', async () => {
    const { proxy, picture, add, linked, expectPublished, service, user } = await scene();
    const held: number[] = [];
    proxy.fault = async ({ operation, nth }) => {
      if (operation === 'part' && nth === 1)
        held.push((await uploadsOf(service.data, user.accountId))[0]?.receivedBytes ?? -1);
      return operation === 'part' && nth === 0 ? { do: 'truncate', at: PART - 1 } : null;
    };
    const file = await picture(3);
    await linked(await add(file));
    await expectPublished(file);
    expect(held).toEqual([0]);
  });
});

it('fault 11: on a link of 1 Mbit/s one part is sent at a time, and no part is aborted', async () => {
  const { proxy, picture, add, linked, count, expectPublished } = await scene();
  // The engine's time runs twenty times as fast: so do the bytes.
  proxy.throttle((20 * 1_000_000) / 8);
  let most = 0;
  proxy.fault = ({ operation }) => {
    const underWay = proxy.requests.filter((request) => request.operation === 'part' && !request.isOver).length;
    if (operation === 'part') most = Math.max(most, underWay);
    return null;
  };
  const file = await picture(4);
  await linked(await add(file));
  expect(most).toBe(1);
  expect(count('part')).toBe(4);
  await expectPublished(file);
});
