/** Starts a node of the cluster in a process of its own, and runs single commands of the server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const CLI = resolve(import.meta.dirname, '../../src/server/cli.ts');
/** After SIGTERM a node completes what it does, for at most so long. */
const STOP_MS = 40_000;

interface NodeProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface NodeOptions {
  readonly data: string;
  readonly config: string;
  readonly name: string;
}

/** Resolves once it serves. It ends with this process, however that ends. */
export const startNode = async ({ data, config, name }: NodeOptions): Promise<NodeProcess> => {
  const words = [process.execPath, CLI, 'serve', '--data', data, '--config', config, '--port', '0'];
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LINKSHOT_SERVER_NODE_NAME: name },
    // Ctrl-C in a terminal ends it in its turn, before the engines.
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-8_000);
  });
  const exited = once(child, 'exit');
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const first = await Promise.race([ready, exited.then(() => null)]);
  if (first === null || child.pid === undefined) throw new Error(`${name} has not started: ${stderr}`);
  return {
    url: (JSON.parse(first[0]) as { readonly url: string }).url,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
};

/** Runs a command of the server; resolves with its line of JSON. */
export const runServerCommand = async (
  words: readonly string[],
): Promise<Readonly<Record<string, string | undefined>>> => {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...words]);
  return JSON.parse(stdout) as Record<string, string>;
};
