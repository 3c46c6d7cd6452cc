/** Runs the command line of this process, and watches for Ctrl+C. */
import { homedir } from 'node:os';
import { onShutdownSignal } from '../base/node/shutdown-signals.ts';
import { EXIT } from './exit-codes.ts';
import { createInterrupts } from './input/interrupts.ts';
import { runLine, SECRET_VARIABLES } from './run-line.ts';

const UNWRITTEN =
  'The answer could not be written: is the disk full? What was done stays done; linkshot status shows it.';

/** Carries out `words`; answers the exit code. */
export const main = async (words: readonly string[] = process.argv.slice(2)): Promise<number> => {
  const { platform, stdin, stdout, stderr } = process;
  const environment = { ...process.env };
  for (const name of SECRET_VARIABLES) delete process.env[name];

  // Who reads no further, such as head, has what it wanted. A full disk has not; the work goes on all the same.
  let unwritten: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
  // There is nobody left who could be told.
  stderr.on('error', () => {});

  const interrupts = createInterrupts(
    () => performance.now(),
    () => process.exit(EXIT.interrupted),
  );
  onShutdownSignal(interrupts.request);
  // Nothing waits for more of it.
  interrupts.signal.addEventListener('abort', () => stdin.destroy());
  const caller = {
    ...{ words, environment, cwd: process.cwd(), home: homedir(), platform, stdin, stdout, stderr },
    onInterrupt: interrupts.take,
  };
  const code = await runLine(caller, interrupts.signal);
  // Else a pipe that somebody holds open would hold this process too.
  stdin.destroy();
  // A failed write is told in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (unwritten === null) return code;
  stderr.write(`${UNWRITTEN}\n`);
  return code === EXIT.done ? EXIT.failed : code;
};
