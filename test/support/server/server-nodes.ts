/**
 * Several servers that stand for one, in this process or each in its own: `LINKSHOT_TEST_NODES` is their number, and HAProxy
 * sends each request to the next of them. They need `LINKSHOT_TEST_ENGINES` with PostgreSQL and an S3 store.
 */
import { rmSync } from 'node:fs';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { createServer, type Server, type ServerOptions } from '../../../src/server/create-server.ts';
import { startHaproxy } from '../engines/haproxy.ts';
import { freePort } from '../free-port.ts';

export const NODES = Number(process.env['LINKSHOT_TEST_NODES'] ?? 1);

type Json = Readonly<Record<string, unknown>>;

interface ServerNodes {
  /** The first of them. */
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

const folderOf = (data: string, node: number): string => (node === 0 ? data : `${data}.node-${node + 1}`);

/** The configuration of a node beside others at `url`. All have the key of the first one, which `hasKey` already. */
const configOf = (data: string, config: Json, node: number, url: string, hasKey = config['keyFile'] != null): Json => ({
  ...config,
  web: { origin: url, ...(config['web'] as Json | undefined) },
  node: { name: `node-${node + 1}` },
  ...(!hasKey && node > 0 && { keyFile: `${data}.key` }),
});

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
    const own = configOf(data, config, node, url, options.keyText != null || config['keyFile'] != null);
    const server = await createServer({ ...options, data: folderOf(data, node), config: parseConfig(own) });
    servers.push(server);
    ports.push(Number(new URL((await server.listen({ host: '127.0.0.1', port: await freePort() })).url).port));
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

interface NodeProcess {
  readonly url: string;
  readonly pid: number;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  stderr(): string;
}

/**
 * The same, each as a process that `launch` starts. A signal ends all of them; their exit code is 0, or the first other one.
 */
export const startNodeProcesses = async (
  data: string,
  config: Json,
  launch: (data: string, config: Json) => Promise<NodeProcess>,
): Promise<NodeProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const nodes: NodeProcess[] = [];
  // The first one makes the key.
  for (let node = 0; node < NODES; node += 1)
    nodes.push(await launch(folderOf(data, node), configOf(data, config, node, url)));
  const proxy = await startHaproxy(
    nodes.map((node) => Number(new URL(node.url).port)),
    { port },
  );
  const [first] = nodes;
  if (first === undefined) throw new Error('LINKSHOT_TEST_NODES is a number of at least 1.');
  return {
    url,
    pid: first.pid,
    end: async (signal) => {
      const codes = await Promise.all(nodes.map((node) => node.end(signal)));
      await proxy.stop();
      const [worst = 0] = codes.filter((code) => code !== 0);
      return worst;
    },
    stderr: () => nodes.map((node) => node.stderr()).join(''),
  };
};

/** What the further nodes of a data folder have outside of it. */
export const removeServerNodes = (data: string): void => {
  for (let node = 1; node < NODES; node += 1) rmSync(folderOf(data, node), { recursive: true, force: true });
};
