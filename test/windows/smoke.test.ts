/** Server, command line and browser host on Windows: each kind of published item arrives completely. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startNode, windowsPath } from '../../scripts/windows/windows-process.ts';
import { filesOf } from '../support/folder/packed-folder.ts';
import { makeVideo } from '../support/media/padded-video.ts';
import {
  endAll,
  inProject,
  kept,
  linkshotSucceeds,
  onDriveC,
  picture,
  removedAfterwards,
  says,
  startServer,
  textFile,
  type WindowsServer,
  work,
} from './support/linkshot.ts';

const PARTS = 11;
const MIB = 1024 * 1024;
const { windows: profile } = onDriveC('smoke');
let server: WindowsServer;

beforeAll(async () => {
  server = await startServer({ data: onDriveC('smoke-data').windows });
});
afterAll(endAll);

/** As part of `npm test`, start only scenarios that can end within 90 seconds. */
const begun = performance.now();
beforeEach(({ skip }) => {
  skip(process.env['LINKSHOT_SHORT'] === '1' && performance.now() - begun > 60_000, 'this machine is busy');
});

const publish = async (words: readonly string[], options = {}) => {
  const before = new Set((await server.published()).map(({ id }) => id));
  await linkshotSucceeds(words, { profile, ...server }, options);
  const items = (await server.published()).filter(({ id }) => !before.has(id));
  expect(items).toHaveLength(1);
  const [item] = items;
  if (item === undefined) throw new Error('Nothing was published.');
  return item;
};

it('publishes a picture with an emoji in its name', async () => {
  const path = await picture('файл 😀.png', 0x336699);
  const { id } = await publish(['upload', windowsPath(path)]);
  const { default: sharp } = await import('sharp');
  const seen = await sharp(await server.media(id)).stats();
  expect(seen.channels.slice(0, 3).map(({ mean }) => mean)).toEqual([0x33, 0x66, 0x99]);
});

it(`publishes a video of ${PARTS} parts`, async () => {
  const path = join(work, 'eleven parts.mp4');
  const hash = makeVideo(path, (2 * PARTS - 1) * MIB);
  const { id } = await publish(['upload', windowsPath(path)]);
  expect(
    createHash('sha256')
      .update(await server.media(id))
      .digest('hex'),
  ).toBe(hash);
});

it('publishes a note from its standard input', async () => {
  const text = 'строка\nsecond line\n';
  const { id } = await publish(['note', '-'], { input: textFile('note.txt', text) });
  expect(await server.text(id)).toBe(text);
});

it('publishes a folder with hostile names', async () => {
  const root = join(work, 'дерево файлов');
  const kept: Readonly<Record<string, string>> = {
    'plain.ts': 'export {};\n',
    'a b/лист.txt': 'да\n',
    'a b/😀.md': '# emoji\n',
    [`${'long '.repeat(30)}x/${'name '.repeat(8)}.txt`]: 'long\n',
    'percent%20 & (brackets) !^.txt': 'shell\n',
  };
  // Windows opens a device instead of these, or drops the end of their names.
  const refused = ['con.txt', 'sub/aux', 'sub/trailing. '];
  for (const [path, text] of [...Object.entries(kept), ...refused.map((path) => [path, 'x'] as const)]) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { id } = await publish(['folder', windowsPath(root)]);
  const found = filesOf(await server.media(id));
  for (const [path, text] of Object.entries(kept)) expect(found.get(path), path).toBe(text);
});

it('starts in the browser, and the command line delegates to it', async () => {
  const { windows, here } = onDriveC('browser host');
  removedAfterwards(here);
  const words = [inProject('scripts/start.ts'), '--no-open', '--profile', windows];
  const host = kept(startNode(words, { env: { LINKSHOT_HOST: 'browser' } }));
  await says(host, /Ctrl\+C/);
  const [address = ''] = /http:\/\/\S+/.exec(host.stdout()) ?? [];
  const page = await fetch(address);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
  // It has no key: only the process that owns the profile can publish.
  const published = await linkshotSucceeds(['note', windowsPath(textFile('handed.txt', 'over\n'))], {
    profile: windows,
  });
  expect(published.stdout).toContain(new URL(address).hostname);
  expect(host.stderr()).toBe('');
});
