/**
 * Store of one note in the editor: title, text, format, draft, publication and edit conflict. Saves typed text to disk
 * a moment later, unless it is too long. Text that was discarded or replaced can be restored. A password is never saved:
 * the page remembers it, and a note that has lost it is not published before the user has decided. The text of a note
 * that no longer exists becomes a draft with the link settings that this note had.
 */

import { createStore } from 'zustand/vanilla';
import type { ShareFields } from '../../../api/content.ts';
import { err, type Failure, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { NoteText } from '../../../api/note.ts';
import { DRAFT_SLOTS, type NewNote, type NoteDraft } from '../../../ipc/protocol/note-draft.ts';
import type { EngineStore } from '../../stores/engine-store.ts';
import type { DraftSlot, NewNotes } from '../../stores/new-notes.ts';
import { takeEmptySlot, takeSlot } from './new-note-draft-slot.ts';
import {
  type Conflict,
  EMPTY,
  isSame,
  type Kind,
  type NoteError,
  OPENING,
  PLAIN,
  sentText,
  settingsOfSuccessor,
  UNPROTECTED,
  type WorkState,
  type Written,
} from './note-editor-state.ts';
import { lockNote, type NoteLock } from './note-locks.ts';

/** Delay after the last keystroke, and the maximum delay while typing continuously. */
const SAVE_DELAY_MS = 300;
const MAX_SAVE_DELAY_MS = 1_500;
const GUESS_MS = 250;
/** UTF-16 units. Whatever can be published is guessed as a whole, as when it is added: JSON is recognised by its end. */
const GUESSED_MAX = 2 * LIMITS.noteMaxCharacters;
/** Far more than can be published. A longer draft is not saved, and the user is notified. */
const DRAFT_MAX = 1_000_000;

interface Deps {
  readonly engine: Pick<EngineStore, 'ask'>;
  /** Null: a new note. */
  readonly id: ItemId | null;
  readonly newNotes: NewNotes;
}

/** Says nothing about the password. */
const newPasswordId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

const reading = (failure: Failure): NoteError => ({ in: 'reading', failure });

const slotInput = (place: DraftSlot | null) => (place === null || place.slot === 0 ? {} : { slot: place.slot });

const tooManyDrafts = (): Failure =>
  failure('TOO_MANY_DRAFTS', `${DRAFT_SLOTS} new notes are drafts already.`, { params: { limit: DRAFT_SLOTS } });

export const createNoteEditorStore = ({ engine, id, newNotes }: Deps) => {
  const { passwords } = newNotes;
  const store = createStore<WorkState>(() => OPENING);
  const { getState: get, setState: set } = store;
  /** The published version; the text is a draft while it differs. */
  let published: Written = EMPTY;
  let revision = 0;
  /** Slot of a new note. */
  let place: DraftSlot | null = null;
  /** Of the password of a new note, if it has or had one. */
  let passwordId: string | null = null;
  /** Of what was discarded: a password that is set afterwards is another one. */
  let discardedPasswordId: string | null = null;
  /** Of a published note. */
  let lock: Promise<NoteLock> | null = null;
  /** Number of the newest reading; an older one shows nothing. */
  let lastRead = 0;
  let isClosed = false;
  /** Ends with what is being sent. */
  let sent: Promise<void> = Promise.resolve();
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let unsavedSince: number | null = null;
  let guessSoon: ReturnType<typeof setTimeout> | undefined;

  const written = (): Written => {
    const { title, text, chosen } = get();
    return { title, text, chosen };
  };
  /** What would be sent. */
  const sendable = (): Written => ({ ...written(), text: sentText(get()) });

  const editOf = (itemId: ItemId, { title, text, chosen }: Written, from: number) => ({
    ...{ id: itemId, text, revision: from, format: (chosen ?? PLAIN).format, language: (chosen ?? PLAIN).language },
    ...(title !== published.title && { title }),
  });

  const slotOf = () => slotInput(place);

  const isProtected = (): boolean => get().password !== '' || get().isPasswordLost;
  /** Whether there is something that a draft keeps. */
  const isDraft = (): boolean =>
    get().conflict !== null || (id === null && isProtected()) || !isSame(written(), id === null ? EMPTY : published);

  const askToKeep = () => {
    const { share, conflict } = get();
    const now = written();
    if (id === null) {
      const { visibility, ttl, oneTime } = share;
      const requested = {
        ...(visibility !== undefined && { visibility }),
        ...(ttl !== undefined && { ttl }),
        ...(oneTime !== undefined && { oneTime }),
      };
      const kind = { format: now.chosen?.format ?? null, language: now.chosen?.language ?? null };
      const protection = isProtected() && passwordId !== null ? { passwordId } : {};
      const draft: NewNote = { title: now.title, text: now.text, ...kind, share: requested, ...protection };
      return isDraft()
        ? engine.ask('note.saveUnpublished', { ...draft, ...slotOf() })
        : engine.ask('note.dropUnpublished', slotOf());
    }
    // Until the conflict is resolved, the merged text is stored as a draft of its base revision, so that a restart
    // shows the conflict again.
    if (conflict !== null) {
      const { mine, merged, theirs } = conflict;
      const text = merged === theirs.text ? mine.text : merged;
      return engine.ask('note.saveDraft', editOf(id, { ...now, text }, mine.revision));
    }
    return isDraft() ? engine.ask('note.saveDraft', editOf(id, now, revision)) : engine.ask('note.dropDraft', { id });
  };

  /** Saves the current draft immediately. */
  const saveDraft = async (): Promise<void> => {
    clearTimeout(saveTimer);
    if (unsavedSince === null) return;
    unsavedSince = null;
    if (sentText(get()).length > DRAFT_MAX) {
      set({ kept: { is: 'not', failure: null } });
      return;
    }
    set({ kept: { is: 'saving' } });
    const answer = await askToKeep();
    if (!answer.ok) {
      // The next occasion saves it again, such as a blur, the end of the page or of the host's outage.
      unsavedSince ??= performance.now();
      set({ kept: { is: 'not', failure: answer.error } });
    }
    // Newer input is already being saved.
    else if (unsavedSince === null && get().kept.is === 'saving')
      set({ kept: { is: isDraft() ? 'saved' : 'nothing' } });
  };

  const scheduleSave = (): void => {
    unsavedSince ??= performance.now();
    clearTimeout(saveTimer);
    const left = unsavedSince + MAX_SAVE_DELAY_MS - performance.now();
    saveTimer = setTimeout(() => void saveDraft(), Math.max(0, Math.min(SAVE_DELAY_MS, left)));
  };

  const guess = async (): Promise<Kind> => {
    const { text, chosen, guessed } = get();
    if (chosen !== null) return chosen;
    const answer = await engine.ask('note.guess', { text: text.slice(0, GUESSED_MAX) });
    if (!answer.ok) return guessed;
    if (get().text === text) set({ guessed: answer.value });
    return answer.value;
  };

  const guessLater = (): void => {
    clearTimeout(guessSoon);
    if (get().chosen === null) guessSoon = setTimeout(() => void guess(), GUESS_MS);
  };

  /** The user typed or changed something. */
  const change = (next: Partial<WorkState>): void => {
    if (get().isElsewhere) return;
    set({ ...next, isRestored: false, isSaved: false, error: null });
    scheduleSave();
    guessLater();
  };

  const applyPublished = ({ text, format, language, revision: at }: NoteText, title: string): void => {
    published = { title, text, chosen: { format, language } };
    revision = at;
  };

  const compare = (mine: NoteDraft, theirs: NoteText): void => {
    applyPublished(theirs, published.title);
    const { format, language } = mine;
    set({ stage: 'comparing', chosen: { format, language }, title: mine.title ?? published.title });
    set({ text: mine.text, conflict: { mine, theirs, merged: mine.text }, kept: { is: 'saved' } });
  };

  const release = (): void => {
    place?.release();
    place = null;
    void lock?.then((held) => held.release());
    lock = null;
  };

  const openNew = async (): Promise<void> => {
    const first = await engine.ask('note.unpublished', {});
    if (!first.ok) return set({ stage: 'lost', error: reading(first.error) });
    place ??= newNotes.next ?? (await takeSlot(navigator.locks, first.value.kept));
    if (place === newNotes.next) newNotes.next = null;
    if (isClosed) release();
    const found = place === null || place.slot === 0 ? first : await engine.ask('note.unpublished', slotOf());
    // An empty editor would overwrite the stored draft.
    if (!found.ok) return set({ stage: 'lost', error: reading(found.error) });
    const { draft } = found.value;
    if (draft === null) return set({ stage: 'writing', error: null });
    const { title, text, format, language, share } = draft;
    const chosen = format === null ? null : { format, language };
    passwordId = draft.passwordId ?? null;
    const password = passwordId === null ? '' : (passwords.get(passwordId) ?? '');
    const isPasswordLost = passwordId !== null && password === '';
    set({ title, text, chosen, share, password, isPasswordLost });
    set({ stage: 'writing', isRestored: true, kept: { is: 'saved' }, error: null });
    await guess();
  };

  /** Reads the note, again where the user asks for it. What is shown and typed stays where that fails or comes late. */
  const openPublished = async (itemId: ItemId): Promise<void> => {
    const before = get();
    lastRead += 1;
    const own = lastRead;
    lock ??= lockNote(navigator.locks, itemId, () => void openPublished(itemId));
    const { isHeld } = await lock;
    const isElsewhere = !isHeld();
    const failed = { stage: before.stage === 'opening' ? 'lost' : before.stage } as const;
    const found = await engine.ask('library.find', { link: itemId });
    if (own !== lastRead) return;
    if (!found.ok) return set({ ...failed, error: reading(found.error) });
    const item = found.value.item;
    const read = await engine.ask('note.read', { id: itemId, orElse: 'remembered' });
    if (own !== lastRead) return;
    if (!read.ok) return set({ ...failed, item, error: reading(read.error) });
    const { note, draft, unread } = read.value;
    // What was typed meanwhile, or is not on disk, is an edit of the version that the user saw: saving it finds a newer
    // one.
    if (unsavedSince !== null || !isSame(written(), before)) {
      if (note.revision === revision) applyPublished(note, published.title);
      return set({ item, error: unread && reading(unread) });
    }
    applyPublished(note, item?.content.title ?? '');
    // Offline the versions are not compared yet.
    if (draft !== null && unread !== null) revision = draft.revision;
    set({ item, error: unread && reading(unread), isElsewhere });
    if (!isElsewhere && draft !== null && unread === null && draft.revision !== note.revision)
      return compare(draft, note);
    const { text, format, language } = draft ?? note;
    const title = draft?.title ?? published.title;
    // The draft of another page is kept there.
    const isRestored = draft !== null && !isElsewhere;
    const kept = { is: isRestored ? 'saved' : 'nothing' } as const;
    set({ stage: 'writing', title, text, chosen: { format, language }, isRestored, kept });
  };

  /** The text as a new note that only those can open who could open this one, until the user decides otherwise. */
  const successorOf = async (itemId: ItemId): Promise<NewNote> => {
    const found = await engine.ask('library.find', { link: itemId });
    const content = ((found.ok ? found.value.item : null) ?? get().item)?.content;
    const { title, chosen } = get();
    return {
      ...{ title, text: sentText(get()), format: chosen?.format ?? null, language: chosen?.language ?? null },
      share: content ? settingsOfSuccessor(content) : { visibility: 'private' },
      // No page knows this password, so that the user must set it again or remove it.
      ...((content?.passwordProtected ?? true) && { passwordId: newPasswordId() }),
    };
  };

  /** An empty slot, whose draft no other page writes. */
  const takeNext = async (): Promise<Result<DraftSlot>> => {
    for (;;) {
      const { locks } = navigator;
      const before = await engine.ask('note.unpublished', {});
      if (!before.ok) return before;
      const slot = await takeEmptySlot(locks, before.value.kept);
      if (slot === null) return err(tooManyDrafts());
      const now = await engine.ask('note.unpublished', slotInput(slot));
      if (now.ok && now.value.draft === null) return ok(slot);
      slot.release();
      if (!now.ok) return now;
    }
  };

  const moveToNewNote = async (itemId: ItemId): Promise<'moved' | 'not'> => {
    if (sentText(get()).length > DRAFT_MAX) return 'not';
    const slot = await takeNext();
    if (!slot.ok) {
      set({ error: { in: 'moving', failure: slot.error } });
      return 'not';
    }
    let draft: NewNote;
    do {
      draft = await successorOf(itemId);
      const saved = await engine.ask('note.saveUnpublished', { ...draft, ...slotInput(slot.value) });
      if (saved.ok) continue;
      slot.value.release();
      set({ error: { in: 'moving', failure: saved.error } });
      return 'not';
      // What was typed meanwhile is moved too.
    } while (draft.text !== sentText(get()) || draft.title !== get().title);
    clearTimeout(saveTimer);
    unsavedSince = null;
    newNotes.next?.release();
    newNotes.next = slot.value;
    await engine.ask('note.dropDraft', { id: itemId });
    return 'moved';
  };

  const publish = async (): Promise<'published' | 'not'> => {
    const text = sentText(get());
    // What was typed last, or restored, may wait for its guess.
    const guessed = await guess();
    set({ sending: 'final' });
    const { title, share, password, chosen } = get();
    const kind = chosen ?? guessed;
    const link = { ...share, ...(title.trim() !== '' && { title }), ...(password !== '' && { password }) };
    const added = await engine.ask('note.add', { text, ...kind, share: link });
    if (!added.ok) {
      set({ error: { in: 'sending', failure: added.error } });
      return 'not';
    }
    unsavedSince = null;
    if (passwordId !== null) passwords.delete(passwordId);
    await engine.ask('note.dropUnpublished', slotOf());
    // If the user has opened the next note meanwhile, this editor shows it.
    passwordId = null;
    set({ ...EMPTY, ...UNPROTECTED, share: {}, guessed: PLAIN });
    set({ kept: { is: 'nothing' }, isRestored: false, aside: null });
    return 'published';
  };

  /** Saves `now` over the known revision; a newer revision on the service is shown as a conflict. */
  const save = async (itemId: ItemId, now: Written): Promise<'saved' | 'newer' | 'not'> => {
    const from = revision;
    const sent = await engine.ask('note.edit', editOf(itemId, now, from));
    if (!sent.ok) {
      const { kept } = get();
      // A draft that could not be stored is not stored now.
      set({ error: { in: 'sending', failure: sent.error }, kept: kept.is === 'not' ? kept : { is: 'saved' } });
      return 'not';
    }
    const typed = sendable();
    const isNewer = !isSame(typed, now);
    if (sent.value.outcome === 'conflict') {
      const { mine, theirs } = sent.value;
      const { title, text, chosen } = typed;
      compare(isNewer ? { ...mine, ...(chosen ?? PLAIN), title, text } : mine, theirs);
      return 'not';
    }
    const { item } = sent.value;
    published = { ...now, title: item.content.title };
    revision = item.content.revision;
    const title = typed.title === now.title ? { title: item.content.title } : {};
    set({ item, ...title, isRestored: false, error: null });
    // Text typed meanwhile is a draft of the new revision.
    if (isNewer) {
      scheduleSave();
      return 'newer';
    }
    set({ isSaved: true, kept: { is: 'nothing' } });
    return 'saved';
  };

  const whileSending = async <T extends string>(send: () => Promise<T>): Promise<T | 'not'> => {
    const { sending, isElsewhere, isPasswordLost } = get();
    if (sending !== 'no' || isElsewhere || isPasswordLost) return 'not';
    clearTimeout(saveTimer);
    set({ sending: 'yes', error: null });
    const { promise, resolve } = Promise.withResolvers<void>();
    sent = promise;
    try {
      await saveDraft();
      return await send();
    } finally {
      set({ sending: 'no' });
      resolve();
    }
  };

  const resolveConflict = async (
    itemId: ItemId,
    { mine, theirs, merged }: Conflict,
  ): Promise<'saved' | 'newer' | 'not'> => {
    const { title, chosen } = get();
    const others = {
      title: published.title,
      text: theirs.text,
      chosen: { format: theirs.format, language: theirs.language },
    };
    if (merged === theirs.text) {
      await engine.ask('note.dropDraft', { id: itemId });
      if (sentText(get()) !== merged) return 'not';
      const own = { title, text: mine.text, chosen, why: 'mine' } as const;
      set({ ...others, stage: 'writing', conflict: null, kept: { is: 'nothing' }, isSaved: true, aside: own });
      return 'saved';
    }
    const outcome = await save(itemId, { title, text: merged, chosen });
    if (outcome !== 'not')
      set({ text: sentText(get()), stage: 'writing', conflict: null, aside: { ...others, why: 'theirs' } });
    return outcome;
  };

  return {
    store,
    open: (): Promise<void> => {
      isClosed = false;
      return id === null ? openNew() : openPublished(id);
    },
    retitle: (title: string): void => change({ title }),
    write: (text: string): void => {
      const { conflict } = get();
      if (conflict !== null) change({ conflict: { ...conflict, merged: text } });
      else if (text !== get().text) change({ text });
    },
    choose: (kind: Kind): void => change({ chosen: kind }),
    /** Returns to detecting the kind from the text. */
    guessAgain: (): void => change({ chosen: null }),
    setShare: (share: ShareFields): void => change({ share }),
    /** Empty: none, also where it was lost. */
    setPassword: (password: string): void => {
      // An id that this page does not know is of a password of another page.
      if (passwordId === null || !passwords.has(passwordId)) passwordId = newPasswordId();
      if (password === '') passwords.delete(passwordId);
      else passwords.set(passwordId, password);
      change({ password, isPasswordLost: false });
    },
    saveDraft,
    /** Whether leaving the page now would lose what was typed. */
    isUnsaved: (): boolean => unsavedSince !== null || ['saving', 'not'].includes(get().kept.is),
    /** Saves the text and lets another page continue it. */
    close: async (): Promise<void> => {
      isClosed = true;
      await saveDraft();
      // A note that is published then drops the draft of its slot, and one that is saved its draft.
      await sent;
      if (isClosed) release();
    },
    /**
     * Publishes a new note, or saves a published one. A newer revision on the service results in a conflict. `newer`:
     * it was saved, and what was typed meanwhile is a draft.
     */
    send: (): Promise<'published' | 'saved' | 'newer' | 'not'> =>
      whileSending<'published' | 'saved' | 'newer' | 'not'>(() => {
        const { conflict } = get();
        if (id === null) return publish();
        return conflict === null ? save(id, written()) : resolveConflict(id, conflict);
      }),
    /** Restores the published version, or an empty note. */
    discard: (): void => {
      const { password, isPasswordLost } = get();
      const aside = { ...written(), password, isPasswordLost, why: 'discarded' } as const;
      discardedPasswordId = passwordId;
      passwordId = null;
      change({ ...(id === null ? EMPTY : published), ...UNPROTECTED, aside });
      void saveDraft();
    },
    bringBack: (): void => {
      const { aside } = get();
      if (aside === null) return;
      const { why, ...before } = aside;
      if (why === 'discarded') {
        if (passwordId !== null) passwords.delete(passwordId);
        passwordId = discardedPasswordId;
      }
      change({ ...before, aside: null });
      void saveDraft();
    },
    letAsideGo: (): void => set({ aside: null }),
    /**
     * Moves the text of a note that no longer exists to a new note, which the next editor of a new note opens: nothing
     * is published before the user has seen who could open it.
     */
    moveToNewNote: (): Promise<'moved' | 'not'> =>
      whileSending<'moved' | 'not'>(async () => (id === null ? 'not' : await moveToNewNote(id))),
  };
};

export type NoteEditorStore = ReturnType<typeof createNoteEditorStore>;
