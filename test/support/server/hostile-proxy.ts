/**
 * A proxy in front of a real service that corrupts every text of its JSON responses, as a hostile or broken service
 * would.
 */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { URL } from 'node:url';

export type Spoil = (value: string, path: readonly string[]) => unknown;

export interface HostileProxy {
  readonly url: string;
  /** Corrupts responses from now on; null: they pass unchanged. */
  spoil(how: Spoil | null): void;
  close(): void;
}

const spoilt = (value: unknown, how: Spoil, path: readonly string[] = []): unknown => {
  if (typeof value === 'string') return how(value, path);
  if (Array.isArray(value)) return value.map((each, index) => spoilt(each, how, [...path, String(index)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoilt(each, how, [...path, key])]));
};

export const openHostileProxy = async (target: string): Promise<HostileProxy> => {
  let how: Spoil | null = null;
  const server = createServer((asked, answer) => {
    const { host, ...headers } = asked.headers;
    const onward = request(new URL(asked.url ?? '/', target), { method: asked.method, headers }, (reply) => {
      const isJson = /json/.test(reply.headers['content-type'] ?? '');
      const spoil = how;
      if (!isJson || !spoil) {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
        return;
      }
      void text(reply).then((body) => {
        const { 'content-length': _, 'content-encoding': __, 'transfer-encoding': ___, ...kept } = reply.headers;
        answer.writeHead(reply.statusCode ?? 502, kept);
        answer.end(body === '' ? '' : JSON.stringify(spoilt(JSON.parse(body), spoil)));
      });
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil: (next) => {
      how = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
