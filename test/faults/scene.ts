/** Setup of the fault cases: the real server behind the fault proxy, and a real engine that knows of neither. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { ItemId } from '../../src/api/ids.ts';
import { createServiceClient } from '../../src/engine/api-client/client.ts';
import { createRateLimiter } from '../../src/engine/api-client/rate-limiter.ts';
import { TIMEOUTS, type Timeouts } from '../../src/engine/api-client/request-timeout.ts';
import type { Engine, EngineDeps } from '../../src/engine/engine.ts';
import type { EngineAdapters } from '../../src/engine/engine-adapters.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { addFile, connectTo, fastClock, itemOf, openEngine, until } from '../support/engine.ts';
import { soon } from '../support/poll-timeouts.ts';
import { seededBytes } from '../support/seeded-random.ts';
import {
  type ConfigFile,
  type RunningServer,
  type StartOptions,
  startServer,
  type User,
} from '../support/server/server.ts';
import { objectFiles, queryData, readObject } from '../support/server/stored-bytes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Operation } from './fault.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

export const PART = 2 * 1024 * 1024;
/** Long in the engine's time, which runs twenty times as fast, and never waited out where all is well. */
export const PATIENCE = 3_600_000;

/** No request is ever refused for its number: that is not what these tests are about. */
export const NO_BUDGETS = {
  requestsPerMinute: 1_000_000,
  uploadRequestsPerMinute: 1_000_000,
  partsPerMinute: 1_000_000,
  guestRequestsPerMinute: 1_000_000,
};

/** A part of the file or an answer is lost within seconds instead of a minute; a busy disk takes a second for a part. */
export const SHORT_TIMEOUTS: Timeouts = { connectMs: 10_000, idleMs: 2_000, replyMs: 2_000, completeMs: 4_000 };
/** No silent request ever times out. */
export const ENDLESS_TIMEOUTS: Timeouts = { ...TIMEOUTS, idleMs: 600_000, replyMs: 600_000, completeMs: 600_000 };

export interface Picture {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

let pictures = 0;

/** A unique real PNG of noise with this many parts, which needs no conversion. */
export const picture = async (folder: string, parts: number): Promise<Picture> => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `picture-${pictures++}.png`);
  const [width, channels] = [1024, 3] as const;
  const height = Math.floor(((parts - 0.5) * PART) / (width * channels));
  // No two pictures and no two parts are alike.
  const pixels = seededBytes(`picture ${pictures}`, width * height * channels);
  await sharp(pixels, { raw: { width, height, channels } }).png({ compressionLevel: 0 }).toFile(path);
  const bytes = readFileSync(path);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
};

export interface SceneOptions {
  readonly plan?: 'free' | 'pro';
  readonly timeouts?: Timeouts;
  readonly ports?: Partial<EngineDeps>;
  readonly alter?: (real: EngineAdapters) => EngineAdapters;
  readonly connect?: 'later';
}

export interface Scene {
  readonly service: RunningServer;
  readonly proxy: FaultProxy;
  readonly user: User;
  readonly engine: Engine;
  readonly clipboard: readonly string[];
  readonly folder: string;
  readonly profile: string;
  /** A new picture in the folder of the test. */
  picture(parts: number): Promise<Picture>;
  add(file: Picture, name?: string): Promise<ItemId>;
  item(id: ItemId): QueueItem | undefined;
  /** The code of the item's error, if it has one. */
  errorOf(id: ItemId): string | undefined;
  linked(id: ItemId): Promise<void>;
  /** Requests of an operation that passed the proxy so far. */
  count(operation: Operation): number;
  /** All items of the user, with the hashes of their bytes as the server stored them. */
  published(): Promise<readonly { readonly id: string; readonly sha256: string; readonly size: number }[]>;
  /** The guarantee of every case: these files were published, each once and completely, and nothing else uses storage. */
  expectPublished(...files: readonly Picture[]): Promise<void>;
}

