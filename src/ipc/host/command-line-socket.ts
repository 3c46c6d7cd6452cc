/**
 * Runs whole command lines for the launcher (`bin/linkshot`) in the running app, because starting a process takes
 * longer than a short command. The caller gets the output in order, then the exit code. When the caller disconnects,
 * its command is aborted.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { stackOf } from '../../base/common/error-text.ts';
import { listenAt, socketInProfile } from './private-socket.ts';

interface CallerStream {
  readonly isTTY: boolean;
  write(text: string): void;
}

export interface CommandCall {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdout: CallerStream;
  readonly stderr: CallerStream;
  /** Puts a text on the caller's clipboard; if that fails, prints `otherwise` on its stderr. */
  readonly copy: (text: string, otherwise: string | null) => void;
  /** Called at each Ctrl+C of the caller. */
  readonly onInterrupt: (listener: () => void) => void;
}

/** Returns the exit code, or null if the command is not for this process: the caller then runs it itself. */
export type RunCommandLine = (call: CommandCall, disconnected: AbortSignal) => Promise<number | null>;

export interface CommandSocket {
  close(): Promise<void>;
}

/** More than any system accepts as the arguments and the environment of a process. */
const CALL_BYTES_MAX = 1 << 23;

/**
 * The launcher's request: number of words, which of 1 and 2 are terminals, folder, words, each ended by NUL; `&`;
 * /proc/PID/environ.
 */
type CommandRequest = Pick<CommandCall, 'words' | 'cwd' | 'environment'> & { readonly terminals: string };

const readCall = (text: string): CommandRequest | null => {
  const [count = '', terminals = '', cwd = '', ...rest] = text.split('\0');
  const length = Number(count);
  const [first, ...others] = rest.slice(length);
  if (!/^\d+$/.test(count) || !first?.startsWith('&')) return null;
  const lines = [first.slice(1), ...others].filter((line) => line.includes('='));
  const environment = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return { words: rest.slice(0, length), cwd, environment, terminals };
};

const receive = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > CALL_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** One line, escaped for the shell's `printf %b`. */
const line = (kind: string, text: string): string =>
  `${kind}${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\0', '')}\n`;

/**
 * Call it only as the owner of the profile. Null: the socket in the profile folder is not the user's own or its path is
 * too long, and the launcher looks only there; it then starts Node.
 */
export const serveCommandLines = async (
  profileDir: string,
  run: RunCommandLine,
  log: (line: string) => void,
): Promise<CommandSocket | null> => {
  const path = await socketInProfile(profileDir, 'command');
  if (path === null) return null;
  // Importing it loads fetch as well; a short command that does not serve must not pay for that.
  const { createServer } = await import('node:http');
  const interrupts = new Map<string, () => void>();

  const answer = async (caller: string, request: CommandRequest, response: ServerResponse): Promise<void> => {
    const disconnected = new AbortController();
    response.on('close', () => disconnected.abort());
    const stream = (kind: '1' | '2'): CallerStream => ({
      isTTY: request.terminals.includes(kind),
      write: (text) => void response.write(line(kind, text)),
    });
    const copy: CommandCall['copy'] = (text, otherwise) =>
      void response.write(line('c', text) + (otherwise === null ? '' : line('f', `${otherwise}\n`)));
    const onInterrupt = (listener: () => void): void => void interrupts.set(caller, listener);
    // From here on the command runs, and must not be started again elsewhere.
    response.write(line('+', ''));
    const code = await run(
      { ...request, stdout: stream('1'), stderr: stream('2'), copy, onInterrupt },
      disconnected.signal,
    ).finally(() => void interrupts.delete(caller));
    response.end(code === null ? line('!', '') : line('=', String(code)));
  };

  const server = createServer((request, response) => {
    const [, what, caller = ''] = request.url?.split('/') ?? [];
    if (what === 'interrupt') {
      interrupts.get(caller)?.();
      response.end();
      return;
    }
    receive(request)
      .then(async (text) => {
        const request = what === 'run' && text !== null ? readCall(text) : null;
        if (request) await answer(caller, request, response);
        else response.writeHead(400).end();
      })
      .catch((error: unknown) => {
        log(`A command line failed: ${stackOf(error)}`);
        response.destroy();
      });
  });
  await listenAt(server, path);
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
