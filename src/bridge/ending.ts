/** Ends this process for certain: native threads can make `process.exit` hang, and nobody should have to look for a process. */
import { spawn } from 'node:child_process';

const HANG_MS = 3_000;
const CLOSE_MS = 30_000;

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

/** Closes everything once on Ctrl+C, or when a supervisor asks, and exits; a second Ctrl+C does not wait. */
export const endOnSignals = (close: () => Promise<void>): void => {
  let isEnding = false;
  const end = (): void => {
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
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
};
