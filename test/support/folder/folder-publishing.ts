/** Publishes folders with a real engine at a real server, one server per test file. */
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ShareFields } from '../../../src/api/content.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import { connectTo, fastClock, openEngine } from '../engine.ts';
import { soon } from '../poll-timeouts.ts';
import { type RunningServer, startServer, type User } from '../server/server.ts';
import { ask } from '../server/service-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Tree, writeTree } from './git-repository.ts';
import { filesOf } from './packed-folder.ts';

/** In the engine's time, which runs twenty times as fast. */
export const PATIENCE = 600_000;
const unlimited = { requestsPerMinute: 1_000_000, uploadRequestsPerMinute: 1_000_000 };

export const folderPublishing = (name: string) => {
  const dir = temporaryFolder(name);
  let service: RunningServer;
  let made = 0;
  beforeAll(async () => {
    service = await startServer({ clock: fastClock, config: { limits: unlimited } });
  });
  afterAll(() => service.stop());

  return {
    dir,
    service: () => service,
    /** A new folder with these files. */
    folderOf: (tree: Tree): string => {
      made += 1;
      const root = join(dir, `${made}/project`);
      writeTree(root, tree);
      return root;
    },
    /** A new user with an engine that is connected to the server, or to a proxy in front of it. */
    connected: async (url = service.url) => {
      const user = await service.user();
      const { engine } = await openEngine(join(dir, `profile-${user.username}`));
      await connectTo(engine, url, user.apiKey);
      return { engine, user };
    },
    add: async (engine: Engine, path: string, share: ShareFields = {}): Promise<ItemId> => {
      const added = await engine.queue.add([{ source: { owner: 'user', path }, name: 'project', share }]);
      if (!added.ok || !added.value[0]) throw new Error(added.ok ? 'nothing added' : added.error.detail);
      return added.value[0];
    },
    published: async (engine: Engine, id: ItemId): Promise<QueueItemIn<'linked'>> => {
      const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
      if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
      return settled.value as QueueItemIn<'linked'>;
    },
    /** The user's items at the service. */
    items: async ({ apiKey }: User): Promise<readonly { id: string }[]> =>
      (await ask<{ items: { id: string }[] }>(service.url, { path: '/api/v1/content', key: apiKey })).body.items,
    /** The files of a published folder, by path. */
    stored: async ({ apiKey }: User, id: string): Promise<ReadonlyMap<string, string>> => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${service.url}/api/media/${id}?download=1`, { headers });
      return filesOf(Buffer.from(await answer.arrayBuffer()));
    },
  };
};
