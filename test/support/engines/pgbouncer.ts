/** PgBouncer in transaction mode, as an operator would put it in front of PostgreSQL. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { asPostgres } from './postgres-cluster.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Why this machine cannot run PgBouncer; null: it can. */
export const whyNoPgBouncer = (): string | null =>
  existsSync(PGBOUNCER) ? null : 'PgBouncer is not installed (apt-get install pgbouncer)';

/** The same for one that knows nothing of prepared statements. */
export const whyNoOldPgBouncer = (): string | null => {
  const why = whyNoPgBouncer();
  if (why !== null) return why;
  const version = /PgBouncer 1\.(\d+)/.exec(execFileSync(PGBOUNCER, ['--version'], { encoding: 'utf8' }));
  return Number(version?.[1]) < 21 ? null : 'PgBouncer is 1.21 or newer';
};

interface Program {
  readonly port: number;
  stop(): Promise<void>;
}

const accepts = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  return await new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((is) => {
    socket.destroy();
    return is as boolean;
  });
};

/** Ends with this process; see `postgres-cluster.ts`. */
const run = async (words: readonly string[], port: number, folder: string): Promise<Program> => {
  const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'KILL', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4_000);
    });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${words[0]} ended: ${output}`);
    await sleep(20);
  }
  return {
    port,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** In transaction mode with few connections, so that transactions of one client meet different sessions. */
export const startPgBouncer = async (postgresPort: number): Promise<Program> => {
  const folder = mkdtempSync(join(tmpdir(), 'bouncer-'));
  const port = await freePort();
  const path = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, '"linkshot" ""\n');
  writeFileSync(
    path,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${postgresPort} user=linkshot`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 3',
      'max_client_conn = 400',
      // Each test file has databases of its own.
      'server_idle_timeout = 5',
      'unix_socket_dir =',
    ].join('\n'),
  );
  // It refuses root, as PostgreSQL does.
  return await run([...asPostgres, 'setpriv', '--pdeathsig', 'KILL', PGBOUNCER, path], port, folder);
};
