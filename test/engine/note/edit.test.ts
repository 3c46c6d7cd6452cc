/** An edit never overwrites a revision that its author has not seen, and typed text is never lost. */
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import type { NewNote } from '../../../src/ipc/protocol/note-draft.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { change } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openScene, publishNote, type Scene } from '../library/library-scenario.ts';

const root = temporaryFolder('engine-edit');

const ready = async (text = 'one\n') => {
  const scene = await openScene(root);
  const { id, content } = await publishNote(scene.engine, text);
  return { scene, engine: scene.engine, id, content };
};
const read = async ({ engine }: Pick<Scene, 'engine'>, id: ItemId) => must(await engine.note.read({ id }, soon()));
const isEdit = ({ method }: { method: string }) => method === 'PATCH';

describe('an edit', () => {
  it('is saved with the next revision, under the same link, and is what the note is found by', async () => {
    const { engine, id, content } = await ready('To buy\napples\n');
    const { note } = await read({ engine }, id);
    expect(note).toEqual({ text: 'To buy\napples\n', format: 'plain', language: null, revision: 1 });
    const saved = must(await engine.note.edit({ id, text: 'To buy\npears\n', revision: 1 }, soon()));
    expect(saved).toMatchObject({ outcome: 'saved', item: { content: { revision: 2, url: content.url } } });
    expect(await read({ engine }, id)).toMatchObject({ note: { text: 'To buy\npears\n', revision: 2 }, draft: null });
    expect([
      must(engine.library.search({ text: 'pears' })).total,
      must(engine.library.search({ text: 'apples' })).total,
    ]).toEqual([1, 0]);
  });

  it('can change what the note is', async () => {
    const { engine, id } = await ready('print(1)\n');
    await read({ engine }, id);
    const edit = { id, text: 'print(2)\n', revision: 1, format: 'code', language: 'python' } as const;
    expect(must(await engine.note.edit(edit, soon()))).toMatchObject({
      item: { content: { pasteFormat: 'code', pasteLanguage: 'python' } },
    });
  });

  it('that names no format or language keeps those that the note has got elsewhere', async () => {
    const { scene, engine, id, content } = await ready();
    await change(scene.service, scene.user, content.id, { format: 'markdown', revision: 1 });
    const { revision } = (await read({ engine }, id)).note;
    must(await engine.note.edit({ id, text: 'two\n', revision, draft: 'leave' }, soon()));
    expect((await read({ engine }, id)).note).toMatchObject({ text: 'two\n', format: 'markdown', revision: 3 });
    await change(scene.service, scene.user, content.id, { format: 'code', language: 'rust', revision: 3 });
    must(await engine.note.edit({ id, text: 'three\n', revision: 4, draft: 'leave' }, soon()));
    const { note } = await read({ engine }, id);
    expect(note).toEqual({ text: 'three\n', format: 'code', language: 'rust', revision: 5 });
    // An answer that was lost is no conflict either.
    await change(scene.service, scene.user, content.id, { text: 'four\n', format: 'plain', revision: 5 });
    expect(must(await engine.note.edit({ id, text: 'four\n', revision: 5 }, soon())).outcome).toBe('saved');
  });

  it('changes the title with the text, or alone', async () => {
    const { engine, id } = await ready();
    must(await engine.note.edit({ id, text: 'two\n', revision: 1, title: 'Numbers' }, soon()));
    expect(must(await engine.note.edit({ id, text: 'two\n', revision: 2, title: 'Words' }, soon()))).toMatchObject({
      item: { content: { title: 'Words', revision: 2 } },
    });
    expect(must(engine.library.search({ text: 'words' })).total).toBe(1);
  });

  it('that conflicts with a newer revision returns all three texts, and overwriting uses that revision', async () => {
    const { scene, engine, id, content } = await ready();
    await read({ engine }, id);
    await change(scene.service, scene.user, content.id, { text: 'theirs\n', revision: 1 });
    expect(must(await engine.note.edit({ id, text: 'mine\n', revision: 1 }, soon()))).toEqual({
      outcome: 'conflict',
      mine: { text: 'mine\n', format: 'plain', language: null, revision: 1, title: null },
      theirs: { text: 'theirs\n', format: 'plain', language: null, revision: 2 },
      base: 'one\n',
    });
    expect((await read({ engine }, id)).draft).toMatchObject({ text: 'mine\n', revision: 1 });
    const forced = await engine.note.edit({ id, text: 'mine\n', revision: 2 }, soon());
    expect(forced).toMatchObject({ ok: true, value: { outcome: 'saved', item: { content: { revision: 3 } } } });
    expect(await read({ engine }, id)).toMatchObject({ note: { text: 'mine\n' }, draft: null });
  });

  it('whose answer was lost is saved once, and no conflict with itself', async () => {
    const { scene, engine, id } = await ready();
    await read({ engine }, id);
    let losses = 0;
    scene.proxy.fault = (request) => (isEdit(request) && ++losses <= 1 ? { do: 'lose-answer' } : null);
    const edit = { id, text: 'two\n', revision: 1 };
    expect((await engine.note.edit(edit, soon())).ok).toBe(false);
    expect(must(await engine.note.edit(edit, soon()))).toMatchObject({
      outcome: 'saved',
      item: { content: { revision: 2 } },
    });
  });
});

