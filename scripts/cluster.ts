/**
 * `npm run cluster`: runs several nodes of the server behind HAProxy on this computer, for trying out a cluster. They
 * share PostgreSQL and an S3 store: Ceph by default, or one in memory if Ceph cannot run. Installs missing Debian
 * packages, prints one line of JSON when the nodes answer, and on Ctrl+C stops everything and deletes the data.
 */
import '../src/base/node/require-node.ts';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { whyNoHaproxy } from '../test/support/engines/haproxy.ts';
import { whyNoPostgres } from '../test/support/engines/postgres-cluster.ts';
import { PROVISION, STORES, type StoreName, startCluster, usualStore } from './cluster/cluster.ts';

const USAGE = `Options: --nodes N (3), --port N (8090; 0 takes any that is free), --store ${STORES.join('|')}.`;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A terminal sends a signal to this process and to npm, which passes it on: only a later one is of an impatient user. */
const SAME_SIGNAL_MS = 1_000;
const log = (line: string): void => console.error(line);

const readOptions = (): { readonly nodes: number; readonly port: number; readonly store: StoreName | null } => {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '3' },
      port: { type: 'string', default: '8090' },
      store: { type: 'string' },
    },
  });
  const [nodes, port] = [Number(values.nodes), Number(values.port)];
  const store = STORES.find((name) => name === values.store) ?? null;
  const isFine =
    Number.isInteger(nodes) && nodes >= 1 && nodes <= 32 && Number.isInteger(port) && port >= 0 && port <= 65_535;
  if (!isFine || (values.store !== undefined && store === null)) throw new Error('A value is not possible.');
  return { nodes, port, store };
};

/** Resolves at the first signal; a later one ends the process at once. No moment is left in which a signal has no listener. */
const untilSignalled = (): Promise<void> =>
  new Promise((resolve) => {
    let asked: number | null = null;
    const onSignal = (): void => {
      if (asked !== null && performance.now() - asked > SAME_SIGNAL_MS) process.exit(1);
      asked ??= performance.now();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });

const run = async (): Promise<number> => {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    log(`${error instanceof Error ? error.message : String(error)} ${USAGE}`);
    return 2;
  }
  // Its output is for people, and stdout is for the line of JSON.
  const needed =
    options.store === 'swift' ? ['engines'] : options.store === 'double' ? ['cluster'] : ['cluster', 'ceph'];
  for (const packages of needed) spawnSync(PROVISION, [packages], { stdio: ['inherit', 2, 2] });
  const missing = whyNoPostgres() ?? whyNoHaproxy();
  if (missing !== null) {
    log(`${missing}.`);
    return 1;
  }
  const usual = usualStore();
  const store = options.store ?? usual.store;
  if (options.store === null && usual.why !== null)
    log(`${usual.why}, so the files are in the memory of this program instead, and are gone with it.`);

  const stopped = untilSignalled();
  const cluster = await startCluster({ ...options, store, log });
  const { url, nodes, account, password, key } = cluster;
  console.log(JSON.stringify({ url, key, account, password, store, nodes: nodes.map((node) => node.url) }));
  log(`${nodes.length} nodes serve at ${url}. In the window: Settings, Connect. In another terminal:`);
  log(`  LINKSHOT_SERVER=${url} LINKSHOT_KEY=${key} npm run linkshot -- upload FILE`);
  log('Ctrl+C ends everything and removes its data.');
  await stopped;
  log('Stopping.');
  await cluster.stop();
  return 0;
};

try {
  process.exitCode = await run();
} catch (error) {
  log(`The cluster has not started: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
