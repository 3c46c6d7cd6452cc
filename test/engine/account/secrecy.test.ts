/**
 * Keys are only in the key store and in memory: not in the profile, the logs, the arguments or environment of child
 * processes, or in messages to a window. Checked over a whole run: connecting in the browser and by a typed key,
 * uploads, a fitted video, refusals, a renewal, a crash and the next start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findCredentialsAsync } from '@napi-rs/keyring';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SCOPES } from '../../../src/api/account.ts';
import { readInstanceFile } from '../../../src/ipc/host/instance-file.ts';
import { proveAsCaller } from '../../../src/ipc/host/peer-authentication.ts';
import type { AppState } from '../../../src/ipc/protocol/app-state.ts';
import type { CommandInput, CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { type Keyring, openKeyring } from '../../support/keyring.ts';
import { image, video } from '../../support/media/media.ts';
import { PATIENCE_MS } from '../../support/poll-timeouts.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { formBrowser, userWithPassword } from '../../support/server/signed-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = 86_400_000;
const HOST = fileURLToPath(new URL('../../support/processes/host-process.ts', import.meta.url));
const root = temporaryFolder('account-secrecy');
const profile = join(root, 'profile');
const programs = join(root, 'programs');
const diary = join(root, 'programs.log');
let keyring: Keyring;
let service: RunningServer;
/** Everything that the host wrote or sent, over all its starts. */
let output = '';
/** Keys that were ever in use. */
const keys = new Set<string>();

/** A program that writes down with what it was started, and then does what the real one does. */
const watchedProgram = (name: string, then: string): void => {
  const path = join(programs, name);
  writeFileSync(
    path,
    `#!/bin/sh\n{ echo "${name} $*"; env; tr '\\0' ' ' < /proc/$PPID/cmdline; } >> '${diary}'\n${then}\n`,
  );
  chmodSync(path, 0o755);
};

beforeAll(async () => {
  mkdirSync(programs);
  watchedProgram('xdg-open', 'exit 0');
  watchedProgram('ffmpeg', 'exec /usr/bin/ffmpeg "$@"');
  keyring = await openKeyring(join(root, 'keyring'));
  await keyring.start('unlocked');
  Object.assign(process.env, keyring.environment);
  service = await startServer();
});
afterAll(async () => {
  for (const host of hosts) host.kill('SIGKILL');
  await keyring.stop();
  await service.stop();
});

/** Two processes start, and one of them encodes, which is slow on a busy machine. */
const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: PATIENCE_MS, interval: 20 });

const hosts: ChildProcess[] = [];

