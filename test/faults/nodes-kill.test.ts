/**
 * Kills three servers, their PostgreSQL and their S3 store at random moments under a mixed load that meets one node after the
 * other. Everything acknowledged still exists, once and with its bytes; the storage used is the sum of the items; budgets are
 * exact; and after the sweep the store has the objects of the rows and nothing else.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { CHUNK_BYTES } from '../../src/server/storage/s3-chunks.ts';
import { lengthOf, seedOf } from '../support/campaign.ts';
import { queryPostgres } from '../support/engines/databases.ts';
import { type PostgresCluster, startPostgres, whyNoPostgres } from '../support/engines/postgres-cluster.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../support/media/sample-bytes.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { startNodes, type TestNodes } from '../support/server/nodes.ts';
import type { User } from '../support/server/server.ts';
import { type Answer, ask, partsOf, uploader } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const whyNot =
  whyNoPostgres() ?? (process.env['LINKSHOT_TEST_S3'] === undefined ? null : 'it looks into the store in this process');
const KILLS = lengthOf('NODE_KILLS', { short: 4, long: 300 });
const SEED = seedOf(43);
const NODES = 3;
const WORKERS = 4;
/** How many items a kill meets in `npm test`: more would only be published while a node starts, and slow its start. */
const ITEMS_PER_KILL = lengthOf('ITEMS_PER_KILL', { short: 6, long: 1_000_000 });
const CHECK_EVERY = Math.min(10, KILLS / 2);
const LONGEST_LIFE_MS = 600;
const GUEST_REQUESTS = 40;

const random = seededRandom(SEED);
const below = (limit: number): number => Math.floor(random() * limit);
/** Apart from the load, which draws as quickly as the machine is: what is killed is the same in every run of a seed. */
const randomKill = seededRandom(SEED + 1);
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

const many = 1_000_000;
const config = {
  ...ANY_BITRATE,
  web: { trustProxy: true },
  limits: {
    ...{ requestsPerMinute: many, uploadRequestsPerMinute: many, partsPerMinute: many },
    ...{ uploadsAtOnce: 50, partsAtOnce: 50, pendingUploads: 50 },
    guestRequestsPerMinute: GUEST_REQUESTS,
  },
};

/** What the load knows of one item. `name` is its title, unlike that of any other. */
interface Known {
  readonly name: string;
  /** Set by the answer that published it. */
  id?: string;
  /** Hash of its bytes; null: the server has packed them again. */
  hash: string | null;
  isPublishing: boolean;
  deletion: 'none' | 'asked' | 'acknowledged';
  upload?: { readonly id: string; readonly acknowledged: Set<number> };
  /** Opens of a one-time note that were answered with its text, and whether one was cut. */
  opened: number;
  wasOpeningCut: boolean;
}

const known: Known[] = [];
const cut = new Map<string, number>();
let cluster: PostgresCluster;
let nodes: TestNodes;
let user: User;
let visitors = 0;

/** Requests wait here while everything is checked. */
let gate = Promise.withResolvers<void>();
gate.resolve();
let inFlight = 0;
let isLoadOver = false;

const databaseUrl = (): string => cluster.url('linkshot');
const query = <Row extends object>(text: string) => queryPostgres<Row>(databaseUrl(), text);

/** Not yet: the engine is away, a slot of a dead request has not ended, or the first request still runs. */
const isLater = ({ status, problem }: Pick<Answer<unknown>, 'status' | 'problem'>): boolean =>
  [429, 503].includes(status) || (status === 409 && problem.code === 'IDEMPOTENCY_CONFLICT');

/** Retries at the next node until there is an answer; `wasCut` when an earlier attempt may have taken effect. */
const persist = async <T extends Pick<Answer<unknown>, 'status' | 'problem'>>(
  kind: string,
  request: (url: string) => Promise<T>,
): Promise<T & { wasCut: boolean }> => {
  for (let wasCut = false; ; ) {
    await gate.promise;
    inFlight += 1;
    const answer = await request(nodes.next()).catch(() => undefined);
    inFlight -= 1;
    if (answer !== undefined && !isLater(answer)) return { ...answer, wasCut };
    // After 503 the answer of an engine may have been lost.
    wasCut ||= answer === undefined || answer.status === 503;
    cut.set(kind, (cut.get(kind) ?? 0) + 1);
    await sleep(answer === undefined ? 10 : 100);
  }
};

