/**
 * A child process of limited memory in which strangers' files are opened. It and all that it has started are killed as one
 * group; its processor time is what the system says of it.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fork, runProgram } from '../../base/node/run-program.ts';
import type { Runner } from '../fairness/pool.ts';

/** What the child says about its task, in this order; `megapixels` of images alone. */
export type ChildMessage<Answer> =
  /** So much is to be decoded. */
  | { readonly kind: 'megapixels'; readonly megapixels: number }
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The child can take the next task. `made`: what it made of the file besides its answer. */
  | { readonly kind: 'done'; readonly made: Uint8Array | null };

export interface ChildWork<Task> {
  readonly task: Task;
  /** Processor time for a file of so many megapixels. */
  readonly allowMs: (megapixels: number) => number;
  /** Called once after the answer, at the end of the task or of the child. */
  readonly made: (bytes: Uint8Array | null) => void;
}

const CHILD = fileURLToPath(new URL('./inspector-child.ts', import.meta.url));
const JS_HEAP_MB = 256;
/**
 * Compiled code of the child's modules: two fifths less CPU at its start. In the package, because in the temporary folder anyone
 * could plant code; apart from that of the command line, because the child opens strangers' files.
 */
const CODE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/linkshot-inspector', import.meta.url));
/** A group of its own, so that a program the child has started is killed with it. Windows knows no such groups. */
const HAS_GROUP = process.platform !== 'win32';

const kill = (child: ChildProcess): void => {
  try {
    if (HAS_GROUP && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The group has ended already.
  }
};

/** Best effort where the system has the tool; the time limit and the heap limit hold everywhere. */
const limitMemory = async (pid: number, bytes: number): Promise<void> => {
  if (process.platform !== 'linux') return;
  await runProgram('prlimit', ['--pid', String(pid), `--data=${bytes}`, '--core=0']).catch(() => {});
};

/** Fields of /proc/PID/stat after the name: user and system time, and both of children that have ended. */
const TIMES_AT = 11;
/** Linux counts these times in hundredths of a second on every machine. */
const MS_PER_TICK = 10;

/** Null where the system does not tell, or the process has ended. */
const processorMsOf = (pid: number | undefined): number | null => {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(TIMES_AT, TIMES_AT + 4);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK;
  } catch {
    return null;
  }
};

/** Resolves once the child is ready and its limits hold. Rejects when it cannot run at all, which is no file's fault. */
const startChild = async (memoryBytes: number): Promise<ChildProcess> => {
  const child = fork(CHILD, {
    execArgv: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: {
      ...{ PATH: process.env['PATH'], NODE_COMPILE_CACHE: CODE_CACHE },
      ...{ VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Pictures cross as bytes.
    serialization: 'advanced',
    detached: HAS_GROUP,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The inspector ended at its start (${code ?? signal}).`)));
  });
  child.removeAllListeners();
  // A child that ends while it rests is replaced.
  child.on('error', () => {});
  if (child.pid !== undefined) {
    // The service's own answers come first.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    await limitMemory(child.pid, memoryBytes);
  }
  return child;
};

/** `memoryBytes` is private memory that may be written, enforced by the kernel where `prlimit` exists. */
export const startLimitedChild = async <Task extends object, Answer>(
  memoryBytes: number,
): Promise<Runner<ChildWork<Task>, Answer>> => {
  const child = await startChild(memoryBytes);

  return {
    run: ({ task, allowMs, made }, { answered, allow }) =>
      new Promise((resolve, reject) => {
        let isAnswered = false;
        const finish = (bytes: Uint8Array | null): void => {
          child.off('message', hear);
          child.off('error', end);
          child.off('exit', end);
          // A task without an answer may begin again.
          if (isAnswered) made(bytes);
        };
        const end = (): void => {
          finish(null);
          reject(new Error('The inspector has ended over a file.'));
        };
        const hear = (message: unknown): void => {
          const said = message as ChildMessage<Answer>;
          if (said.kind === 'megapixels') allow(allowMs(said.megapixels));
          else if (said.kind === 'answer') {
            isAnswered = true;
            answered(said.answer);
          } else {
            finish(said.made);
            resolve();
          }
        };
        child.on('message', hear);
        child.once('error', end);
        child.once('exit', end);
        child.send(task, (error) => error && end());
      }),
    usedMs: () => processorMsOf(child.pid),
    stop: () => kill(child),
    isAlive: () => child.connected,
  };
};
