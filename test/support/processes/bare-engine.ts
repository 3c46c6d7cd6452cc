/** The engine of a process that a test starts and may kill: real in everything, with ports that tell nobody anything. */
import { ok } from '../../../src/contract/errors.ts';
import { sessionSecrets, silentNotifier, systemClock, systemRandom } from '../../../src/engine/defaults.ts';
import { createEngine, type Engine, type EngineDeps } from '../../../src/engine/engine.ts';

export const openBareEngine = async (profileDir: string, ports: Partial<EngineDeps> = {}): Promise<Engine> => {
  const made = await createEngine({
    clock: systemClock,
    random: systemRandom,
    secrets: sessionSecrets(),
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
  return made.value;
};
