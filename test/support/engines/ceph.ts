/**
 * Ceph with its S3 gateway from Debian's packages: one monitor, one manager, one BlueStore OSD on a sparse file, and
 * radosgw, all on the loopback address and in a folder of its own. Takes about 20 s and 600 MB of memory.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../../src/server/storage/s3-client.ts';
import { freePort } from '../free-port.ts';
import { accepts, type Daemon, runTool, startDaemon } from './daemon.ts';
import { answersHttp, createBucket, type S3Store } from './s3-store.ts';

const PROGRAMS = ['ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw', 'ceph', 'radosgw-admin'];

/** Why this machine cannot run Ceph; null: it can. */
export const whyNoCeph = (): string | null =>
  process.platform === 'linux' && PROGRAMS.every((program) => existsSync(`/usr/bin/${program}`))
    ? null
    : 'Ceph is not installed (scripts/provision engines)';

const COMMAND_TRIES = 20;
const CREDENTIALS = {
  accessKeyId: 'CEPHACCESSKEY0000001',
  secretAccessKey: 'ceph-secret-00000000000000000000000000001',
} as const;

/** Without authentication inside, which the loopback address needs none of, and with one copy of everything. */
const configuration = (root: string, monitorPort: number, port: number): string => `[global]
fsid = ${randomUUID()}
run dir = ${root}/run
admin socket = ${root}/run/$name.asok
auth cluster required = none
auth service required = none
auth client required = none
mon host = v1:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr2 = false
ms bind msgr1 = true
osd pool default size = 1
osd pool default min size = 1
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd pool default pg autoscale mode = off
osd pool default pg num = 8
mon allow pool size one = true
mon max pg per osd = 1000
mon warn on pool no redundancy = false
osd memory target = 1073741824
log to stderr = false
err to stderr = true
[mon.a]
mon data = ${root}/mon
mon data avail crit = 0
mon data avail warn = 0
mon cluster log file = ${root}/log/cluster.log
log file = ${root}/log/mon.log
[mgr.x]
mgr data = ${root}/mgr
mgr initial modules =
log file = ${root}/log/mgr.log
[osd.0]
osd data = ${root}/osd
osd objectstore = bluestore
bluestore block create = true
bluestore block size = 8589934592
bluestore block wal create = false
bluestore block db create = false
log file = ${root}/log/osd.log
[client.rgw.r]
rgw data = ${root}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw dns name = localhost
rgw thread pool size = 32
log file = ${root}/log/rgw.log
`;

export const startCeph = async (bucket = 'linkshot'): Promise<S3Store> => {
  const whyNot = whyNoCeph();
  if (whyNot !== null) throw new Error(`${whyNot}.`);
  // The paths of its sockets have at most 107 bytes.
  const root = mkdtempSync(join(tmpdir(), 'ceph-'));
  chmodSync(root, 0o755);
  for (const name of ['mon', 'mgr', 'osd', 'rgw', 'log', 'run']) mkdirSync(join(root, name));
  const [monitorPort, port] = [await freePort(), await freePort()];
  const path = join(root, 'ceph.conf');
  writeFileSync(path, configuration(root, monitorPort, port));
  const environment = { CEPH_CONF: path };
  const tool = (...words: readonly string[]): Promise<string> => runTool(words, environment);
  /** A monitor that has just started refuses commands for a moment, as if they were not permitted. */
  const command = async (...words: readonly string[]): Promise<void> => {
    for (let tries = COMMAND_TRIES; ; tries -= 1) {
      try {
        await tool('ceph', ...words);
        return;
      } catch (error) {
        if (tries === 0 || !String(error).includes('EPERM')) throw error;
      }
    }
  };
  const monitorMap = join(root, 'monmap');
  const daemons: Daemon[] = [];
  const startOne = async (words: readonly string[], isReady = async (): Promise<boolean> => true): Promise<void> =>
    void daemons.push(await startDaemon(words, isReady, environment));

  /** It listens before it answers commands. */
  const answersCommands = async (): Promise<boolean> =>
    (await accepts(monitorPort)) &&
    (await tool('ceph', '--connect-timeout', '5', 'mon', 'stat').then(
      () => true,
      () => false,
    ));
  const startMonitor = (): Promise<void> => startOne(['/usr/bin/ceph-mon', '-f', '--id', 'a'], answersCommands);
  const startOthers = async (): Promise<void> => {
    await startOne(['/usr/bin/ceph-mgr', '-f', '--id', 'x']);
    await startOne(['/usr/bin/ceph-osd', '-f', '--id', '0']);
    await startOne(['/usr/bin/radosgw', '-f', '-n', 'client.rgw.r'], () => answersHttp(`http://127.0.0.1:${port}/`));
  };
  const kill = async (): Promise<void> => void (await Promise.all(daemons.splice(0).map((daemon) => daemon.kill())));
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: '',
    pathStyle: true,
    ...CREDENTIALS,
  };
  const store: S3Store = {
    settings,
    pids: () => daemons.map(({ pid }) => pid),
    kill,
    start: async () => {
      await startMonitor();
      await startOthers();
    },
    remove: async () => {
      await kill();
      rmSync(root, { recursive: true, force: true });
    },
  };
  try {
    const address = `[v1:127.0.0.1:${monitorPort}]`;
    await tool('monmaptool', '--create', '--clobber', '--addv', 'a', address, monitorMap);
    await tool('ceph-mon', '--id', 'a', '--mkfs', '--monmap', monitorMap, '--keyring', '/dev/null');
    writeFileSync(join(root, 'mon/keyring'), '');
    await startMonitor();
    await command('osd', 'create');
    await command('osd', 'crush', 'add', 'osd.0', '1', 'root=default');
    await tool('ceph-osd', '--id', '0', '--mkfs');
    await startOthers();
    const user = ['--uid', 'linkshot', '--display-name', 'Linkshot'];
    const keys = ['--access-key', CREDENTIALS.accessKeyId, '--secret-key', CREDENTIALS.secretAccessKey];
    await tool('radosgw-admin', 'user', 'create', ...user, ...keys);
    await createBucket(settings);
    return store;
  } catch (error) {
    await store.remove();
    throw error;
  }
};
