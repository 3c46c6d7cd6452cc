/** The store of a note in the editor: neither a late answer nor another page replaces what was typed. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { type Failure, failure } from '../../src/api/errors.ts';
import type { ItemId } from '../../src/api/ids.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { NoteText } from '../../src/api/note.ts';
import { DRAFT_SLOTS, type NoteDraft } from '../../src/ipc/protocol/note-draft.ts';
import { createNoteEditorStore, type NoteEditorStore } from '../../src/renderer/screens/note/note-editor-store.ts';
import { createEngineStore } from '../../src/renderer/stores/engine-store.ts';
import type { NewNotes } from '../../src/renderer/stores/new-notes.ts';
import { keepUnsavedWork } from '../../src/renderer/stores/unsaved-work.ts';
import { itemId, makeLibraryItem } from '../support/window/app-state.ts';
import { createPageTransportDouble, type PageTransportDouble } from '../support/window/page-transport.ts';

const ID = itemId(5);
const OFFLINE = failure('NETWORK_FAILED', 'offline');
const itemAt = (revision: number) =>
  makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', pasteFormat: 'plain', revision });
const noteAt = (revision: number, text: string): NoteText => ({ text, format: 'plain', language: null, revision });

let transport: PageTransportDouble;
let opened: NoteEditorStore[];
/** What the page remembers while it is open. */
let newNotes: NewNotes;

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  newNotes = { passwords: new Map(), next: null };
  transport = createPageTransportDouble();
  transport.setLibrary([itemAt(1)]);
});
afterEach(async () => {
  await Promise.all(opened.map((work) => work.close()));
  vi.useRealTimers();
});

/** `shown`: it need not be free to edit yet, because another page has it. */
const open = async (id: ItemId | null = ID, until: 'editable' | 'shown' = 'editable'): Promise<NoteEditorStore> => {
  const work = createNoteEditorStore({ engine: { ask: transport.call }, id, newNotes });
  opened.push(work);
  await work.open();
  await vi.waitFor(() => {
    const { stage, isElsewhere } = work.store.getState();
    expect([stage, isElsewhere && until === 'editable']).toEqual([expect.not.stringMatching('opening'), false]);
  });
  return work;
};
const reads = (note: NoteText, unread: Failure | null = null, draft: NoteDraft | null = null): void =>
  transport.answer('note.read', () => ({ note, draft, unread }));
/** The next answers to this command wait for `answer`. */
const hold = () => {
  const held = Promise.withResolvers<void>();
  return { until: held.promise, answer: held.resolve };
};
const last = (command: string) => transport.calls.findLast((call) => call.command === command)?.input;

it('keeps what is typed while the note is read again, as a draft of the version that the user saw', async () => {
  for (const [revision, text] of [
    [1, 'as it was'],
    [2, 'by another author'],
  ] as const) {
    reads(noteAt(1, 'as it was'), OFFLINE);
    const work = await open();
    const held = hold();
    transport.answer('note.read', () =>
      held.until.then(() => ({ note: noteAt(revision, text), draft: null, unread: null })),
    );
    const again = work.open();
    work.write('typed meanwhile');
    held.answer();
    await again;
    expect(work.store.getState()).toMatchObject({ stage: 'writing', text: 'typed meanwhile', error: null });
    await work.saveDraft();
    expect(last('note.saveDraft')).toMatchObject({ text: 'typed meanwhile', revision: 1 });
    await work.close();
  }
});

it('keeps the revision of a draft that is continued offline, so that saving it finds the newer version', async () => {
  reads(noteAt(2, 'theirs'), OFFLINE, { ...noteAt(1, 'mine'), title: null });
  const work = await open();
  work.write('mine, continued');
  await work.saveDraft();
  expect(last('note.saveDraft')).toMatchObject({ text: 'mine, continued', revision: 1 });
});

it('keeps the text where reading it again fails', async () => {
  reads(noteAt(1, 'as it was'), OFFLINE);
  const work = await open();
  transport.failNext('note.read', OFFLINE);
  await work.open();
  expect(work.store.getState()).toMatchObject({ stage: 'writing', text: 'as it was', error: { failure: OFFLINE } });
});

