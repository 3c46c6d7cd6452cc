/** The server dies, stops or runs out of space while a real engine sends to it through the fault proxy. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AccountId } from '../../src/api/ids.ts';
import { TIMEOUTS } from '../../src/engine/api-client/request-timeout.ts';
import { addFile, connectTo, fastClock, itemOf, openEngine, until } from '../support/engine.ts';
import { ENGINES, s3Double } from '../support/engines/engines.ts';
import { itAbout } from '../support/engines/only-on-engines.ts';
import { soon } from '../support/poll-timeouts.ts';
import { type ServerProcess, serverCommand, startServer, startServerProcess } from '../support/server/server.ts';
import { NODES } from '../support/server/server-nodes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import {
  isStaged,
  NO_BUDGETS,
  openScene,
  PART,
  PATIENCE,
  type Picture,
  picture,
  publishedBy,
  SHORT_TIMEOUTS,
  storageOf,
  uploadsOf,
} from './scene.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

const root = temporaryFolder('faults-service');
const data = join(root, 'data');
const config = { limits: NO_BUDGETS };
/** The proxy, which is in this process, may pause while the server drains. */
const patient = { limits: { ...NO_BUDGETS, drainBodySeconds: 120, drainSeconds: 120 } };
let service: ServerProcess;
let proxy: FaultProxy;
let key = '';
let accountId = '' as AccountId;
let turn = 0;

beforeAll(async () => {
  const account = await serverCommand('account', 'add', 'victim', '--plan', 'pro', '--data', data);
  accountId = account['id'] as AccountId;
  const scopes = 'content:read,content:write,content:delete,account:read';
  key = (await serverCommand('key', 'add', '--account', 'victim', '--scopes', scopes, '--data', data))['apiKey'] ?? '';
  service = await startServerProcess(data, { config: patient });
  proxy = await startFaultProxy(service.url);
});
beforeEach(() => {
  proxy.fault = () => null;
});
afterAll(async () => {
  await service.end('SIGKILL');
  await proxy.close();
});

const again = async (): Promise<void> => {
  service = await startServerProcess(data, { config: patient });
  proxy.target(service.url);
};

/** An engine that is uploading one picture. */
const sending = async (parts: number, timeouts = TIMEOUTS) => {
  const folder = join(root, `test-${turn++}`);
  const before = (await publishedBy(data, accountId)).length;
  const file = await picture(folder, parts);
  const { engine } = await openScene(join(folder, 'profile'), { timeouts });
  await connectTo(engine, proxy.url, key);
  const asked = proxy.requests.length;
  const id = await addFile(engine, file.path, 'picture.png');
  const upload = async () => (await uploadsOf(data, accountId)).at(-1);
  const finished = async () => {
    const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
    if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
    await expectOnce(file, before);
  };
  return { requests: () => proxy.requests.slice(asked), upload, finished };
};

/** One more item than before, with the bytes of the file; the storage used is the sum of them all. */
const expectOnce = async ({ sha256 }: Picture, before: number): Promise<void> => {
  const items = await publishedBy(data, accountId);
  expect(items).toHaveLength(before + 1);
  expect(items.at(-1)?.sha256).toBe(sha256);
  expect(await storageOf(data, accountId)).toBe(items.reduce((sum, { size }) => sum + size, 0));
};

describe('a server that is killed', () => {
  it('fault 7: while it receives a part never counts its bytes, and keeps the confirmed parts', async () => {
    const nth = proxy.requests.filter(({ operation }) => operation === 'part').length;
    proxy.fault = (part) => (part.operation === 'part' && part.nth === nth + 1 ? { do: 'stall', at: PART / 2 } : null);
    const { requests, upload, finished } = await sending(3, SHORT_TIMEOUTS);
    await until(() => requests().some(({ passedBytes, index }) => index !== null && passedBytes === PART / 2));
    await until(async () => ((await upload())?.receivedBytes ?? 0) > 0);
    await service.end('SIGKILL');
    const confirmed = requests().filter(({ index, answer }) => index !== null && answer?.status === 200);
    expect((await upload())?.receivedBytes).toBeGreaterThanOrEqual(
      confirmed.reduce((sum, { passedBytes }) => sum + passedBytes, 0),
    );
    expect(((await upload())?.receivedBytes ?? 0) % PART).not.toBe(PART / 2);
    const before = requests().length;
    await again();
    await finished();
    // Confirmed bytes were not sent again.
    const sentAgain = requests()
      .slice(before)
      .map(({ index }) => index);
    for (const { index } of confirmed) expect(sentAgain).not.toContain(index);
  });

  it('fault 8: while it completes publishes the item once', async () => {
    const { upload, finished } = await sending(1);
    await until(async () => ['COMPLETING', 'COMPLETED'].includes((await upload())?.state ?? ''));
    await service.end('SIGKILL');
    expect(['COMPLETING', 'COMPLETED']).toContain((await upload())?.state);
    await again();
    await finished();
    expect((await upload())?.state).toBe('COMPLETED');
  });
});

