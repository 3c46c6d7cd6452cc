/**
 * `bin/linkshot`: the running Linkshot executes a capture with the same output as Node. A copy of the launcher is
 * beside a stand-in for Node's command line that only reports its call, which shows who executed it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runForLauncher } from '../../src/cli/run-for-launcher.ts';
import { readXClipboard } from '../support/browser/x-clipboard.ts';
import { performCommand } from '../support/command-line.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { isRoot, makeOpenFolder, squat } from '../support/other-user.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('launcher');
const launcher = join(root, 'bin/linkshot');
const profile = join(root, 'profile');
const AREA = { x: 10, y: 20, width: 300, height: 200 };
const REGION = ['capture', '--region', '10,20,300,200'];

let server: RunningServer;
let user: User;
let screen: XScreen;
let host: OpenedHost;
/** Command lines that the app is executing. */
let underWay = 0;
const countedRun: typeof runForLauncher = async (...asked) => {
  underWay++;
  return runForLauncher(...asked).finally(() => void underWay--);
};
beforeAll(async () => {
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'out/cli'), { recursive: true });
  copyFileSync(resolve(import.meta.dirname, '../../bin/linkshot'), launcher);
  chmodSync(launcher, 0o755);
  writeFileSync(join(root, 'out/cli/cli.js'), 'console.log(JSON.stringify({ node: process.argv.slice(2) }));');
  server = await startServer();
  user = await server.user();
  screen = await openXScreen(640, 480);
  host = await openTestHost(profile, {
    environment: screen.environment,
    commandLine: async () => countedRun,
  });
  const connected = await host.engine.connection.connect(
    { server: server.url, key: user.apiKey, keep: 'session' },
    new AbortController().signal,
  );
  expect(connected).toMatchObject({ ok: true });
});
afterAll(async () => {
  await screen.close();
  await server.stop();
});

interface Launched {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const launch = (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = launcher,
): { readonly child: ChildProcess; readonly done: Promise<Launched> } => {
  const { PATH = '', HOME = '' } = process.env;
  const environment = { PATH, HOME, DISPLAY: screen.display, LINKSHOT_PROFILE: profile, ...env };
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const done = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
  );
  return { child, done };
};

const didNode = ({ stdout }: Launched): unknown => (stdout.startsWith('{"node"') ? JSON.parse(stdout).node : null);