it('says of a draft whose note could not be read that reading failed, so that a retry does not publish it', async () => {
  const draft = { ...noteAt(1, 'half a draft'), title: null };
  reads(noteAt(1, 'as it was'), OFFLINE, draft);
  const work = await open();
  const unread = { in: 'reading', failure: OFFLINE };
  expect(work.store.getState()).toMatchObject({ text: 'half a draft', kept: { is: 'saved' }, error: unread });
  transport.failNext('note.read', OFFLINE);
  await work.open();
  expect(work.store.getState()).toMatchObject({ text: 'half a draft', error: unread });
  transport.failNext('note.edit', OFFLINE);
  await work.send();
  expect(work.store.getState()).toMatchObject({ error: { in: 'sending', failure: OFFLINE } });
});

it('does not replace text that could not be saved by reading the note again', async () => {
  reads(noteAt(1, 'as it was'), OFFLINE);
  const work = await open();
  work.write('nowhere but here');
  transport.failNext('note.saveDraft', failure('DISK_FULL', 'full'));
  await work.saveDraft();
  await work.open();
  expect(work.store.getState()).toMatchObject({ text: 'nowhere but here', error: { in: 'reading' } });
});

it('keeps what is typed while an older text is saved as a draft of the version that was saved', async () => {
  reads(noteAt(1, 'one'));
  const work = await open();
  work.write('sent');
  const held = hold();
  transport.answer('note.edit', () => held.until.then(() => ({ outcome: 'saved', item: itemAt(2) })));
  const sending = work.send();
  await vi.waitFor(() => expect(last('note.edit')).toMatchObject({ text: 'sent', revision: 1 }));
  work.write('newer');
  await work.saveDraft();
  held.answer();
  expect(await sending).toBe('newer');
  expect(work.store.getState()).toMatchObject({ text: 'newer', kept: { is: 'saved' }, isSaved: false });
});

it('compares what is typed while a save finds another version with that version', async () => {
  reads(noteAt(1, 'one'));
  const work = await open();
  work.write('sent');
  const held = hold();
  transport.answer('note.edit', ({ text }) =>
    held.until.then(() => ({
      ...{ outcome: 'conflict', theirs: noteAt(2, 'theirs'), base: 'one' },
      mine: { ...noteAt(1, text), title: null },
    })),
  );
  const sending = work.send();
  await vi.waitFor(() => expect(last('note.edit')).toMatchObject({ text: 'sent' }));
  work.write('newer');
  work.retitle('To buy');
  held.answer();
  await sending;
  expect(work.store.getState()).toMatchObject({ stage: 'comparing', title: 'To buy', conflict: { merged: 'newer' } });
  await work.saveDraft();
  expect(last('note.saveDraft')).toMatchObject({ text: 'newer', title: 'To buy', revision: 1 });
});

it('leaves the draft of the next note alone where a note that the user has left is published late', async () => {
  const work = await open(null);
  work.write('first');
  const held = hold();
  transport.answer('note.add', () => held.until.then(() => ({ id: itemId(1) })));
  const sending = work.send();
  await vi.waitFor(() => expect(last('note.add')).toMatchObject({ text: 'first' }));
  void work.close();
  const next = await open(null);
  expect(next.store.getState().text).toBe('');
  next.write('second');
  await next.saveDraft();
  held.answer();
  expect(await sending).toBe('published');
  const kept = await transport.call('note.unpublished', { slot: 1 });
  expect(kept).toMatchObject({ value: { draft: { text: 'second' }, kept: [1] } });
});

const writeProtected = async (): Promise<NoteEditorStore> => {
  const work = await open(null);
  work.setPassword('long enough');
  work.write('a secret');
  await work.saveDraft();
  return work;
};

