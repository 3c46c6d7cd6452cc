/** Tray and command line add clipboard content by the same rule: files, else an image, else text as a note. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import { itemOf, openEngine } from '../support/engine.ts';
import { image } from '../support/media/media.ts';
import { itWith } from '../support/only-on.ts';
import { only } from '../support/results.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inodeOf, watchSyncs } from '../support/watch-syncs.ts';

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
  expect(await engine.intake.addClipboard()).toMatchObject({ ok: true });
  expect(engine.state().queue.items).toMatchObject([
    { name: 'a.png', source: { owner: 'user', path }, job: { kind: 'file' } },
  ]);
  expect(await engine.intake.clipboard()).toEqual(ok({ copied: { kind: 'files', paths: [path] } }));
});

it('takes a picture through the spool, whole, and calls it by the moment', async () => {
  const picture = readFileSync(await image('png'));
  const engine = await lying({ picture, text: 'ignored' });
  const added = await engine.intake.addClipboard();
  const item = added.ok && added.value[0] ? itemOf(engine, added.value[0]) : undefined;
  expect(item).toMatchObject({ name: 'Clipboard 2026-11-20 09.05.07.png', source: { owner: 'spool' } });
  const read = only(await engine.intake.clipboard(), 'copied');
  const path = read.ok && read.value.kind === 'picture' ? read.value.path : '';
  for (const each of [item?.source.path ?? '', path]) expect(readFileSync(each)).toEqual(picture);
  expect((await readdir(engine.spoolDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

itWith('sync of folders')('has a picture on the disk, with its name, before the item is stored', async () => {
  const picture = readFileSync(await image('png'));
  const engine = await lying({ picture });
  const spool = inodeOf(engine.spoolDir);
  const synced: { readonly inode: number; readonly items: number }[] = [];
  await watchSyncs((inode) => synced.push({ inode, items: engine.state().queue.items.length }));
  for (const add of [() => engine.intake.addClipboard(), () => engine.intake.addPicture(picture, 'pasted.png')]) {
    const items = engine.state().queue.items.length;
    expect(await add()).toMatchObject({ ok: true });
    const path = engine.state().queue.items.at(-1)?.source.path ?? '';
    expect(synced.splice(0)).toEqual([inodeOf(path), spool].map((inode) => ({ inode, items })));
  }
});

it('adds text as a note, and reports an empty clipboard', async () => {
  const engine = await lying({ text: 'a thought' });
  expect(await engine.intake.addClipboard()).toMatchObject({ ok: true });
  expect(engine.state().queue.items).toMatchObject([{ job: { kind: 'note' } }]);
  expect(await (await lying({ text: ' \n' })).intake.addClipboard()).toMatchObject({ error: { code: 'NOTE_EMPTY' } });
  const long = await lying({ text: 'a'.repeat(200_001) });
  expect(await long.intake.clipboard()).toMatchObject({ error: { code: 'NOTE_TOO_LONG' } });
});

it('reports that the host cannot reach the clipboard', async () => {
  const { engine } = await openEngine(join(root, 'none'));
  expect(await engine.intake.addClipboard()).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
});
