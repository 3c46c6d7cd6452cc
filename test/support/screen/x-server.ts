/**
 * Starts X servers on virtual screens. Their numbers are not those that an X server takes by itself: `:0` is never the
 * screen of a test, and the number of one that was closed is not that of another test's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { claimNumber } from '../claimed-number.ts';

const SCREENS = { kind: 'screen', first: 100, count: 8_000 } as const;

export interface XServer {
  /** Such as `:107`. */
  readonly display: string;
  /** Ends it, unless it has ended. */
  close(): Promise<void>;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Null: it has ended, because another run has a server of this number. */
const startAt = async (display: string, args: readonly string[]): Promise<XServer | null> => {
  const server = spawn('Xvfb', [display, '-displayfd', '3', ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ready = once(server.stdio[3] as NodeJS.ReadableStream, 'data').then(() => true);
  const ended = once(server, 'exit').then(
    () => false,
    (error: Error) => {
      throw new Error(`There is no X screen: ${error.message}`);
    },
  );
  if (!(await Promise.race([ready, ended]))) return null;
  return {
    display,
    close: async () => {
      if (!hasEnded(server)) server.kill();
      await ended;
    },
  };
};

/** `wanted`: such as `:107`, the number of a server that was closed; by default one that no other test has had. */
export const startXServer = async (args: readonly string[], wanted?: string): Promise<XServer> => {
  if (wanted !== undefined) {
    const server = await startAt(wanted, args);
    if (server === null) throw new Error(`The X server ${wanted} did not start.`);
    return server;
  }
  // More in a row are no coincidence.
  for (let tries = 0; tries < 50; tries += 1) {
    const server = await startAt(`:${claimNumber(SCREENS)}`, args);
    if (server !== null) return server;
  }
  throw new Error('No X server started.');
};
