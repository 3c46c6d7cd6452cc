/**
 * The named pipe of a running Linkshot: a client without the secret of the profile gets nothing, and an impostor server
 * gets no command and no key. Windows itself lets every user of the computer connect.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, windowsPath } from '../../scripts/windows/windows-process.ts';
import {
  endAll,
  inProject,
  kept,
  linkshot,
  linkshotSucceeds,
  onDriveC,
  says,
  startProgram,
  textFile,
} from './support/linkshot.ts';

const profile = onDriveC('pipe');
let pipe = '';

beforeAll(async () => {
  const host = kept(startNode([inProject('test/support/processes/host-process.ts'), profile.windows]));
  await says(host, /ready/);
  const facts: unknown = JSON.parse(readFileSync(join(profile.here, 'instance.json'), 'utf8'));
  pipe = (facts as { readonly socket: string }).socket;
});
afterAll(endAll);

it('has an unguessable name', () => {
  expect(pipe).toMatch(/^\\\\\.\\pipe\\linkshot-[0-9a-f]{32}$/);
});

it('sends nothing to a client that connects and sends nothing', async () => {
  const { stdout } = await startProgram('pipe-stranger', [pipe]).done;
  expect(stdout).toBe('connected\n');
});

it('sends only its own proof to a client that cannot prove that it may read the profile', async () => {
  const lines = [
    JSON.stringify({ hello: 'n'.repeat(43) }),
    JSON.stringify({ proof: 'p'.repeat(43) }),
    JSON.stringify({ id: 1, command: 'app.state', input: {} }),
  ];
  const { stdout } = await startProgram('pipe-stranger', [pipe, ...lines]).done;
  const heard = stdout.split('\n').filter((line) => line.startsWith('heard '));
  expect(heard).toHaveLength(1);
  expect(Object.keys(JSON.parse(heard[0]?.slice('heard '.length) ?? '') as object).sort()).toEqual(['nonce', 'proof']);
});

it('answers a command of the same user', async () => {
  const { stdout } = await linkshotSucceeds(['config'], { profile: profile.windows });
  expect(stdout).toContain('{');
});

it('a program that listens in its place gets no command and no key', async () => {
  const squatted = onDriveC('squatted');
  mkdirSync(squatted.here, { recursive: true });
  const name = '\\\\.\\pipe\\linkshot-squatted';
  const listener = kept(startProgram('pipe-listener', [name]));
  await says(listener, /listening/);
  const facts = { socket: name, secret: 'A'.repeat(43) };
  writeFileSync(join(squatted.here, 'instance.json'), JSON.stringify(facts));
  const key = `lsk_${'k'.repeat(43)}`;
  const text = 'for my own eyes';
  const place = { profile: squatted.windows, key, url: 'http://127.0.0.1:1' };
  const done = await linkshot(['note', windowsPath(textFile('private.txt', text))], place);
  expect(done.stderr).toContain('Another user may be listening');
  const heard = listener.stdout();
  expect(Object.keys(JSON.parse(/^heard (.*)$/m.exec(heard)?.[1] ?? '{}') as object)).toEqual(['hello']);
  expect(heard).not.toContain(key);
  expect(heard).not.toContain(text);
});
