/**
 * Stops the process gracefully on request, and reliably: Node may hang while it exits, so another process watches it.
 */

import { spawn } from '../../base/node/run-program.ts';
import { onShutdownSignal } from '../../base/node/shutdown-signals.ts';
import type { Server } from '../app.ts';

/** Time after the drain, longer than any clean exit takes. */
const EXIT_LIMIT_S = 5;
/** Elsewhere SIGHUP is left alone: `nohup` ignores it, and a handler would undo that. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

export const stopOnSignal = (server: Pick<Server, 'close'>, log: (line: string) => void): void => {
  let isStopping = false;
  onShutdownSignal((reason) => {
    if (isStopping) exit(1);
    isStopping = true;
    log(`${reason}: finishing the requests in flight.`);
    server.close().then(
      () => exit(0),
      (error: unknown) => {
        log(`Stopping failed: ${String(error)}`);
        exit(1);
      },
    );
  }, SIGNALS);
};

const exit = (code: number): void => {
  startWatchdog();
  process.exit(code);
};

/**
 * `cat` ends when this process does, because its input closes; if it times out instead, this process hangs and is
 * killed. Its data is safe: everything was committed and closed before.
 */
const startWatchdog = (): void => {
  if (process.platform === 'win32') return;
  const watch = `timeout ${EXIT_LIMIT_S} cat >/dev/null; [ $? = 124 ] && kill -9 ${process.pid}`;
  const dog = spawn('sh', ['-c', watch], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  dog.on('error', () => {});
  dog.unref();
};
