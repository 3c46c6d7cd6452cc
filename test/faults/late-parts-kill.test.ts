/**
 * Parts arrive late and repeatedly, in any order, over many connections, some of which break, while the server is
 * killed by SIGKILL. Acknowledged bytes never change on disk, and every published item equals its source.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../src/api/ids.ts';
import type { ResumableUpload } from '../../src/api/resumable-upload.ts';
import { lengthOf, seedOf } from '../support/campaign.ts';
import { pngBytes } from '../support/media/sample-bytes.ts';
import { resetConnection } from '../support/reset-connection.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { remoteDisk } from '../support/server/held-disk.ts';
import { rawRequest } from '../support/server/raw-http.ts';
import { type SealedParts, sealedParts } from '../support/server/sealed-parts.ts';
import { type ServerProcess, serverCommand, startServerProcess } from '../support/server/server.ts';
import { type Answer, ask, partsOf, uploader } from '../support/server/service-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** One round is one upload; a server that dies takes up to this many with it. */
const ROUNDS = lengthOf('ROUNDS', { short: 12, long: 1_000 });
const ROUNDS_PER_LIFE = 25;
const SEED = seedOf(45);
/** Of one life: its requests, its death, the next start, and all once more, on a machine that may have much else to do. */
const PATIENCE_MS = 300_000;
const MIB = 1024 * 1024;

const random = seededRandom(SEED);
const below = (limit: number): number => Math.floor(random() * limit);
const chance = (share: number): boolean => random() < share;

const config = {
  limits: {
    requestsPerMinute: 1_000_000,
    uploadRequestsPerMinute: 1_000_000,
    partsPerMinute: 1_000_000,
    partsAtOnce: 200,
    pendingUploads: 100,
    partStallSeconds: 2,
  },
};
const data = join(temporaryFolder('late-parts'), 'data');
/** A part stays between its bytes and its row for a moment, so that others come in between. */
const disk = remoteDisk(temporaryFolder('late-parts-disk'), { syncMs: 4 });
let user: { readonly accountId: AccountId; readonly apiKey: string };
let service: ServerProcess;

const counts = { acknowledged: 0, late: 0, brokenOff: 0, refused: 0, kills: 0, cut: 0 };

/** One upload and what was acknowledged of it: the hash of the sealed bytes of each part, as they were then. */
interface Round {
  readonly name: string;
  readonly id: string;
  readonly source: Buffer;
  readonly parts: readonly Uint8Array[];
  readonly disk: SealedParts;
  readonly acknowledged: Map<number, Promise<string>>;
  readonly completeKey: string;
  item: string | null;
}

const check = async ({ name, disk, acknowledged }: Round): Promise<void> => {
  for (const [index, hash] of acknowledged) expect(await disk.part(index), `${name}, part ${index}`).toBe(await hash);
};

/**
 * After each answer all that was acknowledged before is compared with the disk. `known` was acknowledged before the
 * request was sent: an answer may arrive after that to a later request of another connection.
 */
const hear = async (
  round: Round,
  known: readonly number[],
  { received }: Pick<ResumableUpload, 'received'>,
): Promise<void> => {
  expect(received, round.name).toEqual(expect.arrayContaining([...known]));
  for (const index of received) {
    if (!round.acknowledged.has(index)) round.acknowledged.set(index, round.disk.part(index));
  }
  await check(round);
};

/** How a request for a part behaves; all of it is drawn before anything is sent. */
interface Way {
  /** Milliseconds after the first request for the part. */
  readonly afterMs: number;
  /** What it waits for before its last byte. */
  readonly until: 'nothing' | 'stored' | 'published';
  readonly lastBytes: number;
  readonly end: 'right' | 'wrong bytes' | 'broken off';
}

const drawWay = (): Way => ({
  afterMs: below(12),
  until: (['nothing', 'stored', 'stored', 'published'] as const)[below(4)] ?? 'stored',
  lastBytes: chance(0.5) ? 1 : 1 + below(200_000),
  end: chance(0.1) ? 'wrong bytes' : chance(0.15) ? 'broken off' : 'right',
});

/** Resolves when the request has ended, successfully or not. */
const sendPart = async (round: Round, index: number, way: Way, released: Promise<void>): Promise<void> => {
  await sleep(way.afterMs);
  const part = round.parts[index] ?? Buffer.alloc(0);
  const bytes = way.end === 'wrong bytes' ? Buffer.from(part).fill(0x5a, 0, 1) : part;
  const wasAcknowledged = round.acknowledged.has(index);
  const request = rawRequest(service.url, `PUT /api/v1/uploads/resumable/${round.id}/parts/${index}`, {
    authorization: `Bearer ${user.apiKey}`,
    'content-length': String(bytes.length),
  });
  const split = Math.max(0, bytes.length - way.lastBytes);
  request.send(bytes.subarray(0, split));
  await Promise.race([released, request.closed, request.answer.catch(() => {})]);
  if (way.end === 'broken off') {
    resetConnection(request.socket);
    counts.brokenOff += 1;
    return;
  }
  const known = [...round.acknowledged.keys()];
  request.send(bytes.subarray(split));
  const answer = await request.answer.catch(() => undefined);
  request.socket.destroy();
  if (answer === undefined) {
    counts.cut += 1;
  } else if (answer.status === 200) {
    expect(way.end, round.name).toBe('right');
    counts.acknowledged += 1;
    if (!wasAcknowledged && round.acknowledged.has(index)) counts.late += 1;
    await hear(round, known, JSON.parse(answer.body) as ResumableUpload);
  } else {
    counts.refused += 1;
    expect([400, 408, 503], `${round.name}: ${answer.body}`).toContain(answer.status);
    await check(round);
  }
};