it('fault 44: a server that is stopped receives the parts in progress, answers new requests 503, and exits', async () => {
  proxy.throttle(4 * 1024 * 1024);
  const { requests, finished } = await sending(3);
  const underWay = () =>
    requests().find(({ index, passedBytes, isOver }) => index !== null && passedBytes > 0 && !isOver);
  await until(() => underWay() !== undefined);
  const part = underWay();
  // Its bytes may wait in the system: a server that answers what came later has accepted the request itself.
  for (let time = 0; time < 2 * NODES; time += 1) await (await fetch(`${service.url}/livez`)).text();
  const ended = service.end('SIGTERM');
  await until(() => part?.isOver === true);
  proxy.throttle(Number.POSITIVE_INFINITY);
  expect(part?.answer?.status).toBe(200);
  expect(await ended).toBe(0);
  const refused = requests().filter(({ answer }) => answer !== null && answer.status !== 200);
  for (const { answer } of refused) expect(answer?.status).toBe(503);
  await again();
  await finished();
  expect(requests().filter(({ index }) => index === part?.index)).toHaveLength(1);
});

/** The disk below `folder`, or the S3 store instead of it. */
const smallStore = async (folder: string): Promise<Pick<SmallDisk, 'fill' | 'makeRoom'>> => {
  if (ENGINES.objects === 'files') return smallDisk(folder, 24);
  const double = await s3Double();
  onTestFinished(() => double.fault(() => null));
  const refuse = (method: string) =>
    method === 'PUT' ? ({ kind: 'refuse', status: 507, code: 'InsufficientStorage' } as const) : null;
  return { fill: () => double.fault(refuse), makeRoom: () => double.fault(() => null) };
};

itAbout('a store that waits on request')(
  'fault 22: a server whose disk is full reports it, stores no partial data, and continues when there is space',
  async () => {
    const folder = join(root, 'full');
    mkdirSync(folder);
    const disk = await smallStore(folder);
    const full = await startServer({ data: join(folder, 'data'), clock: fastClock, config });
    onTestFinished(() => full.stop());
    const front = await startFaultProxy(full.url);
    onTestFinished(() => front.close());
    const user = await full.user({ plan: 'pro' });
    const { engine } = await openEngine(join(root, 'profile-full'));
    await connectTo(engine, front.url, user.apiKey);
    const file = await picture(join(root, 'files'), 3);
    // The disk fills up during the first part.
    front.fault = ({ operation, nth }) => {
      if (operation === 'part' && nth === 0) disk.fill();
      return null;
    };
    const id = await addFile(engine, file.path, 'picture.png');
    await until(() => itemOf(engine, id)?.error?.failure.code === 'UPLOAD_SERVER_BUSY');
    expect(itemOf(engine, id)).toMatchObject({ attempts: 0, error: { retryAt: expect.any(Number) } });
    const refused = front.requests.filter(({ answer }) => answer?.status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { answer } of refused) expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await uploadsOf(full.data, user.accountId)).toMatchObject([{ state: 'UPLOADING' }]);
    disk.makeRoom();
    engine.queue.retry({ ids: [id] });
    const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
    expect(settled).toMatchObject({ ok: true });
    expect(await publishedBy(full.data, user.accountId)).toMatchObject([{ sha256: file.sha256 }]);
    const [upload] = await uploadsOf(full.data, user.accountId);
    expect(upload && (await isStaged(full.data, upload))).toBe(false);
  },
);
