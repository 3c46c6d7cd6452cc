import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { err, type Failure, failure, ok } from '../../src/api/errors.ts';
import type { CaptureId, ItemId, RecordingId, SourceToken } from '../../src/api/ids.ts';
import type { HostConnectionState } from '../../src/ipc/client/transport.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import type { Settings } from '../../src/ipc/protocol/settings.ts';
import { type AppStores, createAppStores } from '../../src/renderer/stores/app-stores.ts';
import { createErrorList } from '../../src/renderer/stores/messages/error-list.ts';
import type { PageClipboard } from '../../src/renderer/stores/page-clipboard.ts';
import { eventually } from '../support/eventually.ts';
import {
  itemId,
  makeFolderPreview,
  makeItem,
  makeLibraryItem,
  makeReview,
  makeState,
  NOON,
} from '../support/window/app-state.ts';
import { createPageTransportDouble, type PageTransportDouble } from '../support/window/page-transport.ts';

const token = (text: string) => text.padEnd(16, '-') as SourceToken;
const file = (name: string) => new File(['bytes'], name, { type: 'image/png' });
const url = 'https://share.example.com/s/c1';
const linked = { type: 'linked', id: itemId(1), url, name: 'a.png', text: `[a](${url})` } as const;

let transport: PageTransportDouble;
let page: AppStores;
/** What the page has told the others that it has copied, and what they have copied. */
let told: string[];
let copiedElsewhere: Set<string>;
let clipboard: PageClipboard & { text: string | null; picture: string | null; isOpen: boolean };
/** The browser allows what waits: the user comes back to the page, or clicks in it. */
let comeBack: () => Promise<void>;
/** Something else is copied in the page. */
let copyOther: () => void;
/** Another window is active. */
let leave: () => void;

beforeEach(async () => {
  transport = createPageTransportDouble();
  told = [];
  copiedElsewhere = new Set();
  let dropOlder: (() => void) | null = null;
  clipboard = {
    text: null,
    picture: null,
    isOpen: true,
    write: async (text) => {
      if (clipboard.isOpen) clipboard.text = await text;
      return clipboard.isOpen;
    },
    read: async () => ({ pictures: [], text: null }),
    canWritePictures: true,
    hasFocus: () => true,
    writePicture: async (png) => {
      const blob = await png.catch(() => null);
      if (blob && clipboard.isOpen) clipboard.picture = await blob.text();
      return blob !== null && clipboard.isOpen;
    },
    tellCopied: (id) => told.push(id),
    writeLater: (write, { onDropped, onLeft }, id) => {
      // Only the newest waits.
      dropOlder?.();
      if (id !== undefined && copiedElsewhere.has(id)) return false;
      dropOlder = onDropped;
      let waiting: typeof write | null = write;
      comeBack = async () => {
        if (!(await waiting?.())) return;
        waiting = null;
        dropOlder = null;
      };
      copyOther = onDropped;
      leave = onLeft;
      return true;
    },
  };
  page = createAppStores({ transport, clipboard, now: () => NOON });
  await page.engine.start();
});

const notes = () => page.toasts.store.getState().toasts.map(({ note }) => note);

describe('a captured picture that only the page can copy', () => {
  const picture = { type: 'picture', id: '0a1b2c3d-0000-4000-8000-000000000001' as CaptureId } as const;
  beforeEach(() => {
    vi.stubGlobal('fetch', async (address: string) => new Response(`PNG of ${address}`));
    return () => vi.unstubAllGlobals();
  });

  const reports = () => transport.calls.filter(({ command }) => command === 'capture.copied');

  it('is fetched from the host and copied, and the host is told so', async () => {
    transport.emit(picture);
    await eventually(() => expect(notes()).toEqual([{ kind: 'pictureCopied' }]));
    expect(clipboard.picture).toBe(`PNG of ${transport.captureUrl(picture.id, 'copy')}`);
    expect(reports()).toEqual([{ command: 'capture.copied', input: { id: picture.id } }]);
  });

  it('waits no longer once the host has withdrawn it', async () => {
    clipboard.isOpen = false;
    transport.emit(picture);
    await eventually(() => expect(notes()).toEqual([{ kind: 'pictureWaits', id: picture.id, isLeft: false }]));
    vi.stubGlobal('fetch', async () => new Response(null, { status: 404 }));
    clipboard.isOpen = true;
    await comeBack();
    expect([notes(), clipboard.picture, reports()]).toEqual([[], null, []]);
  });

  it('waits until the user comes back to the page', async () => {
    clipboard.isOpen = false;
    transport.emit(picture);
    await eventually(() => expect(notes()).toEqual([{ kind: 'pictureWaits', id: picture.id, isLeft: false }]));
    expect(reports()).toEqual([]);
    clipboard.isOpen = true;
    void comeBack();
    await eventually(() => expect(clipboard.picture).not.toBeNull());
    clipboard.picture = null;
    await comeBack();
    expect(clipboard.picture).toBeNull();
  });

  it('waits for its button once the user has left the window', async () => {
    clipboard.isOpen = false;
    transport.emit(picture);
    await eventually(() => expect(notes()).toHaveLength(1));
    leave();
    expect(notes()).toEqual([{ kind: 'pictureWaits', id: picture.id, isLeft: true }]);
    clipboard.isOpen = true;
    await page.pictureCopies.copy(picture.id);
    expect(notes()).toEqual([{ kind: 'pictureCopied' }]);
  });
});

describe('the picture in the editor', () => {
  const capture = {
    state: 'editing',
    id: 'capture' as CaptureId,
    name: 'a.png',
    width: 9,
    height: 9,
    takenAt: 0,
  } as const;
  const done: string[] = [];
  const draft = (state: 'current' | 'loaded' | 'unread') => ({
    basis: { by: 'this', read: null },
    flush: async () => void done.push('flush'),
    catchUp: async () => {
      done.push('catchUp');
      return state;
    },
    end() {},
  });
  const edited = async () => new Blob(['edited']);
  beforeEach(() => done.splice(0));

  it('is not copied by the page where another window has drawn on it', async () => {
    for (const state of ['loaded', 'unread'] as const)
      expect(await page.editedCopies.copy(capture, edited, draft(state))).toBe('failed');
    expect(clipboard.picture).toBeNull();
    expect(await page.editedCopies.copy(capture, edited, draft('current'))).toBe('copied');
    expect(clipboard.picture).toBe('edited');
  });

  it('is copied by the host by the drawing that it has stored, without a word that it is unedited', async () => {
    const { capabilities } = transport.state();
    transport.set({ capabilities: { ...capabilities, clipboard: 'host' } });
    transport.failNext('capture.copy', failure('DRAWING_NOT_APPLIED', ''));
    expect(await page.editedCopies.copy(capture, null, draft('loaded'))).toBe('failed');
    expect(transport.calls.filter(({ command }) => command === 'capture.copy')).toEqual([
      { command: 'capture.copy', input: { id: capture.id, picture: null, basis: { by: 'this', read: null } } },
    ]);
    expect(done).toEqual(['flush', 'catchUp']);
  });
});