/** Starts the host with a key in its environment, as a user's shell may have one. */
const startHost = async (): Promise<ChildProcess> => {
  const host = spawn(process.execPath, [HOST, profile], {
    env: {
      ...keyring.environment,
      PATH: `${programs}${delimiter}${process.env['PATH']}`,
      LINKSHOT_KEY: `lsk_${'e'.repeat(43)}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  hosts.push(host);
  host.stderr.on('data', (text) => {
    output += text;
  });
  const [ready] = (await once(createInterface(host.stdout), 'line')) as [string];
  expect(ready).toBe('ready');
  return host;
};

interface Wire {
  call<K extends CommandName>(command: K, input: CommandInput<K>): Promise<{ ok: boolean; output?: unknown }>;
  state(): AppState;
  socket: Socket;
}

/** The raw traffic on the host's socket: what a window would receive. */
const openWire = async (): Promise<Wire> => {
  const file = await readInstanceFile(profile);
  if (file === null || file === 'foreign') throw new Error('The host left no instance.json.');
  const socket = connect(file.socket);
  await once(socket, 'connect');
  const pending = new Map<number, (reply: { ok: boolean }) => void>();
  let state: AppState | null = null;
  socket.on('data', (data) => {
    output += data.toString();
  });
  const outcome = await proveAsCaller(socket, file.secret, (line) => {
    const frame = JSON.parse(line);
    if (frame.event?.type === 'state') ({ state } = frame.event);
    pending.get(frame.id)?.(frame);
  });
  expect(outcome).toBe('proven');
  let id = 0;
  await until(() => state !== null);
  return {
    socket,
    state: () => state as unknown as AppState,
    call: (command, input) =>
      new Promise((answer) => {
        id += 1;
        pending.set(id, answer);
        socket.write(`${JSON.stringify({ id, command, input })}\n`);
      }),
  };
};

const rememberKeys = async (): Promise<void> => {
  for (const { password } of await findCredentialsAsync('linkshot')) keys.add(password);
};

/** Files below the folder that contain the text, including the SQLite files and their logs. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => existsSync(path) && readFileSync(path).includes(text));

const spellings = (key: string): string[] => [
  key,
  Buffer.from(key).toString('base64'),
  Buffer.from(key).toString('hex'),
  encodeURIComponent(key),
];

const approve = async (user: User): Promise<void> => {
  const visitor = formBrowser(service);
  await visitor.signIn(user.username);
  await until(() => existsSync(diary) && readFileSync(diary, 'utf8').includes('xdg-open http'));
  const opened = /xdg-open (\S+)/.exec(readFileSync(diary, 'utf8'))?.[1] ?? '';
  const fields = Object.fromEntries(new URL(opened).searchParams);
  const answer = await visitor.post('/connect', { ...fields, decision: 'approve' });
  await (await request(answer.headers['location'] ?? '')).body.dump();
};

const deviceKey = ({ accountId }: User, days: number) =>
  service.server.keys.add({
    accountId,
    scopes: SCOPES,
    name: 'Linkshot · Test',
    expiresAt: Date.now() + days * DAY,
    device: { deviceId: 'another device', deviceName: 'Test', client: null },
  });

it('a whole run leaves the keys in the key store alone', async () => {
  const host = await startHost();
  const wire = await openWire();
  const server = service.url;

  // Approved in the browser; a picture and a video that has to be fitted go up.
  const user = await userWithPassword(service);
  await wire.call('connection.authorize', { server, open: 'browser' });
  const ended = wire.call('connection.authorized', {});
  await approve(user);
  expect(await ended).toMatchObject({ ok: true, output: { state: 'connected', keyPlace: 'keyring' } });
  await rememberKeys();
  const clip = await video('secret.avi', { size: '160x90', seconds: 1, args: ['-c:v', 'mpeg4', '-c:a', 'mp3'] });
  await wire.call('queue.addPaths', { paths: [await image('png'), clip] });
  const ends = () => wire.state().queue.items.map(({ state, error }) => error?.failure.detail ?? state);
  await vi.waitFor(() => expect(ends()).toEqual(['linked', 'linked']), { timeout: PATIENCE_MS });

  // A wrong key, then one that expires soon and is renewed immediately.
  const wrong = `lsk_${'w'.repeat(43)}`;
  expect(await wire.call('connection.connect', { server, key: wrong })).toMatchObject({ ok: false });
  const other = await deviceKey(await service.user(), 20);
  keys.add(wrong).add(other.apiKey);
  expect(await wire.call('connection.connect', { server, key: other.apiKey })).toMatchObject({ ok: true });
  await until(() => {
    const { connection } = wire.state();
    const account = connection.state === 'none' ? null : connection.account;
    return Date.parse(account?.credential?.expiresAt ?? '') > Date.now() + 300 * DAY;
  });
  await rememberKeys();

  // The process dies; the next one finds its keys. One of them is then refused.
  expect(filesWith(profile, 'lsk_')).toEqual([]);
  const dead = once(host, 'exit');
  host.kill('SIGKILL');
  await dead;
  await startHost();
  const again = await openWire();
  await until(() => again.state().accounts.every(({ connection }) => connection.state === 'connected'));
  expect(again.state().accounts).toHaveLength(2);
  const { connection } = again.state();
  const account = connection.state === 'none' ? null : connection.account;
  await service.server.keys.revoke(account?.credential?.id ?? '');
  await again.call('queue.addPaths', { paths: [await image('webp')] });
  await until(() => again.state().connection.state === 'failed');
  expect(again.state().connection).toMatchObject({ failure: { code: 'API_KEY_REVOKED' } });
  for (const end of [wire, again]) end.socket.destroy();

  // Typed, approved, renewed: four keys at least, each of the form that is looked for.
  expect(keys.size).toBeGreaterThanOrEqual(4);
  const started = readFileSync(diary, 'utf8');
  for (const program of ['xdg-open ', 'ffmpeg ']) expect(started).toContain(program);
  expect(output).toContain('"code":"API_KEY_REVOKED"');
  for (const key of keys) {
    expect(key).toMatch(/^lsk_[\w-]{43}$/);
    for (const spelling of spellings(key)) {
      const seen = {
        profile: filesWith(profile, spelling),
        programs: started.includes(spelling),
        output: output.includes(spelling),
      };
      expect(seen).toEqual({ profile: [], programs: false, output: false });
    }
  }
  // Neither one that only stood in the environment of the host.
  expect([started, output].map((text) => text.includes('lsk_'))).toEqual([false, false]);
  expect(filesWith(root, 'lsk_')).toEqual([]);
});
