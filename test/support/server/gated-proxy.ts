/** A TCP proxy to a real server that passes a number of bytes and then withholds the rest until opened. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface GatedProxy {
  readonly url: string;
  /** Bytes received from the client so far. */
  passed(): number;
  /** From now on everything passes. */
  open(): void;
  close(): Promise<void>;
}

/** Withholds what clients send beyond `allowance` bytes in total, over all connections. */
export const startGatedProxy = async (target: string, allowance: number): Promise<GatedProxy> => {
  const port = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  let passed = 0;
  let isOpen = false;
  let release: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      upstream.write(chunk);
      if (isOpen || passed < allowance) return;
      client.pause();
      void opened.then(() => client.resume());
    });
    client.on('end', () => upstream.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    open: () => {
      isOpen = true;
      release();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
