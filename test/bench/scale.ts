/**
 * `npm run bench:scale`: reads, parts and opens at 1, 2 and 3 nodes on PostgreSQL and Ceph against one node on SQLite and
 * files, all running at once and asked in turns. On one machine they share its processors with each other, the engines and
 * the client, so the processor time of a request says more than the number of requests. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Cluster, startCluster, usualStore } from '../../scripts/cluster/cluster.ts';
import { type Account, SCOPES } from '../../src/api/account.ts';
import type { Content } from '../../src/api/content.ts';
import type { AccountId } from '../../src/api/ids.ts';
import { ANY_BITRATE, longPngBytes, mp4Bytes } from '../support/media/sample-bytes.ts';
import { ask, partsOf, uploader } from '../support/server/service-client.ts';
import { getLoad } from './get-load.ts';
import { cpuOfTrees, startServer } from './measure.ts';
import { median, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(5, 2);
const MILLISECONDS = Number(process.env['BENCH_SLICE'] ?? 2_000);
const CONNECTIONS = 24;
const NODES = [1, 2, 3];
/** Items that are opened: each open of an item waits for the one before it to be counted. */
const OPENED = 4;
const PARTS = 24;
/** An account sends three parts at once. */
const SENDERS = 4;
const PART_BYTES = 2 * 1024 * 1024;
const PICTURE_BYTES = 200_000;

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'bench-scale-'));
const unlimited = 100_000_000;
const config = {
  ...ANY_BITRATE,
  limits: {
    requestsPerMinute: unlimited,
    uploadRequestsPerMinute: unlimited,
    partsPerMinute: unlimited,
    guestRequestsPerMinute: unlimited,
  },
};

interface Sender {
  readonly accountId: AccountId;
  readonly apiKey: string;
}

/** One node alone, or some of the cluster. */
interface Peer {
  readonly name: string;
  readonly urls: readonly string[];
  readonly nodePids: readonly number[];
  readonly postgresPids: readonly number[];
  readonly storePids: readonly number[];
  readonly senders: readonly Sender[];
  /** The path of each workload. */
  readonly paths: Readonly<Record<'item' | 'media', string>> & { readonly opens: readonly string[] };
}

interface Slice {
  readonly perSecond: number;
  /** Milliseconds of processor time of one request, by who spent them. */
  readonly nodes: number;
  readonly postgres: number;
  readonly store: number;
}

const measure = async (peer: Peer, run: () => Promise<number>): Promise<Slice> => {
  const usage = () => [peer.nodePids, peer.postgresPids, peer.storePids].map(cpuOfTrees);
  const [before, began] = [usage(), performance.now()];
  const count = await run();
  const seconds = (performance.now() - began) / 1_000;
  const [nodes = 0, postgres = 0, store = 0] = usage().map(
    (after, who) => ((after - (before[who] ?? 0)) * 1_000) / count,
  );
  return { perSecond: count / seconds, nodes, postgres, store };
};