/** One server for all cases of a file. */
export const faultScenes = (config: ConfigFile = {}, options: Omit<StartOptions, 'config'> = {}) => {
  const root = temporaryFolder('faults');
  let service: RunningServer;
  let turn = 0;
  beforeAll(async () => {
    const { limits, ...rest } = config as { limits?: object };
    service = await startServer({
      clock: fastClock,
      ...options,
      config: { ...rest, limits: { ...NO_BUDGETS, ...limits } },
    });
  });
  afterAll(() => service.stop());

  return async (given: SceneOptions = {}): Promise<Scene> => {
    const folder = join(root, `test-${turn++}`);
    const profile = join(folder, 'profile');
    const proxy = await startFaultProxy(service.url);
    onTestFinished(() => proxy.close());
    const user = await service.user({ plan: given.plan ?? 'pro' });
    const opened = await openScene(profile, given);
    const { engine } = opened;
    if (given.connect !== 'later') await connectTo(engine, proxy.url, user.apiKey);
    return { profile, ...opened, ...sceneOf({ service, proxy, user, engine, folder }) };
  };
};

/** An engine on a profile, perhaps the one of an engine before it. */
export const openScene = async (profile: string, { timeouts, ports = {}, alter = (real) => real }: SceneOptions) => {
  let hasConnected = (): boolean => false;
  const current = (): Timeouts => (timeouts && hasConnected() ? timeouts : ENDLESS_TIMEOUTS);
  /** Until it is connected it waits for a busy machine: to connect is not tried again. */
  const patientAtFirst: Timeouts = {
    connectMs: ENDLESS_TIMEOUTS.connectMs,
    get idleMs() {
      return current().idleMs;
    },
    get replyMs() {
      return current().replyMs;
    },
    get completeMs() {
      return current().completeMs;
    },
  };
  const opened = await openEngine(profile, ports, (real, { clock, random }) =>
    alter({
      ...real,
      ...(timeouts && {
        openClient: (server, key) =>
          createServiceClient({
            ...{ clock, gate: createRateLimiter({ clock, random }), server, key },
            timeouts: patientAtFirst,
          }),
      }),
    }),
  );
  let isKnown = false;
  hasConnected = () => {
    isKnown ||= opened.engine.state().connection.state === 'connected';
    return isKnown;
  };
  return opened;
};

export const sceneOf = (parts: Pick<Scene, 'service' | 'proxy' | 'user' | 'engine' | 'folder'>) => {
  const { service, proxy, user, engine, folder } = parts;
  const item = (id: ItemId) => itemOf(engine, id);
  const published = () => publishedBy(service.data, user.accountId);
  return {
    ...parts,
    picture: (count: number) => picture(folder, count),
    add: ({ path }: Picture, name = 'picture.png') => addFile(engine, path, name),
    item,
    errorOf: (id: ItemId) => item(id)?.error?.failure.code,
    async linked(id: ItemId) {
      const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
      if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
      await until(() => item(id)?.state === 'linked');
    },
    count: (operation: Operation) => proxy.requests.filter((request) => request.operation === operation).length,
    published,
    async expectPublished(...files: readonly Picture[]) {
      const items = await published();
      expect(items.map(({ sha256 }) => sha256).toSorted()).toEqual(files.map(({ sha256 }) => sha256).toSorted());
      expect(await storageOf(service.data, user.accountId)).toBe(files.reduce((sum, { size }) => sum + size, 0));
    },
  };
};

export const publishedBy = async (data: string, accountId: string) =>
  await Promise.all(
    (
      await queryData<{ id: string; objectId: string; size: number }>(
        data,
        'SELECT id, objectId, size FROM content WHERE accountId = ? ORDER BY seq',
        accountId,
      )
    ).map(async ({ id, objectId, size }) => {
      const bytes = await readObject(data, objectId);
      return { id, size, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );

export const storageOf = async (data: string, accountId: string): Promise<number | undefined> =>
  (await queryData<{ storageUsed: number }>(data, 'SELECT storageUsed FROM accounts WHERE id = ?', accountId))[0]
    ?.storageUsed;

export interface UploadFacts {
  readonly id: string;
  readonly state: string;
  readonly receivedBytes: number;
  readonly idempotencyKey: string;
  readonly completeKey: string | null;
  readonly objectId: string;
}

/** The account's uploads as the server's database has them, oldest first. */
export const uploadsOf = (data: string, accountId: string): Promise<readonly UploadFacts[]> =>
  queryData<UploadFacts>(data, 'SELECT * FROM uploads WHERE accountId = ? ORDER BY createdAt, id', accountId);

/** Whether the server still holds bytes of an upload that was never published. */
export const isStaged = async (data: string, { objectId }: UploadFacts): Promise<boolean> =>
  (await objectFiles(data)).staged.includes(objectId);
