/** Connections and readers are limited, per address and in total, and idle ones block no other client. */
import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { createConnectionLimits } from '../../../src/server/http/connection-limits.ts';
import { createDownloadSlots } from '../../../src/server/http/download-slots.ts';
import { longPngBytes } from '../../support/media/sample-bytes.ts';
import { type CrowdMember, head, join } from '../../support/server/crowd.ts';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const MIB = 1024 * 1024;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '500' };

const crowd: CrowdMember[] = [];
const member = (url: string, bytes: string): CrowdMember => {
  const one = join(url, bytes);
  crowd.push(one);
  return one;
};
afterEach(() => {
  for (const { socket } of crowd.splice(0)) socket.destroy();
});

describe('the connections of one address', () => {
  let service: RunningServer;
  beforeAll(async () => {
    service = await startServer({ config: { limits: { connectionsPerAddress: 8, connections: 100 } } });
  });
  afterAll(() => service.stop());

  it('fault 46: are closed for new ones when they are silent or idle, the oldest first', async () => {
    const silent = Array.from({ length: 20 }, () => member(service.url, ''));
    await Promise.all(silent.slice(0, 12).map(({ closed }) => closed));
    expect((await ask(service.url, { path: '/healthz' })).status).toBe(200);
    expect(service.server.load().connections).toBeLessThanOrEqual(8);
  });

  it('are refused with 429 and Retry-After when all of them are at work', async () => {
    const held = Array.from({ length: 8 }, () => member(service.url, head(service.url, 'POST /sign-in', FORM)));
    await expect.poll(() => service.server.load().requests).toBe(held.length);
    const refused = await member(service.url, head(service.url, 'GET /healthz')).closed;
    expect(refused).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: \d[\s\S]*RATE_LIMITED/i);
    expect(service.server.load().requests).toBe(held.length);
  });
});

it('counts a socket that has gone for the network it came from', () => {
  const server = new EventEmitter() as Server;
  const guarded = createConnectionLimits(parseConfig({ limits: { connectionsPerAddress: 1, connections: 3 } }));
  guarded.guard(server, () => expect.fail('refused'));
  const arrive = (remoteAddress?: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn() });
    server.emit('connection', socket);
    return socket;
  };
  const gone = arrive('192.0.2.1');
  const other = arrive('192.0.2.2');
  const nameless = arrive();
  gone.remoteAddress = undefined;
  arrive('192.0.2.3');
  expect(gone.destroy).toHaveBeenCalledOnce();
  arrive();
  expect(nameless.destroy).toHaveBeenCalledOnce();
  expect(other.destroy).not.toHaveBeenCalled();
  expect(guarded.size()).toBe(3);
});

it('refuses connections beyond the limit of all with 503 and Retry-After when all are at work', async () => {
  const service = await startServer({ config: { limits: { connections: 3 } } });
  try {
    for (let turn = 0; turn < 3; turn += 1) member(service.url, head(service.url, 'POST /sign-in', FORM));
    await expect.poll(() => service.server.load().requests).toBe(3);
    const refused = await member(service.url, head(service.url, 'GET /healthz')).closed;
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d[\s\S]*UPLOAD_SERVER_BUSY/i);
  } finally {
    for (const { socket } of crowd) socket.destroy();
    await service.stop();
  }
});

it('behind a proxy bounds the requests of a forwarded address, and serves the others', async () => {
  const service = await startServer({ config: { limits: { connectionsPerAddress: 4 }, web: { trustProxy: true } } });
  try {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let turn = 0; turn < 4; turn += 1)
      member(service.url, head(service.url, 'POST /sign-in', { ...FORM, ...from(`2001:db8::${turn + 1}`) }));
    await expect.poll(() => service.server.load().requests).toBe(4);
    const refused = await ask(service.url, { path: '/api/v1/account', headers: from('2001:db8::ffff') });
    expect([refused.status, refused.problem.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-request-id']).toBe(refused.problem.requestId);
    const other = await ask(service.url, { path: '/api/v1/account', headers: from('2001:db8:0:1::1') });
    expect(other.status).toBe(401);
  } finally {
    for (const { socket } of crowd) socket.destroy();
    await service.stop();
  }
});

describe('readers of media', () => {
  let service: RunningServer;
  let mediaUrl: string;
  beforeAll(async () => {
    // However long a busy machine takes to fill what a reader leaves unread, the next one still waits.
    const limits = { openReadsPerAddress: 4, readWaitSeconds: 240, guestRequestsPerMinute: 100_000 };
    service = await startServer({ config: { limits } });
    const item = await publish(service, await service.user({ plan: 'pro' }), {}, await longPngBytes(40 * MIB));
    mediaUrl = item.mediaUrl ?? '';
  });
  afterAll(() => service.stop());

  const open = (range: string): CrowdMember => member(service.url, head(service.url, `GET ${mediaUrl}`, { range }));

  it('that stall release their slots to the next one, which gets the media', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const reader = open('bytes=0-');
      reader.socket.once('data', () => reader.pause());
    }
    await expect.poll(() => service.server.load().reads).toBe(4);
    const answer = await ask<string>(service.url, { path: mediaUrl, headers: { range: 'bytes=0-99' } });
    expect(answer.status).toBe(206);
  });

  it('that seek, and abandon one response after the other, are served every time', async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      const reader = open(`bytes=${turn * MIB}-`);
      await expect.poll(() => reader.text()).toMatch(/^HTTP\/1\.1 206 /);
      reader.socket.destroy();
    }
    await expect.poll(() => service.server.load().reads).toBe(0);
  });
});

