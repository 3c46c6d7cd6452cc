/**
 * A PostgreSQL cluster of the tests, from Debian's package: in a folder of its own, on a free port of the loopback
 * address. It ends with the process that started it, however that ends.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { isRoot } from '../other-user.ts';

const VERSIONS = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL on this machine; null: it has none. */
const programs = (): string | null => {
  if (process.platform === 'win32' || !existsSync(VERSIONS)) return null;
  const folders = readdirSync(VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
};

/** Why this machine cannot run PostgreSQL; null: it can. */
export const whyNoPostgres = (): string | null =>
  programs() === null ? 'PostgreSQL is not installed (apt-get install postgresql-15)' : null;

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** PostgreSQL refuses to run as root. Its capability lets it pass the folders of the run, which are closed to others. */
export const asPostgres: readonly string[] = isRoot
  ? [
      ...['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
    ]
  : [];

/** The machine does not lose its power during a test, and killed processes lose nothing. */
const WITHOUT_SYNC = ['fsync=off', 'full_page_writes=off'];
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'max_connections=400',
  'shared_buffers=64MB',
  'max_wal_size=256MB',
  'autovacuum_naptime=10min',
  'log_min_messages=fatal',
  'jit=off',
];

export interface PostgresCluster {
  readonly port: number;
  /** Of its first process; the others are its children. */
  pid(): number | undefined;
  /** The address of a database of this cluster. */
  url(database: string): string;
  /** Ends it at once, without closing anything: `kill -9` of its every process. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill` or `stop`. */
  start(): Promise<void>;
  /** Ends it and keeps its data. */
  stop(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** It is starting. */
const NOT_YET = new Set(['57P03', 'ECONNREFUSED']);

/** `durable`: with fsync, as an operator has it. */
export const startPostgres = async ({
  durable = false,
}: {
  readonly durable?: boolean;
} = {}): Promise<PostgresCluster> => {
  const folder = programs();
  if (folder === null) throw new Error(`${whyNoPostgres()}.`);
  const root = mkdtempSync(join(tmpdir(), 'pg-'));
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) {
    for (const path of [root, data]) chownSync(path, idOf('-u'), idOf('-g'));
  }
  const [program = '', ...words] = [...asPostgres, join(folder, 'initdb')];
  await promisify(execFile)(
    program,
    [...words, '-D', data, '-U', 'linkshot', '--auth=trust', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync'],
    // Its parents may be closed to this user.
    { cwd: '/' },
  );
  const port = await freePort();
  const settings = [...SETTINGS, ...(durable ? [] : WITHOUT_SYNC), `port=${port}`, `unix_socket_directories=${root}`];
  const [command = '', ...rest] = [
    ...asPostgres,
    // The immediate shutdown, when this process has ended in any way.
    ...['setpriv', '--pdeathsig', 'QUIT', join(folder, 'postgres'), '-D', data],
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const url = (database: string): string => `postgres://linkshot@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | null = null;

  const isReady = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!NOT_YET.has(code)) throw error;
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  };

  const start = async (): Promise<void> => {
    const started = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', detached: true });
    child = started;
    let stderr = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = `${stderr}${text}`.slice(-4_000);
    });
    while (!(await isReady())) {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error(`PostgreSQL ended: ${stderr}`);
      await sleep(20);
    }
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    child = null;
  };

  await start();
  return {
    port,
    pid: () => child?.pid,
    url,
    start,
    // SIGQUIT is the immediate shutdown: processes end without a checkpoint, and the next start recovers from the log.
    kill: () => end('SIGQUIT'),
    stop: () => end('SIGINT'),
    remove: async () => {
      await end('SIGQUIT');
      rmSync(root, { recursive: true, force: true });
    },
  };
};