/** Each node, and each path, gets its share of the connections. */
const load = async (peer: Peer, paths: readonly string[], method: 'GET' | 'POST' = 'GET'): Promise<number> => {
  const headers = method === 'GET' ? { authorization: `Bearer ${peer.senders[0]?.apiKey}` } : {};
  const connections = CONNECTIONS / peer.urls.length / paths.length;
  const urls = peer.urls.flatMap((url) => paths.map((path) => `${url}${path}`));
  const counts = await Promise.all(
    urls.map((url) => getLoad(url, headers, { connections, milliseconds: MILLISECONDS, method })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const film = await mp4Bytes(PARTS * PART_BYTES);
const parts = partsOf(film);

/** Every part goes to the next node. */
const sendParts = async (peer: Peer): Promise<number> => {
  let turn = 0;
  const nodeOf = (sender: Sender) => uploader(peer.urls[turn++ % peer.urls.length] ?? '', sender);
  const started = await Promise.all(
    peer.senders.map(async (sender) => ({ sender, id: (await nodeOf(sender).start(film)).body.id })),
  );
  await Promise.all(
    started.map(async ({ sender, id }) => {
      const left = [...parts.entries()];
      const send = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const { status } = await nodeOf(sender).part(id, next[0], next[1]);
          if (status !== 200) throw new Error(`A part was answered ${status}.`);
        }
      };
      await Promise.all([send(), send(), send()]);
    }),
  );
  await Promise.all(started.map(({ sender, id }) => nodeOf(sender).cancel(id)));
  return parts.length * peer.senders.length;
};

const WORKLOADS: Readonly<Record<string, (peer: Peer) => Promise<number>>> = {
  'GET /api/v1/account': (peer) => load(peer, ['/api/v1/account']),
  'GET /api/v1/content/{id}': (peer) => load(peer, [peer.paths.item]),
  'GET /api/media/{id}, 200 kB': (peer) => load(peer, [peer.paths.media]),
  'POST /api/share/{id}/open': (peer) => load(peer, peer.paths.opens, 'POST'),
  'PUT parts/{n}, 2 MiB': sendParts,
};

type Admin = (...words: readonly string[]) => Readonly<Record<string, string>>;

const makeSenders = (admin: Admin): readonly Sender[] =>
  Array.from({ length: SENDERS }, (_, number) => {
    const username = `sender-${number}`;
    const { id } = admin('account', 'add', username, '--plan', 'pro');
    const { apiKey = '' } = admin('key', 'add', '--account', username, '--scopes', SCOPES.join(','));
    return { accountId: id as AccountId, apiKey };
  });

const publish = async (url: string, sender: Sender): Promise<Peer['paths']> => {
  const key = sender.apiKey;
  const notes = await Promise.all(
    Array.from({ length: OPENED }, (_, number) =>
      ask<Content>(url, {
        ...{ method: 'POST', path: '/api/v1/pastes', key },
        body: { text: `opened often ${number}`, format: 'plain', visibility: 'public' },
      }),
    ),
  );
  const ids = notes.map(({ body }) => body.id);
  const answer = await uploader(url, sender).publish(await longPngBytes(PICTURE_BYTES));
  const picture = answer.body.content?.id;
  if (picture === undefined) throw new Error(`Publishing was answered ${answer.status}.`);
  return {
    item: `/api/v1/content/${ids[0]}`,
    media: `/api/media/${picture}`,
    opens: ids.map((id) => `/api/share/${id}/open`),
  };
};

const server = join(root, 'src/server/cli.ts');
const adminOf =
  (...place: readonly string[]): Admin =>
  (...words) =>
    JSON.parse(execFileSync(process.execPath, [server, ...words, ...place], { encoding: 'utf8' }));

const alone = async (): Promise<{ readonly peer: Peer; stop(): Promise<void> }> => {
  const path = join(work, 'alone.json');
  writeFileSync(path, JSON.stringify(config));
  const place = ['--data', join(work, 'alone'), '--config', path];
  const senders = makeSenders(adminOf(...place));
  const node = await startServer(process.execPath, [server, 'serve', '--port', '0', ...place]);
  const url = node.ready['url'] ?? '';
  const paths = await publish(url, senders[0] ?? { accountId: '' as AccountId, apiKey: '' });
  return {
    peer: {
      name: 'SQLite and files, 1 node',
      ...{ urls: [url], nodePids: [node.pid], postgresPids: [], storePids: [], senders, paths },
    },
    stop: node.stop,
  };
};

const peersOf = async (cluster: Cluster): Promise<readonly Peer[]> => {
  const senders = makeSenders(adminOf('--data', join(work, 'commands'), '--config', cluster.configPath));
  const paths = await publish(cluster.nodes[0]?.url ?? '', senders[0] ?? { accountId: '' as AccountId, apiKey: '' });
  return NODES.map((count) => {
    const used = cluster.nodes.slice(0, count);
    return {
      name: `PostgreSQL and ${cluster.store === 'ceph' ? 'Ceph' : cluster.store}, ${count} node${count === 1 ? '' : 's'}`,
      urls: used.map(({ url }) => url),
      nodePids: used.map(({ pid }) => pid),
      ...{ postgresPids: cluster.pids.postgres, storePids: cluster.pids.store, senders, paths },
    };
  });
};

const TEN_NODES_CORES = 20;

/** What ten nodes of two cores would serve by the processor time of one request, and what the engines need for that. */
const arithmetic = ({ nodes, postgres, store }: Omit<Slice, 'perSecond'>): string => {
  const perSecond = (TEN_NODES_CORES * 1_000) / nodes;
  const cores = (each: number): string => ((perSecond * each) / 1_000).toFixed(1);
  return `Ten nodes of two cores, by arithmetic: ${perSecond.toFixed(0)} a second, for which PostgreSQL needs ${cores(postgres)} cores and the store ${cores(store)}.`;
};

const milliseconds = (value: number): string => (value < 0.005 ? '-' : value.toFixed(2));

const { store } = usualStore();
const cluster = await startCluster({ nodes: Math.max(...NODES), port: 0, store, config, log: console.error });
const single = await alone();
try {
  const peers = [single.peer, ...(await peersOf(cluster))];
  const account = await ask<Account>(cluster.url, { path: '/api/v1/account', key: cluster.key });
  if (account.status !== 200) throw new Error(`HAProxy answered ${account.status}.`);
  const tables: string[] = [];
  for (const [workload, run] of Object.entries(WORKLOADS)) {
    const slices = new Map<string, Slice[]>(peers.map(({ name }) => [name, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
        const slice = await measure(peer, () => run(peer));
        // The first round compiles and fills caches.
        if (round > 0) slices.get(peer.name)?.push(slice);
      }
    }
    const medians = [...slices].map(([name, all]) => {
      const of = (key: keyof Slice): number => median(all.map((slice) => slice[key]));
      return { name, perSecond: of('perSecond'), nodes: of('nodes'), postgres: of('postgres'), store: of('store') };
    });
    const rows = medians.map(({ name, perSecond, nodes, postgres, store: stored }) => [
      name,
      perSecond.toFixed(0),
      ...[nodes, postgres, stored].map(milliseconds),
    ]);
    const head = [workload, 'Requests/s', 'Nodes, ms of CPU', 'PostgreSQL, ms', 'Store, ms'];
    // The first is the node alone, the second one node of the cluster.
    const [, one] = medians;
    tables.push(`${table(head, rows)}\n\n${one === undefined ? '' : arithmetic(one)}`);
  }
  const about = `${ROUNDS} rounds of ${MILLISECONDS / 1_000} s (parts: ${PARTS * SENDERS} of ${SENDERS} accounts), ${CONNECTIONS} connections, medians; the milliseconds are of each request.`;
  writeSection('scale', `${about}\n\n${tables.join('\n\n')}`);
} finally {
  await single.stop();
  await cluster.stop();
  rmSync(work, { recursive: true, force: true });
}
