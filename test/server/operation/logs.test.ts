/** The server's log: searchable JSON lines without secrets. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogLines } from '../../../src/server/log.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { isWindows, itWith } from '../../support/only-on.ts';
import { KEEP_COMPILED, SERVER_CLI } from '../../support/programs.ts';
import { serverCommand, startServerProcess } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lines: string[] = [];
const log = createLogLines((line) => void lines.push(line), { now: () => 0 }, 'node-1');
const secret = fc.uint8Array({ minLength: 32, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('base64url'));

describe('A log line', () => {
  it('is one JSON object on one line, with the time, whatever its content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        log(text, { status: 500 });
        const line = lines.pop() ?? '';
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toMatchObject({ time: '1970-01-01T00:00:00.000Z', node: 'node-1', status: 500 });
      }),
    );
    log('A sentence.\nAnd another.');
    expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ message: 'A sentence.\nAnd another.' });
  });

  it('never contain a key, a token, a cookie or a header of authorization', () => {
    const place = fc.constantFrom<(secret: string) => string>(
      (value) => `lsk_${value}`,
      (value) => `Error: the key lsk_${value} is wrong`,
      (value) => `GET /s/x?token=${value} failed`,
      (value) => `cookie: session=${value}; other=${value}`,
      (value) => `{"Set-Cookie":"__Host-session=${value}"}`,
      (value) => `Authorization: Bearer ${value.slice(0, 12)}`,
      (value) => `authorization: Basic ${value.slice(0, 12)}=`,
      (value) => `LINKSHOT_SERVER_KEY=${value}`,
    );
    fc.assert(
      fc.property(secret, place, fc.lorem(), fc.constantFrom('message', 'fact'), (value, say, words, where) => {
        const text = `${words} ${say(value)}`;
        if (where === 'message') log(text);
        else log(words, { error: text });
        const line = lines.pop() ?? '';
        expect(line).not.toContain(value.slice(0, 12));
        expect(line).toContain(JSON.stringify(words).slice(1, -1));
      }),
    );
  });
});

describe('A running server', () => {
  it('writes one JSON line to stdout and JSON lines to stderr, none with a key, a password or a cookie', async () => {
    const data = join(temporaryFolder('logs'), 'data');
    const password = `pw ${randomBytes(9).toString('hex')}`;
    const cookie = randomBytes(32).toString('base64url');
    await serverCommand('account', 'add', 'ann', '--plan', 'free', '--password', password, '--data', data);
    const args = ['--account', 'ann', '--scopes', 'account:read,content:write', '--data', data];
    const { apiKey = '' } = await serverCommand('key', 'add', ...args);
    const server = await startServerProcess(data, { config: { antivirus: { clamdSocket: '/nonexistent/clamd' } } });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf({ 'a.txt': 'text' }))]), 'a.zip');
    form.set('password', password);
    const headers = { authorization: `Bearer ${apiKey}`, cookie: `session=${cookie}` };
    const busy = await fetch(`${server.url}/api/v1/folders?key=${apiKey}`, { method: 'POST', headers, body: form });
    expect(busy.status).toBe(503);
    await ask(server.url, { path: `/api/v1/account?key=${apiKey}`, key: apiKey });
    // On Windows a signal ends it at once.
    expect(await server.end('SIGTERM')).toBe(isWindows ? null : 0);
    const said = server.stderr().trim().split('\n');
    const messages = said.map((line) => JSON.parse(line) as { time: string; level: string; message: string });
    expect(messages.map(({ message }) => message).join(' ')).toMatch(
      isWindows ? /A new key was made/ : /A new key was made.* SIGTERM/,
    );
    // A refusal is not an error of the server.
    expect(messages.filter(({ level, message }) => level === 'error' || message.includes('\n'))).toEqual([]);
    for (const { time } of messages) expect(Date.parse(time)).toBeGreaterThan(0);
    for (const hidden of [apiKey, password, cookie]) expect(server.stderr()).not.toContain(hidden);
  });
});

/** A process of the server's command line whose output goes where `stdio` says. */
const runServer = (stdio: StdioOptions, ...args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [KEEP_COMPILED, SERVER_CLI, ...args], { stdio });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Resolves with the exit code of a server that was ready and then stopped. */
const endServer = async (stdio: StdioOptions, beforeStop: (server: ChildProcess) => void = () => {}) => {
  const data = join(temporaryFolder('unwritten-log'), 'data');
  const server = runServer(stdio, 'serve', '--data', data, '--port', '0');
  const exited = once(server, 'exit') as Promise<[number | null]>;
  if (server.stdout === null) throw new Error('It has no stdout.');
  const ready = await Promise.race([once(createInterface(server.stdout), 'line') as Promise<[string]>, exited]);
  const { url } = JSON.parse(String(ready[0])) as { url: string };
  beforeStop(server);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  server.kill('SIGTERM');
  return (await exited)[0];
};

describe('A server whose log cannot be written', () => {
  itWith('devices among files')('serves and stops as always on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      expect(await endServer(['ignore', 'pipe', full])).toBe(0);
    } finally {
      closeSync(full);
    }
  });

  itWith('signals')('completes what is in flight when nobody reads its log any more', async () => {
    expect(await endServer(['ignore', 'pipe', 'pipe'], ({ stderr }) => void stderr?.destroy())).toBe(0);
  });
});

describe('A command whose result cannot be written', () => {
  itWith('devices among files')('says so and fails', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const args = ['account', 'add', 'ann', '--plan', 'free', '--data', join(temporaryFolder('unwritten'), 'data')];
      const command = runServer(['ignore', full, 'pipe'], ...args);
      let said = '';
      command.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      expect(await once(command, 'close')).toEqual([1, null]);
      expect(said).toBe('The result could not be written to stdout (ENOSPC).\n');
    } finally {
      closeSync(full);
    }
  });
});
