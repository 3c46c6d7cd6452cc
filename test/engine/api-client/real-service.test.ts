/** The engine against the real server on a real port: both sides agree, and our client alone never causes a 429. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src/engine/api-client/client.ts';
import { createRateLimiter } from '../../../src/engine/api-client/rate-limiter.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import type { AppState } from '../../../src/ipc/protocol/app-state.ts';
import { addFile, connectTo, fastClock, openEngine, until } from '../../support/engine.ts';
import { makeVideo } from '../../support/media/padded-video.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const PATIENCE = 600_000;
const root = temporaryFolder('engine-real');

const ready = async (name: string, config: Record<string, unknown> = {}, clock: Clock = fastClock) => {
  const service = await startServer({ clock, config });
  onTestFinished(() => service.stop());
  const user = await service.user();
  const { engine } = await openEngine(join(root, name), { clock });
  await connectTo(engine, service.url, user.apiKey);
  return { service, user, engine };
};

/** Random bytes in a second of video are over any sensible bitrate. */
const ANY_BITRATE = { bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1e12, max: 1e12 } };

it('publishes an image and a video, and both are in the library with what the service found in them', async () => {
  const { engine } = await ready('both', { video: ANY_BITRATE });
  const image = join(root, 'image.png');
  await sharp({ create: { width: 640, height: 480, channels: 3, background: '#852' } })
    .png()
    .toFile(image);
  const video = join(root, 'video.mp4');
  makeVideo(video, 5 * MIB);
  const ids = [await addFile(engine, image, 'holiday.png'), await addFile(engine, video, 'holiday.mp4')];
  for (const id of ids)
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
  const found = must(engine.library.search({ text: 'holiday' })).items.map(({ content }) => content);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'IMAGE', width: 640, height: 480 }),
      expect.objectContaining({ type: 'VIDEO', width: 320, height: 240, size: 5 * MIB }),
    ]),
  );
});

/**
 * A clock on which no minute ends by itself, however slow the machine is: at most half of one passes until `isResting`,
 * and time is quick while that is true.
 */
const clockOfRests = (isResting: () => boolean): Clock => {
  const [pace, longest] = [20, 30_000];
  let [passed, sinceRest, looked] = [0, 0, performance.now()];
  const look = (): void => {
    const delta = performance.now() - looked;
    looked += delta;
    const isQuick = isResting();
    const steps = isQuick ? delta * pace : Math.min(delta, longest - sinceRest);
    sinceRest = isQuick ? 0 : sinceRest + steps;
    passed += steps;
  };
  const monotonic = (): number => {
    look();
    return passed;
  };
  const begun = Date.now();
  return {
    monotonic,
    now: () => begun + Math.round(monotonic()),
    sleep: async (ms, signal) => {
      const end = monotonic() + ms;
      while (monotonic() < end) await systemClock.sleep(10, signal);
    },
  };
};

it('paces its parts below the budget, so that the service never refuses one, and reports how long it pauses', async () => {
  let isResting = false;
  const { engine, user, service } = await ready(
    'paced',
    { limits: { partsPerMinute: 6, uploadRequestsPerMinute: 4 }, video: ANY_BITRATE },
    clockOfRests(() => isResting),
  );
  const video = join(root, 'paced.mp4');
  const sha256 = makeVideo(video, 33 * MIB);
  const codes = new Set<string>();
  const rests = new Set<number>();
  const resting = ({ connection }: Pick<AppState, 'connection'>) =>
    connection.state === 'connected' ? connection.restsUntil : undefined;
  engine.on((event) => {
    if (event.type !== 'state') return;
    const until = resting(event.state);
    isResting = until !== undefined;
    if (until !== undefined) rests.add(until);
    for (const { error } of event.state.queue.items) if (error) codes.add(error.failure.code);
  });
  const settled = await engine.queue.waitFor(
    { id: await addFile(engine, video, 'paced.mp4'), patienceMs: PATIENCE },
    soon(),
  );
  expect(settled).toMatchObject({ ok: true });
  expect([...codes]).toEqual([]);
  expect(rests.size).toBeGreaterThan(0);
  await until(() => resting(engine.state()) === undefined);
  const id = settled.ok && settled.value.state === 'linked' ? settled.value.content.id : '';
  const media = await fetch(`${service.url}/api/media/${id}?download=1`, {
    headers: { authorization: `Bearer ${user.apiKey}` },
  });
  const bytes = new Uint8Array(await media.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
});

it('reports that the account has no space left, and waits for the user', async () => {
  const { engine } = await ready('too-large', {
    plans: { free: { quotaBytes: 1, imageBytes: 10 * MIB, videoBytes: 100 * MIB, features: [] } },
  });
  const image = join(root, 'image-2.png');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#852' } })
    .png()
    .toFile(image);
  const id = await addFile(engine, image, 'image.png');
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
    ok: false,
    error: { code: 'QUOTA_EXCEEDED' },
  });
});

it('stops at a key that was revoked, and continues with a new one of the same account', async () => {
  const { engine, user, service } = await ready('revoked');
  await service.server.keys.revoke(user.keyId);
  const image = join(root, 'image-3.png');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#258' } })
    .png()
    .toFile(image);
  const id = await addFile(engine, image, 'image.png');
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
    ok: false,
    error: { code: 'API_KEY_REVOKED' },
  });
  await until(() => engine.state().connection.state === 'failed');
  await connectTo(engine, service.url, (await service.key(user)).apiKey);
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
});

it('receives the refusal of a part whose bytes the service does not even read', async () => {
  const { user, service } = await ready('guard');
  const gate = createRateLimiter({ clock: systemClock, random: systemRandom });
  const client = createServiceClient({ clock: systemClock, gate, server: service.url, key: user.apiKey });
  onTestFinished(() => client.close());
  const params = { id: systemRandom.uuid(), index: 0 };
  const headers = { 'x-service-account': 'somebody-else' };
  for (let turn = 0; turn < 5; turn++) {
    const reply = await client.call('putPart', { params, headers, bytes: Buffer.alloc(2 * MIB) }, soon());
    expect(reply).toMatchObject({ ok: false, error: { code: 'ACCOUNT_MISMATCH', status: 409 } });
  }
});
