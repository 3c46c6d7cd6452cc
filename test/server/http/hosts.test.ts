/** A request that names no host, its host twice or two hosts is refused (RFC 9112, 3.2): a proxy could read it differently. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostFault, queryOf } from '../../../src/base/common/request-target.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';

let service: RunningServer;
beforeAll(async () => {
  service = await startServer();
});
afterAll(() => service.stop());

/** Sends a raw `head` and resolves with the whole response. */
const exchange = (head: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
    socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`);
  });

it.each([
  ['no Host field', () => ['GET /api/v1/account HTTP/1.1']],
  ['two Host fields', (host: string) => ['GET /api/v1/account HTTP/1.1', `Host: ${host}`, 'host: other.example']],
  ['two equal Host fields', (host: string) => ['GET /api/v1/account HTTP/1.1', `Host: ${host}`, `HOST: ${host}`]],
  [
    'a target with another host',
    (host: string) => ['GET http://other.example/api/v1/account HTTP/1.1', `Host: ${host}`],
  ],
  ['a target with a user name', (host: string) => [`GET http://me@${host}/healthz HTTP/1.1`, `Host: ${host}`]],
  ['a target without a readable host', (host: string) => ['GET http://[/connect HTTP/1.1', `Host: ${host}`]],
])('a request with %s is answered 400 and named', async (_, headOf) => {
  const answer = await exchange(headOf(new URL(service.url).host));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('INVALID_INPUT');
  expect(answer).toMatch(/"path":"\/host"|cannot be decoded/);
  expect(service.logged).toEqual([]);
});

it('a request of HTTP/1.0, which has no Host field, is served', async () => {
  expect(await exchange(['GET / HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 /);
});

it('a request that names its own host in the request line is served', async () => {
  const { host } = new URL(service.url);
  expect(await exchange([`GET http://${host}/ HTTP/1.1`, `Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /);
});

it('the host of a target is compared as a host, without a default port and in any case', () => {
  const head = { httpVersion: '1.1', rawHeaders: ['Host', 'share.example.org'] };
  expect(hostFault('http://Share.example.org:80/a', head)).toBeNull();
  expect(hostFault('http://share.example.org:81/a', head)).not.toBeNull();
  expect(hostFault('*', head)).toBeNull();
});

it('the query of a target that is no address is read without an error', () => {
  expect(queryOf('http://[/connect?code=AB').get('code')).toBe('AB');
  expect(queryOf('//[').toString()).toBe('');
});