const call = <T = Content>(kind: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  persist(kind, (url) => ask<T>(url, { method, path, key: user.apiKey, ...(body !== undefined && { body }) }));

const newItem = (kind: string): Known => {
  const item: Known = {
    ...{ name: `${kind} ${randomUUID()}`, hash: null, isPublishing: true, deletion: 'none' as const },
    ...{ opened: 0, wasOpeningCut: false },
  };
  known.push(item);
  return item;
};

const publishInParts = async (item: Known): Promise<void> => {
  const bytes = await mp4Bytes(1024 * 1024 * (1 + below(6)) + below(100_000));
  const [idempotencyKey, completeKey] = [randomUUID(), randomUUID()];
  item.hash = sha256(bytes);
  const started = await persist('start', (url) => uploader(url, user).start(bytes, { idempotencyKey }));
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  const upload = { id: started.body.id, acknowledged: new Set<number>() };
  item.upload = upload;
  await Promise.all(
    [...partsOf(bytes).entries()].map(async ([index, part]) => {
      const sent = await persist('part', (url) => uploader(url, user).part(upload.id, index, part));
      expect(sent.status, JSON.stringify(sent.body)).toBe(200);
      upload.acknowledged.add(index);
    }),
  );
  if (random() < 0.15) {
    const cancelled = await persist('cancel', (url) => uploader(url, user).cancel(upload.id));
    expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(204);
    item.deletion = 'acknowledged';
    return;
  }
  const done = await persist('complete', (url) =>
    uploader(url, user).complete(upload.id, completeKey, { title: item.name, visibility: 'public' }),
  );
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  item.id = done.body.content?.id ?? '';
};

const publishWhole = async (item: Known, path: '/api/v1/uploads' | '/api/v1/folders'): Promise<void> => {
  const isFolder = path === '/api/v1/folders';
  const bytes = isFolder ? zipOf({ 'a.txt': item.name, 'b/c.txt': 'x'.repeat(below(200_000)) }) : await pngBytes();
  const request = {
    ...{ path, bytes, key: user.apiKey, idempotencyKey: randomUUID() },
    fields: { title: item.name, visibility: 'public' },
  };
  item.hash = isFolder ? null : sha256(bytes);
  const sent = await persist(isFolder ? 'folder' : 'file', (url) => sendFile(url, request));
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  item.id = sent.body.id;
};

const publishNote = async (item: Known, more: object): Promise<void> => {
  const text = `${item.name}\n${'y'.repeat(below(20_000))}`;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { text, format: 'plain', title: item.name, ...more };
  item.hash = sha256(text);
  const made = await persist('note', (url) =>
    ask<Content>(url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, headers, body }),
  );
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  item.id = made.body.id;
};

/** An address that has not asked before. */
const newVisitor = (): Record<string, string> => {
  visitors += 1;
  return { 'x-forwarded-for': `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` };
};

/** All visitors open it at the same time. */
const openOnce = async (item: Known): Promise<void> => {
  const opened = await Promise.all(
    Array.from({ length: 5 }, () =>
      persist('open', (url) => ask(url, { method: 'POST', path: `/api/share/${item.id}/open`, headers: newVisitor() })),
    ),
  );
  item.opened = opened.filter(({ status }) => status === 200).length;
  item.wasOpeningCut = opened.some(({ wasCut }) => wasCut);
  // An open that was cut may have been the one.
  expect(item.wasOpeningCut ? [0, 1] : [1], item.name).toContain(item.opened);
};

const remove = async (item: Known): Promise<void> => {
  item.deletion = 'asked';
  const removed = await call('delete', 'DELETE', `/api/v1/content/${item.id}`);
  expect(removed.wasCut ? [204, 404] : [204]).toContain(removed.status);
  item.deletion = 'acknowledged';
};

/** One item from its first byte to, sometimes, its end. */
const live = async (): Promise<void> => {
  const kind = (['video', 'video', 'image', 'folder', 'note', 'once'] as const)[below(6)] ?? 'note';
  const item = newItem(kind);
  if (kind === 'video') await publishInParts(item);
  else if (kind === 'image') await publishWhole(item, '/api/v1/uploads');
  else if (kind === 'folder') await publishWhole(item, '/api/v1/folders');
  else await publishNote(item, kind === 'once' ? { oneTime: true } : { visibility: 'public' });
  item.isPublishing = false;
  if (item.deletion !== 'none') return;
  if (kind === 'once') await openOnce(item);
  else if (random() < 0.5) await call('change', 'PATCH', `/api/v1/content/${item.id}`, { tags: [`tag ${below(5)}`] });
  if (random() < 0.6) await remove(item);
};

