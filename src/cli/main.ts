/** Runs the command line of this process, and watches for Ctrl+C. */
import { homedir } from 'node:os';
import { onEndRequest } from '../host/ending.ts';
import { EXIT } from './exit-codes.ts';
import { runLine, SECRET_VARIABLES } from './run-line.ts';

/** Answers the exit code. */
export const main = async (): Promise<number> => {
  const { platform, stdin, stdout, stderr } = process;
  const environment = { ...process.env };
  for (const name of SECRET_VARIABLES) delete process.env[name];

  // Who reads no further, such as head, has what it wanted; the work goes on.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });

  const interrupt = new AbortController();
  onEndRequest(() => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
    // Nothing waits for more of it.
    stdin.destroy();
  });
  const words = process.argv.slice(2);
  const caller = { words, environment, cwd: process.cwd(), home: homedir(), platform, stdin, stdout, stderr };
  const code = await runLine(caller, interrupt.signal);
  // Else a pipe that somebody holds open would hold this process too.
  stdin.destroy();
  return code;
};
