/**
 * An HTTP proxy in front of a real server that applies the faults chosen by a test. Without a fault it passes
 * everything unchanged; it records requests and replies.
 */
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { resetConnection } from '../support/reset-connection.ts';
import { type Answer, type Fault, operationOf, type Passing } from './fault.ts';

interface Passed extends Passing {
  /** Bytes of its body that reached the server. */
  passedBytes: number;
  /** What the client was answered; null while or because it was not. */
  answer: Answer | null;
  /** Whether it has ended: answered, aborted, or cancelled by the client. */
  isOver: boolean;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface FaultProxy {
  readonly url: string;
  readonly requests: readonly Passed[];
  /** What happens to each request; null lets it pass. */
  fault: (request: Passing) => Fault | null | Promise<Fault | null>;
  /** Where the server is now. */
  target(url: string): void;
  /** The link carries so many bytes a second, over all connections together. */
  throttle(bytesPerSecond: number): void;
  /** All connections of this moment are dead from now on and do not say so, as after a sleep or a change of network. */
  freeze(): void;
  /** Breaks every connection of this moment. */
  cut(): void;
  certify(certificate: Certificate): void;
  close(): Promise<void>;
}

/** Waits for ever, which ends with the test. */
const forever = new Promise<never>(() => {});

const drained = (upstream: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      upstream.off('drain', done).off('close', done);
      resolve();
    };
    upstream.on('drain', done).on('close', done);
  });

