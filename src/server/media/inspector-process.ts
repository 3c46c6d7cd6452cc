/**
 * The process in which strangers' files are opened, as the server sees it. On Node it is a child; Electron's programs are no
 * Node, so there the app starts it.
 */
import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fork, runProgram } from '../../base/node/run-program.ts';
import { workerFile } from '../../base/node/worker-file.ts';

interface InspectorListener {
  message(message: unknown): void;
  /** The process has ended, or cannot be reached any more. */
  end(): void;
}

export interface InspectorProcess {
  readonly pid: number | undefined;
  isAlive(): boolean;
  send(task: object): void;
  /** Who hears what it says from now on; null: nothing is awaited. */
  listen(listener: InspectorListener | null): void;
  /** With what it has started. */
  kill(): void;
}

/** What the process begins with, wherever it runs; of the environment it needs PATH besides. */
export interface InspectorSettings {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Resolves once it is ready, which it says first; rejects when it cannot run at all, which is no file's fault. */
export type StartInspectorProcess = (settings: InspectorSettings) => Promise<InspectorProcess>;

const JS_HEAP_MB = 256;
export const INSPECTOR_SETTINGS: InspectorSettings = {
  flags: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
  environment: { VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
};

/**
 * Compiled code of the child's modules: two fifths less CPU at its start. In the package, because in the temporary folder anyone
 * could plant code; apart from that of the command line, because the child opens strangers' files.
 */
const CODE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/linkshot-inspector', import.meta.url));
/** A group of its own, so that a program the child has started is killed with it. Windows knows no such groups. */
const HAS_GROUP = process.platform !== 'win32';

/** Best effort where the system has the tool; the time limit and the heap limit hold everywhere. */
const limitMemory = async (pid: number, bytes: number): Promise<void> => {
  if (process.platform !== 'linux') return;
  await runProgram('prlimit', ['--pid', String(pid), `--data=${bytes}`, '--core=0']).catch(() => {});
};

const killGroup = (child: ChildProcess): void => {
  try {
    if (HAS_GROUP && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The group has ended already.
  }
};

/** A child of Node. `memoryBytes` is private memory that may be written, enforced by the kernel where `prlimit` exists. */
export const forkInspector =
  (memoryBytes: number): StartInspectorProcess =>
  async ({ flags, environment }) => {
    const child = fork(fileURLToPath(workerFile(import.meta.url, 'inspector-child')), {
      execArgv: [...flags],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: CODE_CACHE, ...environment },
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
    let listener: InspectorListener | null = null;
    child.on('message', (message) => listener?.message(message));
    // A child that ends while it rests is replaced.
    for (const event of ['error', 'exit']) child.on(event, () => listener?.end());
    return {
      pid: child.pid,
      isAlive: () => child.connected,
      send: (task) => void child.send(task, (error) => error && listener?.end()),
      listen: (next) => {
        listener = next;
      },
      kill: () => killGroup(child),
    };
  };
