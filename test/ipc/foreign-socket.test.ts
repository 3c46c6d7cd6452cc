/**
 * A socket planted by another user of the computer gets no command and no key, and cannot prevent the app from
 * listening.
 */
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { runCommand } from '../support/command-line.ts';
import { isWindows, unless } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { isRoot, makeOpenFolder, NOBODY, squat } from '../support/other-user.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('foreign-socket');
const SECRET = 'A'.repeat(43);

/** A server on a socket of this user, which replies with these lines, one per received line. */
const fakeOwner = async (profile: string, ...answers: readonly string[]): Promise<() => string> => {
  mkdirSync(profile, { mode: 0o700 });
  const path = join(profile, 'instance.sock');
  let heard = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    let answered = 0;
    socket.on('data', (data) => {
      heard += data.toString();
      socket.write(`${answers[answered++] ?? ''}\n`);
    });
  });
  const mask = process.umask(0o177);
  server.listen(path);
  process.umask(mask);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  writeFileSync(join(profile, 'instance.json'), JSON.stringify({ socket: path, secret: SECRET }), { mode: 0o600 });
  return () => heard;
};

describe.skipIf(isWindows)(`the caller${unless('sockets and pipes among files')}`, () => {
  it('sends nothing to a socket of another user, reports it, and does the work itself', { skip: !isRoot }, async () => {
    const server = await startServer();
    const profile = join(root, 'squatted');
    mkdirSync(profile, { mode: 0o700 });
    const socket = join(makeOpenFolder(join(root, 'squatted-temporary')), 'instance.sock');
    const other = await squat(socket);
    writeFileSync(join(profile, 'instance.json'), JSON.stringify({ socket, secret: SECRET }), { mode: 0o600 });
    const { apiKey } = await server.user();
    const words = ['note', '-', '--profile', profile, '--server', server.url];
    const done = await runCommand(words, { LINKSHOT_KEY: apiKey }, 'for my own eyes');
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('Another user may be listening') });
    expect(other.heard()).toBe('');
    other.end();
    await server.stop();
  });

  it('ignores a file of another user that names a socket', { skip: !isRoot }, async () => {
    const profile = makeOpenFolder(join(root, 'planted-file'));
    const socket = join(makeOpenFolder(join(root, 'planted-temporary')), 'instance.sock');
    const other = await squat(socket);
    const file = join(profile, 'instance.json');
    writeFileSync(file, JSON.stringify({ socket, secret: SECRET }), { mode: 0o600 });
    chownSync(file, NOBODY, NOBODY);
    const warned: string[] = [];
    expect(await connectToInstance(profile, (line) => warned.push(line))).toBeNull();
    expect(warned).toMatchObject([expect.stringContaining('instance.json')]);
    expect(other.heard()).toBe('');
    other.end();
  });

  it.each([
    ['can be read by others', (path: string) => chmodSync(path, 0o644)],
    [
      'is a symbolic link',
      (path: string) => {
        writeFileSync(`${path}.real`, readFileSync(path), { mode: 0o600 });
        rmSync(path);
        symlinkSync(`${path}.real`, path);
      },
    ],
  ])('ignores a file that %s', async (what, spoil) => {
    const profile = join(root, `file ${what}`);
    const heard = await fakeOwner(profile);
    spoil(join(profile, 'instance.json'));
    const warned: string[] = [];
    expect(await connectToInstance(profile, (line) => warned.push(line))).toBeNull();
    expect(warned).toHaveLength(1);
    expect(heard()).toBe('');
  });

  it('sends no command to an owner that does not prove the secret of the profile', async () => {
    const profile = join(root, 'no-proof');
    const heard = await fakeOwner(profile, JSON.stringify({ nonce: 'n'.repeat(43), proof: 'p'.repeat(43) }));
    const warned: string[] = [];
    expect(await connectToInstance(profile, (line) => warned.push(line))).toBeNull();
    expect(warned).toMatchObject([expect.stringContaining('Another user may be listening')]);
    expect(Object.keys(JSON.parse(heard()))).toEqual(['hello']);
  });

  it('is not deceived by a relay to the Linkshot of another profile', async () => {
    const attacker = join(root, 'attacker');
    await openTestHost(attacker);
    const profile = join(root, 'relayed');
    mkdirSync(profile, { mode: 0o700 });
    let heard = '';
    const relay = createServer((caller: Socket) => {
      const onward = connect(join(attacker, 'instance.sock'));
      for (const socket of [caller, onward]) socket.on('error', () => {});
      caller.on('data', (data) => {
        heard += data.toString();
      });
      caller.pipe(onward).pipe(caller);
    });
    const mask = process.umask(0o177);
    relay.listen(join(profile, 'instance.sock'));
    process.umask(mask);
    await once(relay, 'listening');
    const facts = { socket: join(profile, 'instance.sock'), secret: SECRET };
    writeFileSync(join(profile, 'instance.json'), JSON.stringify(facts), { mode: 0o600 });
    expect(await connectToInstance(profile)).toBeNull();
    expect(heard).not.toContain('command');
    relay.close();
  });
});

describe.skipIf(isWindows)(`the owner${unless('sockets and pipes among files')}`, () => {
  it('disconnects a caller that does not prove the secret, and runs nothing for it', async () => {
    const profile = join(root, 'strict');
    const host = await openTestHost(profile);
    const socket = connect(join(profile, 'instance.sock'));
    socket.on('error', () => {});
    let heard = '';
    socket.on('data', (data) => {
      heard += data.toString();
    });
    socket.write(`${JSON.stringify({ hello: 'nonce' })}\n${JSON.stringify({ proof: 'p'.repeat(43) })}\n`);
    socket.write(`${JSON.stringify({ id: 1, command: 'app.show', input: {} })}\n`);
    await once(socket, 'close');
    expect(host.shown()).toBe(0);
    expect(heard).not.toContain('event');
  });

  it('listens in a new private folder where the path is too long, and leaves nothing there', async () => {
    const profile = join(root, 'x'.repeat(60), 'y'.repeat(60));
    const runtime = join(root, 'run');
    mkdirSync(runtime, { mode: 0o700 });
    const host = await openTestHost(profile, { environment: { ...process.env, XDG_RUNTIME_DIR: runtime } });
    const [folder = ''] = readdirSync(runtime);
    expect(statSync(join(runtime, folder)).mode & 0o777).toBe(0o700);
    const instance = await connectToInstance(profile);
    expect(await instance?.call('app.state', {})).toMatchObject({ ok: true });
    instance?.close();
    await host.close();
    expect(readdirSync(runtime)).toEqual([]);
    expect(existsSync(join(profile, 'instance.json'))).toBe(false);
  });

  it('does not listen in a profile folder that others can write', async () => {
    const profile = makeOpenFolder(join(root, 'shared-profile'));
    const host = await openTestHost(profile, { commandLine: async () => async () => 0 });
    expect(readdirSync(profile).filter((name) => name.endsWith('.sock'))).toEqual([]);
    const instance = await connectToInstance(profile);
    expect(await instance?.call('app.state', {})).toMatchObject({ ok: true });
    instance?.close();
    expect(host.logged).toEqual([]);
  });
});