it('publishes a new note with its password after another screen was shown, and never stores it', async () => {
  await (await writeProtected()).close();
  const work = await open(null);
  expect(work.store.getState()).toMatchObject({ text: 'a secret', password: 'long enough', isPasswordLost: false });
  work.write('a secret, continued');
  expect(await work.send()).toBe('published');
  expect(last('note.add')).toMatchObject({ text: 'a secret, continued', share: { password: 'long enough' } });
  const drafts = transport.calls.filter(({ command }) => command === 'note.saveUnpublished');
  expect(drafts).not.toEqual([]);
  expect(JSON.stringify(drafts)).not.toContain('long enough');
  expect(newNotes.passwords).toEqual(new Map());
});

it('keeps a password that is set before anything is written', async () => {
  const first = await open(null);
  first.setPassword('long enough');
  await first.close();
  const work = await open(null);
  work.write('a secret');
  expect(await work.send()).toBe('published');
  expect(last('note.add')).toMatchObject({ share: { password: 'long enough' } });
});

it('publishes a new note with the title, link and password that are chosen while its kind is detected', async () => {
  const work = await open(null);
  work.write('a secret');
  const held = hold();
  transport.answer('note.guess', () => held.until.then(() => ({ format: 'plain', language: null })));
  const sending = work.send();
  await vi.waitFor(() => expect(last('note.guess')).toMatchObject({ text: 'a secret' }));
  work.retitle('For Mira');
  work.setShare({ visibility: 'private' });
  work.setPassword('long enough');
  const adding = hold();
  transport.answer('note.add', () => adding.until.then(() => ({ id: itemId(1) })));
  held.answer();
  const share = { title: 'For Mira', visibility: 'private', password: 'long enough' };
  await vi.waitFor(() => expect(last('note.add')).toMatchObject({ text: 'a secret', share }));
  // Nothing can be changed any more.
  expect(work.store.getState().sending).toBe('final');
  adding.answer();
  expect(await sending).toBe('published');
});

it('does not publish a note whose password a restart has lost, before the user sets another or removes it', async () => {
  for (const [password, share] of [
    ['another one', { password: 'another one' }],
    ['', {}],
  ] as const) {
    await (await writeProtected()).close();
    newNotes.passwords.clear();
    await (await open(null)).close();
    const work = await open(null);
    work.write('a secret, continued');
    await work.saveDraft();
    expect(work.store.getState()).toMatchObject({ password: '', isPasswordLost: true });
    transport.calls.splice(0);
    expect(await work.send()).toBe('not');
    expect(last('note.add')).toBeUndefined();
    work.setPassword(password);
    expect(await work.send()).toBe('published');
    expect(last('note.add')).toMatchObject({ text: 'a secret, continued' });
    expect((last('note.add') as { share: object }).share).toEqual(share);
    await work.close();
  }
});

it('does not give the draft of another page a password that this page remembers of an earlier one', async () => {
  await (await writeProtected()).close();
  const mine = newNotes;
  newNotes = { passwords: new Map(), next: null };
  const other = await open(null);
  other.setPassword('of the other page');
  await other.close();
  newNotes = mine;
  const work = await open(null);
  expect(work.store.getState()).toMatchObject({ password: '', isPasswordLost: true });
});

it('discards the password with the draft, and restores it with the draft', async () => {
  const work = await writeProtected();
  work.discard();
  expect(work.store.getState()).toMatchObject({ text: '', password: '' });
  await work.saveDraft();
  expect(await transport.call('note.unpublished', {})).toMatchObject({ value: { draft: null } });
  work.bringBack();
  expect(await work.send()).toBe('published');
  expect(last('note.add')).toMatchObject({ text: 'a secret', share: { password: 'long enough' } });
});

it.each(['another one', ''])('restores the password of the draft, whatever was set since: %j', async (since) => {
  const work = await writeProtected();
  work.discard();
  work.setPassword('another one');
  work.setPassword(since);
  work.bringBack();
  expect(work.store.getState()).toMatchObject({ text: 'a secret', password: 'long enough' });
  await work.close();
  const again = await open(null);
  expect(again.store.getState()).toMatchObject({ password: 'long enough', isPasswordLost: false });
});

