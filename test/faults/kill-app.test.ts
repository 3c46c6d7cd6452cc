/**
 * The app is killed by SIGKILL at chosen moments of an upload to the real server; its next start leads to the same
 * single item.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { QueueItem, QueueItemIn } from '../../src/ipc/protocol/queue-item.ts';
import { until } from '../support/engine.ts';
import { openBareEngine, publishWhatIsLeft } from '../support/processes/bare-engine.ts';
import { faultScenes, PART, type Scene, uploadsOf } from './scene.ts';

const SCRIPT = fileURLToPath(new URL('../support/processes/engine-process.ts', import.meta.url));
const scene = faultScenes();

/** Stops in the middle of hashing, and reports it. */
const STOPS_HASHING = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { open } = fs;
  let reads = 0;
  fs.open = async (...how) => {
    const file = await open(...how);
    const read = file.read.bind(file);
    file.read = (...what) => {
      if (++reads !== 3) return read(...what);
      process.stdout.write('hashing\\n');
      return new Promise(() => {});
    };
    return file;
  };
  syncBuiltinESMExports();`;

interface App {
  readonly child: ChildProcess;
  /** What it has printed. */
  said(): string;
  kill(): Promise<void>;
}

const profileOf = ({ folder }: Scene) => join(folder, 'killed');

/** An app in its own process; it adds `file`, or continues with its profile. */
const start = (parts: Scene, file: string | null, preload = ''): App => {
  const preloads = preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : [];
  const args = [...preloads, SCRIPT, profileOf(parts), parts.proxy.url, parts.user.apiKey, ...(file ? [file] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return {
    child,
    said: () => said,
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** The next start, in this process: the one that was killed has left nothing behind but its folder. */
const recover = async (parts: Scene): Promise<void> => {
  parts.proxy.fault = () => null;
  await publishWhatIsLeft(await openBareEngine(profileOf(parts)), parts.proxy.url, parts.user.apiKey);
};

const rowOf = (parts: Scene): QueueItem => {
  const database = new Database(join(profileOf(parts), 'profile.sqlite'), { readonly: true });
  try {
    const [text] = database.prepare<[], string>('SELECT item FROM queue').pluck().all();
    return JSON.parse(text ?? 'null') as QueueItem;
  } finally {
    database.close();
  }
};

describe('an app that is killed', () => {
  it('fault 1: while it hashes has its item, has sent nothing, and hashes again', async () => {
    const parts = await scene({ connect: 'later' });
    const file = await parts.picture(4);
    const app = start(parts, file.path, STOPS_HASHING);
    await until(() => app.said().includes('hashing'));
    await app.kill();
    expect(['queued', 'prepared']).toContain(rowOf(parts).state);
    expect(parts.count('start')).toBe(0);
    await recover(parts);
    await parts.expectPublished(file);
  });

  it('fault 2: after its start was sent and before the answer gets the same upload', async () => {
    const parts = await scene({ connect: 'later' });
    const { proxy, service, user } = parts;
    const file = await parts.picture(2);
    proxy.fault = ({ operation }) => (operation === 'start' ? { do: 'swallow' } : null);
    const app = start(parts, file.path);
    await until(async () => (await uploadsOf(service.data, user.accountId)).length === 1);
    await app.kill();
    const before = rowOf(parts);
    expect(before).toMatchObject({
      state: 'hashed',
      startKey: (await uploadsOf(service.data, user.accountId))[0]?.idempotencyKey,
    });
    await recover(parts);
    expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
    await parts.expectPublished(file);
  });

  it('fault 3: while it sends parts requests the received parts and sends only the rest', async () => {
    const parts = await scene({ connect: 'later' });
    const { proxy } = parts;
    const file = await parts.picture(6);
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth >= 2 ? { do: 'stall', at: PART / 2 } : null);
    const app = start(parts, file.path);
    await until(() =>
      proxy.requests.some(({ operation, nth, passedBytes }) => operation === 'part' && nth >= 2 && passedBytes > 0),
    );
    await app.kill();
    await recover(parts);
    await parts.expectPublished(file);
    const sent = proxy.requests.reduce(
      (sum, { operation, passedBytes }) => sum + (operation === 'part' ? passedBytes : 0),
      0,
    );
    expect(sent - file.size).toBeLessThanOrEqual(3 * PART);
  });

  it('fault 4: after a part was accepted and before it recorded that uses the list of the service', async () => {
    const parts = await scene({ connect: 'later' });
    const { proxy, service, user } = parts;
    const file = await parts.picture(4);
    proxy.fault = ({ operation }) => (operation === 'part' ? { do: 'swallow' } : null);
    const app = start(parts, file.path);
    const received = async () => (await uploadsOf(service.data, user.accountId))[0]?.receivedBytes ?? 0;
    await until(async () => (await received()) > 0);
    await app.kill();
    expect(rowOf(parts)).toMatchObject({ state: 'started', confirmedBytes: 0 });
    const arrived = new Set(proxy.requests.flatMap(({ index }) => (index === null ? [] : [index])));
    const before = parts.count('part');
    await recover(parts);
    await parts.expectPublished(file);
    const again = proxy.requests.filter(
      ({ operation, nth, index }) => operation === 'part' && nth >= before && arrived.has(index ?? -1),
    );
    expect(again).toEqual([]);
  });

  it.each([
    ['before it has arrived', 'hold'],
    ['after the item was published', 'swallow'],
  ])('fault 5: around complete, %s, results in one item', async (_, how) => {
    const parts = await scene({ connect: 'later' });
    const { proxy, service, user } = parts;
    const file = await parts.picture(1);
    const never = new Promise(() => {});
    proxy.fault = ({ operation }) =>
      operation !== 'complete' ? null : how === 'hold' ? { do: 'hold', until: never } : { do: 'swallow' };
    const app = start(parts, file.path);
    await until(async () =>
      how === 'hold'
        ? parts.count('complete') === 1
        : (await uploadsOf(service.data, user.accountId))[0]?.state === 'COMPLETED',
    );
    await app.kill();
    const before = rowOf(parts);
    expect(before.state).toBe('completing');
    await recover(parts);
    const { completeKey } = before as QueueItemIn<'completing'>;
    expect(await uploadsOf(service.data, user.accountId)).toMatchObject([{ completeKey }]);
    await parts.expectPublished(file);
    const asked = proxy.requests.filter(({ operation }) => operation === 'complete').length;
    expect(asked).toBe(how === 'hold' ? 2 : 1);
  });
});