/** The items that may still begin before the next kill, and who waits for more. */
let ration = 0;
let refilled = Promise.withResolvers<void>();

const refill = (): void => {
  ration = ITEMS_PER_KILL;
  refilled.resolve();
  refilled = Promise.withResolvers();
};

const work = async (): Promise<void> => {
  while (!isLoadOver) {
    if (ration > 0) {
      ration -= 1;
      await live();
    } else await refilled.promise;
  }
};

interface ItemRow {
  readonly id: string;
  readonly title: string;
  readonly size: number;
  readonly objectId: string | null;
  readonly previewId: string | null;
}
interface ObjectRow {
  readonly id: string;
  readonly state: string;
  readonly size: number | null;
}

const itemRows = () =>
  query<ItemRow>('SELECT "id", "title", "size"::float8 AS "size", "objectId", "previewId" FROM "content"');

const chunkKeys = ({ id, size }: ObjectRow): readonly string[] =>
  Array.from({ length: Math.ceil((size ?? 0) / CHUNK_BYTES) }, (_, chunk) => `${id}/${chunk}`);

/** The keys of all objects in the store, below the prefix, without the id of the store. */
const storedKeys = (): readonly string[] =>
  (nodes.double?.objectKeys() ?? [])
    .filter((key) => key.startsWith(`${nodes.s3.prefix}/`) && !key.includes('/probe/'))
    .map((key) => key.slice(nodes.s3.prefix.length + 1));

/** A visitor gets exactly what the budget of a minute holds, whichever nodes are asked. */
const checkBudget = async (where: string): Promise<void> => {
  const headers = newVisitor();
  const read = () => ask(nodes.next(), { path: '/api/v1/no-such-route', headers });
  const answers = await Promise.all(Array.from({ length: GUEST_REQUESTS + 20 }, read));
  const allowed = answers.filter(({ status }) => status === 404).length;
  expect([allowed, answers.length - allowed], `${where}: budget`).toEqual([GUEST_REQUESTS, 20]);
};

/** Checks every guarantee that holds at any time, with no request in progress. */
const check = async (where: string): Promise<void> => {
  const rows = await itemRows();
  const byTitle = new Map(rows.map((row) => [row.title, row]));
  expect(byTitle.size, `${where}: an item is there twice`).toBe(rows.length);
  for (const item of known) {
    const row = byTitle.get(item.name);
    byTitle.delete(item.name);
    if (item.deletion === 'acknowledged') expect(row, `${where}: ${item.name} came back`).toBeUndefined();
    else if (item.deletion === 'none' && !item.isPublishing) expect(row?.id, `${where}: ${item.name}`).toBe(item.id);
  }
  expect([...byTitle.keys()], `${where}: items that were never sent`).toEqual([]);

  for (const { upload, id, deletion } of known) {
    if (upload === undefined || id !== undefined || deletion !== 'none') continue;
    const { body } = await uploader(nodes.next(), user).status(upload.id);
    for (const index of upload.acknowledged) expect(body.received, `${where}: part ${index}`).toContain(index);
  }

  const [account] = await query<{ used: number }>(
    `SELECT "storageUsed"::float8 AS "used" FROM "accounts" WHERE "id" = '${user.accountId}'`,
  );
  expect(account?.used, `${where}: storage used`).toBe(rows.reduce((sum, { size }) => sum + size, 0));

  const objects = new Map(
    (await query<ObjectRow>('SELECT "id", "state", "size"::float8 AS "size" FROM "objects"')).map((row) => [
      row.id,
      row,
    ]),
  );
  const stored = new Set(storedKeys());
  for (const { title, objectId, previewId } of rows) {
    for (const id of [objectId, previewId].filter((owned) => owned !== null)) {
      const object = objects.get(id);
      expect(object?.state, `${where}: the object of ${title}`).toBe('permanent');
      const missing = object === undefined ? [] : chunkKeys(object).filter((key) => !stored.has(key));
      expect(missing, `${where}: chunks of ${title}`).toEqual([]);
    }
  }
  await checkBudget(where);
};

