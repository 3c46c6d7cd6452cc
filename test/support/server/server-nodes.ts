/**
 * Several servers in this process that stand for one: `LINKSHOT_TEST_NODES` is their number, and HAProxy sends each request
 * to the next of them. They need `LINKSHOT_TEST_ENGINES` with PostgreSQL and an S3 store.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from '../../../src/server/app.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { freePort } from '../engines/free-port.ts';
import { startHaproxy } from '../engines/haproxy.ts';

export const NODES = Number(process.env['LINKSHOT_TEST_NODES'] ?? 1);

type Json = Readonly<Record<string, unknown>>;

interface ServerNodes {
  /** The first of them. */
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

const folderOf = (data: string, node: number): string => (node === 0 ? data : `${data}.node-${node + 1}`);

/** `config` is that of each node; they share the key of the first one. */
export const startServerNodes = async (
  { data, ...options }: Omit<ServerOptions, 'config'>,
  config: Json,
): Promise<ServerNodes> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const servers: Server[] = [];
  const ports: number[] = [];
  for (let node = 0; node < NODES; node += 1) {
    const hasKey = options.keyText != null || config['keyFile'] != null || node === 0;
    const web = { origin: url, ...(config['web'] as Json | undefined) };
    const own = { ...config, web, node: { name: `node-${node + 1}` }, ...(!hasKey && { keyFile: `${data}.key` }) };
    const server = await createServer({ ...options, data: folderOf(data, node), config: parseConfig(own) });
    servers.push(server);
    ports.push(Number(new URL((await server.listen({ host: '127.0.0.1', port: 0 })).url).port));
  }
  const proxy = await startHaproxy(ports, { port });
  const [first] = servers;
  if (first === undefined) throw new Error('LINKSHOT_TEST_NODES is a number of at least 1.');
  return {
    server: first,
    url,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await proxy.stop();
    },
  };
};

/** What the further nodes of a data folder have outside of it. */
export const removeServerNodes = (data: string): void => {
  for (let node = 1; node < NODES; node += 1) rmSync(folderOf(data, node), { recursive: true, force: true });
};
