/**
 * Prompts for a secret at the terminal without echo; from a pipe it takes one line and leaves what follows to the next
 * reader.
 */
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort, orOnAbort } from '../../base/common/on-abort.ts';
import type { CommandContext } from '../command-context.ts';
import { unreadableInput } from './standard-input.ts';

type Around = Pick<CommandContext, 'input' | 'errorStream' | 'interrupt'>;

const SECRETS = {
  key: { question: 'API key', instead: 'Set LINKSHOT_KEY in the environment instead.' },
  password: { question: 'Link password', instead: 'Give it as --password WORD instead.' },
} as const;

/** Errors: CANCELLED when nothing was entered, SOURCE_UNREADABLE. */
export const promptForSecret = async (
  around: Around,
  secret: keyof typeof SECRETS,
  signal: AbortSignal,
): Promise<Result<string>> => {
  const { question, instead } = SECRETS[secret];
  const { stream, isWatched } = around.input;
  const answer = isWatched
    ? await lineOfTerminal(around, question, signal)
    : await orOnAbort(
        lineOfPipe(stream).catch((error: Error) => error),
        signal,
        () => null,
      );
  if (isWatched) around.errorStream.write('\n');
  if (answer instanceof Error) return err(unreadableInput(answer, instead));
  return answer ? ok(answer) : err(failure('CANCELLED', 'Nothing was entered, and nothing was done.'));
};

const lineOfPipe = async (stream: Readable): Promise<string> => {
  const line: Buffer[] = [];
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = chunk.indexOf('\n');
    line.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) continue;
    if (end + 1 < chunk.length) stream.unshift(chunk.subarray(end + 1));
    break;
  }
  return Buffer.concat(line).toString().replace(/\r$/, '');
};

const lineOfTerminal = (
  { input: { stream }, errorStream, interrupt }: Around,
  question: string,
  signal: AbortSignal,
): Promise<string | Error | null> =>
  new Promise((answer) => {
    const discard = new Writable({ write: (_, __, done) => done() });
    const lines = createInterface({ input: stream, output: discard, terminal: true });
    const end = (line: string | Error | null) => {
      // First: closing calls `stop` synchronously, and only the first answer counts.
      answer(line);
      unfollow();
      lines.close();
      stream.pause();
    };
    const stop = () => end(null);
    const unfollow = onAbort(signal, stop);
    lines.once('line', end).once('close', stop).on('SIGINT', interrupt).once('error', end);
    // Only now, when the terminal no longer echoes.
    errorStream.write(`${question}: `);
  });