describe('the text of a picture', () => {
  const read = { text: 'Order ready', words: [], codes: [], missing: [] };
  const id = '0a1b2c3d-0000-4000-8000-000000000001' as CaptureId;
  const stopped = () => transport.calls.filter(({ command }) => command === 'vision.stop');
  const owner = (clipboard: 'page' | 'host' | 'both') =>
    transport.set({ capabilities: { ...makeState().capabilities, clipboard } });

  it('of an item is copied, with progress and then the number of words', async () => {
    const reply = Promise.withResolvers<typeof read>();
    transport.answer('vision.readItem', () => reply.promise);
    const copied = page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    const [begun] = notes();
    if (begun?.kind !== 'textReading') throw new Error('Nothing tells of the reading.');
    expect(begun.part).toBeNull();
    transport.emit({ type: 'reading', reading: begun.reading, part: 0.4 });
    transport.emit({ type: 'reading', reading: 'another-reading', part: 0.9 });
    expect(notes()).toEqual([{ ...begun, part: 0.4 }]);
    reply.resolve(read);
    await copied;
    expect(clipboard.text).toBe('Order ready');
    expect(notes()).toEqual([{ kind: 'textRead', content: read, copied: 'yes' }]);
  });

  it('is copied by the host where the page has no clipboard, or is refused it', async () => {
    transport.answer('vision.readItem', () => read);
    for (const who of ['host', 'both'] as const) {
      owner(who);
      clipboard.isOpen = false;
      await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
      expect(transport.calls.at(-1)).toEqual({ command: 'vision.copy', input: { text: 'Order ready' } });
      expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'yes' }]);
    }
    transport.failNext('vision.copy', failure('APP_FAILED', 'locked'));
    await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'waits' }]);
  });

  it('waits for the next click where the browser refuses it', async () => {
    transport.answer('vision.readItem', () => read);
    clipboard.isOpen = false;
    await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'waits' }]);
    clipboard.isOpen = true;
    await comeBack();
    expect(clipboard.text).toBe('Order ready');
    expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'yes' }]);
  });

  it('waits in place of an older one that was refused, too', async () => {
    clipboard.isOpen = false;
    for (const text of ['Order ready', 'Another order']) {
      transport.answer('vision.readItem', () => ({ ...read, text }));
      await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
      expect(notes()).toMatchObject([{ kind: 'textRead', content: { text }, copied: 'waits' }]);
    }
  });

  it('leaves the clipboard alone where there is none, or where it cannot be read', async () => {
    transport.answer('vision.readItem', () => ({ ...read, text: '' }));
    await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    expect(notes()).toMatchObject([{ kind: 'textRead', content: { text: '' } }]);
    transport.failNext('vision.readItem', failure('IMAGE_UNREADABLE', 'damaged'));
    await page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    expect(notes()).toMatchObject([{ kind: 'failure', failure: { code: 'IMAGE_UNREADABLE' } }]);
    expect(clipboard.text).toBeNull();
  });

  it('that is stopped or replaced by a newer one is not shown', async () => {
    const first = Promise.withResolvers<typeof read>();
    transport.answer('vision.readItem', () => first.promise);
    const replaced = page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    transport.answer('vision.readItem', () => read);
    await page.pictureText.copyFrom({ from: 'item', id: itemId(2) });
    expect(stopped()).toHaveLength(1);
    first.resolve({ ...read, text: 'Too late' });
    await replaced;
    expect(clipboard.text).toBe('Order ready');
    expect(notes()).toMatchObject([{ kind: 'textRead', content: read }]);

    transport.answer('vision.readItem', () => first.promise);
    void page.pictureText.copyFrom({ from: 'item', id: itemId(3) });
    const reading = notes().find((note) => note.kind === 'textReading');
    page.pictureText.stop(reading?.reading ?? '');
    expect(notes()).toEqual([]);
    expect(stopped().at(-1)?.input).toEqual({ reading: reading?.reading });
  });

  it('of a file that the page made is passed to the host first', async () => {
    const made = file('edited.png');
    const copied = page.pictureText.copyFrom({ from: 'file', file: async () => made });
    await eventually(() => expect(transport.offers).toHaveLength(1));
    transport.offers[0]?.settle(ok(token('edited')));
    await copied;
    const [sent] = transport.calls.filter(({ command }) => command === 'vision.readFile');
    expect(sent?.input).toMatchObject({ token: token('edited') });
  });

  it('of a capture is shown by the page that follows, which copies what the host could not', async () => {
    const found = { state: 'read', content: read, copied: false } as const;
    transport.emit({ type: 'captureText', id, found });
    expect(notes()).toEqual([]);
    const stop = page.pictureText.follow();
    transport.emit({ type: 'captureText', id, found: { state: 'reading' } });
    expect(notes()).toMatchObject([{ kind: 'textReading', reading: id }]);
    transport.emit({ type: 'captureText', id, found });
    await eventually(() => expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'yes' }]));
    expect(clipboard.text).toBe('Order ready');
    clipboard.text = null;
    transport.emit({ type: 'captureText', id, found: { ...found, copied: true } });
    await eventually(() => expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'yes' }]));
    expect(clipboard.text).toBeNull();
    stop();
  });

  it('of a capture is no longer waited for where the host was out of reach, which may have read it meanwhile', async () => {
    const stop = page.pictureText.follow();
    const outage = () => {
      transport.setLink('down');
      transport.setLink('up');
    };
    transport.emit({ type: 'captureText', id, found: { state: 'reading' } });
    outage();
    expect(notes()).toEqual([]);
    // It is still being read.
    transport.emit({ type: 'captureText', id, found: { state: 'read', content: read, copied: true } });
    await eventually(() => expect(notes()).toMatchObject([{ kind: 'textRead', copied: 'yes' }]));
    // The page's own reading has an answer.
    const reply = Promise.withResolvers<typeof read>();
    transport.answer('vision.readItem', () => reply.promise);
    const copied = page.pictureText.copyFrom({ from: 'item', id: itemId(1) });
    outage();
    expect(notes()).toMatchObject([{ kind: 'textReading' }]);
    reply.resolve(read);
    await copied;
    stop();
  });
});

