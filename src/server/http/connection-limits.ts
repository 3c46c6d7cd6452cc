/**
 * Limits the connections, per address and in total; behind a proxy only in total. At a limit, a new connection replaces
 * the one that has been idle longest; it is refused only when all are active.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerConfig } from '../config/config.ts';
import { type Network, networkOfSocket } from '../limits/address-networks.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';
import type { SocketUse } from './in-flight-requests.ts';

/** Concurrent connections beyond the limit that get a refusal; further ones are dropped without a response. */
const REFUSED_AT_ONCE = 256;
const RETRY_MS = 5_000;

/** The open connections of one network. */
interface Group {
  /** Known here only: a socket that has gone no longer has an address. */
  readonly network: Network;
  /** Open idle connections, the longest idle first. */
  readonly idle: Set<Socket>;
  open: number;
}

interface Connection {
  readonly group: Group;
  requests: number;
}

export interface ConnectionLimits extends SocketUse {
  /** Applies the limits before `server` handles a new connection. `refuse` replies and closes one. */
  guard(server: Server, refuse: (socket: Socket, problem: ProblemError) => void): void;
  /** Closes every idle connection. */
  closeIdle(): void;
  size(): number;
}

/** Behind a proxy all connections have its address: then only their total number is limited. */
export const createConnectionLimits = ({ limits, web }: ServerConfig): ConnectionLimits => {
  const perAddress = web.trustProxy ? Number.POSITIVE_INFINITY : limits.connectionsPerAddress;
  const groups = new Map<Network, Group>();
  const connections = new Map<Socket, Connection>();
  const idle = new Set<Socket>();

  const setIdle = (socket: Socket, { group }: Connection): void => {
    idle.add(socket);
    group.idle.add(socket);
  };
  const setBusy = (socket: Socket, { group }: Connection): void => {
    idle.delete(socket);
    group.idle.delete(socket);
  };

  const remove = (socket: Socket): void => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    setBusy(socket, connection);
    const { group } = connection;
    group.open -= 1;
    if (group.open === 0) groups.delete(group.network);
  };

  const open = (socket: Socket): void => {
    const network = networkOfSocket(socket);
    const group = groups.get(network) ?? { network, idle: new Set(), open: 0 };
    groups.set(network, group);
    group.open += 1;
    const connection = { group, requests: 0 };
    connections.set(socket, connection);
    setIdle(socket, connection);
    socket.once('close', () => remove(socket));
  };

  /** Closes the longest idle one; false: all are active. */
  const endOne = (of: ReadonlySet<Socket>): boolean => {
    const [oldest] = of;
    if (oldest === undefined) return false;
    remove(oldest);
    oldest.destroy();
    return true;
  };

  /** Why a new connection is refused, or null. */
  const refusal = (socket: Socket): ProblemError | null => {
    const group = groups.get(networkOfSocket(socket));
    if (group !== undefined && group.open >= perAddress && !endOne(group.idle))
      return new ProblemError('RATE_LIMITED', 'Too many connections from one address; close some first.', {
        retryAfterMs: RETRY_MS,
      });
    if (connections.size >= limits.connections && !endOne(idle))
      return serverBusy('The server has too many connections; try again soon.', RETRY_MS);
    return null;
  };

  return {
    guard: (server, refuse) => {
      server.maxConnections = limits.connections + REFUSED_AT_ONCE;
      const serve = server.listeners('connection');
      server.removeAllListeners('connection');
      server.on('connection', (socket: Socket) => {
        const problem = refusal(socket);
        if (problem !== null) return refuse(socket, problem);
        open(socket);
        for (const listener of serve) listener.call(server, socket);
      });
    },
    begin: (socket) => {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.requests += 1;
      setBusy(socket, connection);
    },
    end: (socket) => {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.requests -= 1;
      if (connection.requests === 0) setIdle(socket, connection);
    },
    closeIdle: () => {
      for (const socket of [...idle]) socket.destroy();
    },
    size: () => connections.size,
  };
};
