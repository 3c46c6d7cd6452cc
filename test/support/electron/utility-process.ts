/** `electron.utilityProcess`: a Node child that communicates only through `process.parentPort`, as Electron's do. */
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

const PARENT_PORT = new URL('./parent-port.mjs', import.meta.url).href;

type Doubled = Pick<Electron.UtilityProcess, 'pid' | 'postMessage' | 'kill'>;

class UtilityProcess extends EventEmitter implements Doubled {
  readonly #child;

  constructor(path: string, args: readonly string[] = [], { env, execArgv = [] }: Electron.ForkOptions = {}) {
    super();
    this.#child = fork(path, args, {
      ...(env && { env: env as Record<string, string> }),
      execArgv: [...execArgv, '--import', PARENT_PORT],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.once('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => this.emit('exit', code ?? 1));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object);
  }

  kill(): boolean {
    return this.#child.kill('SIGKILL');
  }
}

export const utilityProcess = {
  fork: (path: string, args?: readonly string[], options?: Electron.ForkOptions) =>
    new UtilityProcess(path, args, options) as unknown as Electron.UtilityProcess,
} satisfies Pick<typeof Electron.utilityProcess, 'fork'>;
