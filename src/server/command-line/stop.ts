/** Ends the process gracefully on SIGTERM or SIGINT, and surely: Node may hang while it exits, so another process watches. */
import { spawn } from 'node:child_process';
import type { Server } from '../app.ts';

/** After the drain is over, longer than any clean exit takes. */
const EXIT_LIMIT_S = 5;
const PARENT_LOOK_MS = 250;

export const stopOnSignal = (server: Pick<Server, 'close'>, log: (line: string) => void): void => {
  const stop = (signal: string): void => {
    log(`${signal}: finishing the requests in flight.`);
    server.close().then(
      () => exit(0),
      (error: unknown) => {
        log(`Stopping failed: ${String(error)}`);
        exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  whenNpmIsGone(() => stop('npm has ended'));
};

/** npm that is killed leaves its script behind, which would keep the data folder to itself: a lost npm counts as a signal. */
const whenNpmIsGone = (stop: () => void): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_LOOK_MS).unref();
};

const exit = (code: number): void => {
  startWatchdog();
  process.exit(code);
};

/**
 * `cat` ends when this process does, because its input closes then; if it has to be timed out instead, this process
 * hangs and is killed. Its data is safe: everything was committed and closed before.
 */
const startWatchdog = (): void => {
  if (process.platform === 'win32') return;
  const watch = `timeout ${EXIT_LIMIT_S} cat >/dev/null; [ $? = 124 ] && kill -9 ${process.pid}`;
  const dog = spawn('sh', ['-c', watch], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  dog.on('error', () => {});
  dog.unref();
};
