/**
 * A TCP proxy in front of an engine: it passes everything, until a test takes the engine away, slows the line down, or
 * cuts it.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { resetConnection } from '../reset-connection.ts';

export interface TcpFaultProxy {
  readonly port: number;
  /** Refuses connections from now on, and breaks those of this moment. */
  away(): void;
  /** Serves again after `away`. */
  back(): Promise<void>;
  /** Accepts connections and passes nothing more, in either direction, as a dead network; until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Every piece of data takes so long, in each direction. */
  delay(ms: number): void;
  /** Breaks every connection of this moment. */
  cut(): void;
  /** Breaks a connection as soon as the client has sent these bytes and the engine has answered: the answer is lost. */
  loseAnswerTo(bytes: string): Promise<void>;
  /** Open connections. */
  connections(): number;
  close(): Promise<void>;
}

interface Lost {
  readonly bytes: string;
  readonly done: () => void;
}

export const startTcpFaultProxy = async (targetPort: number): Promise<TcpFaultProxy> => {
  const sockets = new Set<Socket>();
  const pairs = new Set<Socket>();
  let delayMs = 0;
  let lost: Lost | null = null;
  let frozen = Promise.withResolvers<void>();
  frozen.resolve();

  const pass = (from: Socket, to: Socket, seen: (chunk: Buffer) => boolean): void => {
    let last: Promise<void> = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (!seen(chunk)) return;
      // In order, however long each of them takes.
      last = last.then(async () => {
        if (delayMs > 0) await sleep(delayMs);
        await frozen.promise;
        if (!to.destroyed) to.write(chunk);
      });
    });
    from.on('end', () => void last.then(() => to.end()));
  };

  const serve = (client: Socket): void => {
    const engine = connect(targetPort, '127.0.0.1');
    let isLosing: Lost | null = null;
    pairs.add(client);
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        pairs.delete(client);
        client.destroy();
        engine.destroy();
      });
    }
    pass(client, engine, (chunk) => {
      if (lost !== null && chunk.includes(lost.bytes)) {
        isLosing = lost;
        lost = null;
      }
      return true;
    });
    pass(engine, client, () => {
      if (isLosing === null) return true;
      resetConnection(client);
      isLosing.done();
      return false;
    });
  };

  const server = createServer(serve);
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    away: () => {
      server.close();
      cut();
    },
    back: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    freeze: () => {
      frozen = Promise.withResolvers<void>();
    },
    thaw: () => frozen.resolve(),
    delay: (ms) => {
      delayMs = ms;
    },
    cut,
    loseAnswerTo: (bytes) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      lost = { bytes, done: resolve };
      return promise;
    },
    connections: () => pairs.size,
    close: async () => {
      frozen.resolve();
      cut();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
};
