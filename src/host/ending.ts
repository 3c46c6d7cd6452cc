/** Ends this process for certain: native threads can make `process.exit` hang, and nobody should have to look for a process. */
import { spawn } from 'node:child_process';

const HANG_MS = 3_000;
const CLOSE_MS = 30_000;
const LOOK_MS = 500;

/** Kills the process `pid` unless it has ended, which closes the watchdog's standard input. */
const watchdog = (pid: number): string =>
  `setTimeout(() => { try { process.kill(${pid}, 'SIGKILL') } catch {} process.exit() }, ${HANG_MS});` +
  "process.stdin.resume().on('end', () => process.exit())";

const exit = (code: number): void => {
  spawn(process.execPath, ['-e', watchdog(process.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref();
  process.exit(code);
};

/**
 * Calls `end` on Ctrl+C and when a supervisor asks. npm passes a signal on to its shell only, which dies of it and
 * leaves this process behind: a parent that is gone therefore counts as a request too.
 */
export const onEndRequest = (end: () => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK_MS);
  timer.unref();
};

/** Closes everything once when the process is asked to end, and exits; a second request does not wait. */
export const endOnSignals = (close: () => Promise<void>): void => {
  let isEnding = false;
  onEndRequest(() => {
    if (isEnding) exit(1);
    isEnding = true;
    setTimeout(() => exit(1), CLOSE_MS).unref();
    close().then(
      () => exit(0),
      (error: Error) => {
        console.error(error.message);
        exit(1);
      },
    );
  });
};
