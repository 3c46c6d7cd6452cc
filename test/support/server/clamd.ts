/** A real private clamd with one signature: EICAR's harmless test file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isListening } from '../is-listening.ts';

/** In two pieces, so that no antivirus flags this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

export interface Clamd {
  readonly socket: string;
  /** Kills the process; the socket file remains. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

export const startClamd = async (): Promise<Clamd> => {
  const folder = mkdtempSync(join(tmpdir(), 'linkshot-clamd-'));
  const [database, socket, config] = [join(folder, 'database'), join(folder, 'clamd.sock'), join(folder, 'clamd.conf')];
  mkdirSync(database);
  writeFileSync(join(database, 'test.ndb'), `Eicar-Test-Signature:0:*:${Buffer.from(EICAR).toString('hex')}\n`);
  writeFileSync(config, `LocalSocket ${socket}\nDatabaseDirectory ${database}\nForeground yes\nUser root\n`);
  const child = spawn('/usr/sbin/clamd', ['--config-file', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  while (!(await isListening(socket))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`clamd did not start: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const kill = async () => {
    child.kill('SIGKILL');
    await ended(child);
  };
  return {
    socket,
    kill,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
