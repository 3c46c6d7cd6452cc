/** A stop waits for active requests, but not for stalled clients. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { createInFlight, paceLimits } from '../../../src/server/http/in-flight-requests.ts';
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

describe('in a shutdown, as configured,', () => {
  afterEach(() => vi.useRealTimers());

  /** A request whose client does nothing, in a drain with these limits. */
  const drained = (limits: Readonly<Record<string, number>>, method: 'GET' | 'POST') => {
    vi.useFakeTimers();
    const hour = { drainReadSeconds: 3_600, drainBodySeconds: 3_600, drainDownloadSeconds: 3_600 };
    const config = parseConfig({ limits: { drainSeconds: 3_600, readStallSeconds: 3_600, ...hour, ...limits } });
    const inFlight = createInFlight(paceLimits(config), { begin: () => {}, end: () => {} });
    const state = { destroyed: false, bytesRead: 0, bytesWritten: 100, writableLength: method === 'GET' ? 50 : 0 };
    const response = new EventEmitter() as ServerResponse;
    const socket = Object.assign(state, {
      destroy: () => {
        state.destroyed = true;
        response.emit('close');
      },
    });
    const request = Object.assign(new EventEmitter(), { method, complete: method === 'GET', socket });
    inFlight.add(request as unknown as IncomingMessage & { socket: Socket }, response);
    const ended = inFlight.drain(3_600_000).then(() => inFlight.close());
    return { socket, response, ended };
  };

  it.each([
    ['an answer that is not read is cut after limits.drainReadSeconds', 'GET', { drainReadSeconds: 20 }],
    ['a body that stops is cut after limits.drainBodySeconds', 'POST', { drainBodySeconds: 20 }],
    ['a download is cut after limits.drainDownloadSeconds', 'GET', { drainDownloadSeconds: 20 }],
  ] as const)('%s', async (_, method, limits) => {
    const { socket, ended } = drained({ requestSeconds: 3_600, ...limits }, method);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(socket.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.destroyed).toBe(true);
    await ended;
  });

  it('a download that is read is cut after limits.drainDownloadSeconds all the same', async () => {
    const { socket, ended } = drained({ drainReadSeconds: 1, drainDownloadSeconds: 20 }, 'GET');
    for (let second = 0; second < 19; second += 1) {
      socket.bytesWritten += 1_000;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(socket.destroyed).toBe(false);
    socket.bytesWritten += 1_000;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(socket.destroyed).toBe(true);
    await ended;
  });
});