describe('intake', () => {
  const offers = () => page.pendingFiles.store.getState().pending;
  const added = () => transport.calls.filter(({ command }) => command === 'queue.add').map(({ input }) => input);

  it('sends two files at a time and queues each as soon as it was received', async () => {
    page.pendingFiles.add([file('a.png'), file('b.png'), file('c.png')]);
    expect(transport.offers.map((offer) => offer.file.name)).toEqual(['a.png', 'b.png']);
    transport.offers[1]?.settle(ok(token('b')));
    await eventually(() => expect(transport.offers.map((offer) => offer.file.name)).toEqual(['a.png', 'c.png']));
    expect(added()).toEqual([{ tokens: [token('b')] }]);
    expect(offers().map(({ name }) => name)).toEqual(['a.png', 'c.png']);
  });

  it('makes notes of files of text, whatever the browser takes their names for, and of nothing else', async () => {
    const named = (name: string, bytes: BlobPart, type = '') => new File([bytes], name, { type });
    const noted = () => transport.calls.filter(({ command }) => command === 'note.addFiles').map(({ input }) => input);
    const texts = [
      named('notes.txt', 'Привет, мир', 'text/plain'),
      named('main.ts', 'export const a = 1;', 'video/mp2t'),
      named('wide.txt', new Uint8Array([0xff, 0xfe, 0x41, 0x00])),
      // Its last character is cut where the look ends.
      named('long.md', `${'a'.repeat(65_535)}ы`),
    ];
    const others = [
      named('drawing.svg', '<svg/>', 'image/svg+xml'),
      named('report.pdf', '%PDF-1.7\n', 'application/pdf'),
      named('program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0x00])),
      named('latin.txt', new Uint8Array([0x63, 0xe9]), 'text/plain'),
    ];
    page.pendingFiles.add([...texts, ...others]);
    for (const { name } of [...texts, ...others]) {
      const offer = () => transport.offers.find(({ file }) => file.name === name);
      await eventually(() => expect(offer()).toBeDefined());
      offer()?.settle(ok(token(name)));
    }
    await eventually(() => expect(offers()).toEqual([]));
    const tokensOf = (files: readonly File[]) => files.map(({ name }) => ({ tokens: [token(name)] }));
    expect(new Set(noted())).toEqual(new Set(tokensOf(texts)));
    expect(new Set(added())).toEqual(new Set(tokensOf(others)));
  });

  it('refuses a note from a file that looks like a secret, by its name or by a private key in it, and reports it', async () => {
    const key = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nb3BlbnNzaA==\n'].join(' ');
    const secrets = [
      new File(['TOKEN=1'], '.env', { type: 'text/plain' }),
      new File(['{}'], 'credentials.json', { type: 'application/json' }),
      new File([key], 'notes.txt', { type: 'text/plain' }),
    ];
    page.pendingFiles.add(secrets);
    await eventually(() =>
      expect(offers().map((offer) => offer.failure?.code)).toEqual(Array(3).fill('SOURCE_SECRET')),
    );
    expect(transport.offers).toEqual([]);
    expect(transport.calls.filter(({ command }) => command === 'note.addFiles')).toEqual([]);
    expect(added()).toEqual([]);
  });

  it('forgets a cancelled file: its handing over is stopped and it is never queued', async () => {
    page.pendingFiles.add([file('a.png')]);
    const [offer] = transport.offers;
    page.pendingFiles.cancel(offers()[0]?.id ?? 0);
    expect(offer?.signal.aborted).toBe(true);
    offer?.settle(ok(token('a')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(offers()).toEqual([]);
    expect(added()).toEqual([]);
  });

  it('takes a file back that is cancelled when the host already queues it', async () => {
    const reply = Promise.withResolvers<{ ids: ItemId[] }>();
    for (const command of ['queue.add', 'note.addFiles'] as const) transport.answer(command, () => reply.promise);
    page.pendingFiles.add([file('a.png'), new File(['words'], 'a.txt')]);
    await eventually(() => expect(transport.offers).toHaveLength(2));
    for (const name of ['a.png', 'a.txt'])
      transport.offers.find((offer) => offer.file.name === name)?.settle(ok(token(name)));
    const queued = () =>
      transport.calls.filter(({ command }) => command === 'queue.add' || command === 'note.addFiles');
    await eventually(() => expect(queued()).toHaveLength(2));
    for (const { id } of offers()) page.pendingFiles.cancel(id);
    reply.resolve({ ids: [itemId(1)] });
    const cancelled = { command: 'queue.cancel', input: { ids: [itemId(1)] } };
    await eventually(() => expect(transport.calls.slice(-2)).toEqual([cancelled, cancelled]));
    expect(offers()).toEqual([]);
  });

  it('keeps a file that could not be taken, with the reason, and tries it again', async () => {
    page.pendingFiles.add([file('a.png')]);
    transport.offers[0]?.progress(3);
    transport.offers[0]?.settle(err(failure('DISK_FULL', 'ENOSPC')));
    await eventually(() => expect(offers()).toMatchObject([{ state: 'failed', failure: { code: 'DISK_FULL' } }]));
    page.pendingFiles.retry(offers()[0]?.id ?? 0);
    expect(offers()).toMatchObject([{ state: 'sending', sentBytes: 0, failure: null }]);
    transport.offers[0]?.settle(ok(token('a')));
    await eventually(() => expect(offers()).toEqual([]));
    expect(added()).toHaveLength(1);
  });
});

describe('a folder', () => {
  const folder = () => page.folders.store.getState().folders[0];
  const shown = () => page.view.store.getState().shown;
  const waiting = async (): Promise<void> => {
    transport.answer('folder.preview', () => makeFolderPreview());
    const added = page.folders.addNamed([file('parser')]);
    transport.offers[0]?.settle(ok(token('parser')));
    await added;
    await eventually(() => expect(folder()?.state).toBe('ready'));
  };
  /** Its sharing waits for the host until `meanwhile` has run. */
  const sharedLate = async (meanwhile: () => void): Promise<void> => {
    await waiting();
    const reply = Promise.withResolvers<{ ids: ItemId[] }>();
    transport.answer('queue.add', () => reply.promise);
    const sharing = page.folders.share(token('parser'));
    await eventually(() => expect(transport.calls.at(-1)?.command).toBe('queue.add'));
    meanwhile();
    reply.resolve({ ids: [itemId(1)] });
    await sharing;
  };
  const stoppedLate = () => sharedLate(() => page.folders.stopSharing(token('parser')));

  it('is taken back when it is stopped while the host already queues it', async () => {
    await stoppedLate();
    expect(transport.calls.at(-1)).toEqual({ command: 'queue.cancel', input: { ids: [itemId(1)] } });
  });

  it('that is stopped stays, and nothing has failed: it can be shared again', async () => {
    await stoppedLate();
    expect(folder()).toMatchObject({ state: 'ready', failure: null });
    expect(transport.calls).toContainEqual({ command: 'folder.putBack', input: { token: token('parser') } });
  });

  it('is shared with the title and link that were chosen, also after it was scanned again', async () => {
    await waiting();
    page.folders.setLink(token('parser'), { link: { visibility: 'private' } });
    page.folders.setLink(token('parser'), { title: ' Parser of Friday ' });
    page.folders.rescan(token('parser'));
    await eventually(() => expect(folder()?.state).toBe('ready'));
    await page.folders.share(token('parser'));
    const share = { title: 'Parser of Friday', visibility: 'private' };
    expect(transport.calls.at(-1)).toMatchObject({ command: 'queue.add', input: { share } });
  });

  it('that is queued late leaves alone what the user has begun meanwhile', async () => {
    await sharedLate(() => page.view.open({ screen: 'note', id: null }));
    expect(folder()).toBeUndefined();
    expect(shown()).toEqual({ screen: 'note', id: null });
  });

  it('that is queued while its screen is shown leads to the queue', async () => {
    await sharedLate(() => {});
    expect(shown()).toEqual({ screen: 'home' });
  });

  it('that the host resolves late waits, and leaves alone what the user has begun meanwhile', async () => {
    transport.answer('folder.preview', () => makeFolderPreview());
    const added = page.folders.addNamed([file('parser')]);
    page.view.open({ screen: 'note', id: null });
    transport.offers[0]?.settle(ok(token('parser')));
    await added;
    expect(folder()).toMatchObject({ token: token('parser') });
    expect(shown()).toEqual({ screen: 'note', id: null });
  });
});

describe('what is chosen for a recording in review', () => {
  it('stays until the recording is published or discarded, and is not chosen for the next one', () => {
    const recording = makeReview();
    transport.set({ recording });
    page.review.choose(recording.id, { range: { startMs: 1_000, endMs: 10_000 } });
    page.review.choose(recording.id, { link: { visibility: 'private' } });
    transport.set({ notices: [] });
    const chosen = { range: { startMs: 1_000, endMs: 10_000 }, link: { visibility: 'private' } };
    expect(page.review.store.getState()).toMatchObject({ id: recording.id, chosen });
    transport.set({ recording: null });
    expect(page.review.store.getState()).toEqual({ id: null, chosen: {}, failure: null });
    page.review.choose(recording.id, { title: 'first' });
    const next = 'another-one' as RecordingId;
    page.review.choose(next, { form: 'loop' });
    expect(page.review.store.getState()).toEqual({ id: next, chosen: { form: 'loop' }, failure: null });
  });
});

describe('a recording in review', () => {
  const { id } = makeReview();
  const queued = failure('CAPTURE_GONE', 'queued', { params: { place: 'queue' } });
  const failures = () =>
    page.toasts.store.getState().toasts.flatMap(({ note }) => (note.kind === 'failure' ? [note.failure] : []));

  it('that another page has published differently says so after its review has closed', async () => {
    transport.set({ recording: makeReview() });
    transport.failNext('recording.publish', queued);
    await page.review.publish(id, { startMs: 0, endMs: null, form: 'video' }, {});
    expect(page.review.store.getState().failure).toBeNull();
    transport.set({ recording: null });
    expect(failures()).toEqual([queued]);
  });

  it('that another page has published says so to whoever makes an animated image of it', async () => {
    transport.set({ recording: makeReview() });
    transport.failNext('animation.publish', queued);
    const options = { format: 'webp', fps: 15, width: 800, plays: 0, startMs: 0, endMs: null } as const;
    page.animatedImage.predict(id, options);
    const publishing = page.animatedImage.publish(id, options, {});
    page.animatedImage.forget();
    await publishing;
    expect(failures()).toEqual([queued]);
  });
});

describe('an animated image', () => {
  it('is predicted after all where its making is cancelled before', async () => {
    const predicted = { format: 'webp', width: 800, height: 450, frames: 150, bytes: 1_500_000 } as const;
    transport.answer('animation.predict', () => predicted);
    transport.failNext('animation.save', failure('CANCELLED', 'cancelled'));
    const options = { format: 'webp', fps: 15, width: 800, plays: 0, startMs: 0, endMs: null } as const;
    page.animatedImage.predict('a-recording' as RecordingId, options);
    await page.animatedImage.save('a-recording' as RecordingId, options);
    expect(page.animatedImage.store.getState()).toMatchObject({ predicted, failure: null, part: null });
  });

  const options = { format: 'webp', fps: 15, width: 800, plays: 0, startMs: 0, endMs: null } as const;
  const image = () => page.animatedImage.store.getState();
  /** One that is being saved while its choices are left. */
  const left = async () => {
    const saved = Promise.withResolvers<{ savedTo: string }>();
    transport.answer('animation.save', () => saved.promise);
    page.animatedImage.predict('a-recording' as RecordingId, options);
    const saving = page.animatedImage.save('a-recording' as RecordingId, options);
    page.animatedImage.forget();
    return { saved, saving };
  };

  it('counts as being made until the host has ended it, also when its choices are left', async () => {
    const { saved, saving } = await left();
    transport.emit({ type: 'animating', part: 0.5 });
    expect(image().part).toBe(0.5);
    saved.resolve({ savedTo: '/home/mira/demo.webp' });
    await saving;
    expect(image()).toEqual({ predicted: null, failure: null, part: null, savedTo: null });
  });

  it('does not tell its end to the recording that is shown by then', async () => {
    const predicted = { format: 'webp', width: 800, height: 450, frames: 150, bytes: 1_500_000 } as const;
    transport.answer('animation.predict', () => predicted);
    const { saved, saving } = await left();
    page.animatedImage.predict('another' as RecordingId, options);
    saved.resolve({ savedTo: '/home/mira/demo.webp' });
    await saving;
    expect(image()).toEqual({ predicted, failure: null, part: null, savedTo: null });
  });

  it('tells its end where the choices of its recording are shown again', async () => {
    const { saved, saving } = await left();
    page.animatedImage.predict('a-recording' as RecordingId, options);
    saved.resolve({ savedTo: '/home/mira/demo.webp' });
    await saving;
    expect(image()).toMatchObject({ part: null, savedTo: '/home/mira/demo.webp' });
  });
});

describe('a video that has to be made to fit', () => {
  const offers = () => page.pendingFiles.store.getState().pending;
  const added = () => transport.calls.filter(({ command }) => command === 'queue.add').map(({ input }) => input);
  const video = (name: string, type = 'video/mp4') => new File(['x'], name, { type });
  const before = { width: 1920, height: 1080, fps: 60, seconds: 9, hasAudio: true, size: 45_000_000 };
  const becomes = (way: 'remux' | 'encode') =>
    transport.answer('fit.preview', ({ fit }) => ({
      kind: 'video',
      video: {
        ...{ way, before, secondsNeeded: 40, reasons: ['SIZE'], losses: [] },
        after: { ...before, size: fit === 'smaller' ? 9_000_000 : 22_000_000 },
      },
    }));
  const drop = async (...files: File[]) => {
    page.pendingFiles.add(files);
    for (const { name } of files) {
      await eventually(() => expect(transport.offers.map((offer) => offer.file.name)).toContain(name));
      transport.offers.find((offer) => offer.file.name === name)?.settle(ok(token(name)));
    }
  };

  it('waits for the user, who sees the cost of each choice, and delays nothing else', async () => {
    becomes('encode');
    await drop(video('a.mov'), video('b.mov'), video('c.mov'), file('d.png'));
    await eventually(() => expect(added()).toEqual([{ tokens: [token('d.png')] }]));
    const waiting = [{ name: 'a.mov', state: 'asking', fit: 'balanced' }, { name: 'b.mov' }, { name: 'c.mov' }];
    await eventually(() => expect(offers()).toMatchObject(waiting));
    const id = offers()[0]?.id ?? 0;
    const made = (size: number) => ({ is: 'made', fitting: { after: { size } } });
    expect(offers()[0]?.previews).toMatchObject({ balanced: made(22_000_000) });
    page.pendingFiles.choose(id, 'smaller');
    expect(offers()[0]).toMatchObject({ state: 'asking', fit: 'smaller' });
    await eventually(() => expect(offers()[0]?.previews).toMatchObject({ smaller: made(9_000_000) }));
    await eventually(() => expect(Object.keys(offers()[0]?.previews ?? {})).toHaveLength(4));
    page.pendingFiles.accept(id);
    await eventually(() => expect(added()).toContainEqual({ tokens: [token('a.mov')], fit: 'smaller' }));
    await eventually(() => expect(offers().map(({ name }) => name)).toEqual(['b.mov', 'c.mov']));
  });

  it('is not shared when the user declines', async () => {
    becomes('encode');
    await drop(video('a.mov'));
    await eventually(() => expect(offers()[0]?.state).toBe('asking'));
    page.pendingFiles.cancel(offers()[0]?.id ?? 0);
    expect(offers()).toEqual([]);
    expect(added()).toEqual([]);
  });

  it('is decided about once for all videos, also for those that are still being looked at', async () => {
    becomes('encode');
    page.pendingFiles.add([video('a.mov'), video('b.mov'), file('c.png')]);
    transport.offers[0]?.settle(ok(token('a.mov')));
    await eventually(() => expect(offers()[0]?.state).toBe('asking'));
    page.pendingFiles.acceptAll('sharper');
    await eventually(() => expect(added()).toEqual([{ tokens: [token('a.mov')], fit: 'sharper' }]));
    await eventually(() => expect(transport.offers.map((offer) => offer.file.name)).toEqual(['b.mov', 'c.png']));
    transport.offers[1]?.settle(ok(token('c.png')));
    transport.offers[0]?.settle(ok(token('b.mov')));
    await eventually(() => expect(added()).toContainEqual({ tokens: [token('b.mov')], fit: 'sharper' }));
    await eventually(() => expect(added()).toContainEqual({ tokens: [token('c.png')] }));
    await eventually(() => expect(offers()).toEqual([]));
  });

  it('is asked about only if that is wanted, and only where pictures are encoded', async () => {
    becomes('remux');
    await drop(video('a.mov'));
    await eventually(() => expect(added()).toEqual([{ tokens: [token('a.mov')] }]));
    becomes('encode');
    transport.set({ settings: { ...transport.state().settings, askBeforeFit: false } });
    await drop(video('b.mov'));
    await eventually(() => expect(added()).toHaveLength(2));
  });

  it('is queued without a question when its conversion cannot be previewed', async () => {
    transport.failNext('fit.preview', failure('VIDEO_TOOL_MISSING', 'no ffmpeg'));
    await drop(video('a.mov'));
    await eventually(() => expect(added()).toEqual([{ tokens: [token('a.mov')] }]));
  });
});

describe('links', () => {
  it('are copied by the page where the host cannot, and only if that is wanted', async () => {
    transport.emit(linked);
    await eventually(() => expect(notes()).toEqual([{ kind: 'linkCopied', id: itemId(1), name: 'a.png' }]));
    expect(clipboard.text).toBe(linked.text);

    clipboard.text = null;
    transport.set({ effective: { ...transport.state().effective, copyLink: false } });
    transport.emit(linked);
    await eventually(() => expect(notes()).toContainEqual({ kind: 'linkReady', id: itemId(1), name: 'a.png', url }));
    expect(clipboard.text).toBeNull();
  });

  const waits = { kind: 'linkWaits', id: itemId(1), name: 'a.png', url, isLeft: false };

  it('wait for the next click where the browser refuses, and no older link is reported as copied', async () => {
    transport.emit({ ...linked, id: itemId(2), name: 'before.png', text: 'https://share.example.com/s/before' });
    await eventually(() => expect(notes()).toEqual([{ kind: 'linkCopied', id: itemId(2), name: 'before.png' }]));
    clipboard.isOpen = false;
    transport.emit(linked);
    await eventually(() => expect(notes()).toEqual([waits]));
    await comeBack();
    expect(notes()).toEqual([waits]);
    clipboard.isOpen = true;
    await comeBack();
    expect(clipboard.text).toBe(linked.text);
    expect(notes()).toEqual([{ kind: 'linkCopied', id: itemId(1), name: 'a.png' }]);
  });

  it('that another page has copied do not wait, and other pages are told of those that are copied here', async () => {
    clipboard.isOpen = false;
    copiedElsewhere.add(linked.id);
    transport.emit(linked);
    transport.emit({ ...linked, id: itemId(2), name: 'b.png', text: 'b' });
    await eventually(() => expect(notes()).toEqual([{ ...waits, id: itemId(2), name: 'b.png' }]));
    expect(told).toEqual([]);
    clipboard.isOpen = true;
    await comeBack();
    expect(told).toEqual([itemId(2)]);
  });

  it('wait in place of an older one that waits, too', async () => {
    clipboard.isOpen = false;
    transport.emit(linked);
    await eventually(() => expect(notes()).toEqual([waits]));
    transport.emit({ ...linked, id: itemId(2), name: 'b.png', text: 'b' });
    await eventually(() => expect(notes()).toEqual([{ ...waits, id: itemId(2), name: 'b.png' }]));
  });

  it('wait no longer when the user copies something else', async () => {
    clipboard.isOpen = false;
    transport.emit(linked);
    await eventually(() => expect(notes()).toEqual([waits]));
    copyOther();
    expect(notes()).toEqual([]);
  });

  it('wait for the button of their message once the user has left the window', async () => {
    clipboard.isOpen = false;
    transport.emit(linked);
    await eventually(() => expect(notes()).toEqual([waits]));
    leave();
    expect(notes()).toEqual([{ ...waits, isLeft: true }]);
  });

  it('that are copied by a button end the message that another one is on the clipboard', async () => {
    transport.emit(linked);
    const isShown = () => eventually(() => expect(notes()).toMatchObject([{ kind: 'linkCopied' }]));
    await isShown();
    await page.links.copy(itemId(2), 'https://share.example.com/s/c2');
    expect(notes()).toEqual([]);
    transport.emit(linked);
    await isShown();
    await page.links.copyAs(itemId(2), 'html', '<a>');
    expect(notes()).toEqual([]);
    transport.emit(linked);
    await isShown();
    transport.answer('link.format', () => ({ text: 'all of them' }));
    await page.links.copyAll([linked.id]);
    expect(notes()).toEqual([{ kind: 'linksCopied', count: 1 }]);
    transport.emit(linked);
    await isShown();
    clipboard.isOpen = false;
    await page.links.copy(itemId(2), 'https://share.example.com/s/c2');
    expect(notes()).toMatchObject([{ kind: 'linkCopied' }, { kind: 'copyRefused' }]);
  });

  it('are copied by the page in the format that the user has chosen', async () => {
    expect(await page.links.copy(linked.id, url)).toBe(true);
    expect(clipboard.text).toBe(url);
    transport.set({ settings: { ...transport.state().settings, linkFormat: 'markdown' } });
    transport.answer('link.format', () => ({ text: linked.text }));
    expect(await page.links.copy(linked.id, url)).toBe(true);
    expect(clipboard.text).toBe(linked.text);
  });

  it('are copied by a host on the same desktop, and by the page where that fails', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    transport.set({ capabilities: { ...makeState().capabilities, clipboard: 'both' } });
    transport.emit(linked);
    transport.set({ queue: { items: [makeItem('linked', 1)], live: {}, paused: false } });
    await eventually(() => expect(notes()).toEqual([{ kind: 'linkCopied', id: itemId(1), name: 'a.png' }]));
    expect(clipboard.text).toBeNull();
    transport.emit({ ...linked, id: itemId(2), name: 'b.png', text: 'b' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clipboard.text).toBe('b');
  });

  it('are copied by such a host when the browser refuses a click', async () => {
    transport.set({ capabilities: { ...makeState().capabilities, clipboard: 'both' } });
    clipboard.isOpen = false;
    expect(await page.links.copy(linked.id, url)).toBe(true);
    expect(transport.calls.at(-1)).toEqual({ command: 'link.copy', input: { id: linked.id } });
    transport.answer('link.format', () => ({ text: 'all of them' }));
    await page.links.copyAll([linked.id]);
    expect(transport.calls.at(-1)).toEqual({
      command: 'link.format',
      input: { ids: [linked.id], to: 'clipboard' },
    });
    expect(notes()).toEqual([{ kind: 'linksCopied', count: 1 }]);
  });

  it('are given to the clipboard as a promise while their text is not known, because the click ends before', async () => {
    let given: unknown;
    clipboard.write = async (text) => {
      given = text;
      return true;
    };
    transport.answer('link.format', () => ({ text: 'all of them' }));
    await page.links.copyAll([linked.id]);
    expect(given).toBeInstanceOf(Promise);
    expect(await given).toBe('all of them');
    transport.set({ settings: { ...transport.state().settings, linkFormat: 'markdown' } });
    await page.links.copy(linked.id, url);
    expect(given).toBeInstanceOf(Promise);
  });

  it('that became ready while the host was out of reach are announced when it is back, and an old one is not copied', async () => {
    const queued = (...items: readonly QueueItem[]) =>
      transport.set({ queue: { ...transport.state().queue, items: [...items] } });
    const items = [4, 3, 2].map((number) => makeItem('linked', number, { linkedAt: NOON - number, deliveredAt: null }));
    const [old, ready, newest] = items as [(typeof items)[0], (typeof items)[0], (typeof items)[0]];
    queued(makeItem('linked', 1), makeItem('started', 2));
    transport.emit({ ...linked, id: ready.id, name: ready.name });
    await eventually(() => expect(notes()).toMatchObject([{ kind: 'linkCopied', id: ready.id }]));
    clipboard.text = null;
    transport.setLink('down');
    queued(makeItem('linked', 1), newest, ready, makeItem('linked', 7, { intent: 'cancel' }));
    transport.setLink('up');
    await eventually(() => expect(notes()).toMatchObject([{ kind: 'linkCopied', id: newest.id }]));
    expect(clipboard.text).toBe(newest.content.url);
    clipboard.text = 'copied by the user since';
    for (const copyLink of [true, false]) {
      transport.set({ effective: { ...transport.state().effective, copyLink } });
      const late = { ...old, id: itemId(copyLink ? 5 : 6), linkedAt: NOON - 301_000 };
      transport.setLink('down');
      queued(newest, late);
      transport.setLink('up');
      const shown = copyLink ? { kind: 'linkWaits', isLeft: true } : { kind: 'linkReady' };
      await eventually(() => expect(notes()).toContainEqual(expect.objectContaining({ ...shown, id: late.id })));
    }
    expect(clipboard.text).toBe('copied by the user since');
  });

  it('are left to a host that reaches the clipboard', async () => {
    transport.set({ capabilities: { ...makeState().capabilities, clipboard: 'host' } });
    transport.emit(linked);
    expect(notes()).toEqual([]);
    transport.set({ queue: { items: [makeItem('linked', 1)], live: {}, paused: false } });
    await eventually(() => expect(notes()).toEqual([{ kind: 'linkCopied', id: itemId(1), name: 'a.png' }]));
    expect(await page.links.copy(linked.id, linked.url)).toBe(true);
    expect(clipboard.text).toBeNull();
    expect(transport.calls.at(-1)).toEqual({ command: 'link.copy', input: { id: linked.id } });
  });
});

describe('engine', () => {
  it('shows a chosen setting at once and takes it back if it was not stored', async () => {
    transport.failNext('settings.update', failure('DISK_FULL', 'ENOSPC'));
    const updating = page.engine.updateSettings({ theme: 'dark' });
    expect(page.engine.store.getState().app?.settings.theme).toBe('dark');
    expect(await updating).toBe(false);
    expect(page.engine.store.getState().app?.settings.theme).toBe('system');
    expect(notes()).toMatchObject([{ kind: 'failure', failure: { code: 'DISK_FULL' } }]);
  });

  it('keeps newer choices while an older one is being stored', async () => {
    const before = transport.state().settings;
    const reply = Promise.withResolvers<Settings>();
    transport.answer('settings.update', () => reply.promise);
    const older = page.engine.updateSettings({ theme: 'dark', askBeforeFit: !before.askBeforeFit });
    transport.failNext('settings.update', failure('DISK_FULL', 'ENOSPC'));
    expect(await page.engine.updateSettings({ stripMetadata: !before.stripMetadata })).toBe(false);
    transport.answer('settings.update', () => new Promise(() => {}));
    void page.engine.updateSettings({ theme: 'light', findInPictures: !before.findInPictures });
    reply.resolve({ ...before, theme: 'dark', askBeforeFit: !before.askBeforeFit });
    expect(await older).toBe(true);
    expect(page.engine.store.getState().app?.settings).toEqual({
      ...before,
      ...{ theme: 'light', askBeforeFit: !before.askBeforeFit, findInPictures: !before.findInPictures },
    });
  });

  it('explains why there is nothing to show, until there is', async () => {
    const silent = createPageTransportDouble();
    const other = createAppStores({ transport: silent, clipboard, now: () => NOON });
    silent.failNext('app.state', failure('APP_FAILED', 'no answer'));
    await other.engine.start();
    expect(other.engine.store.getState()).toMatchObject({ app: null, failure: { code: 'APP_FAILED' } });
    silent.set({});
    expect(other.engine.store.getState()).toMatchObject({ failure: null, app: { version: '0.1.0' } });
  });
});

describe('the error list', () => {
  it('sends an error once that was waiting for the host when the host comes back', async () => {
    const back = Promise.withResolvers<void>();
    let onLink: (link: HostConnectionState) => void = () => {};
    const noted: Failure[] = [];
    const list = createErrorList({
      now: () => NOON,
      transport: {
        on: transport.on,
        onLink: (listener) => {
          onLink = listener;
          return () => {};
        },
        // Waits for the link, as the transport of a browser does.
        call: async (command, input) => {
          if (command === 'problem.note') {
            await back.promise;
            noted.push((input as { failure: Failure }).failure);
          }
          return ok({ problems: [] }) as never;
        },
      },
    });
    const full = failure('DISK_FULL', 'ENOSPC');
    list.add(full);
    onLink('up');
    await new Promise((resolve) => setImmediate(resolve));
    back.resolve();
    await eventually(() => expect(list.store.getState().unsent).toEqual([]));
    expect(noted).toEqual([full]);
  });
});

describe('library', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const state = () => page.library.store.getState();

  it('asks once after a pause in typing', async () => {
    for (const text of ['s', 'sh', 'sho']) page.library.search(text);
    await vi.advanceTimersByTimeAsync(200);
    expect(transport.calls.filter(({ command }) => command === 'library.search')).toEqual([
      { command: 'library.search', input: { text: 'sho', sort: 'newest', limit: 200 } },
    ]);
  });

  it('shows the answer to the newest question, however late an older one comes', async () => {
    const answers: ((items: number[]) => void)[] = [];
    transport.call = async () =>
      new Promise((resolve) => {
        answers.push((numbers) =>
          resolve(
            ok({
              items: numbers.map((number) => makeLibraryItem(number)),
              nextCursor: null,
              total: numbers.length,
            } as never),
          ),
        );
      });
    page.library.search('old');
    await vi.advanceTimersByTimeAsync(200);
    page.library.search('new');
    await vi.advanceTimersByTimeAsync(200);
    answers[1]?.([2]);
    await vi.advanceTimersByTimeAsync(0);
    answers[0]?.([1]);
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({ answered: { text: 'new' }, total: 1, items: [{ id: itemId(2) }] });
  });

  it('is read once more where something is published while it is read for the first time', async () => {
    const first = page.library.load();
    transport.setLibrary([makeLibraryItem(1)]);
    transport.emit(linked);
    await first;
    await vi.advanceTimersByTimeAsync(0);
    expect(transport.calls.filter(({ command }) => command === 'library.search')).toHaveLength(2);
    expect(state()).toMatchObject({ total: 1, loading: 'no' });
  });

  it('adds page to page without showing an item twice', async () => {
    const all = Array.from({ length: 460 }, (_, number) => makeLibraryItem(number));
    transport.setLibrary(all);
    await page.library.load();
    // Something is published between two pages: everything moves on by one.
    transport.setLibrary([makeLibraryItem(99), ...all]);
    await page.library.loadMore();
    await page.library.loadMore();
    expect(new Set(state().items.map(({ id }) => id)).size).toBe(state().items.length);
    expect(state()).toMatchObject({ nextCursor: null, loading: 'no' });
    expect(state().items).toHaveLength(460);
  });

  it('keeps what it shows when the next page fails', async () => {
    transport.setLibrary(Array.from({ length: 460 }, (_, number) => makeLibraryItem(number)));
    await page.library.load();
    transport.failNext('library.search', failure('APP_FAILED', 'gone'));
    await page.library.loadMore();
    expect(state()).toMatchObject({ loading: 'no', failure: { code: 'APP_FAILED' } });
    expect(state().items).toHaveLength(200);
  });

  it('narrows by filters, and forgets them all at once but for the order', async () => {
    transport.setLibrary([makeLibraryItem(1), makeLibraryItem(2, { type: 'VIDEO' })]);
    page.library.narrow({ kind: 'VIDEO', visibility: 'public', state: 'live', period: 'today', sort: 'largest' });
    await vi.advanceTimersByTimeAsync(0);
    expect(transport.calls.at(-1)?.input).toMatchObject({
      ...{ kinds: ['VIDEO'], visibility: 'public', state: 'live', sort: 'largest' },
      from: new Date(new Date(page.now()).setHours(0, 0, 0, 0)).getTime(),
    });
    expect(state().items.map(({ id }) => id)).toEqual([itemId(2)]);
    page.library.showAll();
    await vi.advanceTimersByTimeAsync(0);
    expect(transport.calls.at(-1)?.input).toEqual({ text: '', sort: 'largest', limit: 200 });
    expect(state().total).toBe(2);
  });

  it('selects one, a range, or all, and never hidden items', async () => {
    const chosen = () => [...state().selected].map((id) => Number(id.slice(-4))).toSorted((a, b) => a - b);
    transport.setLibrary(Array.from({ length: 9 }, (_, number) => makeLibraryItem(number)));
    await page.library.load();
    page.library.toggle(itemId(2), 'one');
    page.library.toggle(itemId(5), 'range');
    expect(chosen()).toEqual([2, 3, 4, 5]);
    page.library.toggle(itemId(3), 'one');
    expect(chosen()).toEqual([2, 4, 5]);
    transport.setLibrary([makeLibraryItem(4), makeLibraryItem(8)]);
    await page.library.load();
    expect(chosen()).toEqual([4]);
    await page.library.chooseAll();
    expect(chosen()).toEqual([4, 8]);
    page.library.clearSelection();
    expect(chosen()).toEqual([]);
  });

  it('deletes with an undo, and removes the deleted items from the selection', async () => {
    transport.setLibrary([makeLibraryItem(1), makeLibraryItem(2)]);
    await page.library.load();
    await page.library.chooseAll();
    const refused = failure('NOT_CONNECTED', 'offline');
    transport.answer('library.delete', () => ({
      answers: [
        { id: itemId(1), item: { ...makeLibraryItem(1), deletingAt: 9_000 }, failure: null },
        { id: itemId(2), item: makeLibraryItem(2), failure: refused },
      ],
    }));
    await page.removal.remove([itemId(1), itemId(2)]);
    expect(page.toasts.store.getState().toasts.map(({ note }) => note)).toEqual([
      { kind: 'failure', failure: refused },
      { kind: 'deleted', ids: [itemId(1)], until: 9_000 },
    ]);
    expect([...state().selected]).toEqual([itemId(2)]);
    transport.answer('library.undelete', () => ({ answers: [] }));
    await page.removal.undo([itemId(1)]);
    expect(transport.calls.at(-1)).toEqual({ command: 'library.undelete', input: { ids: [itemId(1)] } });
  });

  it('removes the message of a deletion that was undone elsewhere, and keeps that of one that is still pending', async () => {
    const deletion = () => page.toasts.store.getState().toasts.map(({ note }) => note);
    page.toasts.show({ kind: 'deleted', ids: [itemId(1), itemId(2)], until: 9_000 });
    transport.answer('library.undelete', () => ({ answers: [] }));
    await page.removal.undo([itemId(1)]);
    expect(deletion()).toEqual([{ kind: 'deleted', ids: [itemId(2)], until: 9_000 }]);
    await page.removal.extendUndo([itemId(2)]);
    expect(transport.calls.at(-1)).toMatchObject({ command: 'library.delete', input: { when: 'longer' } });
    await page.removal.undo([itemId(2)]);
    expect(deletion()).toEqual([]);
  });

  it('knows that a deletion can no longer be extended, but not while the host is out of reach', async () => {
    const answer = (number: number, deletingAt: number | null) => ({
      id: itemId(number),
      item: { ...makeLibraryItem(number), deletingAt },
      failure: null,
    });
    transport.answer('library.delete', () => ({ answers: [answer(1, NOON - 1), answer(2, NOON + 9)] }));
    expect(await page.removal.extendUndo([itemId(1), itemId(2)])).toBe(NOON + 9);
    transport.answer('library.delete', () => ({ answers: [answer(1, NOON - 1), answer(2, null)] }));
    expect(await page.removal.extendUndo([itemId(1), itemId(2)])).toBe('over');
    transport.answer('library.delete', () => ({ answers: [{ ...answer(1, null), item: null }] }));
    expect(await page.removal.extendUndo([itemId(1)])).toBe('over');
    transport.failNext('library.delete', failure('APP_FAILED', 'no link'));
    expect(await page.removal.extendUndo([itemId(1)])).toBe(null);
  });

  it('reports an undo that comes too late, and keeps the message of that deletion', async () => {
    page.toasts.show({ kind: 'deleted', ids: [itemId(1), itemId(2)], until: 9_000 });
    const late = failure('CONTENT_GONE', 'This item has already been deleted.');
    transport.answer('library.undelete', () => ({
      answers: [
        { id: itemId(1), item: makeLibraryItem(1), failure: null },
        { id: itemId(2), item: null, failure: late },
      ],
    }));
    await page.removal.undo([itemId(1), itemId(2)]);
    expect(page.toasts.store.getState().toasts.map(({ note }) => note)).toEqual([
      { kind: 'deleted', ids: [itemId(2)], until: 9_000 },
      { kind: 'failure', failure: late },
    ]);
  });

  it('reloads when something was published', async () => {
    await page.library.load();
    transport.setLibrary([makeLibraryItem(1)]);
    transport.emit(linked);
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({ total: 1 });
  });
});