describe('typed text', () => {
  it('is kept when the service cannot be reached, also over a restart, and deleted when it is saved', async () => {
    const { scene, engine, id } = await ready();
    await read({ engine }, id);
    scene.proxy.fault = (request) => (isEdit(request) ? { do: 'reset', at: 0 } : null);
    expect(await engine.note.edit({ id, text: 'typed for an hour\n', revision: 1 }, soon())).toMatchObject({
      ok: false,
    });
    scene.proxy.fault = () => null;
    const next = await scene.restart();
    expect((await read(next, id)).draft).toEqual({
      text: 'typed for an hour\n',
      format: 'plain',
      language: null,
      revision: 1,
      title: null,
    });
    must(await next.engine.note.edit({ id, text: 'typed for an hour\n', revision: 1 }, soon()));
    expect((await read(next, id)).draft).toBeNull();
  });

  it('is kept while the edit before it is being saved, and then based on the saved one', async () => {
    const { scene, engine, id } = await ready();
    await read({ engine }, id);
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    scene.proxy.fault = (request) => {
      if (!isEdit(request)) return null;
      reached.resolve();
      return { do: 'hold', until };
    };
    const saving = engine.note.edit({ id, text: 'typed\n', revision: 1 }, soon());
    await reached.promise;
    must(engine.note.saveDraft({ id, text: 'typed, and more\n', revision: 1 }));
    release();
    expect(must(await saving)).toMatchObject({ outcome: 'saved', item: { content: { revision: 2 } } });
    const { draft } = await read({ engine }, id);
    expect(draft).toMatchObject({ text: 'typed, and more\n', revision: 2 });
    scene.proxy.fault = () => null;
    expect(must(await engine.note.edit({ id, text: 'typed, and more\n', revision: 2 }, soon())).outcome).toBe('saved');
    expect((await read({ engine }, id)).draft).toBeNull();
  });

  it('is kept also when it is too long, or when the note was deleted', async () => {
    const { scene, engine, id, content } = await ready();
    const long = 'x'.repeat(200_001);
    const refused = await engine.note.edit({ id, text: long, revision: 1 }, soon());
    expect(refused).toMatchObject({ ok: false, error: { code: 'NOTE_TOO_LONG' } });
    expect((await read({ engine }, id)).draft?.text).toHaveLength(200_001);

    await fetch(`${scene.service.url}/api/v1/content/${content.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${scene.user.apiKey}` },
    });
    expect((await engine.note.edit({ id, text: 'mine\n', revision: 1 }, soon())).ok).toBe(false);
    expect(must(engine.library.search({ text: '', state: 'gone' })).items).toMatchObject([{ id }]);
  });

  it('is shown with the text that was seen last, and why, where the service cannot be asked or has it no more', async () => {
    const { scene, engine, id, content } = await ready();
    await read({ engine }, id);
    must(engine.note.saveDraft({ id, text: 'two\n', revision: 1, title: 'Numbers' }));
    scene.proxy.fault = () => ({ do: 'answer', status: 502, body: 'not now' });
    expect(must(await engine.note.read({ id, orElse: 'remembered' }, soon()))).toMatchObject({
      note: { text: 'one\n', revision: 1 },
      draft: { text: 'two\n', revision: 1, title: 'Numbers' },
      unread: { status: 502 },
    });
    expect(await engine.note.read({ id }, soon())).toMatchObject({ ok: false, error: { status: 502 } });
    scene.proxy.fault = () => null;
    await fetch(`${scene.service.url}/api/v1/content/${content.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${scene.user.apiKey}` },
    });
    expect(must(await engine.note.read({ id, orElse: 'remembered' }, soon()))).toMatchObject({
      draft: { text: 'two\n' },
      unread: { status: 404 },
    });
  });

  it('is left as it is by an edit from elsewhere, whether that is saved, refused or never arrives', async () => {
    const { scene, engine, id } = await ready();
    await read({ engine }, id);
    must(engine.note.saveDraft({ id, text: 'typed\n', revision: 1 }));
    const typed = { text: 'typed\n', revision: 1 };
    const edit = { id, text: 'from a file\n', revision: 1, draft: 'leave' } as const;
    scene.proxy.fault = (request) => (isEdit(request) ? { do: 'reset', at: 0 } : null);
    expect((await engine.note.edit(edit, soon())).ok).toBe(false);
    expect((await read({ engine }, id)).draft).toMatchObject(typed);
    scene.proxy.fault = () => null;
    expect(must(await engine.note.edit(edit, soon())).outcome).toBe('saved');
    expect(await read({ engine }, id)).toMatchObject({ note: { text: 'from a file\n', revision: 2 }, draft: typed });
    const late = { ...edit, text: 'from long ago\n' };
    expect(must(await engine.note.edit(late, soon())).outcome).toBe('conflict');
    expect((await read({ engine }, id)).draft).toMatchObject(typed);
    // The window sends what was typed: it is a conflict that shows all three texts.
    expect(must(await engine.note.edit({ id, text: 'typed\n', revision: 1 }, soon()))).toMatchObject({
      outcome: 'conflict',
      theirs: { text: 'from a file\n' },
      base: 'one\n',
    });
  });

  it('can be kept without being sent, and thrown away', async () => {
    const { engine, id } = await ready();
    must(engine.note.saveDraft({ id, text: 'half a thou', revision: 1 }));
    expect(await read({ engine }, id)).toMatchObject({ note: { text: 'one\n' }, draft: { text: 'half a thou' } });
    engine.note.dropDraft({ id });
    expect((await read({ engine }, id)).draft).toBeNull();
  });
});

describe('a note that is being written', () => {
  it('is there after a restart as it was, until it is thrown away', async () => {
    const { scene, engine } = await ready();
    expect(must(engine.note.unpublished({})).draft).toBeNull();
    const note: NewNote = {
      ...{ title: 'Plans', text: '# Half a tho', format: 'markdown' as const, language: null },
      share: { visibility: 'private', ttl: 'week', oneTime: false },
    };
    must(engine.note.saveUnpublished({ ...note }));
    const next = await scene.restart();
    expect(must(next.engine.note.unpublished({})).draft).toEqual(note);
    // Another draft, of another page: they do not affect each other.
    must(next.engine.note.saveUnpublished({ ...{ ...note, title: 'Other plans' }, slot: 3 }));
    expect(must(next.engine.note.unpublished({})).kept).toEqual([0, 3]);
    expect(must(next.engine.note.unpublished({ slot: 3 })).draft?.title).toBe('Other plans');
    next.engine.note.dropUnpublished({ slot: 3 });
    expect(must(next.engine.note.unpublished({})).draft).toEqual(note);
    next.engine.note.dropUnpublished({});
    expect(must(next.engine.note.unpublished({})).draft).toBeNull();
  });
});
