/** Controls a packed app from another process, over the instance socket, its only interface. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { connectToInstance, type InstanceTransport } from '../../../src/ipc/host/instance-socket.ts';
import type { CommandInput, CommandName, CommandOutput, ExactInput } from '../../../src/ipc/protocol/command-table.ts';

export interface PackedApp {
  /** The app's result; throws its errors. */
  call<K extends CommandName, I extends CommandInput<K>>(
    command: K,
    input: ExactInput<K, I>,
  ): Promise<CommandOutput<K>>;
  /** The link of the newest item, once there is one. */
  link(): Promise<string>;
  /** Quits it cleanly; resolves when it has exited. */
  quit(): Promise<void>;
}

const PATIENCE = { timeout: 120_000, interval: 200 };
const until = <T>(find: () => Promise<T>): Promise<T> => vi.waitFor(find, PATIENCE);

/** Starts the app in `folder` without a visible window, and waits until it answers. */
export const openPacked = async (binary: string, folder: string, profile: string): Promise<PackedApp> => {
  const child = spawn(binary, [folder, '--profile', profile, '--hidden'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = once(child, 'exit');
  const instance: InstanceTransport = await until(async () => {
    const found = await connectToInstance(profile);
    if (!found) throw new Error(`It does not answer.\n${output}`);
    return found;
  });
  const call: PackedApp['call'] = async <K extends CommandName, I extends CommandInput<K>>(
    command: K,
    input: ExactInput<K, I>,
  ) => {
    const answer = await instance.call<K, I>(command, input);
    if (!answer.ok) throw new Error(`${command}: ${answer.error.detail}\n${output}`);
    return answer.value;
  };
  return {
    call,
    link: () =>
      until(async () => {
        const { items } = await call('library.search', { text: '' });
        const [newest] = items;
        if (!newest) throw new Error(`There is no link.\n${output}`);
        return newest.content.url;
      }),
    quit: async () => {
      await call('app.quit', {});
      instance.close();
      await ended;
    },
  };
};
