/** A real engine on a temporary profile folder, with ports that a test can inspect. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/api/errors.ts';
import type { ItemId } from '../../src/api/ids.ts';
import { createEngine, type Engine, type EngineDeps, runEngine } from '../../src/engine/engine.ts';
import { type EngineAdapters, nodeEngineAdapters } from '../../src/engine/engine-adapters.ts';
import { systemClock, systemRandom } from '../../src/engine/node-ports.ts';
import type { Clock } from '../../src/engine/ports.ts';
import { openProfile } from '../../src/engine/profile/open-profile.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { afterEveryFile, afterEveryTest } from './ends.ts';
import { PATIENCE_MS, soon } from './poll-timeouts.ts';
import { seededBytes } from './seeded-random.ts';

/** Time runs twenty times as fast: the engine's own waits are short. */
const PACE = 20;
/**
 * A busy machine may keep a test waiting for seconds, which at this pace are more than the minute of a suspend. What
 * exceeds this did not happen.
 */
const STALL_MS = 2_000;
// The real ones, also where a test fakes them.
const realNow = performance.now.bind(performance);
let begun = Date.now();
let lost = 0;
let looked = realNow();
const look = (): void => {
  const now = realNow();
  lost += Math.max(0, now - looked - STALL_MS);
  looked = now;
};
setInterval(look, STALL_MS / 10).unref();
// Else it would be hours ahead of the other programs' after many files.
afterEveryFile(() => {
  begun = Date.now();
  lost = 0;
});
export const fastClock: Clock = {
  now: () => {
    look();
    return Math.round(begun + (Date.now() - lost - begun) * PACE);
  },
  monotonic: () => {
    look();
    return (performance.now() - lost) * PACE;
  },
  sleep: async (ms, signal) => {
    const end = fastClock.monotonic() + ms;
    let left = ms;
    do {
      await systemClock.sleep(left / PACE, signal);
      left = end - fastClock.monotonic();
    } while (left > 0);
  },
};

export interface TestEngine {
  readonly engine: Engine;
  readonly clipboard: string[];
  readonly opened: string[];
}

const running = new Set<Engine>();
afterEveryTest(async () => {
  for (const engine of running) await engine.close();
  running.clear();
});

/** `alter` replaces some of the engine's adapters; all others are real. */
export const openEngine = async (
  profileDir: string,
  ports: Partial<EngineDeps> = {},
  alter?: (real: EngineAdapters, deps: EngineDeps) => EngineAdapters,
): Promise<TestEngine> => {
  const clipboard: string[] = [];
  const opened: string[] = [];
  const deps: EngineDeps = {
    clock: fastClock,
    random: systemRandom,
    secrets: createMemoryKeyStore(),
    clipboard: { writeText: (text) => Promise.resolve(ok(void clipboard.push(text))) },
    notifier: { linked: () => {} },
    // No test waits for the text of its pictures, unless it brings a process of its own.
    startVision: () => ({ send: () => {}, kill: () => {} }),
    opener: { open: (url) => Promise.resolve(ok(void opened.push(url))) },
    environment: process.env,
    profileDir,
    device: { name: 'Test computer', platform: 'linux' },
    version: 'test',
    ...ports,
  };
  const made = alter
    ? await runAltered(deps, alter)
    : await createEngine({ ...deps, secrets: async () => deps.secrets });
  if (!made.ok) throw new Error(`${made.error.code}: ${made.error.detail}`);
  const engine = made.value;
  const close = engine.close;
  engine.close = () => {
    running.delete(engine);
    return close();
  };
  running.add(engine);
  return { engine, clipboard, opened };
};

const runAltered = async (deps: EngineDeps, alter: (real: EngineAdapters, deps: EngineDeps) => EngineAdapters) => {
  const profile = openProfile(deps.profileDir, deps.clock);
  return profile.ok ? ok(await runEngine(deps, alter(nodeEngineAdapters(deps, profile.value), deps))) : profile;
};

export const connectTo = async (engine: Engine, server: string, key = 'key-a') => {
  const connected = await engine.connection.connect({ server, key, keep: 'store' }, soon());
  if (!connected.ok) throw new Error(connected.error.detail);
};

/** A file of bytes that look random, the same for a name and a size; returns its path and hash. */
export const randomFile = (folder: string, name: string, size: number): { path: string; sha256: string } => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const bytes = seededBytes(`${name} ${size}`, size);
  writeFileSync(path, bytes);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
};

export const wait = (ms: number) => systemClock.sleep(ms, AbortSignal.timeout(ms + 5_000));

export const addFile = async (engine: Engine, path: string, name = 'file.png'): Promise<ItemId> => {
  const added = await engine.queue.add([{ source: { owner: 'user', path }, name }]);
  if (!added.ok || !added.value[0]) throw new Error(added.ok ? 'nothing added' : added.error.detail);
  return added.value[0];
};

export const itemOf = (engine: Engine, id: ItemId): QueueItem | undefined =>
  engine.state().queue.items.find((item) => item.id === id);

/**
 * Waits until the engine's state satisfies the test, and fails after minutes, or at the limit of the test, with what
 * `seen` returns then.
 */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  seen: () => unknown = () => '',
): Promise<void> => {
  const end = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`The condition did not come true in time. ${JSON.stringify(seen())}`);
    await wait(5);
  }
};
