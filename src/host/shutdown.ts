/**
 * Closes the host when the process is asked to end, and then ends the process reliably: a watchdog kills it if native
 * threads make `process.exit` hang.
 */

import { flushCompileCache } from 'node:module';
import { createRepeatedInterruptFilter } from '../base/common/repeated-interrupt-filter.ts';
import { spawn } from '../base/node/run-program.ts';
import { onShutdownSignal } from '../base/node/shutdown-signals.ts';

const HANG_MS = 3_000;
const CLOSE_MS = 30_000;

/** Kills the process `pid` unless it has ended, which closes the watchdog's standard input. */
const watchdog = (pid: number): string =>
  `setTimeout(() => { try { process.kill(${pid}, 'SIGKILL') } catch {} process.exit() }, ${HANG_MS});` +
  "process.stdin.resume().on('end', () => process.exit())";

const exit = (code: number): void => {
  // Where NODE_COMPILE_CACHE is set, Node writes it at the end, which takes longer than the watchdog on a busy computer.
  flushCompileCache();
  spawn(process.execPath, ['-e', watchdog(process.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref();
  process.exit(code);
};

/**
 * Closes everything once when the process is asked to end, and exits; a later request exits without waiting, unless it
 * is the echo of the first. Returns the function with which all of this ends.
 */
export const shutDownOnSignals = (close: () => Promise<void>): (() => void) => {
  let isEnding = false;
  const isNew = createRepeatedInterruptFilter(() => performance.now());
  return onShutdownSignal(() => {
    if (!isNew()) return;
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