/** After the sweep of a start, when everything unsettled counts as old. */
const checkSweep = async (): Promise<void> => {
  await Promise.all(nodes.nodes.map((node) => node.end('SIGTERM')));
  await query('UPDATE "objects" SET "stagedAt" = 0 WHERE "node" IS NOT NULL');
  await nodes.start(0);
  const owned = async (): Promise<readonly string[]> =>
    (await query<ObjectRow>('SELECT "id", "state", "size"::float8 AS "size" FROM "objects"')).flatMap(chunkKeys).sort();
  const unowned = () =>
    query(`SELECT "id" FROM "objects" WHERE "id" NOT IN
      (SELECT "objectId" FROM "content" WHERE "objectId" IS NOT NULL
       UNION SELECT "previewId" FROM "content" WHERE "previewId" IS NOT NULL
       UNION SELECT "objectId" FROM "uploads" WHERE "state" IN ('UPLOADING', 'COMPLETING'))`);
  const patience = { timeout: 60_000 };
  await expect.poll(unowned, { ...patience, message: 'rows without an item' }).toEqual([]);
  await expect
    .poll(() => [...storedKeys()].sort().join(), { ...patience, message: 'objects without a row' })
    .toBe((await owned()).join());
  for (let node = 1; node < NODES; node += 1) await nodes.start(node);
};

const killOne = async (): Promise<string> => {
  const what = randomKill() * 10;
  if (what < 6) {
    const node = Math.floor(randomKill() * NODES);
    await nodes.kill(node);
    await nodes.start(node);
    return `node ${node}`;
  }
  if (what < 8) {
    await cluster.kill();
    await cluster.start();
    return 'PostgreSQL';
  }
  // It ends in the middle of its work, and is back soon.
  nodes.double?.fault(() => (random() < 0.5 ? { kind: 'lose' } : { kind: 'drop' }));
  await sleep(randomKill() * LONGEST_LIFE_MS);
  nodes.double?.fault(() => null);
  return 'the store';
};

describe.skipIf(whyNot !== null)(`three nodes${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  beforeAll(async () => {
    cluster = await startPostgres();
    await queryPostgres(cluster.url('postgres'), 'CREATE DATABASE linkshot');
    nodes = await startNodes(temporaryFolder('nodes-kill'), { count: NODES, databaseUrl: databaseUrl(), config });
    user = await nodes.user();
  });
  afterAll(async () => {
    await nodes?.stop();
    await cluster?.remove();
  });

  it(`keep what they acknowledged, once, when they, PostgreSQL and the store are killed ${KILLS} times (seed ${SEED})`, {
    timeout: 240_000 + KILLS * 20_000,
  }, async () => {
    const load = Promise.all(Array.from({ length: WORKERS }, work));
    // A broken guarantee within the load ends the test immediately, not only when the load is awaited.
    let failure: unknown;
    load.catch((error: unknown) => {
      failure = error;
    });
    const killed = new Map<string, number>();
    for (let kill = 1; kill <= KILLS && failure === undefined; kill += 1) {
      refill();
      await sleep(randomKill() * LONGEST_LIFE_MS);
      const what = await killOne();
      killed.set(what, (killed.get(what) ?? 0) + 1);
      if (kill % CHECK_EVERY !== 0) continue;
      gate = Promise.withResolvers();
      await expect.poll(() => inFlight).toBe(0);
      await check(`kill ${kill} (${what}), seed ${SEED}`);
      gate.resolve();
    }
    isLoadOver = true;
    refill();
    await load;
    await check('the end');
    await checkSweep();

    const kept = known.filter(({ deletion }) => deletion === 'none');
    for (const { id, name, hash } of kept) {
      const headers = { authorization: `Bearer ${user.apiKey}`, ...newVisitor() };
      const read = () => fetch(`${nodes.next()}/api/media/${id}?download=1`, { headers });
      const media = await read();
      const bytes = new Uint8Array(await media.arrayBuffer());
      expect(media.status, name).toBe(200);
      if (hash !== null) expect(sha256(bytes), name).toBe(hash);
    }
    const counts = (map: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries(map));
    console.log(`${known.length} items, ${kept.length} kept; killed: ${counts(killed)}; repeated: ${counts(cut)}`);
    expect([...cut.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(KILLS / 2);
  });
});
