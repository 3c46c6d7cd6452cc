/** What was copied is taken in by one rule for tray and command line: files, else a picture, else text as a note. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/engine/defaults.ts';
import { itemOf, openEngine } from '../support/engine.ts';
import { image } from '../support/media/media.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('clipboard');
const NOON = new Date(2026, 10, 20, 9, 5, 7).getTime();
let profiles = 0;

const lying = async (there: { files?: string[]; picture?: Uint8Array; text?: string }) => {
  const copied = {
    readFiles: async () => ok(there.files ?? []),
    readPicture: async () => ok(there.picture ?? null),
    readText: async () => ok(there.text ?? ''),
  };
  profiles += 1;
  const ports = { copied, clock: { ...systemClock, now: () => NOON } };
  return (await openEngine(join(root, `profile-${profiles}`), ports)).engine;
};

it('takes files before the picture and the text that a file manager copies with them', async () => {
  const path = join(root, 'a.png');
  writeFileSync(path, readFileSync(await image('png')));
  const engine = await lying({ files: [path], picture: readFileSync(path), text: 'a.png' });
  expect(await engine.addClipboard({ share: { title: 'Mine' } })).toMatchObject({ ok: true });
  expect(engine.state().queue.items).toMatchObject([
    { name: 'a.png', source: { owner: 'person', path }, job: { kind: 'file' }, share: { title: 'Mine' } },
  ]);
});

it('takes a picture through the spool, whole, and calls it by the moment unless it is told how', async () => {
  const picture = readFileSync(await image('png'));
  const engine = await lying({ picture, text: 'ignored' });
  const added = [await engine.addClipboard(), await engine.addClipboard({ pictureName: 'clipboard.png' })];
  const items = added.map((one) => (one.ok && one.value[0] ? itemOf(engine, one.value[0]) : undefined));
  expect(items.map((item) => item?.name)).toEqual(['Clipboard 2026-11-20 09.05.07.png', 'clipboard.png']);
  for (const item of items) {
    expect(item?.source.owner).toBe('spool');
    expect(readFileSync(item?.source.path ?? '')).toEqual(picture);
  }
  expect((await readdir(engine.spoolDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('makes text a note, and says where there is nothing', async () => {
  const engine = await lying({ text: 'a thought' });
  expect(await engine.addClipboard()).toMatchObject({ ok: true });
  expect(engine.state().queue.items).toMatchObject([{ job: { kind: 'note' } }]);
  expect(await (await lying({ text: ' \n' })).addClipboard()).toMatchObject({ error: { code: 'NOTE_EMPTY' } });
});

it('says so where the host reaches no clipboard', async () => {
  const { engine } = await openEngine(join(root, 'none'));
  expect(await engine.addClipboard()).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
});
