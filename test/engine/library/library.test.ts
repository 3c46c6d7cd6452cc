import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import { createLibrary, type Library } from '../../../src/engine/library/library-store.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { addFile, connectTo, openEngine, randomFile, until, wait } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { modelContent } from '../../support/server/model-account.ts';
import { startModelService } from '../../support/server/model-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-library');
let turn = 0;

const openLibrary = () => {
  const folder = join(root, `library-${turn++}`);
  const opened = openProfile(folder, systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  onTestFinished(() => opened.value.close());
  return createLibrary(opened.value);
};

const put = (library: Library, name: string, title = '', tags: string[] = []) => {
  const id = systemRandom.uuid() as ItemId;
  library.add({
    id,
    name,
    linkedAt: turn++,
    accountId: null,
    content: modelContent(`c-${id}`, 'https://example.org', { title, name, size: 1, tags }),
  });
  return id;
};

const names = (library: Library, text: string) => library.search({ text }, 0).items.map(({ name }) => name);

describe('the library', () => {
  it('finds items by prefixes of words in title, tags and file name, newest first', () => {
    const library = openLibrary();
    put(library, 'holiday-2025.png', 'Beach at sunset', ['summer']);
    put(library, 'Снимок_экрана.png', 'Отчёт за квартал', ['работа']);
    put(library, 'holiday-2026.png', 'Mountains');
    expect(names(library, 'holi')).toEqual(['holiday-2026.png', 'holiday-2025.png']);
    expect(names(library, 'HOLIDAY 2025')).toEqual(['holiday-2025.png']);
    expect(names(library, 'summ')).toEqual(['holiday-2025.png']);
    expect(names(library, 'экран')).toEqual(['Снимок_экрана.png']);
    expect(names(library, 'СНИМ отчет')).toEqual(['Снимок_экрана.png']);
    expect(names(library, 'unset')).toEqual([]);
    expect(names(library, '')).toHaveLength(3);
  });

  it('treats any input as words, never as a query', () => {
    const library = openLibrary();
    put(library, 'a "quoted" name.png');
    for (const text of ['"', 'quoted"', '*', 'a AND', 'NEAR(', 'title:x', '-', "'; DROP TABLE library; --"]) {
      expect(() => library.search({ text }, 0)).not.toThrow();
    }
    expect(names(library, '"quoted"')).toEqual(['a "quoted" name.png']);
  });

  it('gives every item once over its pages, also while new ones arrive', () => {
    const library = openLibrary();
    const ids = Array.from({ length: 60 }, (_, index) => put(library, `shot ${index}`));
    const seen: ItemId[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      const found = library.search({ text: 'shot', ...(cursor && { cursor }) }, 0);
      expect(found.total).toBe(60 + page);
      seen.push(...found.items.map(({ id }) => id));
      cursor = found.nextCursor ?? undefined;
      put(library, `shot new ${page}`);
    }
    expect(cursor).toBeUndefined();
    expect(seen).toEqual(ids.toReversed());
  });

  it('holds an item once, however often it is added', () => {
    const library = openLibrary();
    const id = put(library, 'a.png');
    const item = library.get(id);
    if (!item) throw new Error('not there');
    library.add({ ...item, accountId: null });
    expect(library.search({ text: 'a' }, 0)).toMatchObject({ total: 1, items: [{ id }] });
  });
});

describe('thumbnails', () => {
  it('are WebP of at most 320 pixels, for files that are images by their bytes', async () => {
    const folder = join(root, 'thumbnails');
    const { engine } = await openEngine(join(folder, 'profile'));
    const picture = randomFile(folder, 'a.bin', 1).path;
    await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#246' } })
      .png()
      .toFile(picture);
    const id = await addFile(engine, picture, 'picture.dat');
    await until(() => engine.library.thumbnail(id) !== null);
    const facts = await sharp(readFileSync(engine.library.thumbnail(id) ?? '')).metadata();
    expect(facts).toMatchObject({ format: 'webp', width: 320, height: 180 });
  });

  it('of a spooled picture is made before the file is deleted, however fast the upload is', async () => {
    const model = await startModelService();
    onTestFinished(() => model.close());
    const { engine } = await openEngine(join(root, 'spooled-thumbnail'));
    await connectTo(engine, model.url);
    const path = join(engine.spoolDir, 'shot.png');
    await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#642' } })
      .png()
      .toFile(path);
    const added = await engine.queue.add([{ source: { owner: 'spool', path }, name: 'shot.png' }]);
    const id = added.ok ? added.value[0] : undefined;
    if (!id) throw new Error('not added');
    expect((await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).ok).toBe(true);
    await until(() => !existsSync(path));
    expect(engine.library.thumbnail(id)).not.toBeNull();
  });

  it('of a broken file or one that is no image are missing without an error', async () => {
    const folder = join(root, 'no-thumbnails');
    const { engine } = await openEngine(join(folder, 'profile'));
    const broken = randomFile(folder, 'broken.png', 5_000).path;
    const id = await addFile(engine, broken);
    await wait(100);
    expect(engine.library.thumbnail(id)).toBeNull();
  });
});
