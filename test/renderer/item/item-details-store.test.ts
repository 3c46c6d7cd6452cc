/** The item page shows the local item immediately, refreshes it from the service, and follows later changes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failure } from '../../../src/api/errors.ts';
import { treeOf } from '../../../src/common/folder/file-tree.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import { closer, further, zoomOfKey } from '../../../src/renderer/screens/item/preview/zoom.ts';
import {
  createItemDetailsStore,
  type ItemDetailsStore,
} from '../../../src/renderer/stores/published/item-details-store.ts';
import { eventually } from '../../support/eventually.ts';
import { itemId, makeLibraryItem } from '../../support/window/app-state.ts';
import { createPageTransportDouble, type PageTransportDouble } from '../../support/window/page-transport.ts';

let transport: PageTransportDouble;
let opened: ItemDetailsStore;
const state = () => opened.store.getState();
const asked = () => transport.calls.filter(({ command }) => command === 'library.refresh').length;
const video = (mediaStatus: 'PROCESSING' | 'READY' | 'FAILED'): LibraryItem =>
  makeLibraryItem(1, { type: 'VIDEO', mediaStatus });

beforeEach(() => {
  vi.useFakeTimers();
  transport = createPageTransportDouble();
  opened = createItemDetailsStore({ transport });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the page of an item', () => {
  it('shows the stored state first, and then that of the service', async () => {
    const remembered = makeLibraryItem(1, { views: 1 });
    transport.setLibrary([remembered]);
    transport.answer('library.refresh', ({ ids: [id] }) => ({
      answers: [{ id: id as LibraryItem['id'], item: makeLibraryItem(1, { views: 7 }), failure: null }],
    }));
    const seen: (number | undefined)[] = [];
    opened.store.subscribe(({ item }) => seen.push(item?.content.views));
    await opened.open(remembered.id);
    expect(seen).toContain(1);
    expect(state()).toMatchObject({ phase: 'there', isRefreshing: false, item: { content: { views: 7 } } });
  });

  it('keeps the stored state where the service cannot be reached, and shows why', async () => {
    transport.setLibrary([makeLibraryItem(1)]);
    transport.failNext('library.refresh', failure('SERVER_UNREACHABLE', 'offline'));
    await opened.open(itemId(1));
    expect(state()).toMatchObject({ phase: 'there', item: { id: itemId(1) }, failure: { code: 'SERVER_UNREACHABLE' } });
  });

  it('does not request items that this profile does not know', async () => {
    await opened.open(itemId(9));
    expect([state().phase, asked()]).toEqual(['unknown', 0]);
  });

  it('shows that its item was removed meanwhile, and its last known state', async () => {
    transport.setLibrary([makeLibraryItem(1)]);
    await opened.open(itemId(1));
    transport.setLibrary([]);
    transport.emit({ type: 'library' });
    await eventually(() => expect(state()).toMatchObject({ phase: 'removed', item: { id: itemId(1) } }));
  });

  it('is not disturbed by answers for the page before it', async () => {
    transport.setLibrary([makeLibraryItem(1), makeLibraryItem(2)]);
    const first = opened.open(itemId(1));
    await Promise.all([first, opened.open(itemId(2))]);
    expect(state().item?.id).toBe(itemId(2));
    opened.close(itemId(1));
    expect(state().id).toBe(itemId(2));
    opened.close(itemId(2));
    expect([state().id, opened.takeLast(), opened.takeLast()]).toEqual([null, itemId(2), null]);
  });
});

describe('a video that the service prepares', () => {
  it('is asked for at a pace that slows down, until it is ready', async () => {
    transport.setLibrary([video('PROCESSING')]);
    await opened.open(itemId(1));
    const pauses: number[] = [];
    for (let looks = asked(); pauses.length < 7; looks = asked()) {
      let waited = 0;
      while (asked() === looks) {
        await vi.advanceTimersByTimeAsync(500);
        waited += 500;
      }
      pauses.push(waited);
    }
    expect(pauses).toEqual([1_000, 2_000, 3_000, 5_000, 10_000, 10_000, 10_000]);
    transport.setLibrary([video('READY')]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state().item?.content.mediaStatus).toBe('READY');
    const done = asked();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(done);
  });

  it('is asked for again after a failure, and no more once its page is left', async () => {
    transport.setLibrary([video('PROCESSING')]);
    await opened.open(itemId(1));
    transport.failNext('library.refresh', failure('NETWORK_FAILED', 'lost'));
    await vi.advanceTimersByTimeAsync(1_000);
    const failed = asked();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked()).toBe(failed + 1);
    opened.close(itemId(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(failed + 1);
  });

  it('is asked for no more once it was removed, also where it is removed while it is asked for', async () => {
    transport.setLibrary([video('PROCESSING')]);
    await opened.open(itemId(1));
    const reply = Promise.withResolvers<{ answers: [] }>();
    transport.answer('library.refresh', () => reply.promise);
    await vi.advanceTimersByTimeAsync(1_000);
    const before = asked();
    transport.setLibrary([]);
    transport.emit({ type: 'library' });
    await vi.advanceTimersByTimeAsync(0);
    expect(state().phase).toBe('removed');
    reply.resolve({ answers: [] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(before);
  });

  it('is asked for no more once its removal is known while nothing is asked', async () => {
    transport.setLibrary([video('PROCESSING')]);
    await opened.open(itemId(1));
    transport.setLibrary([]);
    transport.emit({ type: 'library' });
    const before = asked();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([state().phase, asked()]).toEqual(['removed', before]);
  });
});

describe('the files of a folder', () => {
  it('are a tree: folders first, joined where one contains only another, in natural order', () => {
    const files = ['b10.txt', 'b2.txt', 'src/main/java/A.java', 'src/main/java/B.java', 'docs/x.md', 'docs/y/z.md'].map(
      (path) => ({ path, size: 10 }),
    );
    const shape = (folder: ReturnType<typeof treeOf>): object => ({
      [`${folder.name} ${folder.size}`]: [...folder.folders.map(shape), ...folder.files.map(({ path }) => path)],
    });
    expect(shape(treeOf(files))).toEqual({
      ' 60': [
        { 'docs 20': [{ 'y 10': ['docs/y/z.md'] }, 'docs/x.md'] },
        { 'src/main/java 20': ['src/main/java/A.java', 'src/main/java/B.java'] },
        'b2.txt',
        'b10.txt',
      ],
    });
    expect(treeOf([])).toMatchObject({ size: 0, folders: [], files: [] });
  });
});

describe('the size of a picture', () => {
  it('zooms in steps from any value, and stays within the limits', () => {
    expect([0.37, 0.5, 1, 8].map(closer)).toEqual([0.5, 0.75, 1.5, 8]);
    expect([0.37, 0.5, 1, 0.1].map(further)).toEqual([0.25, 0.25, 0.75, 0.1]);
    expect(['+', '=', '-', '0', '1', 'x'].map(zoomOfKey)).toEqual(['closer', 'closer', 'further', 'fit', 1, null]);
  });
});
