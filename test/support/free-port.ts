/**
 * A port of the loopback address that nothing listens on, and nothing else of the run will: it is below those that the
 * system gives to whoever asks for any, or connects.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { claimNumber } from './claimed-number.ts';

const PORTS = { kind: 'port', first: 20_000, count: 12_000 } as const;

/** Another run, or another program, may have it. */
const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
};

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = claimNumber(PORTS);
    if (await isFree(port)) return port;
  }
};