export const startFaultProxy = async (target: string, certificate?: Certificate): Promise<FaultProxy> => {
  const requests: Passed[] = [];
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let upstreamUrl = target;
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  let linkFreeAt = 0;

  /** Resolves when the link has carried so many bytes. */
  const carry = async (bytes: number): Promise<void> => {
    if (bytesPerSecond === Number.POSITIVE_INFINITY) return;
    linkFreeAt = Math.max(performance.now(), linkFreeAt) + (bytes * 1000) / bytesPerSecond;
    await sleep(linkFreeAt - performance.now());
  };

  const open = (request: IncomingMessage, headers: Readonly<Record<string, string>> = {}) => {
    const { hostname, port } = new URL(upstreamUrl);
    const upstream = send({
      hostname,
      port,
      agent: false,
      ...(request.method && { method: request.method }),
      ...(request.url && { path: request.url }),
      headers: { ...request.headers, host: `${hostname}:${port}`, ...headers },
    });
    upstream.once('socket', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    const answer = new Promise<Answer | null>((resolve) => {
      upstream.once('error', () => resolve(null));
      upstream.once('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        // An answer may come before the whole body was sent; that the rest is not read is not a failure.
        response.once('close', () => resolve(null)).once('error', () => resolve(null));
        upstream.removeAllListeners('error').on('error', () => {});
      });
    });
    return { upstream, answer };
  };

  const breakOff = ({ socket }: IncomingMessage): void => resetConnection(socket);

  /** Passes the body on as the fault lets it; answers false where it broke off in the middle. */
  const passBody = async (
    request: IncomingMessage,
    ways: readonly ReturnType<typeof open>[],
    fault: Fault | null,
    record: Passed,
  ): Promise<boolean> => {
    const limit = fault && 'at' in fault && fault.do !== 'corrupt' && fault.do !== 'cut-answer' ? fault.at : null;
    const upstreams = ways.map(({ upstream }) => upstream);
    let isDeaf = false;
    const answered = Promise.all(ways.map(({ answer }) => answer)).then(() => {
      isDeaf = true;
    });
    for await (const read of request as AsyncIterable<Buffer>) {
      if (isDeaf) continue;
      if (dead.has(request.socket)) await forever;
      await carry(read.length);
      const isLast = limit !== null && record.passedBytes + read.length >= limit;
      const chunk = isLast ? read.subarray(0, Math.max(0, limit - record.passedBytes)) : read;
      if (fault?.do === 'corrupt' && fault.at >= record.passedBytes && fault.at < record.passedBytes + chunk.length) {
        const at = fault.at - record.passedBytes;
        chunk[at] = (chunk[at] ?? 0) ^ 0xff;
      }
      for (const upstream of upstreams) {
        if (chunk.length === 0 || upstream.destroyed || upstream.write(chunk)) continue;
        await Promise.race([drained(upstream), answered]);
      }
      record.passedBytes += chunk.length;
      if (!isLast) continue;
      switch (fault?.do) {
        case 'reset':
          breakOff(request);
          for (const upstream of upstreams) upstream.destroy();
          return false;
        case 'truncate':
          for (const upstream of upstreams) upstream.destroy();
          breakOff(request);
          return false;
        case 'stall':
          await forever;
          break;
        default:
          // The rest is read from the client and dropped.
          isDeaf = true;
      }
    }
    if (!isDeaf) for (const upstream of upstreams) upstream.end();
    return true;
  };

  const reply = (response: ServerResponse, record: Passed, answer: Answer, cutAt: number | null = null): void => {
    record.answer = answer;
    const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...headers } = answer.headers;
    const length = Buffer.byteLength(answer.body);
    response.writeHead(answer.status, {
      ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      ...(answer.status !== 204 && { 'content-length': length }),
    });
    if (cutAt === null) response.end(answer.body);
    else response.write(answer.body.slice(0, cutAt), () => response.socket && resetConnection(response.socket));
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (dead.has(request.socket)) await forever;
    const [method, path] = [request.method ?? 'GET', request.url ?? '/'];
    const operation = operationOf(method, path);
    const record: Passed = {
      ...{ operation, method, path, headers: request.headers },
      nth: requests.filter((other) => other.operation === operation).length,
      index: operation === 'part' ? Number(path.split('/').at(-1)) : null,
      ...{ passedBytes: 0, answer: null, isOver: false },
    };
    requests.push(record);
    let fault: Fault | null = null;
    let way: ReturnType<typeof open> | null = null;
    response.once('close', () => {
      record.isOver = true;
      // A client that cancels closes its request, unless the connection is dead.
      const isTold = !dead.has(request.socket) && fault?.do !== 'stall';
      if (!response.writableFinished && isTold) way?.upstream.destroy();
    });
    fault = await proxy.fault(record);
    if (fault?.do === 'answer') {
      for await (const chunk of request) void chunk;
      return reply(response, record, { status: fault.status, headers: fault.headers ?? {}, body: fault.body ?? '' });
    }
    if (fault?.do === 'store') {
      const body = await buffer(request);
      await fault.until;
      if (request.socket.destroyed) return;
      const later = open(request);
      later.upstream.end(body);
      record.passedBytes = body.length;
      const stored = await later.answer;
      return stored ? reply(response, record, stored) : breakOff(request);
    }
    if (fault?.do === 'hold') await fault.until;

    way = open(request, fault?.do === 'rewrite' ? fault.headers : {});
    const ways = fault?.do === 'duplicate' ? [way, open(request)] : [way];
    const answers = Promise.all(ways.map((each) => each.answer));
    const passed = passBody(request, ways, fault, record);
    // A refusal may come before the body was sent, and is forwarded immediately; the rest of the body is dropped.
    const isBroken = await Promise.race([passed.then((isWhole) => !isWhole), answers.then(() => false)]);
    if (isBroken) return;
    if (fault?.do === 'stall') await passed;
    const answer = (await answers).find((each) => each !== null);
    if (dead.has(request.socket) || fault?.do === 'swallow') await forever;
    if (!answer || fault?.do === 'lose-answer') return breakOff(request);
    if (fault?.do === 'hold-answer') await fault.until;
    reply(
      response,
      record,
      fault?.do === 'rewrite-answer' ? fault.change(answer) : answer,
      fault?.do === 'cut-answer' ? fault.at : null,
    );
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A body that breaks off ends its request; the connection goes with it.
    handle(request, response).catch(() => breakOff(request));
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  // An idle connection never ends by itself: no test may hit the moment when it does.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const proxy: FaultProxy = {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => null,
    target: (url) => {
      upstreamUrl = url;
    },
    throttle: (rate) => {
      bytesPerSecond = rate;
    },
    freeze: () => {
      for (const socket of sockets) dead.add(socket);
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    certify: (next) => {
      if ('setSecureContext' in server) server.setSecureContext(next);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
