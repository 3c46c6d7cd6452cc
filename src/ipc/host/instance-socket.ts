/**
 * The local socket of the process that owns a profile: its server, and the client through which later starts of the app
 * and the command line delegate their work to the owner. Only the user's own processes reach the socket, and both sides
 * prove that they can read the profile before a command is sent. Also the same client interface for the owner itself,
 * without a socket (`ownInstance`).
 */
import { randomBytes } from 'node:crypto';
import { createConnection, createServer, type Socket } from 'node:net';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Transport } from '../client/transport.ts';
import type {
  AppEvent,
  CommandInput,
  CommandName,
  CommandOutput,
  EventFrame,
  ReplyFrame,
} from '../protocol/command-table.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type InstanceFile, readInstanceFile, removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { checkSocket } from './owned-by-user.ts';
import { proveAsCaller, proveAsOwner } from './peer-authentication.ts';
import { instanceAddress, listenAt, removeTemporarySocket } from './private-socket.ts';
import { openRpcSession } from './rpc-session.ts';

const LOST = failure('PROFILE_BUSY', 'The running Linkshot quit before it responded.');

export interface InstanceServer {
  close(): Promise<void>;
}

/** Call it only as the owner of the profile: the socket of an earlier owner is then dead and is replaced. */
export const serveInstance = async (
  profileDir: string,
  dispatcher: Dispatcher,
  { runtimeDir }: { readonly runtimeDir: string | undefined },
): Promise<InstanceServer> => {
  const secret = randomBytes(32).toString('base64url');
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    proveAsOwner(socket, secret, () => {
      const session = openRpcSession(dispatcher, 'owner', (text) => socket.write(`${text}\n`));
      socket.on('close', () => session.close());
      return (line) => {
        if (!session.receive(line)) socket.destroy();
      };
    });
  });
  const left = await readInstanceFile(profileDir);
  if (left !== null && left !== 'foreign') await removeTemporarySocket(left.socket, profileDir);
  const socket = await instanceAddress(profileDir, runtimeDir);
  await listenAt(server, socket);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Remove the file first, so that a disconnected caller does not find it.
    await removeInstanceFile(profileDir);
    for (const one of open) one.destroy();
    await closed;
    await removeTemporarySocket(socket, profileDir);
  };
  try {
    await writeInstanceFile(profileDir, { socket, secret });
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
};

export interface InstanceTransport extends Transport {
  /** True once the owner has ended, or after `close`; every call then fails with PROFILE_BUSY. */
  isLost(): boolean;
  close(): void;
}

const isOpen = (socket: Socket): Promise<boolean> =>
  new Promise((answer) => {
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });

const FOREIGN_FILE = (profileDir: string): string =>
  `Another user can read or has written instance.json in ${profileDir}, so Linkshot does not connect to the instance it names. Delete the file.`;
const FOREIGN_SOCKET = ({ socket }: InstanceFile): string =>
  `Another user may be listening at ${socket}, so Linkshot does not connect to it. Quit Linkshot and delete it.`;

/** The owner's address, or null if it is not certain that the owner is the user's own process. */
const findInstance = async (profileDir: string, warn: (line: string) => void): Promise<InstanceFile | null> => {
  const file = await readInstanceFile(profileDir);
  if (file === 'foreign') warn(FOREIGN_FILE(profileDir));
  if (file === null || file === 'foreign') return null;
  const judged = await checkSocket(file.socket);
  if (judged === 'foreign') warn(FOREIGN_SOCKET(file));
  return judged === 'own' ? file : null;
};

/**
 * Connects to the owner of the profile; null if it has ended, or has not proven to be the user's own process, which
 * `warn` then reports.
 */
export const connectToInstance = async (
  profileDir: string,
  warn: (line: string) => void = () => {},
): Promise<InstanceTransport | null> => {
  const file = await findInstance(profileDir, warn);
  if (file === null) return null;
  const transport = await connectTo(file);
  if (transport !== 'wrong') return transport;
  // The previous owner has just ended, and the file belongs to the next one.
  const now = await readInstanceFile(profileDir);
  if (now === null || (now !== 'foreign' && now.secret !== file.secret)) return connectToInstance(profileDir, warn);
  warn(FOREIGN_SOCKET(file));
  return null;
};

const connectTo = async ({ socket: path, secret }: InstanceFile): Promise<InstanceTransport | 'wrong' | null> => {
  const socket = createConnection(path);
  if (!(await isOpen(socket))) return null;

  const listeners = new Set<(event: AppEvent) => void>();
  const pending = new Map<number, (reply: Result<unknown>) => void>();
  let lastState: AppEvent | null = null;
  let nextId = 1;
  let lost = false;
  const proven = proveAsCaller(socket, secret, (line) => {
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
  const outcome = await proven;
  if (outcome !== 'proven') return outcome === 'wrong' ? outcome : null;

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
    close() {
      lost = true;
      // What was called before is still sent.
      socket.destroySoon();
    },
  };
};

/** The owner's connection to itself, for work on behalf of another process. `signal` cancels its calls. */
export const ownInstance = (dispatcher: Dispatcher, signal: AbortSignal): InstanceTransport => {
  const undo: (() => void)[] = [];
  return {
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) =>
      (await dispatcher.dispatch('owner', command, input, signal)) as Result<CommandOutput<K>>,
    on: (listener) => {
      const stop = dispatcher.on(listener);
      undo.push(stop);
      return stop;
    },
    isLost: () => false,
    close: () => {
      for (const stop of undo.splice(0)) stop();
    },
  };
};
