/**
 * Several servers on one PostgreSQL and one S3 store, each a process of its own that can be killed. Requests go to one node
 * after the other, as a proxy without stickiness sends them. `LINKSHOT_TEST_S3` (settings as JSON) names a real store.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId } from '../../../src/api/ids.ts';
import type { S3Settings } from '../../../src/server/storage/s3-client.ts';
import { type S3Double, startS3Double } from './s3-double.ts';
import { type ConfigFile, type ServerProcess, serverCommand, startServerProcess, type User } from './server.ts';

export interface TestNodes {
  /** The processes; one that was killed stays until it is started again. */
  readonly nodes: readonly ServerProcess[];
  /** Null: a real store is in use. */
  readonly double: S3Double | null;
  /** Below it are all objects of these nodes. */
  readonly s3: S3Settings;
  /** The address of the node whose turn it is. */
  next(): string;
  /** The address of a node. */
  url(node: number): string;
  kill(node: number): Promise<void>;
  /** Starts a node again on its folder. */
  start(node: number): Promise<void>;
  user(plan?: 'free' | 'pro'): Promise<User>;
  stop(): Promise<void>;
}

const SCOPES = 'content:read,content:write,content:delete';

/** `folder` receives the scratch folders and the key of the nodes. */
export const startNodes = async (
  folder: string,
  { count = 3, databaseUrl, config = {} }: { count?: number; databaseUrl: string; config?: ConfigFile },
): Promise<TestNodes> => {
  const real = process.env['LINKSHOT_TEST_S3'];
  const double = real === undefined ? await startS3Double() : null;
  const settings = double === null ? (JSON.parse(real ?? '{}') as S3Settings) : double.settings;
  const s3 = { ...settings, prefix: `${settings.prefix}/nodes-${randomUUID()}` };
  const keyFile = join(folder, 'nodes.key');
  writeFileSync(keyFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  const dataOf = (node: number): string => join(folder, `node-${node}`);
  const launch = (node: number): Promise<ServerProcess> =>
    startServerProcess(dataOf(node), {
      config: {
        ...config,
        ...{ database: { url: databaseUrl }, objects: { s3 }, keyFile, node: { name: `node-${node}` } },
      },
    });

  const nodes: ServerProcess[] = [];
  const start = async (node: number): Promise<void> => {
    nodes[node] = await launch(node);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await double?.close();
  };
  try {
    // The first one makes the tables.
    await start(0);
    const others = await Promise.allSettled(Array.from({ length: count - 1 }, (_, at) => start(at + 1)));
    for (const other of others) if (other.status === 'rejected') throw other.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  const at = (node: number): ServerProcess => {
    const found = nodes[node];
    if (found === undefined) throw new Error(`There is no node ${node}.`);
    return found;
  };
  let turn = 0;
  const command = (...words: readonly string[]) =>
    serverCommand(...words, '--data', dataOf(0), '--config', `${dataOf(0)}.config.json`);

  return {
    nodes,
    double,
    s3,
    next: () => at(turn++ % nodes.length).url,
    url: (node) => at(node).url,
    kill: async (node) => void (await at(node).end('SIGKILL')),
    start,
    user: async (plan = 'pro') => {
      const username = `user-${randomUUID().slice(0, 8)}`;
      const { id } = await command('account', 'add', username, '--plan', plan);
      const key = await command('key', 'add', '--account', username, '--scopes', SCOPES);
      return { accountId: id as AccountId, username, keyId: key['id'] ?? '', apiKey: key['apiKey'] ?? '' };
    },
    stop,
  };
};