/** Retries until the service accepts it; undefined when the server died. */
const persist = async (request: () => Promise<Answer>): Promise<Answer | undefined> => {
  for (;;) {
    const answer = await request().catch(() => undefined);
    if (answer === undefined || ![408, 503].includes(answer.status)) return answer;
    await sleep(20);
  }
};

/** Sends all parts, most more than once, and publishes; ends early when the server dies. */
const carry = async (round: Round): Promise<void> => {
  const api = uploader(service.url, user);
  const published = Promise.withResolvers<void>();
  const indexes = round.parts.map((_, index) => index).sort(() => random() - 0.5);
  const late: Promise<void>[] = [];
  const first = indexes.map(async (index) => {
    const stored = Promise.withResolvers<void>();
    for (let repeats = below(4); repeats > 0; repeats -= 1) {
      const way = drawWay();
      const release = { nothing: Promise.resolve(), stored: stored.promise, published: published.promise }[way.until];
      const sent = sendPart(round, index, way, release);
      // What it finds is heard when all are waited for.
      sent.catch(() => {});
      late.push(sent);
    }
    const whole: Way = { afterMs: below(4), until: 'nothing', lastBytes: 1, end: 'right' };
    await sendPart(round, index, whole, Promise.resolve()).finally(stored.resolve);
  });
  try {
    await Promise.all(first);
    for (const index of indexes) {
      if (round.acknowledged.has(index)) continue;
      const known = [...round.acknowledged.keys()];
      const sent = await persist(() => api.part(round.id, index, round.parts[index] ?? Buffer.alloc(0)));
      if (sent === undefined) return;
      expect(sent.status, `${round.name}: ${JSON.stringify(sent.body)}`).toBe(200);
      await hear(round, known, sent.body);
    }
    const known = [...round.acknowledged.keys()];
    const done = await persist(() => api.complete(round.id, round.completeKey));
    if (done === undefined) return;
    expect(done.status, `${round.name}: ${JSON.stringify(done.body)}`).toBe(200);
    await hear(round, known, done.body);
    round.item ??= done.body.content?.id ?? '';
    expect(done.body.content?.id, round.name).toBe(round.item);
  } finally {
    published.resolve();
    await Promise.all(late);
  }
};

const begin = async (name: string): Promise<Round> => {
  const png = await pngBytes();
  const source = Buffer.concat([png, randomBytes(1 + below(chance(0.3) ? 4 * MIB : 2 * MIB + 300_000))]);
  const { body, status } = await uploader(service.url, user).start(source);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200);
  return {
    ...{ name, id: body.id, source, parts: partsOf(source), disk: await sealedParts(data, body.id) },
    ...{ acknowledged: new Map(), completeKey: randomUUID(), item: null },
  };
};

/** The item read by its owner equals what was sent; then it is deleted to free storage. */
const finish = async (round: Round): Promise<void> => {
  await check(round);
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const media = await fetch(`${service.url}/api/media/${round.item}?download=1`, { headers });
  expect(media.status, round.name).toBe(200);
  expect(Buffer.from(await media.arrayBuffer()).equals(round.source), round.name).toBe(true);
  const path = `/api/v1/content/${round.item}`;
  expect((await ask(service.url, { method: 'DELETE', path, key: user.apiKey })).status, round.name).toBe(204);
};

beforeAll(async () => {
  const { id } = await serverCommand('account', 'add', 'k', '--plan', 'pro', '--data', data);
  const scopes = 'content:read,content:write,content:delete';
  const key = await serverCommand('key', 'add', '--account', 'k', '--scopes', scopes, '--data', data);
  user = { accountId: id as AccountId, apiKey: key['apiKey'] ?? '' };
  service = await startServerProcess(data, { config, nodeArgs: disk.nodeArgs });
}, PATIENCE_MS);
afterAll(() => service.end('SIGKILL'));

it(`fault 45: parts that come late and again, over ${ROUNDS} uploads and SIGKILLs of their server, change no acknowledged byte (seed ${SEED})`, {
  timeout: PATIENCE_MS * Math.ceil(ROUNDS / ROUNDS_PER_LIFE),
}, async () => {
  for (let done = 0; done < ROUNDS; done += ROUNDS_PER_LIFE) {
    const names = Array.from({ length: Math.min(ROUNDS_PER_LIFE, ROUNDS - done) }, (_, at) => `round ${done + at}`);
    const rounds: Round[] = [];
    for (const name of names) rounds.push(await begin(`${name}, seed ${SEED}`));

    const deadly = counts.acknowledged + below(4 * rounds.length);
    const carried = Promise.all(rounds.map(carry));
    let isOver = false;
    const over = carried.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver && counts.acknowledged < deadly) await sleep(1);
    await sleep(below(8));
    await service.end('SIGKILL');
    counts.kills += 1;
    await over;

    service = await startServerProcess(data, { config, nodeArgs: disk.nodeArgs });
    for (const round of rounds) await check(round);
    await Promise.all(rounds.map(carry));
    for (const round of rounds) await finish(round);
    expect(service.stderr(), 'a request of a client that has gone').not.toContain('TypeError');
  }
  console.log(`late parts: ${JSON.stringify(counts)}`);
  expect(counts.acknowledged).toBeGreaterThan(ROUNDS);
});
