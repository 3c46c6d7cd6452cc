/** A TCP relay with a fixed address that counts uploaded bytes; the server behind it may restart on another port. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** Bytes that clients have sent since the last call of `reset`. */
  sentBytes(): number;
  reset(): void;
  /** Where new connections go. */
  target(port: number): void;
  close(): Promise<void>;
}

export const startCountingProxy = async (): Promise<CountingProxy> => {
  let port = 0;
  let bytes = 0;
  const sockets = new Set<Socket>();
  const relay = createServer({ pauseOnConnect: true }, (client) => {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    // Reads nothing from a client while there is no server: a refused connection carries no bytes either.
    server.once('connect', () => {
      client.on('data', (chunk) => {
        bytes += chunk.length;
      });
      client.pipe(server);
      server.pipe(client);
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    sentBytes: () => bytes,
    reset: () => {
      bytes = 0;
    },
    target: (next) => {
      port = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, 'close');
    },
  };
};