describe('the launcher, where Linkshot runs', () => {
  it('prints the link of a region, every pixel of which is behind it', async () => {
    const { code, stdout, stderr } = await launch([...REGION, '--json', '--title', 'Two words: "it\'s" \\n $HOME'])
      .done;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { id } = JSON.parse(stdout) as { id: string };
    const headers = { authorization: `Bearer ${user.apiKey}` };
    const media = await fetch(`${server.url}/api/media/${id}`, { headers });
    const pixels = await sharp(await media.arrayBuffer())
      .raw()
      .toBuffer();
    expect(pixels.equals(screen.pixels(AREA))).toBe(true);
    const item = await (await fetch(`${server.url}/api/v1/content/${id}`, { headers })).json();
    expect(item).toMatchObject({ title: 'Two words: "it\'s" \\n $HOME' });
  });

  it('puts the link on the clipboard of the caller, and holds nothing open', async () => {
    const { stdout } = await launch([...REGION, '--copy']).done;
    // xclip asks the screen for the clipboard, and its background half may do so after the launcher has ended.
    await expect.poll(() => readXClipboard(screen)).toBe(stdout.trim());
  });

  it('reports that no clipboard can be reached', async () => {
    const bin = join(root, 'no-clipboard');
    mkdirSync(bin);
    writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec ${(await screen.run('which', 'curl')).toString().trim()} "$@"\n`);
    chmodSync(join(bin, 'curl'), 0o755);
    const user = await launch([...REGION, '--copy'], { PATH: bin }).done;
    expect(user).toMatchObject({ code: 0, stderr: expect.stringContaining('The clipboard is not accessible') });
    expect(await launch([...REGION, '--copy', '--json'], { PATH: bin }).done).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['a wrong option', ['capture', '--regoin', '1,2,3,4']],
    ['a wrong option, as JSON', ['capture', '--json', '--visibility', 'nobody']],
    ['ways that exclude each other', ['capture', '--screen', '--window']],
    ['an area beyond the screen', ['capture', '--region', '600,400,100,100', '--json']],
    ['an area beyond the screen, in words', ['capture', '--region', '600,400,100,100']],
    ['another service than that of the app', [...REGION, '--server', 'http://127.0.0.1:9']],
    ['help', ['capture', '--help']],
  ])('answers %s as Node does: word for word, with the same exit code', async (_, words) => {
    const env = { LINKSHOT_KEY: 'lsk_another', LINKSHOT_PROFILE: profile, DISPLAY: screen.display };
    const { code, stdout, stderr } = await performCommand(words, env);
    expect(await launch(words, env).done).toEqual({ code, stdout, stderr });
  });

  it('publishes nothing at the service of the app where the environment names another, and says why', async () => {
    const before = host.engine.state().queue.items.length;
    const other = 'http://127.0.0.1:9';
    const refused = await launch(REGION, { LINKSHOT_SERVER: other }).done;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`LINKSHOT_SERVER is ${other}, but this profile is connected to ${server.url}.`);
    const withKey = await launch(REGION, { LINKSHOT_SERVER: other, LINKSHOT_KEY: 'lsk_another' }).done;
    expect(withKey).toMatchObject({ code: 1, stderr: expect.stringContaining(`is connected to ${server.url}.`) });
    expect(host.engine.state().queue.items).toHaveLength(before);
    const same = await launch(REGION, { LINKSHOT_SERVER: server.url.replace('127.0.0.1', 'localhost') }).done;
    expect(same).toMatchObject({ code: 0, stderr: '' });
  });

  it('takes Ctrl+C for the end of the wait, and captures nothing then', async () => {
    const before = host.engine.state().queue.items.length;
    const { child, done } = launch(['capture', '--delay', '60', '--json']);
    await expect.poll(() => underWay).toBe(1);
    child.kill('SIGINT');
    expect(await done).toMatchObject({ code: 130, stdout: expect.stringContaining('"CANCELLED"') });
    expect(host.engine.state().queue.items).toHaveLength(before);
  });

  it('cancels its request when its terminal closes', async () => {
    const { child } = launch(['capture', '--delay', '60']);
    await expect.poll(() => underWay).toBe(1);
    child.kill('SIGHUP');
    await expect.poll(() => underWay).toBe(0);
  });

  it('listens on a socket that belongs only to the user', () => {
    expect(statSync(join(profile, 'command.sock')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['another command', ['status', '--json']],
    ['a secret that is asked for', ['capture', '--password', '-']],
    ['a key that is asked for', ['capture', '--key=-']],
    ['another profile', ['capture', '--profile', join(root, 'none')]],
  ])('leaves %s to Node, with every word as it was', async (_, words) => {
    const spoken = [...words, '--title', '', 'two  words', '*', "'"];
    expect(didNode(await launch(spoken).done)).toEqual(spoken);
  });

  it('carries out everything there where it was packed without a command line for Node', async () => {
    const packed = join(root, 'packed-with-app/resources/bin/linkshot');
    mkdirSync(dirname(packed), { recursive: true });
    copyFileSync(launcher, packed);
    const { code, stdout } = await launch(['status', '--json'], {}, packed).done;
    expect(code).toBe(0);
    expect(stdout).toContain(server.url);
  });
});

describe('the launcher, where no Linkshot runs', () => {
  const dead = (name: string): string => {
    mkdirSync(join(root, name));
    return join(root, name);
  };

  it('leaves it to Node', async () => {
    expect(didNode(await launch(REGION, { LINKSHOT_PROFILE: dead('nobody') }).done)).toEqual(REGION);
  });

  it('reports what is missing where it was packed without a command line for Node', async () => {
    const packed = join(root, 'packed/resources/bin/linkshot');
    mkdirSync(dirname(packed), { recursive: true });
    copyFileSync(launcher, packed);
    const env = { LINKSHOT_PROFILE: dead('packed-alone') };
    const plain = await launch(['status'], env, packed).done;
    expect(plain).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^No Linkshot runs/) });
    const { code, stdout } = await launch([...REGION, '--json'], env, packed).done;
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'APP_FAILED' } }]);
  });

  it('has the packed program do it, with every word as it was', async () => {
    const packed = join(root, 'packed-program/resources/bin/linkshot');
    mkdirSync(dirname(packed), { recursive: true });
    copyFileSync(launcher, packed);
    const program = join(root, 'packed-program/linkshot');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n', { mode: 0o755 });
    const env = { LINKSHOT_PROFILE: dead('packed-program-profile') };
    const words = ['upload', 'two  words.png', '', '--title', "'", '*'];
    const { code, stdout } = await launch(words, { ...env, DISPLAY: ':0' }, packed).done;
    expect([code, stdout]).toEqual([7, ['--command-line', '--', ...words, ''].join('\n')]);
    const screenless = await launch(['status'], { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' }, packed).done;
    expect(screenless.stdout).toBe('--command-line\n--ozone-platform=headless\n--\nstatus\n');
  });

  it('leaves it to Node where a killed one left its socket', async () => {
    const folder = dead('killed');
    const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'command.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', script]), 'exit');
    expect(statSync(join(folder, 'command.sock')).isSocket()).toBe(true);
    expect(didNode(await launch(REGION, { LINKSHOT_PROFILE: folder }).done)).toEqual(REGION);
  });

  it('does not repeat what a Linkshot that exited meanwhile had started', async () => {
    const folder = dead('ended');
    const app = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n+\n')),
    ).listen(join(folder, 'command.sock'));
    await once(app, 'listening');
    const ended = await launch([...REGION, '--json'], { LINKSHOT_PROFILE: folder }).done;
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('"PROFILE_BUSY"') });
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { message: expect.stringContaining('linkshot resume') } });
    app.close();
  });
});

it('sends nothing to a socket of another user, and starts Node', { skip: !isRoot }, async () => {
  const squatted = makeOpenFolder(join(root, 'squatted'));
  const other = await squat(join(squatted, 'command.sock'));
  const launched = await launch(REGION, { LINKSHOT_PROFILE: squatted, LINKSHOT_KEY: 'lsk_secret' }).done;
  expect(didNode(launched)).toEqual(REGION);
  expect(launched.stderr).toContain('is not a socket of this user');
  expect(other.heard()).toBe('');
  other.end();
});
