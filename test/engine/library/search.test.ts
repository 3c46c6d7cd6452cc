/** Search finds published items by properties and words, and pages contain each item once. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { AccountId, ItemId } from '../../../src/api/ids.ts';
import { createLibrary, type Library } from '../../../src/engine/library/library-store.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { createNoteStore } from '../../../src/engine/note/note-store.ts';
import { MIGRATIONS } from '../../../src/engine/profile/migrations.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makeContent } from '../../support/window/app-state.ts';

const root = temporaryFolder('engine-search');
const ACCOUNT = 'account-1' as AccountId;
const NOW = Date.UTC(2026, 10, 20, 12);

const open = (folder = join(root, randomUUID())) => {
  const opened = openProfile(folder, systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  onTestFinished(() => opened.value.close());
  const library = createLibrary(opened.value);
  return { library, texts: createNoteStore(opened.value, library) };
};

let number = 0;
const put = (library: Library, content: Partial<Content>, linkedAt = NOW): ItemId => {
  const id = randomUUID() as ItemId;
  number += 1;
  library.add({ id, accountId: ACCOUNT, name: `${number}.png`, linkedAt, content: makeContent(number, content) });
  return id;
};
type Query = Parameters<Library['search']>[0];
const found = (library: Library, query: Partial<Query>) =>
  library.search({ text: '', ...query }, NOW).items.map(({ content: { title } }) => title);

describe('filters', () => {
  const shelf = () => {
    const { library } = open();
    put(library, { title: 'video', type: 'VIDEO', visibility: 'public' }, NOW - 5_000);
    put(library, { title: 'note', type: 'PASTE', passwordProtected: true }, NOW - 4_000);
    put(library, { title: 'expired', expiresAt: new Date(NOW - 1).toISOString() }, NOW - 3_000);
    put(library, { title: 'lasting', expiresAt: new Date(NOW + 1).toISOString() }, NOW - 2_000);
    library.markGone(put(library, { title: 'gone', oneTime: true }, NOW - 1_000), NOW);
    return library;
  };

  it.each([
    [{ kinds: ['VIDEO', 'PASTE'] }, ['note', 'video']],
    [{ visibility: 'public' }, ['video']],
    [{ state: 'live' }, ['lasting', 'note', 'video']],
    [{ state: 'gone' }, ['gone', 'expired']],
    [{ state: 'protected' }, ['gone', 'note']],
    [{ from: NOW - 4_000, to: NOW - 2_000 }, ['expired', 'note']],
    [{ text: 'lasti', state: 'live' }, ['lasting']],
    [{ text: 'lasti', state: 'gone' }, []],
  ] satisfies [Partial<Query>, string[]][])('%j', (query, titles) => {
    const library = shelf();
    expect(found(library, query)).toEqual(titles);
    expect(library.search({ text: '', ...query }, NOW).total).toBe(titles.length);
  });
});

describe('the order', () => {
  it.each([
    ['newest', ['b', 'C', 'a']],
    ['oldest', ['a', 'C', 'b']],
    ['title', ['a', 'b', 'C']],
    ['largest', ['C', 'a', 'b']],
    ['most-viewed', ['b', 'a', 'C']],
  ] as const)('%s', (sort, titles) => {
    const { library } = open();
    put(library, { title: 'a', size: 2, views: 5 }, 1);
    put(library, { title: 'b', size: 1, views: 9 }, 3);
    put(library, { title: 'C', size: 3, views: 0 }, 2);
    expect(found(library, { sort })).toEqual(titles);
  });

  it.each(['newest', 'oldest', 'title', 'largest', 'most-viewed'] as const)(
    '%s shows every item once over its pages, also where all are equal',
    (sort) => {
      const { library } = open();
      const ids = Array.from({ length: 60 }, () => put(library, { title: 'same', size: 1, views: 1 }));
      const seen: ItemId[] = [];
      let cursor: string | undefined;
      do {
        const page = library.search({ text: 'same', sort, ...(cursor && { cursor }) }, NOW);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect(new Set(seen).size).toBe(60);
    },
  );

  it('starts from the beginning with an invalid cursor', () => {
    const { library } = open();
    put(library, { title: 'a' });
    for (const cursor of ['', 'x', 'bnVsbA', 'W251bGwsMV0', 'WyJhIl0'])
      expect(found(library, { cursor })).toEqual(['a']);
  });
});

describe('the text of a note', () => {
  it('is found from when it is known until the item is removed, in its newest revision', () => {
    const { library, texts } = open();
    const id = put(library, { title: 'note', type: 'PASTE' });
    expect(found(library, { text: 'Zwölf' })).toEqual([]);
    texts.put(id, 2, 'Zwölf Boxkämpfer');
    texts.put(id, 1, 'an older one that comes late');
    expect([found(library, { text: 'zwolf box' }), found(library, { text: 'older' })]).toEqual([['note'], []]);
    library.put(id, makeContent(1, { title: 'renamed', type: 'PASTE' }));
    expect(found(library, { text: 'renamed boxk' })).toEqual(['renamed']);
    library.remove(id);
    expect(found(library, { text: 'box' })).toEqual([]);
    expect(texts.get(id)).toBeNull();
  });
});

describe('a library of the version before', () => {
  it('is found as it was, and can be changed', () => {
    const folder = join(root, randomUUID());
    const first = openProfile(folder, systemClock);
    if (!first.ok) throw new Error(first.error.detail);
    first.value.close();
    const path = join(folder, 'profile.sqlite');
    const old = new Database(path);
    for (const { name } of old
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all()
      .filter(({ name }) => !/_(?:data|idx|docsize|config|content)$/.test(name))) {
      old.exec(`DROP TABLE IF EXISTS "${name}"`);
    }
    for (const sql of MIGRATIONS.slice(0, 2)) old.exec(sql);
    const content = makeContent(1, { title: 'Beach at sunset', tags: ['summer'] });
    old
      .prepare('INSERT INTO library (id, name, linked_at, content) VALUES (?, ?, ?, ?)')
      .run('00000000-0000-4000-8000-000000000001', 'IMG_1.png', NOW, JSON.stringify(content));
    old
      .prepare('INSERT INTO library_words (rowid, title, tags, name) VALUES (1, ?, ?, ?)')
      .run('Beach at sunset', 'summer', 'IMG_1.png');
    old.pragma('user_version = 2');
    old.close();

    const { library } = open(folder);
    for (const text of ['beach', 'summ', 'img']) expect(found(library, { text })).toEqual(['Beach at sunset']);
    const [item] = library.search({ text: '' }, NOW).items;
    expect(item).toMatchObject({ goneAt: null, deletingAt: null });
    if (item) library.put(item.id, { ...content, title: 'Mountains' });
    expect([found(library, { text: 'beach' }), found(library, { text: 'mount' })]).toEqual([[], ['Mountains']]);
  });
});