const GONE = failure('SHARE_UNAVAILABLE', 'gone', { status: 404 });
/** A note that was edited here and turns out to be deleted. */
const openGone = async (content: Partial<Content>): Promise<NoteEditorStore> => {
  const createdAt = '2026-01-01T00:00:00Z';
  transport.setLibrary([makeLibraryItem(5, { type: 'PASTE', title: 'Shopping', createdAt, ...content })]);
  reads(noteAt(1, 'as it was'));
  const work = await open();
  work.write('still mine');
  transport.failNext('note.edit', GONE);
  expect(await work.send()).toBe('not');
  return work;
};
const addedSince = () => transport.calls.filter(({ command }) => command === 'note.add');

it.each([
  [{ visibility: 'private' }, { visibility: 'private', oneTime: false }],
  [
    { visibility: 'unlisted', oneTime: true, expiresAt: '2026-01-08T00:00:01Z' },
    { visibility: 'unlisted', oneTime: true, ttl: 'week' },
  ],
  [
    { visibility: 'public', viewLimit: 5 },
    { visibility: 'private', oneTime: false },
  ],
  [
    { visibility: 'unlisted', expiresAt: '2026-01-01T01:00:00Z' },
    { visibility: 'private', oneTime: false, ttl: 'day' },
  ],
] as const)('moves a deleted note to a new one whose link nobody else can open: %j', async (content, share) => {
  const work = await openGone(content);
  expect(await work.moveToNewNote()).toBe('moved');
  expect(addedSince()).toEqual([]);
  await work.close();
  const drafts = transport.calls.filter(({ command }) => /^note\.(save|drop)Draft$/.test(command));
  expect(drafts.at(-1)).toEqual({ command: 'note.dropDraft', input: { id: ID } });
  const next = await open(null);
  expect(next.store.getState()).toMatchObject({ stage: 'writing', title: 'Shopping', text: 'still mine', share });
  expect(await next.send()).toBe('published');
  expect(last('note.add')).toMatchObject({ text: 'still mine', share: { ...share, title: 'Shopping' } });
});

it('does not publish the text of a deleted note without its password, before the user sets another', async () => {
  const work = await openGone({ passwordProtected: true });
  expect(await work.moveToNewNote()).toBe('moved');
  const next = await open(null);
  expect(next.store.getState()).toMatchObject({ text: 'still mine', isPasswordLost: true });
  expect(await next.send()).toBe('not');
  expect(addedSince()).toEqual([]);
  next.setPassword('another one');
  expect(await next.send()).toBe('published');
  expect(last('note.add')).toMatchObject({ share: { password: 'another one' } });
});

it('moves a deleted note beside the drafts of other new notes, and what is typed meanwhile with it', async () => {
  const other = await open(null);
  other.write('of another note');
  await other.close();
  const work = await openGone({ visibility: 'private' });
  const held = hold();
  transport.answer('library.find', () => held.until.then(() => ({ item: null })));
  const moving = work.moveToNewNote();
  await vi.waitFor(() => expect(transport.calls.at(-1)?.command).toBe('library.find'));
  work.write('still mine, continued');
  held.answer();
  expect(await moving).toBe('moved');
  expect((await open(null)).store.getState()).toMatchObject({ text: 'still mine, continued' });
  expect((await open(null)).store.getState()).toMatchObject({ text: 'of another note' });
});

it('keeps the text of a deleted note where it is when every place for a new note is taken', async () => {
  const work = await openGone({});
  const kept = Array.from({ length: DRAFT_SLOTS }, (_, slot) => slot);
  transport.answer('note.unpublished', () => ({ draft: null, kept }));
  expect(await work.moveToNewNote()).toBe('not');
  expect(work.store.getState()).toMatchObject({
    text: 'still mine',
    error: { in: 'moving', failure: { code: 'TOO_MANY_DRAFTS' } },
  });
  expect([last('note.saveUnpublished'), last('note.dropDraft')]).toEqual([undefined, undefined]);
});

