/** Runs a command line on the streams of this process, and handles Ctrl+C. */
import { onAbort } from '../base/common/on-abort.ts';
import { homeFolder } from '../base/node/home-folder.ts';
import { onShutdownSignal } from '../base/node/shutdown-signals.ts';
import { forgetSecrets } from '../host/secret-variables.ts';
import { folderOfProcess } from '../host/working-directory.ts';
import { EXIT } from './exit-codes.ts';
import { createInterrupts } from './input/interrupts.ts';
import { type Caller, runCommandLine } from './run-command-line.ts';

const UNWRITTEN =
  'The output could not be written: is the disk full? Completed work is kept; linkshot status shows it.';

/** Runs `words`; returns the exit code. */
export const runInTerminal = async (
  words: readonly string[] = process.argv.slice(2),
  { stdin = process.stdin, startVision }: Partial<Pick<Caller, 'stdin' | 'startVision'>> = {},
): Promise<number> => {
  const { platform, stdout, stderr } = process;
  const environment = { ...process.env };
  forgetSecrets(process.env);

  // A reader that stops, such as head, has what it wanted. A full disk is an error, but the work continues.
  let unwritten: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
  // Errors on stderr cannot be reported, and whoever reads stdin reports its own.
  for (const stream of [stderr, stdin]) stream.on('error', () => {});

  const interrupts = createInterrupts(
    () => performance.now(),
    () => process.exit(EXIT.interrupted),
  );
  onShutdownSignal(interrupts.request);
  // Nothing waits for more input.
  onAbort(interrupts.signal, () => stdin.destroy());
  const caller = {
    ...{ words, environment, cwd: folderOfProcess(environment), home: homeFolder(), platform, stdin, stdout, stderr },
    interrupt: interrupts.request,
    onInterrupt: interrupts.take,
    ...(startVision && { startVision }),
  };
  const code = await runCommandLine(caller, interrupts.signal);
  // Otherwise an open pipe would keep this process alive.
  stdin.destroy();
  // A failed write is reported in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  if (unwritten === null) return code;
  stderr.write(`${UNWRITTEN}\n`);
  return code === EXIT.done ? EXIT.failed : code;
};
