/**
 * Starts a cluster of the server on this computer, for `npm run cluster` and a benchmark: PostgreSQL, an S3 store,
 * identical nodes in processes of their own, and HAProxy in front of them.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SCOPES } from '../../src/api/account.ts';
import { startCeph, whyNoCeph } from '../../test/support/engines/ceph.ts';
import { queryPostgres } from '../../test/support/engines/databases.ts';
import { startHaproxy } from '../../test/support/engines/haproxy.ts';
import { startPostgres } from '../../test/support/engines/postgres-cluster.ts';
import type { S3Store } from '../../test/support/engines/s3-store.ts';
import { startSwift } from '../../test/support/engines/swift.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startS3Double } from '../../test/support/server/s3-double.ts';
import { runServerCommand, startNode } from './node-process.ts';

export const STORES = ['ceph', 'swift', 'double'] as const;
export type StoreName = (typeof STORES)[number];

interface ClusterOptions {
  /** How many nodes. */
  readonly nodes: number;
  /** Of HAProxy; 0: any that is free. */
  readonly port: number;
  readonly store: StoreName;
  /** Merged over the configuration of the nodes. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What happens, a sentence a line. */
  readonly log: (line: string) => void;
}

export interface Cluster {
  /** Of HAProxy, which sends each request to the next node. */
  readonly url: string;
  readonly nodes: readonly { readonly url: string; readonly pid: number }[];
  readonly account: string;
  readonly password: string;
  /** The configuration of the nodes, for commands of the server. */
  readonly configPath: string;
  /** With all scopes. */
  readonly key: string;
  readonly store: StoreName;
  /** Processes of the engines; the children of PostgreSQL's are not among them. */
  readonly pids: { readonly postgres: readonly number[]; readonly store: readonly number[] };
  /** Ends everything and removes its data. */
  stop(): Promise<void>;
}

/** In memory; it serves for trying the rest where no store can be had. */
const doubleStore = async (): Promise<Store> => {
  const { settings, close } = await startS3Double();
  return { settings, pids: () => [], remove: close };
};

type Store = Pick<S3Store, 'settings' | 'pids' | 'remove'>;

const startStore = (store: StoreName): Promise<Store> => {
  switch (store) {
    case 'ceph':
      return startCeph();
    case 'swift':
      return startSwift();
    case 'double':
      return doubleStore();
  }
};

export const startCluster = async ({ nodes, port, store, config = {}, log }: ClusterOptions): Promise<Cluster> => {
  const parts = new AsyncDisposableStack();
  try {
    const root = mkdtempSync(join(tmpdir(), 'cluster-'));
    parts.defer(() => rmSync(root, { recursive: true, force: true }));
    log('Starting PostgreSQL.');
    const postgres = await startPostgres({ durable: true });
    parts.defer(postgres.remove);
    await queryPostgres(postgres.url('postgres'), 'CREATE DATABASE linkshot');
    log(
      store === 'ceph'
        ? 'Starting Ceph: monitor, manager, OSD and S3 gateway, which takes half a minute.'
        : `Starting ${store}.`,
    );
    const objects = await startStore(store);
    parts.defer(objects.remove);

    const publicPort = port === 0 ? await freePort() : port;
    const url = `http://127.0.0.1:${publicPort}`;
    const keyFile = join(root, 'master.key');
    writeFileSync(keyFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    const configPath = join(root, 'config.json');
    const nodeConfig = {
      database: { url: postgres.url('linkshot') },
      objects: { s3: objects.settings },
      web: { origin: url, trustProxy: true },
      keyFile,
      ...config,
    };
    writeFileSync(configPath, JSON.stringify(nodeConfig, null, 2), { mode: 0o600 });

    log(`Starting ${nodes} nodes.`);
    const start = async (number: number) => {
      const data = join(root, `node-${number}`);
      mkdirSync(data, { mode: 0o700 });
      return await startNode({ data, config: configPath, name: `node-${number}` });
    };
    const started = await Promise.all(Array.from({ length: nodes }, (_, index) => start(index + 1)));
    parts.defer(async () => void (await Promise.all(started.map((node) => node.stop()))));
    const proxy = await startHaproxy(
      started.map((node) => Number(new URL(node.url).port)),
      { port: publicPort },
    );
    parts.defer(proxy.stop);

    const account = 'demo';
    const password = randomBytes(12).toString('base64url');
    const command = (...words: readonly string[]) =>
      runServerCommand([...words, '--data', join(root, 'commands'), '--config', configPath]);
    await command('account', 'add', account, '--plan', 'pro', `--password=${password}`);
    const { apiKey } = await command('key', 'add', '--account', account, '--scopes', SCOPES.join(','));
    if (apiKey === undefined) throw new Error('The server has made no key.');
    return {
      ...{ url, account, password, key: apiKey, store, configPath },
      pids: { postgres: [postgres.pid() ?? 0], store: objects.pids() },
      nodes: started.map((node) => ({ url: node.url, pid: node.pid })),
      stop: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
};

/** Ceph where it is installed; else the double, and why. */
export const usualStore = (): { readonly store: StoreName; readonly why: string | null } => {
  const why = whyNoCeph();
  return why === null ? { store: 'ceph', why } : { store: 'double', why };
};

export const PROVISION = resolve(import.meta.dirname, '../provision');