it('keeps what is merged further while the comparison is saved', async () => {
  reads(noteAt(2, 'theirs'), null, { ...noteAt(1, 'mine'), title: null });
  const work = await open();
  work.write('merged');
  const held = hold();
  transport.answer('note.edit', () => held.until.then(() => ({ outcome: 'saved', item: itemAt(3) })));
  const sending = work.send();
  await vi.waitFor(() => expect(last('note.edit')).toMatchObject({ text: 'merged', revision: 2 }));
  work.write('merged further');
  held.answer();
  await sending;
  expect(work.store.getState()).toMatchObject({ stage: 'writing', text: 'merged further', isSaved: false });
  await work.saveDraft();
  expect(last('note.saveDraft')).toMatchObject({ text: 'merged further', revision: 3 });
});

it('lets one page edit a published note: the next one shows it, and edits its draft once the first is closed', async () => {
  reads(noteAt(1, 'one'));
  const first = await open();
  const second = await open(ID, 'shown');
  expect([first, second].map(({ store }) => store.getState().isElsewhere)).toEqual([false, true]);
  first.write('aaa');
  await first.saveDraft();
  const drafts = transport.calls.length;
  second.write('b');
  second.write('one');
  await second.saveDraft();
  expect(await second.send()).toBe('not');
  expect(second.store.getState()).toMatchObject({ text: 'one', kept: { is: 'nothing' } });
  expect(transport.calls).toHaveLength(drafts);
  reads(noteAt(1, 'one'), null, { ...noteAt(1, 'aaa'), title: null });
  await first.close();
  await vi.waitFor(() => expect(second.store.getState()).toMatchObject({ text: 'aaa', isElsewhere: false }));
  second.write('aaab');
  await second.saveDraft();
  expect(last('note.saveDraft')).toMatchObject({ text: 'aaab', revision: 1 });
});

it('lets the next page edit a published note once an edit that was left is saved', async () => {
  reads(noteAt(1, 'one'));
  const first = await open();
  first.write('sent');
  const held = hold();
  transport.answer('note.edit', () => held.until.then(() => ({ outcome: 'saved', item: itemAt(2) })));
  const sending = first.send();
  await vi.waitFor(() => expect(last('note.edit')).toMatchObject({ text: 'sent' }));
  const closed = first.close();
  const second = await open(ID, 'shown');
  expect(second.store.getState().isElsewhere).toBe(true);
  reads(noteAt(2, 'sent'));
  held.answer();
  expect(await sending).toBe('saved');
  await closed;
  await vi.waitFor(() => expect(second.store.getState()).toMatchObject({ text: 'sent', isElsewhere: false }));
});

it('leaves a note that waits for another page without taking it', async () => {
  reads(noteAt(1, 'one'));
  const first = await open();
  const second = await open(ID, 'shown');
  await second.close();
  await first.close();
  expect((await open()).store.getState().isElsewhere).toBe(false);
});

it('guesses the kind of a text that is too long for a note from as much as a note can have', async () => {
  const work = await open(null);
  const most = '{'.padEnd(2 * LIMITS.noteMaxCharacters);
  work.write(`${most}and more`);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((last('note.guess') as { text: string }).text === most).toBe(true);
  // Of the text that is still shown.
  transport.answer('note.guess', () => ({ format: 'markdown', language: null }));
  work.write(`${most}and even more`);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work.store.getState().guessed).toEqual({ format: 'markdown', language: null });
});

it('holds the page while the host is away and has not got the text, and saves it when the host is back', async () => {
  const engine = createEngineStore({ transport, toasts: { show: () => {} } as never });
  const page = new EventTarget();
  const mayLeave = () => page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const work = await open(null);
  const stop = keepUnsavedWork(engine, { isUnsaved: work.isUnsaved, save: work.saveDraft }, page as never);
  transport.setLink('refused');
  expect(mayLeave()).toBe(true);
  transport.failNext('note.saveUnpublished', OFFLINE);
  work.write('typed meanwhile');
  expect(mayLeave()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work.store.getState().kept.is).toBe('not');
  expect(mayLeave()).toBe(false);
  transport.setLink('up');
  await vi.waitFor(() => expect(work.store.getState().kept.is).toBe('saved'));
  transport.setLink('down');
  expect(mayLeave()).toBe(true);
  stop();
});
