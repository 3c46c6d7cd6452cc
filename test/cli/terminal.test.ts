/** At a real terminal: a prompted secret is not echoed, and Ctrl+C at the prompt ends the run and changes nothing. */
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { image } from '../support/media/media.ts';
import { itWith } from '../support/only-on.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-terminal');
const run = promisify(execFile);
let server: RunningServer;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await server.user();
  copyFileSync(await image('png'), join(root, 'shot.png'));
});
afterAll(() => server.stop());

/** Types `answer` when the prompt appears, and returns all that the terminal showed and a line with the exit code. */
const TYPIST = `
import os, pty, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
shown, typed = b'', False
while True:
    try: more = os.read(fd, 4096)
    except OSError: break
    if not more: break
    shown += more
    if b'Link password: ' in shown and not typed:
        os.write(fd, sys.argv[1].encode()); typed = True
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(shown + b'\\nexit code %d' % code)
`;

const upload = async (answer: string): Promise<string> => {
  const cli = resolve(import.meta.dirname, '../../src/cli/cli.ts');
  const words = [process.execPath, cli, 'upload', join(root, 'shot.png'), '--password', '-'];
  const env = {
    ...{ PATH: process.env['PATH'], HOME: root, TERM: 'xterm', LINKSHOT_PROFILE: join(root, 'profile') },
    ...{ LINKSHOT_SERVER: server.url, LINKSHOT_KEY: user.apiKey },
  };
  return (await run('python3', ['-c', TYPIST, answer, ...words], { env })).stdout;
};

itWith('programs of Linux')('a password that is asked for protects the link, and is never shown', async () => {
  const shown = await upload('very-secret-word\r');
  expect(shown).toContain('Link password: ');
  expect(shown).not.toContain('very-secret');
  const [, id] = /\/s\/(\w+)/.exec(shown) ?? [];
  const open = (password: string) =>
    fetch(`${server.url}/api/share/${id}/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    });
  expect((await open('another word')).status).toBe(403);
  expect((await open('very-secret-word')).status).toBe(200);
});

itWith('signals')('Ctrl+C at the question uploads nothing, and ends the run as elsewhere', async () => {
  const shown = await upload('\x03');
  expect(shown).toContain('Nothing was entered');
  expect(shown).toMatch(/exit code 130$/);
});
