/** A client of classic WebDriver (W3C), for the browsers that Playwright's protocols do not reach: WebKitGTK and Safari. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

export interface WebDriverSession {
  /** `path` below the session, such as `/url`. Rejects with the error and message of the driver. */
  ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Ends the browser, and its driver. */
  end(): Promise<void>;
}

interface WebDriverOptions {
  readonly driver: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly capabilities: object;
}

/** Longer than any page takes to load; a driver that waits for its browser answers nothing at all. */
const ANSWER_MS = 60_000;
const START_MS = 60_000;

const request = async <T>(address: string, method: string, body?: object): Promise<T> => {
  const response = await fetch(address, {
    ...{ method, signal: AbortSignal.timeout(ANSWER_MS) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${new URL(address).pathname}: ${value.error}: ${value.message}`);
  return value;
};

const whenListening = async (address: string, child: ChildProcess): Promise<void> => {
  const end = performance.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The driver ended with ${child.exitCode}.`);
    const status = await request<{ ready: boolean }>(`${address}/status`, 'GET').catch(() => null);
    if (status !== null) return;
    if (performance.now() > end) throw new Error('The driver does not answer.');
    await delay(50);
  }
};

export const openWebDriver = async ({
  driver,
  environment,
  capabilities,
}: WebDriverOptions): Promise<WebDriverSession> => {
  const port = await freePort();
  const child = spawn(driver, ['-p', String(port)], {
    // A browser that prints to a file writes it there.
    cwd: environment['HOME'],
    ...{ env: environment as NodeJS.ProcessEnv, stdio: 'ignore' },
  });
  const exited = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  const endDriver = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  try {
    await whenListening(address, child);
    const { sessionId } = await request<{ sessionId: string }>(`${address}/session`, 'POST', {
      capabilities: { alwaysMatch: capabilities },
    });
    const session = `${address}/session/${sessionId}`;
    return {
      ask: (method, path, body) => request(session + path, method, method === 'POST' ? (body ?? {}) : undefined),
      async end() {
        await request(session, 'DELETE').catch(() => {});
        await endDriver();
      },
    };
  } catch (error) {
    await endDriver();
    throw error;
  }
};
