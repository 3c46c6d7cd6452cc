/** A stop waits for active requests, but not for stalled clients. */
import { expect, it } from 'vitest';
import { longPngBytes } from '../../support/media/sample-bytes.ts';
import { drip, head, join } from '../../support/server/crowd.ts';
import { publish } from '../../support/server/items.ts';
import { startServer } from '../../support/server/server.ts';

const MIB = 1024 * 1024;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '5000' };

it('fault 46: a shutdown closes silent connections, stalled or dripping bodies, and clients that do not read', async () => {
  // An hour: the stop can only end in time if stalled requests are cut.
  const limits = { drainSeconds: 3_600, formStallSeconds: 3_600, requestSeconds: 3_600, readStallSeconds: 3_600 };
  const service = await startServer({ config: { limits } });
  const { mediaUrl } = await publish(service, await service.user({ plan: 'pro' }), {}, await longPngBytes(40 * MIB));
  const silent = join(service.url, '');
  const held = join(service.url, head(service.url, 'POST /sign-in', FORM));
  const dripping = join(service.url, head(service.url, 'POST /sign-in', FORM));
  drip(dripping);
  const reader = join(service.url, head(service.url, `GET ${mediaUrl}`));
  reader.socket.once('data', () => reader.pause());
  await expect.poll(() => service.server.load().requests).toBe(3);
  await service.stop();
  reader.read();
  expect(await Promise.all([silent.closed, held.closed, dripping.closed])).toEqual(['', '', '']);
  expect((await reader.closed).length).toBeLessThan(40 * MIB);
});
