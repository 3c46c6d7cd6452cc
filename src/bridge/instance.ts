/**
 * The local socket of the process that owns a profile: another start or a command hands its work over here. Only the
 * person's own processes reach it.
 */
import { createConnection, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type {
  AppEvent,
  CommandInput,
  CommandName,
  CommandOutput,
  EventFrame,
  ReplyFrame,
} from '../contract/app/ipc.ts';
import { err, failure, ok, type Result } from '../contract/errors.ts';
import { listenAt, socketPath } from './private-socket.ts';
import type { Dispatcher } from './server.ts';
import { openSession } from './session.ts';
import type { Transport } from './transport.ts';

const LOST = failure('PROFILE_BUSY', 'The running Linkshot ended before it answered.');

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
  await listenAt(server, profileDir, 'instance');
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
  const socket = createConnection(socketPath(profileDir, 'instance'));
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

/** The owner's own way to itself, for work that it does on behalf of another process. Calls are given up with `signal`. */
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
