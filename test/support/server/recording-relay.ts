/** A TCP relay in front of a real server that records every byte from its clients. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordingRelay {
  readonly url: string;
  /** Everything sent so far, one connection after the other. */
  readonly sent: () => Buffer;
}

export const startRecordingRelay = async (target: string): Promise<RecordingRelay> => {
  const connections: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    connections.push(chunks);
    client.on('data', (chunk) => void chunks.push(chunk));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    sent: () => Buffer.concat(connections.flat()),
  };
};
