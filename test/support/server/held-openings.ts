/** A proxy to a real server that passes every request to open a link, and withholds the responses until released. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldOpenings {
  readonly url: string;
  /** Number of responses from the server so far. */
  openings(): number;
  /** From now on responses pass. */
  release(): void;
  close(): Promise<void>;
}

export const startHeldOpenings = async (target: string): Promise<HeldOpenings> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let openings = 0;
  const server = createServer((request, reply) => {
    const { method, headers } = request;
    const onward = send(new URL(request.url ?? '/', target), { method, headers }, async (answer) => {
      if (method === 'POST') {
        openings += 1;
        await released;
      }
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openings: () => openings,
    release,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
