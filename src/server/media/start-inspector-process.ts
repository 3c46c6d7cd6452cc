/**
 * Starts the child process that opens untrusted files, with its settings, and exchanges messages with it. On Node this
 * module forks the process; in Electron the app starts it, because Electron does not run scripts as Node does.
 */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { limitMemory } from '../../base/node/limit-process-memory.ts';
import { lowerPriority } from '../../base/node/lower-priority.ts';
import { fork } from '../../base/node/run-program.ts';
import { workerFile } from '../../base/node/worker-file.ts';

interface InspectorListener {
  message(message: unknown): void;
  /** The process has ended, or is unreachable. */
  end(): void;
}

export interface InspectorProcess {
  readonly pid: number | undefined;
  isAlive(): boolean;
  send(task: object): void;
  /** Sets the receiver of its messages; null: none is expected. */
  listen(listener: InspectorListener | null): void;
  /** Including its child processes. */
  kill(): void;
}

/** The settings of the process on any host; of the environment it only needs PATH. */
export interface InspectorSettings {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Resolves once it is ready, its first message; rejects if it cannot run at all, independent of any file. */
export type StartInspectorProcess = (settings: InspectorSettings) => Promise<InspectorProcess>;

const JS_HEAP_MB = 256;
export const INSPECTOR_SETTINGS: InspectorSettings = {
  flags: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
  environment: { VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
};

/**
 * Compiled code of the child's modules: saves two fifths of the CPU at its start. In the package, because in the
 * temporary folder anyone could plant code; apart from that of the command line, because the child opens untrusted
 * files.
 */
const CODE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/linkshot-inspector', import.meta.url));
/** A process group, so that programs started by the child are killed with it. Windows has no such groups. */
const HAS_GROUP = process.platform !== 'win32';

const killGroup = (child: ChildProcess): void => {
  try {
    if (HAS_GROUP && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The group has ended already.
  }
};

/**
 * A child process of Node. `memoryBytes` limits private writable memory, enforced by the kernel where `prlimit` exists: Node
 * itself takes 660 MB, decoding 40 megapixels of AVIF 700 MB.
 */
export const forkInspector =
  (memoryBytes: number): StartInspectorProcess =>
  async ({ flags, environment }) => {
    const child = fork(fileURLToPath(workerFile(import.meta.url, 'inspector-child')), {
      execArgv: [...flags],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: CODE_CACHE, ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Transfers pictures as bytes.
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
      // The service's own responses have priority.
      lowerPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      // The time limit and the heap limit hold everywhere.
      await limitMemory(child.pid, memoryBytes);
    }
    let listener: InspectorListener | null = null;
    child.on('message', (message) => listener?.message(message));
    // A child that ends while idle is replaced.
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
