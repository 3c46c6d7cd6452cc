/**
 * OpenStack Swift with its S3 interface from Debian's packages, on the loopback address and in a folder of its own: the
 * second dialect of S3, and the stricter one. Takes about 12 s and 250 MB of memory.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../../src/server/storage/s3-client.ts';
import { freePort } from '../free-port.ts';
import { accepts, type Daemon, runTool, startDaemon } from './daemon.ts';
import { answersHttp, createBucket, type S3Store } from './s3-store.ts';

const SERVERS = ['account', 'container', 'object'] as const;
const PROGRAMS = [...[...SERVERS, 'proxy'].map((name) => `swift-${name}-server`), 'swift-ring-builder', 'memcached'];

/** Why this machine cannot run Swift; null: it can. */
export const whyNoSwift = (): string | null =>
  process.platform === 'linux' && PROGRAMS.every((program) => existsSync(`/usr/bin/${program}`))
    ? null
    : 'Swift is not installed (scripts/provision engines)';

/** Its programs read this path alone; they are started so that they read one in their own folder. */
const LAUNCHER = `
import runpy, sys
from swift.common import utils
utils.SWIFT_CONF_FILE = sys.argv[1]
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name='__main__')
`;

const HASHES = `[swift-hash]
swift_hash_path_suffix = linkshot
swift_hash_path_prefix = linkshot
[storage-policy:0]
name = gold
default = yes
`;

const common = (root: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
swift_dir = ${root}/etc
user = ${userInfo().username}
log_level = ERROR
`;

const storage = (root: string, name: string, port: number): string => `${common(root, port)}devices = ${root}/node
mount_check = false
recon_cache_path = ${root}/cache
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;

const proxy = (root: string, port: number, memcachePort: number): string => `${common(root, port)}[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcachePort}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_linkshot_server = swift-secret .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`;

export const startSwift = async (bucket = 'linkshot'): Promise<S3Store> => {
  const whyNot = whyNoSwift();
  if (whyNot !== null) throw new Error(`${whyNot}.`);
  const root = mkdtempSync(join(tmpdir(), 'swift-'));
  chmodSync(root, 0o755);
  for (const name of ['etc', 'node/d1', 'cache']) mkdirSync(join(root, name), { recursive: true });
  const [port, memcachePort] = [await freePort(), await freePort()];
  const etc = (name: string): string => join(root, 'etc', name);
  writeFileSync(etc('swift.conf'), HASHES);
  writeFileSync(etc('proxy-server.conf'), proxy(root, port, memcachePort));
  const ports = new Map<string, number>();
  const daemons: Daemon[] = [];
  const startServer = async (name: string, isReady: () => Promise<boolean>): Promise<void> => {
    const program = [`/usr/bin/swift-${name}-server`, etc(`${name}-server.conf`)];
    const words = ['/usr/bin/python3', '-c', LAUNCHER, etc('swift.conf'), ...program];
    daemons.push(await startDaemon(words, isReady));
  };
  const start = async (): Promise<void> => {
    const memcached = ['/usr/bin/memcached', '-u', userInfo().username, '-l', '127.0.0.1', '-m', '16'];
    daemons.push(await startDaemon([...memcached, '-p', String(memcachePort)], () => accepts(memcachePort)));
    await Promise.all([...ports].map(([name, at]) => startServer(name, () => accepts(at))));
    // A storage server that does not listen yet would be left alone for a minute.
    await startServer('proxy', () => answersHttp(`http://127.0.0.1:${port}/healthcheck`));
  };
  const kill = async (): Promise<void> => void (await Promise.all(daemons.splice(0).map((daemon) => daemon.kill())));
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: '',
    pathStyle: true,
    accessKeyId: 'linkshot:server',
    secretAccessKey: 'swift-secret',
  };
  const store: S3Store = {
    settings,
    pids: () => daemons.map(({ pid }) => pid),
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(root, { recursive: true, force: true });
    },
  };
  try {
    for (const name of SERVERS) {
      const at = await freePort();
      ports.set(name, at);
      writeFileSync(etc(`${name}-server.conf`), storage(root, name, at));
      const builder = ['/usr/bin/swift-ring-builder', etc(`${name}.builder`)];
      await runTool([...builder, 'create', '4', '1', '0']);
      await runTool([...builder, 'add', `r1z1-127.0.0.1:${at}/d1`, '1']);
      await runTool([...builder, 'rebalance']);
    }
    await start();
    await createBucket(settings);
    return store;
  } catch (error) {
    await store.remove();
    throw error;
  }
};
