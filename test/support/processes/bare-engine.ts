/** The real engine for a process that a test starts and may kill, with silent ports. */
import { flushCompileCache } from 'node:module';
import { ok } from '../../../src/api/errors.ts';
import { type CreateEngineDeps, createEngine, type Engine } from '../../../src/engine/engine.ts';
import { silentNotifier, systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';

const never = new AbortController().signal;

export const openBareEngine = async (profileDir: string, ports: Partial<CreateEngineDeps> = {}): Promise<Engine> => {
  const made = await createEngine({
    clock: systemClock,
    random: systemRandom,
    secrets: async () => createMemoryKeyStore(),
    clipboard: null,
    notifier: silentNotifier,
    opener: { open: () => Promise.resolve(ok(undefined)) },
    environment: process.env,
    profileDir,
    device: { name: 'Test computer', platform: 'linux' },
    version: 'test',
    ...ports,
  });
  if (!made.ok) throw new Error(made.error.code);
  // One that is killed would leave the next one to compile everything again.
  flushCompileCache();
  return made.value;
};

/** Publishes the queue of the profile, as its next start does, and exits. Fails if an item gets no link. */
export const publishWhatIsLeft = async (engine: Engine, server: string, key: string): Promise<void> => {
  try {
    const connected = await engine.connection.connect({ server, key, keep: 'session' }, never);
    if (!connected.ok) throw new Error(connected.error.code);
    for (const { id } of engine.state().queue.items) {
      const settled = await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, never);
      if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
    }
  } finally {
    await engine.close();
  }
};
