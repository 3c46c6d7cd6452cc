/** Changes of a published item apply optimistically and are rolled back with the error if they fail. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { err, type Failure, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { CommandInput, CommandOutput } from '../../../src/ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import type { ItemChange } from '../../../src/ipc/protocol/link-settings.ts';
import { createAppStores } from '../../../src/renderer/stores/app-stores.ts';
import {
  bulkProgressOf,
  createOptimisticChanges,
  type FailedChange,
  type OptimisticChanges,
  withRequestedSettings,
} from '../../../src/renderer/stores/published/optimistic-changes.ts';
import { eventually } from '../../support/eventually.ts';
import { itemId, makeContent, makeLibraryItem, NOON } from '../../support/window/app-state.ts';
import { createPageTransportDouble } from '../../support/window/page-transport.ts';

type Answer = Result<CommandOutput<'library.update'>>;
interface Asked extends CommandInput<'library.update'> {
  readonly answer: (result: Answer) => void;
}

const offline = failure('SERVER_UNREACHABLE', 'no network');
const one = makeLibraryItem(1);
const two = makeLibraryItem(2);

let asked: Asked[];
let learnt: LibraryItem[];
let refusals: FailedChange[];
let changes: OptimisticChanges;

beforeEach(() => {
  asked = [];
  learnt = [];
  refusals = [];
  const call = (_: 'library.update', input: CommandInput<'library.update'>) =>
    new Promise<Answer>((answer) => asked.push({ ...input, answer }));
  const transport = { ...createPageTransportDouble(), call: call as never };
  changes = createOptimisticChanges({
    ...{ transport, now: () => NOON },
    applyItems: (items) => void learnt.push(...items),
    onFailed: (refusal) => void refusals.push(refusal),
  });
});

const shown = (item: LibraryItem) => changes.withPending(item, changes.store.getState().pending).content;
const answered = async (index: number, result: Answer) => {
  await eventually(() => expect(asked.length).toBeGreaterThan(index));
  asked[index]?.answer(result);
};
const done = (item: LibraryItem, wish: ItemChange): Answer =>
  ok({
    answers: [
      { id: item.id, item: { ...item, content: withRequestedSettings(item.content, wish, NOON) }, failure: null },
    ],
  });
const refused = (id: ItemId, item: LibraryItem, why: Failure): Answer => ok({ answers: [{ id, item, failure: why }] });

describe('a change', () => {
  it('shows before the service has replied, and then shows the reply', async () => {
    const made = changes.make([one.id], { visibility: 'public' });
    expect(shown(one).visibility).toBe('public');
    expect(shown(two).visibility).toBe('unlisted');
    await answered(0, done(one, { visibility: 'public' }));
    await made;
    expect(learnt.map(({ content }) => content.visibility)).toEqual(['public']);
    expect(changes.store.getState()).toEqual({ pending: [], failed: [] });
  });

  it('of some tags shows each item with its others', async () => {
    const tagged = { ...one, content: { ...one.content, tags: ['trip', 'old'] } };
    const wish = { addTags: ['New'], removeTags: ['old'] };
    const made = changes.make([one.id, two.id], wish);
    expect(shown(tagged).tags).toEqual(['trip', 'new']);
    expect(shown(two).tags).toEqual(['new']);
    await answered(0, done(tagged, wish));
    await made;
    expect(asked).toMatchObject([{ change: wish }]);
  });

  it('is rolled back with its reason when the service refuses, and can be retried unchanged', async () => {
    const made = changes.make([one.id], { oneTime: true });
    const why = failure('ONE_TIME_NOT_PUBLIC', 'public');
    await answered(0, refused(one.id, one, why));
    await made;
    expect(shown(one).oneTime).toBe(false);
    expect(refusals).toMatchObject([{ ids: [one.id], failure: why }]);
    const [refusal] = changes.store.getState().failed;
    const again = changes.retry(refusal as FailedChange);
    expect(changes.store.getState().failed).toEqual([]);
    expect(shown(one).oneTime).toBe(true);
    await answered(1, done(one, { oneTime: true }));
    await again;
    expect(asked.map(({ change }) => change)).toEqual([{ oneTime: true }, { oneTime: true }]);
  });

  it('is rolled back for all its items when the service cannot be reached', async () => {
    const made = changes.make([one.id, two.id], { ttl: 'day' });
    expect([one, two].map((item) => shown(item).expiresAt)).toEqual(Array(2).fill('2026-11-21T12:00:00.000Z'));
    await answered(0, err(offline));
    await made;
    expect([one, two].map((item) => shown(item).expiresAt)).toEqual([undefined, undefined]);
    expect(refusals).toMatchObject([{ ids: [one.id, two.id], failure: offline }]);
  });

  it('that opens a used link once more says that the link is private where it stays half done', async () => {
    const used = makeLibraryItem(3, { oneTime: true, consumedAt: '2026-11-20T11:00:00.000Z' });
    const made = changes.make([used.id], { rearm: 'unlisted' });
    expect(shown(used)).toMatchObject({ visibility: 'unlisted', oneTime: true, consumedAt: null });
    const half = { ...used, content: { ...used.content, oneTime: false, visibility: 'private' as const } };
    await answered(0, refused(used.id, half, offline));
    await made;
    expect(refusals).toMatchObject([{ update: { rearm: 'unlisted' }, outcome: 'private' }]);
    const again = changes.make([used.id], { rearm: 'unlisted' });
    await answered(1, refused(used.id, used, offline));
    await again;
    expect(refusals.at(-1)).toMatchObject({ outcome: 'unchanged' });
  });

  it('whose answer is lost are not said to have changed nothing', async () => {
    const item = makeLibraryItem(3);
    for (const code of ['NETWORK_FAILED', 'REPLY_TIMEOUT'] as const) {
      const made = changes.make([item.id], { visibility: 'private' });
      await answered(asked.length, refused(item.id, item, failure(code, 'lost')));
      await made;
      expect(refusals.at(-1)).toMatchObject({ outcome: 'unanswered', failure: { code } });
    }
  });

  it('of many items are sent in batches, and report their progress', async () => {
    const many = Array.from({ length: 60 }, (_, number) => makeLibraryItem(number));
    const made = changes.make(
      many.map(({ id }) => id),
      { visibility: 'private' },
    );
    const far = () => bulkProgressOf(changes.store.getState().pending);
    const answerAll = (index: number) =>
      answered(index, ok({ answers: (asked[index]?.ids ?? []).map((id) => ({ id, item: null, failure: null })) }));
    await eventually(() => expect(asked).toHaveLength(1));
    expect(far()).toEqual({ done: 0, total: 60 });
    await answerAll(0);
    await eventually(() => expect(asked).toHaveLength(2));
    expect(far()).toEqual({ done: 25, total: 60 });
    await answerAll(1);
    await eventually(() => expect(asked).toHaveLength(3));
    await answerAll(2);
    await made;
    expect(asked.flatMap(({ ids }) => ids)).toEqual(many.map(({ id }) => id));
    expect([far(), refusals]).toEqual([null, []]);
  });

  it('of unknown outcome are not reported as failed when the host disconnects', async () => {
    const many = Array.from({ length: 40 }, (_, number) => makeLibraryItem(number));
    const ids = many.map(({ id }) => id);
    const made = changes.make(ids, { visibility: 'private' });
    await eventually(() => expect(asked).toHaveLength(1));
    await answered(0, ok({ answers: (asked[0]?.ids ?? []).map((id) => ({ id, item: null, failure: null })) }));
    await answered(1, err(failure('APP_FAILED', 'lost')));
    await made;
    expect(refusals).toMatchObject([{ ids: ids.slice(25), outcome: 'unknown' }]);
  });

  it('of many is rolled back only for the refused items', async () => {
    const made = changes.make([one.id, two.id], { visibility: 'private' });
    const now = { ...one, content: { ...one.content, visibility: 'private' as const } };
    const answers = [
      { id: one.id, item: now, failure: null },
      { id: two.id, item: two, failure: offline },
    ];
    await answered(0, ok({ answers }));
    await made;
    expect(learnt.map(({ content }) => content.visibility)).toEqual(['private', 'unlisted']);
    expect(refusals).toMatchObject([{ ids: [two.id] }]);
  });
});

describe('several changes in a row', () => {
  it('are sent one after the other, and all of them show meanwhile', async () => {
    const all = [
      changes.make([one.id], { visibility: 'public' }),
      changes.make([one.id], { visibility: 'private', title: 'New' }),
      changes.make([one.id], { tags: ['a'] }),
    ];
    expect(shown(one)).toMatchObject({ visibility: 'private', title: 'New', tags: ['a'] });
    await eventually(() => expect(asked).toHaveLength(1));
    for (const index of [0, 1, 2]) {
      await answered(index, done(one, asked[index]?.change ?? {}));
      await all[index];
    }
    expect(asked.map(({ change }) => Object.keys(change))).toEqual([['visibility'], ['visibility', 'title'], ['tags']]);
  });

  it('lose nothing when one of them is refused: what came after it is still made', async () => {
    const first = changes.make([one.id], { visibility: 'public' });
    const second = changes.make([one.id], { title: 'Kept' });
    await answered(0, refused(one.id, one, offline));
    await first;
    expect(shown(one)).toMatchObject({ visibility: 'unlisted', title: 'Kept' });
    await answered(1, done(one, { title: 'Kept' }));
    await second;
    expect(refusals).toHaveLength(1);
    expect(learnt.at(-1)?.content.title).toBe('Kept');
  });

  it('go on after a bug in one of them', async () => {
    const broken = vi
      .fn()
      .mockRejectedValueOnce(new Error('bug'))
      .mockResolvedValueOnce(done(one, { title: 'b' }));
    changes = createOptimisticChanges({
      transport: { ...createPageTransportDouble(), call: broken as never },
      ...{ now: () => NOON, applyItems: () => {}, onFailed: () => {} },
    });
    const first = changes.make([one.id], { title: 'a' });
    const second = changes.make([one.id], { title: 'b' });
    await expect(first).rejects.toThrow('bug');
    await second;
    expect(broken).toHaveBeenCalledTimes(2);
    expect(changes.store.getState().pending).toEqual([]);
  });
});

describe('what a wish will make of an item', () => {
  const at = (wish: ItemChange, before = {}) => withRequestedSettings(makeContent(1, before), wish, NOON);

  it.each<[string, ItemChange, object, object]>([
    ['an empty title leaves the default to the service', { title: ' ' }, {}, { title: 'Shot 1' }],
    ['a week from now', { ttl: 'week' }, {}, { expiresAt: '2026-11-27T12:00:00.000Z' }],
    ['no end', { ttl: 'forever' }, { expiresAt: '2026-11-27T12:00:00.000Z' }, { expiresAt: null }],
    ['a password', { password: 'correct horse' }, {}, { passwordProtected: true }],
    ['no password', { password: '' }, { passwordProtected: true }, { passwordProtected: false }],
    ['one-time again', { oneTime: false }, { oneTime: true, consumedAt: 'x' }, { oneTime: false, consumedAt: null }],
    ['the same one-time', { oneTime: true }, { oneTime: true, consumedAt: 'x' }, { consumedAt: 'x' }],
    ['a limit that is used up', { viewLimit: 2 }, { views: 2 }, { viewLimitReachedAt: '2026-11-20T12:00:00.000Z' }],
    ['a higher limit', { viewLimit: 9 }, { views: 2, viewLimitReachedAt: 'x' }, { viewLimitReachedAt: null }],
    ['no limit', { viewLimit: null }, { viewLimit: 2, viewLimitReachedAt: 'x' }, { viewLimitReachedAt: null }],
  ])('%s', (_, wish, before, after) => expect(at(wish, before)).toMatchObject(after));
});

describe('a refusal', () => {
  it('is shown in a message only where nothing of the item is on the screen', async () => {
    const transport = createPageTransportDouble();
    const clipboard = {
      write: async () => true,
      read: async () => ({ pictures: [], text: null }),
      canWritePictures: true,
      hasFocus: () => true,
      writePicture: async () => true,
      writeLater: () => true,
      tellCopied: () => {},
    };
    const page = createAppStores({ transport, clipboard, now: () => NOON });
    const toasts = () => page.toasts.store.getState().toasts.length;
    for (const [shows, expected] of [
      [{ screen: 'library' }, 0],
      [{ screen: 'item', id: itemId(1) }, 0],
      [{ screen: 'item', id: itemId(2) }, 1],
    ] as const) {
      page.view.open(shows);
      transport.failNext('library.update', offline);
      await page.changes.make([itemId(1)], { title: 'x' });
      expect(toasts()).toBe(expected);
    }
  });
});
