/**
 * A virus scanner opens each new file of profile and data folder without sharing for 300 ms during publications:
 * nothing is lost, and nothing is published twice.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type WindowsProcess, windowsPath } from '../../scripts/windows/windows-process.ts';
import type { Content } from '../../src/api/content.ts';
import { filesOf } from '../support/folder/packed-folder.ts';
import {
  endAll,
  inProject,
  kept,
  linkshotSucceeds,
  onDriveC,
  picture,
  says,
  startProgram,
  startServer,
  textFile,
  type WindowsServer,
  work,
} from './support/linkshot.ts';

const HOLD_MS = 300;
/** Longer than SQLite itself waits. */
const LONG_HOLD_MS = 2_000;
const ROUNDS = process.env['LONG'] === '1' ? 10 : 2;
const CAPTURES = 2;
const profile = onDriveC('scanned profile');
const data = onDriveC('scanned data');
let server: WindowsServer;
let scanner: WindowsProcess;

beforeAll(async () => {
  server = await startServer({ data: data.windows });
  mkdirSync(profile.here, { recursive: true });
  scanner = kept(startProgram('scanner', [String(HOLD_MS), profile.windows, data.windows]));
  await says(scanner, /scanning/);
});
afterAll(endAll);

const titled = async (title: string): Promise<Content> => {
  const items = (await server.published()).filter((item) => item.title === title);
  expect(items, title).toHaveLength(1);
  return items[0] as Content;
};

const publish = (words: readonly string[], title: string, options = {}) =>
  linkshotSucceeds([...words, '--title', title], { profile: profile.windows, ...server }, options);

const rounds = Array.from({ length: ROUNDS }, (_, round) => round + 1);

it.each(rounds)('keeps a note that comes through the standard input (%i)', async (round) => {
  const text = `текст ${round}\n`;
  await publish(['note', '-'], `note ${round}`, { input: textFile(`note-${round}.txt`, text) });
  expect(await server.text((await titled(`note ${round}`)).id)).toBe(text);
});

it('keeps a note although a new profile is held for seconds', async () => {
  const other = onDriveC('long scanned profile');
  mkdirSync(other.here, { recursive: true });
  const slow = kept(startProgram('scanner', [String(LONG_HOLD_MS), other.windows]));
  await says(slow, /scanning/);
  const input = textFile('note-held.txt', 'held\n');
  await linkshotSucceeds(['note', '-', '--title', 'held'], { profile: other.windows, ...server }, { input });
  expect(await server.text((await titled('held')).id)).toBe('held\n');
});

it.each(rounds)('keeps a picture (%i)', async (round) => {
  await publish(['upload', windowsPath(await picture(`picture-${round}.png`, 0x2266aa + round))], `picture ${round}`);
  const { id, size } = await titled(`picture ${round}`);
  expect((await server.media(id)).byteLength).toBe(size);
});

it.each(rounds)('keeps a folder (%i)', async (round) => {
  const root = join(work, `folder-${round}`);
  mkdirSync(root);
  const files = new Map(Array.from({ length: 20 }, (_, file) => [`file ${file}.ts`, `export const is = ${file};\n`]));
  for (const [name, text] of files) writeFileSync(join(root, name), text);
  await publish(['folder', windowsPath(root)], `folder ${round}`);
  const found = filesOf(await server.media((await titled(`folder ${round}`)).id));
  expect([...found].sort()).toEqual([...files].sort());
});

it('keeps captures through editing and publishing', async () => {
  const other = onDriveC('scanned captures');
  mkdirSync(other.here, { recursive: true });
  const captures = kept(startNode([inProject('test/support/processes/capture-process.ts'), other.windows]));
  const watched = kept(startProgram('scanner', [String(HOLD_MS), other.windows]));
  await says(watched, /scanning/);
  await says(captures, new RegExp(`(finished[^]*){${CAPTURES}}`));
  captures.child.kill('SIGKILL');
  await captures.done;
  expect(captures.stderr()).toBe('');
  const before = (await server.published()).length;
  await linkshotSucceeds(['resume'], { profile: other.windows, ...server });
  const finished = captures.stdout().match(/^finished /gm)?.length ?? 0;
  const since = (await server.published()).length - before;
  // The last one may have been added before the process could report it.
  expect([finished, finished + 1]).toContain(since);
});

it('has held files of both sides all the while', () => {
  const held = scanner
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('held '));
  expect(held.filter((line) => line.includes(profile.windows)).length).toBeGreaterThan(ROUNDS);
  expect(held.filter((line) => line.includes(data.windows)).length).toBeGreaterThan(ROUNDS);
});
