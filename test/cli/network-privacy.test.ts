/** The promise of docs/privacy.md: Linkshot contacts only the service that it is connected to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { goodMp4, image } from '../support/media/media.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOOK = pathToFileURL(resolve(import.meta.dirname, '../support/connections-hook.mjs')).href;
const HOST = resolve(import.meta.dirname, '../support/processes/host-process.ts');

const root = temporaryFolder('whom-it-asks');
let server: RunningServer;
let user: User;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
  copyFileSync(await image('jpeg', 640, 480), join(root, 'shot.jpg'));
  copyFileSync(await goodMp4(), join(root, 'talk.mp4'));
  mkdirSync(join(root, 'code'));
  writeFileSync(join(root, 'code', 'main.py'), 'print(1)\n');
});
afterAll(() => server.stop());

let runs = 0;
/** An environment that observes a process, and what it has contacted: local sockets, hosts and names. */
const watched = () => {
  runs += 1;
  const file = join(root, `connections-${runs}`);
  const environment = { NODE_OPTIONS: `--import=${HOOK}`, CONNECTIONS_FILE: file };
  const asked = (): string[] => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const places = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return [...new Set(places.filter(({ socket }) => socket === undefined).map(placeName))];
  };
  return { environment, asked };
};
const placeName = ({ host, port, ...other }: Record<string, unknown>): string =>
  host === undefined ? JSON.stringify(other) : `${host}:${port}`;

describe('the hosts that a process contacts', () => {
  it('are recorded, so that the tests below can fail', async () => {
    const { environment, asked } = watched();
    const script = `
      await fetch('http://127.0.0.2:4321/').catch(() => {});
      await fetch('http://elsewhere.invalid/').catch(() => {});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...environment },
    });
    await once(child, 'close');
    expect(asked()).toEqual(expect.arrayContaining(['127.0.0.2:4321', '{"name":"elsewhere.invalid"}']));
  });

  it.each([
    ['a picture', ['upload', 'shot.jpg']],
    ['a video', ['upload', 'talk.mp4']],
    ['a folder', ['folder', 'code']],
    ['a note', ['note', 'code/main.py']],
    ['the list', ['list']],
    ['the check of everything', ['doctor']],
  ])('are only the service: %s', async (_, [command = '', file]) => {
    const { environment, asked } = watched();
    const words = [command, ...(file === undefined ? [] : [join(root, file)])];
    const options = ['--json', '--profile', join(root, `profile-${runs}`), '--server', server.url];
    const { stdout, stderr } = await runCommand([...words, ...options], {
      ...environment,
      LINKSHOT_KEY: user.apiKey,
    });
    expect({ stdout, stderr, asked: asked() }).toMatchObject({ asked: [new URL(server.url).host] });
  });

  it('are none while Linkshot is not connected', async () => {
    const { environment, asked } = watched();
    const child = spawn(process.execPath, [HOST, join(root, 'unconnected')], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill();
    await once(child, 'close');
    expect(asked()).toEqual([]);
  });
});