describe('slots of media readers', () => {
  afterEach(() => vi.useRealTimers());
  const reader = (ip = '192.0.2.1') => {
    const raw = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => raw.emit('close') });
    return { request: { ip } as never, reply: { raw } as never, raw };
  };
  const config = parseConfig({ limits: { openReadsPerAddress: 2, openReads: 3 } });

  it('wait, and are refused with 429 to the address that has too many active readers', async () => {
    vi.useFakeTimers();
    const places = createDownloadSlots(config, () => 0);
    const [first, second, third, other] = [reader(), reader(), reader(), reader('192.0.2.2')];
    for (const { request, reply } of [first, second]) await places.take(request, reply);
    const refused = expect(places.take(third.request, third.reply)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await places.take(other.request, other.reply);
    const full = reader('192.0.2.3');
    const busy = expect(places.take(full.request, full.reply)).rejects.toMatchObject({ code: 'UPLOAD_SERVER_BUSY' });
    await vi.advanceTimersByTimeAsync(6_000);
    await Promise.all([refused, busy]);
    const late = reader();
    const waits = places.take(late.request, late.reply);
    first.raw.destroy();
    await waits;
    expect(places.open()).toBe(3);
  });

  it('wait as long as limits.readWaitSeconds', async () => {
    vi.useFakeTimers();
    const patient = parseConfig({ limits: { openReadsPerAddress: 1, readWaitSeconds: 60 } });
    const places = createDownloadSlots(patient, () => 0);
    const [first, second] = [reader(), reader()];
    await places.take(first.request, first.reply);
    const answered = vi.fn<(error: unknown) => void>();
    const waits = places.take(second.request, second.reply).catch(answered);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    await waits;
    expect(answered).toHaveBeenCalledWith(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });

  it('are left to a reader that has stalled for less than limits.readYieldSeconds', async () => {
    vi.useFakeTimers();
    let unreadMs = 19_000;
    const patient = { openReadsPerAddress: 1, readWaitSeconds: 60, readYieldSeconds: 20 };
    const places = createDownloadSlots(parseConfig({ limits: patient }), () => unreadMs);
    const [still, next] = [reader(), reader()];
    await places.take(still.request, still.reply);
    const ended = vi.fn();
    still.raw.once('close', ended);
    const waits = places.take(next.request, next.reply);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).not.toHaveBeenCalled();
    unreadMs = 21_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await waits;
    expect(ended).toHaveBeenCalledOnce();
  });

  it('forget a client that leaves while it waits', async () => {
    vi.useFakeTimers();
    const places = createDownloadSlots(config, () => 0);
    for (const { request, reply } of [reader(), reader()]) await places.take(request, reply);
    const gone = reader();
    const waits = places.take(gone.request, gone.reply);
    gone.raw.destroy();
    await waits;
    expect(places.open()).toBe(2);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('take the slot of the reader that has stalled longest', async () => {
    vi.useFakeTimers();
    const unread = new Map<unknown, number>();
    const places = createDownloadSlots(config, (response: ServerResponse) => unread.get(response) ?? 0);
    const [still, stiller, next] = [reader(), reader(), reader()];
    for (const { request, reply } of [still, stiller]) await places.take(request, reply);
    unread.set(still.raw, 4_000);
    unread.set(stiller.raw, 9_000);
    const ended = new Promise((resolve) => stiller.raw.once('close', resolve));
    const waits = places.take(next.request, next.reply);
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all([ended, waits]);
    expect(places.open()).toBe(2);
  });
});
