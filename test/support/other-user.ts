/** Listeners, folders and files of another user of the computer, for tests that run as root. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Uid and gid of `nobody`. */
export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;

/** A world-writable folder, like the folder for temporary files. */
export const makeOpenFolder = (path: string): string => {
  mkdirSync(path);
  chmodSync(path, 0o777);
  return path;
};

/** Whether `nobody` can open what is at the path, as far as the folders above it decide. */
export const isReachable = (path: string): boolean => {
  const above = dirname(path);
  return above === path || ((statSync(above).mode & 0o001) !== 0 && isReachable(above));
};

const allIn = (folder: string): readonly string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
];

/** The folder and everything in it becomes that of `nobody`. */
export const giveAway = (folder: string): void => {
  for (const path of allIn(folder)) chownSync(path, NOBODY, NOBODY);
};

/** What in the folder is not that of `nobody`. */
export const notGiven = (folder: string): readonly string[] =>
  allIn(folder).filter((path) => {
    const { uid, gid } = statSync(path);
    return uid !== NOBODY || gid !== NOBODY;
  });

export interface Squatter {
  /** The data sent to it. */
  heard(): string;
  end(): void;
}

/** Enters the folder before it drops its privileges: the folders above may be closed to the other user. */
const SCRIPT = `
  const [folder, name] = process.argv.slice(1);
  process.chdir(folder);
  process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}); process.umask(0);
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => process.stdout.write(data));
  });
  server.listen(name, () => process.stdout.write('listening\\n'));`;

/** Listens at the path as `nobody`. Rejects if that fails. */
export const squat = async (path: string): Promise<Squatter> => {
  const child: ChildProcess = spawn(process.execPath, ['-e', SCRIPT, dirname(path), basename(path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let heard = '';
  const ready = new Promise<void>((listening) => {
    child.stdout?.on('data', (data: Buffer) => {
      heard += data.toString();
      listening();
    });
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The other user could not listen.')));
  ended.catch(() => {});
  await Promise.race([ready, ended]);
  return { heard: () => heard.replace('listening\n', ''), end: () => void child.kill() };
};
