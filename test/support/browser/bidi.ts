/** A client of WebDriver BiDi (W3C), the protocol of Firefox. Playwright's needs a newer Firefox than Debian's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

export interface BidiSession {
  /** Rejects with the error and message of the browser. */
  send<T>(method: string, params: object): Promise<T>;
  /** Ends the browser. */
  end(): Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** The browser answers no action while it shows a dialog. */
const ANSWER_MS = 60_000;

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const addressFrom = async (child: ChildProcess): Promise<string> => {
  const lines: string[] = [];
  if (child.stderr)
    for await (const line of createInterface(child.stderr)) {
      const address = LISTENING.exec(line)?.[1];
      if (address !== undefined) return address;
      lines.push(line);
    }
  throw new Error(`The browser ended before it listened:\n${lines.join('\n')}`);
};

/** Starts a browser that prints the address of its protocol. */
export const openBidi = async (
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<BidiSession> => {
  const child = spawn(program, ['--remote-debugging-port=0', ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const socket = new WebSocket(`${await addressFrom(child)}/session`, { maxPayload: 1 << 28 });
  // It would wait for a reader otherwise.
  child.stderr?.resume();
  await once(socket, 'open');
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const { id, type, result, error, message } = JSON.parse(data.toString()) as Reply;
    const request = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || request === undefined) return;
    waiting.delete(id);
    if (type === 'error') request.reject(new Error(`${error}: ${message}`));
    else request.resolve(result);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser ended.'));
    waiting.clear();
  });
  const send = <T>(method: string, params: object): Promise<T> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    }) as Promise<T>;
    const limit = setTimeout(() => waiting.get(id)?.reject(new Error(`${method} is not answered.`)), ANSWER_MS);
    return answer.finally(() => clearTimeout(limit));
  };
  await send('session.new', { capabilities: {} });
  return {
    send,
    async end() {
      await send('browser.close', {}).catch(() => {});
      await exited;
    },
  };
};
