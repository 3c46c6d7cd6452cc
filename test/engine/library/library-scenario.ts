/** A real engine connected to a real server, with helpers for tests of published items. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine, EngineDeps } from '../../../src/engine/engine.ts';
import type { EngineAdapters } from '../../../src/engine/engine-adapters.ts';
import type { LinkSettings } from '../../../src/ipc/protocol/link-settings.ts';
import type { QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import type { Clock } from '../../../src/server/clock-and-random.ts';
import { type FaultProxy, startFaultProxy } from '../../faults/fault-proxy.ts';
import { connectTo, fastClock, openEngine, type TestEngine } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';

const PATIENCE = 600_000;

export interface Scene extends TestEngine {
  readonly service: RunningServer;
  readonly user: User;
  readonly proxy: FaultProxy;
  readonly profileDir: string;
  /** Ends the engine and opens the next one on the same profile and service. */
  restart(ports?: Partial<EngineDeps>): Promise<TestEngine>;
}

/** The engine speaks to the server through a proxy, which passes everything until a test says otherwise. */
export const openScene = async (
  root: string,
  {
    plan = 'free',
    ports = {},
    serverClock = fastClock,
    alter,
  }: {
    readonly plan?: 'free' | 'pro';
    readonly ports?: Partial<EngineDeps>;
    readonly serverClock?: Clock;
    /** As in `openEngine`. */
    readonly alter?: ((real: EngineAdapters) => EngineAdapters) | undefined;
  } = {},
): Promise<Scene> => {
  const service = await startServer({ clock: serverClock, config: { limits: { requestsPerMinute: 100_000 } } });
  const proxy = await startFaultProxy(service.url);
  onTestFinished(async () => {
    await proxy.close();
    await service.stop();
  });
  const user = await service.user({ plan });
  const profileDir = join(root, randomUUID());
  const open = async (more: Partial<EngineDeps>) => {
    const opened = await openEngine(profileDir, { ...ports, ...more }, alter);
    await connectTo(opened.engine, proxy.url, user.apiKey);
    return opened;
  };
  const opened = await open({});
  return {
    ...opened,
    ...{ service, user, proxy, profileDir },
    async restart(more = {}) {
      await opened.engine.close();
      return await open(more);
    },
  };
};

/** Publishes a note and answers its item. */
export const publishNote = async (
  engine: Engine,
  text: string,
  share: LinkSettings = {},
): Promise<QueueItemIn<'linked'>> => await linkedItem(engine, must(await engine.note.add({ text, share })).id);

export const linkedItem = async (engine: Engine, id: ItemId): Promise<QueueItemIn<'linked'>> => {
  const item = must(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon()));
  if (item.state !== 'linked') throw new Error(`The item is ${item.state}.`);
  return item;
};
