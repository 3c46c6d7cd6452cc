/**
 * Runs tasks in a child process of limited memory and time, one at a time. Whatever a stranger's file does to its
 * decoder, the server answers on: the child and all that it started are killed, and the next task gets a new child.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** What became of a task. */
type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** It was not tried, or not to its end, and may be tried again. */
  | { readonly kind: 'dropped' }
  /** The child ended over it: it took too much memory, or brought its decoder down. */
  | { readonly kind: 'broke' }
  | { readonly kind: 'too-slow'; readonly seconds: number };

export interface LimitedChild<Task, Answer> {
  /** Rejects with the signal's reason when it aborts, and when no child can be started. */
  run(task: Task, timeoutMs: number, signal: AbortSignal): Promise<Outcome<Answer>>;
  /** Tasks that wait for their turn. */
  waiting(): number;
  /** A task is about to come: starts the child ahead, which takes longer than most tasks. */
  expect(): void;
  /** Ends the child; waiting tasks are dropped. */
  close(): void;
}

const CHILD = fileURLToPath(new URL('./inspector-child.ts', import.meta.url));
const JS_HEAP_MB = 256;
/** An idle child is ended so that its memory returns to the system. */
const IDLE_MS = 20_000;
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
const limitMemory = (pid: number, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    execFile('prlimit', ['--pid', String(pid), `--data=${bytes}`, '--core=0'], () => resolve());
  });

/** Resolves once the child is ready and its limits stand. Rejects when it cannot run at all, which is no file's fault. */
const startChild = async (memoryBytes: number): Promise<ChildProcess> => {
  const child = fork(CHILD, {
    execArgv: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
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
  if (child.pid !== undefined) {
    // The service's own answers come first.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    await limitMemory(child.pid, memoryBytes);
  }
  return child;
};

interface Job<Task, Answer> {
  readonly task: Task;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly settle: (outcome: Outcome<Answer>) => void;
  readonly fail: (error: unknown) => void;
}

/** `memoryBytes` is private memory that may be written, enforced by the kernel where `prlimit` exists. */
export const createLimitedChild = <Task extends object, Answer>(memoryBytes: number): LimitedChild<Task, Answer> => {
  const waiting: Job<Task, Answer>[] = [];
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let working = false;
  let closed = false;

  const endChild = (): void => {
    clearTimeout(idle);
    if (child !== null) kill(child);
    child = null;
  };

  const ask = (asked: ChildProcess, { task, timeoutMs, signal }: Job<Task, Answer>): Promise<Outcome<Answer>> =>
    new Promise((resolve) => {
      const settle = (outcome: Outcome<Answer>, fate: 'keep' | 'kill'): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        asked.removeAllListeners();
        if (fate === 'kill') endChild();
        resolve(outcome);
      };
      const stop = () => settle({ kind: 'dropped' }, 'kill');
      const end = () => settle({ kind: closed ? 'dropped' : 'broke' }, 'kill');
      const timer = setTimeout(
        () => settle({ kind: 'too-slow', seconds: Math.round(timeoutMs / 1_000) }, 'kill'),
        timeoutMs,
      );
      signal.addEventListener('abort', stop);
      asked.once('message', (answer) => settle({ kind: 'answered', answer: answer as Answer }, 'keep'));
      asked.once('error', end);
      asked.once('exit', end);
      asked.send(task, (error) => error && end());
    });

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    clearTimeout(idle);
    // A failure is told to the job that needs the child.
    if (waiting.length === 0) child = child?.connected ? child : await startChild(memoryBytes).catch(() => null);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        child = child?.connected ? child : await startChild(memoryBytes);
        job.settle(closed || job.signal.aborted ? { kind: 'dropped' } : await ask(child, job));
      } catch (error) {
        job.fail(error);
      }
    }
    working = false;
    if (closed) endChild();
    else idle = setTimeout(endChild, IDLE_MS).unref();
  };

  return {
    run: (task, timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        if (closed) {
          resolve({ kind: 'dropped' });
          return;
        }
        const abort = () => {
          const place = waiting.indexOf(job);
          if (place >= 0) waiting.splice(place, 1);
          job.fail(signal.reason);
        };
        const settled = () => signal.removeEventListener('abort', abort);
        const job: Job<Task, Answer> = {
          task,
          timeoutMs,
          signal,
          settle: (outcome) => {
            settled();
            resolve(outcome);
          },
          fail: (error) => {
            settled();
            reject(error);
          },
        };
        signal.addEventListener('abort', abort);
        waiting.push(job);
        void work();
      }),
    waiting: () => waiting.length,
    expect: () => {
      if (!closed) void work();
    },
    close: () => {
      closed = true;
      for (const job of waiting.splice(0)) job.settle({ kind: 'dropped' });
      endChild();
    },
  };
};
