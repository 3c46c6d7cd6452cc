/**
 * The local socket of the process that owns a profile: another start or a command hands its work over here. Only the
 * person's own processes reach it: the socket lies in the profile folder (0700), is 0600, and on Windows is a named pipe.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { err, failure, ok, type Result } from '../contract/errors.ts';
import type { AppEvent, CommandInput, CommandName, CommandOutput, EventFrame, ReplyFrame } from '../contract/ipc.ts';
import type { Dispatcher } from './server.ts';
import { openSession } from './session.ts';
import type { Transport } from './transport.ts';

/** The longest path that every system accepts for a socket, with room for the terminating zero. */
const SOCKET_PATH_MAX = 100;

const LOST = failure('PROFILE_BUSY', 'The running Linkshot ended before it answered.');

/** A profile whose path is too long for a socket gets one in the temporary folder, named after the profile. */
const socketPath = (profileDir: string): string => {
  const name = createHash('sha256').update(resolve(profileDir)).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\linkshot-${name}`;
  const near = join(resolve(profileDir), 'instance.sock');
  return Buffer.byteLength(near) <= SOCKET_PATH_MAX
    ? near
    : join(tmpdir(), `linkshot-${userInfo().uid}-${name}`, 'instance.sock');
};

/** Anyone may make a folder in the temporary folder; one that is not ours alone is not used. */
const ensurePrivate = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  if (uid !== userInfo().uid || (mode & 0o077) !== 0) throw new Error(`${folder} belongs to someone else`);
};

/** Binds with the mode 0600 from the first moment; `listen` binds before it returns. */
const listenPrivately = (server: Server, path: string): Promise<void> =>
  new Promise((listening, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    try {
      server.listen(path, listening);
    } finally {
      process.umask(mask);
    }
  });

/** The other side may vanish at any time: that is no error here, `close` tells it. */
const readLines = (socket: Socket, take: (line: string) => void): void => {
  socket.on('error', () => {});
  createInterface({ input: socket })
    .on('line', take)
    .on('error', () => {});
};

export interface InstanceServer {
  close(): Promise<void>;
}

/** Call it only as the owner of the profile: a socket file that is there already is then a dead one and is replaced. */
export const serveInstance = async (profileDir: string, dispatcher: Dispatcher): Promise<InstanceServer> => {
  const path = socketPath(profileDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const session = openSession(dispatcher, 'owner', (text) => socket.write(`${text}\n`));
    readLines(socket, (line) => {
      if (!session.receive(line)) socket.destroy();
    });
    socket.on('close', () => {
      open.delete(socket);
      session.close();
    });
  });
  if (process.platform !== 'win32') {
    if (dirname(path) !== resolve(profileDir)) await ensurePrivate(dirname(path));
    await rm(path, { force: true });
  }
  await listenPrivately(server, path);
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
};

export interface InstanceTransport extends Transport {
  /** True once the owner has gone; every call then fails with PROFILE_BUSY. */
  isLost(): boolean;
  close(): void;
}

/** Reaches the owner of the profile, or answers null when there is none (any more). */
export const connectToInstance = async (profileDir: string): Promise<InstanceTransport | null> => {
  const socket = createConnection(socketPath(profileDir));
  const isOpen = await new Promise<boolean>((answer) => {
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
  if (!isOpen) return null;

  const listeners = new Set<(event: AppEvent) => void>();
  const pending = new Map<number, (reply: Result<unknown>) => void>();
  let lastState: AppEvent | null = null;
  let nextId = 1;
  let lost = false;
  readLines(socket, (line) => {
    const frame = JSON.parse(line) as ReplyFrame | EventFrame;
    if ('event' in frame) {
      if (frame.event.type === 'state') lastState = frame.event;
      for (const listener of listeners) listener(frame.event);
    } else {
      pending.get(frame.id)?.(frame.ok ? ok(frame.output) : err(frame.error));
      pending.delete(frame.id);
    }
  });
  socket.on('close', () => {
    lost = true;
    for (const reply of pending.values()) reply(err(LOST));
    pending.clear();
  });

  return {
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) => {
      if (lost) return err(LOST);
      const id = nextId++;
      const reply = new Promise<Result<unknown>>((answer) => {
        pending.set(id, answer);
      });
      socket.write(`${JSON.stringify({ id, command, input })}\n`);
      return (await reply) as Result<CommandOutput<K>>;
    },
    on: (listener) => {
      listeners.add(listener);
      if (lastState) listener(lastState);
      return () => listeners.delete(listener);
    },
    isLost: () => lost,
    close: () => socket.destroy(),
  };
};
