/** Programs of the engines, in the foreground: each ends with the process that started it, however that ends. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

type Environment = Readonly<Record<string, string>>;

export interface Daemon {
  readonly pid: number;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Whether something listens on a port of the loopback address. */
export const accepts = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const outcome = Promise.withResolvers<boolean>();
  socket.once('connect', () => outcome.resolve(true)).once('error', () => outcome.resolve(false));
  const isOpen = await outcome.promise;
  socket.destroy();
  return isOpen;
};

/** Resolves once `isReady` does with true; rejects with the program's output when it ends before. */
export const startDaemon = async (
  words: readonly string[],
  isReady: () => Promise<boolean>,
  environment: Environment = {},
): Promise<Daemon> => {
  const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'KILL', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { ...process.env, ...environment },
    // Ctrl-C in a terminal ends it in its turn, after what needs it.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4_000);
    });
  const exited = once(child, 'exit');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  while (!(await isReady())) {
    if (hasEnded()) throw new Error(`${words.join(' ')} ended: ${output}`);
    await sleep(50);
  }
  if (child.pid === undefined) throw new Error(`${words.join(' ')} has not started.`);
  return {
    pid: child.pid,
    kill: async () => {
      if (!hasEnded()) child.kill('SIGKILL');
      await exited;
    },
  };
};

/** Runs a program to its end; resolves with what it printed. */
export const runTool = async (words: readonly string[], environment: Environment = {}): Promise<string> => {
  const [program = '', ...rest] = words;
  const { stdout } = await promisify(execFile)(program, rest, {
    cwd: '/',
    env: { ...process.env, ...environment },
    timeout: 120_000,
  });
  return stdout;
};
