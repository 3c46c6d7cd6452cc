/** Wall, CPU and peak memory of real processes: servers by /proc, clients by their shell's `times`. Linux only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Seconds of CPU, and peak resident memory in MiB of the process itself and of it together with its children. */
export interface Usage {
  readonly cpu: number;
  readonly rss: number;
  readonly treeRss: number;
}

/** /proc counts CPU in hundredths of a second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** CPU seconds of a process and of the children it has waited for. */
const cpuOf = (pid: number): number => {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
};

const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** CPU seconds of processes and their children. */
export const cpuOfTrees = (pids: readonly number[]): number => sum(pids.flatMap(treeOf).map(cpuOf));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export interface ServerProcess {
  /** What it printed when it was ready. */
  readonly ready: Record<string, string>;
  readonly pid: number;
  usage(): Usage;
  /** Resets the peak of memory, so that it is the peak of what follows. */
  resetPeak(): void;
  stop(): Promise<void>;
}

/** Starts a server and waits for the JSON line that says where it listens. */
export const startServer = async (command: string, args: readonly string[]): Promise<ServerProcess> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid ?? 0;
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${args[0]} ended before it was ready.`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  // It is stopped later on.
  ended.catch(() => {});
  return {
    ready: JSON.parse(line) as Record<string, string>,
    pid,
    usage: () => ({
      cpu: sum(treeOf(pid).map(cpuOf)),
      rss: peakOf(pid),
      treeRss: sum(treeOf(pid).map(peakOf)),
    }),
    resetPeak: () => {
      for (const member of treeOf(pid)) writeFileSync(`/proc/${member}/clear_refs`, '5');
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
};

export interface ClientRun extends Usage {
  /** Seconds from the start of the process to its end, start-up included. */
  readonly wall: number;
  readonly output: string;
}

/** Seconds of a `times` line such as `0m0.123s 0m0.045s`. */
const secondsOf = (line: string): number =>
  sum([...line.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds)));

/** Runs a client until it exits; throws its output if it fails. */
export const runClient = async (
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ClientRun> => {
  const started = performance.now();
  const child = spawn('bash', ['-c', '"$@"; code=$?; times >&3; exit $code', 'bash', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const texts = ['', '', '', ''];
  for (const index of [1, 2, 3])
    child.stdio[index]?.on('data', (chunk: Buffer) => {
      texts[index] += chunk.toString();
    });
  let peak = { rss: 0, treeRss: 0 };
  const timer = setInterval(() => {
    const [client = 0, ...others] = childrenOf(child.pid ?? 0).flatMap(treeOf);
    const rss = peakOf(client);
    peak = { rss: Math.max(peak.rss, rss), treeRss: Math.max(peak.treeRss, rss + sum(others.map(peakOf))) };
  }, 20);
  const [code] = (await once(child, 'close')) as [number];
  const wall = (performance.now() - started) / 1000;
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${texts[1]}${texts[2]}`);
  return { wall, output: texts[1] ?? '', cpu: secondsOf(texts[3]?.split('\n')[1] ?? ''), ...peak };
};
