/** A late reply never overwrites a change that was requested, or became known, after its request was sent. */
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import type { SecretStore } from '../../../src/engine/ports.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { fastClock, itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { read } from '../../support/server/items.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, openScene, publishNote, type Scene } from './library-scenario.ts';

const root = temporaryFolder('engine-overtaken');

/** Holds the first request of a kind, or its answer, until it is released. `reached`: it is being held. */
const holdFirst = (
  { proxy }: Scene,
  way: 'hold' | 'hold-answer',
  isIt: (request: { readonly method: string; readonly path: string }) => boolean,
) => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHeld = false;
  proxy.fault = (request) => {
    if (isHeld || !isIt(request)) return null;
    isHeld = true;
    return {
      do: way,
      // The proxy asks for it once there is something to hold.
      get until() {
        reached.resolve();
        return until;
      },
    };
  };
  return { reached: reached.promise, release };
};

const onServer = async ({ service }: Scene): Promise<string[]> =>
  (await queryData<{ id: string }>(service.data, 'SELECT id FROM content')).map(({ id }) => id);
const isList = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === 'GET' && /\/content(\?|$)/.test(path);
const titleOf = ({ engine }: Scene, id: ItemId) => must(engine.library.find({ link: id })).item?.content.title;

describe('a list of the service that was asked for before', () => {
  it('an item was changed leaves the item as it was changed', async () => {
    const scene = await openScene(root);
    const { id } = await publishNote(scene.engine, 'one\n');
    const list = holdFirst(scene, 'hold-answer', isList);
    const synced = scene.engine.library.sync({}, soon());
    await list.reached;
    await scene.engine.library.update({ ids: [id], change: { title: 'Changed meanwhile' } }, soon());
    list.release();
    expect(must(await synced)).toEqual({ added: 0, changed: 0, gone: 0 });
    expect(titleOf(scene, id)).toBe('Changed meanwhile');
  });

  it('an item was deleted does not bring it back', async () => {
    const scene = await openScene(root);
    const { id } = await publishNote(scene.engine, 'one\n');
    const list = holdFirst(scene, 'hold-answer', isList);
    const synced = scene.engine.library.sync({}, soon());
    await list.reached;
    await scene.engine.library.delete({ ids: [id], when: 'now' }, soon());
    list.release();
    expect(must(await synced)).toEqual({ added: 0, changed: 0, gone: 0 });
    expect(must(scene.engine.library.search({ text: '' })).total).toBe(0);
  });
});

it('two changes of one item are made in the order in which they were asked for', async () => {
  const scene = await openScene(root);
  const { id, content } = await publishNote(scene.engine, 'one\n');
  const first = holdFirst(scene, 'hold', ({ method }) => method === 'PATCH');
  const earlier = scene.engine.library
    .update({ ids: [id], change: { visibility: 'public', title: 'Earlier' } }, soon())
    .then((reply) => must(reply).answers);
  await first.reached;
  const later = scene.engine.library
    .update({ ids: [id], change: { visibility: 'private', title: 'Later' } }, soon())
    .then((reply) => must(reply).answers);
  await scene.engine.library.update(
    { ids: [(await publishNote(scene.engine, 'two\n')).id], change: { title: 'Other' } },
    soon(),
  );
  first.release();
  await Promise.all([earlier, later]);
  expect((await read(scene.service, scene.user, content.id)).body).toMatchObject({
    visibility: 'private',
    title: 'Later',
  });
  expect(titleOf(scene, id)).toBe('Later');
});

describe('while the password of an item that waits is being stored', () => {
  /** The key store is slow; `store` lets it continue. */
  const slowStore = () => {
    const real = createMemoryKeyStore();
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const secrets: SecretStore = {
      ...real,
      async set(name, secret) {
        if (!name.includes('item ')) return await real.set(name, secret);
        reached.resolve();
        await gate.promise;
        return await real.set(name, secret);
      },
    };
    return { secrets, reached: reached.promise, store: () => gate.resolve() };
  };

  /** An item that waits because the queue is paused, and whose password is being stored in the key store. */
  const waiting = async () => {
    const { secrets, reached, store } = slowStore();
    const scene = await openScene(root, { ports: { secrets } });
    scene.engine.queue.pauseAll();
    const id = must(await scene.engine.note.add({ text: 'one\n', share: {} })).id;
    const set = scene.engine.queue
      .setShare({ ids: [id], change: { password: 'correct horse' } })
      .then((reply) => must(reply).answers);
    await reached;
    return { scene, id, set, store };
  };

  it('a pause of the item stays a pause', async () => {
    const { scene, id, set, store } = await waiting();
    scene.engine.queue.pause({ ids: [id] });
    store();
    expect(await set).toEqual([{ id, failure: null }]);
    expect(itemOf(scene.engine, id)?.intent).toBe('pause');
  });

  it('nothing of the item is sent, and its row is not paused for the time after a crash', async () => {
    const { scene, id, set, store } = await waiting();
    expect(itemOf(scene.engine, id)?.intent).toBe('run');
    scene.engine.queue.resumeAll();
    // The queue continues meanwhile.
    await publishNote(scene.engine, 'two\n');
    expect(itemOf(scene.engine, id)?.state).toBe('queued');
    store();
    expect(await set).toEqual([{ id, failure: null }]);
    expect((await linkedItem(scene.engine, id)).content.passwordProtected).toBe(true);
  });

  it('another password for it waits, and is the one that counts', async () => {
    const { scene, id, set, store } = await waiting();
    const second = scene.engine.queue
      .setShare({ ids: [id], change: { password: '' } })
      .then((reply) => must(reply).answers);
    scene.engine.queue.resumeAll();
    store();
    expect(await Promise.all([set, second])).toEqual([[{ id, failure: null }], [{ id, failure: null }]]);
    expect((await linkedItem(scene.engine, id)).content.passwordProtected).toBe(false);
  });
});

const isDelete = ({ method }: { readonly method: string }) => method === 'DELETE';

it('a deletion that is requested while the last due one is being carried out is carried out too', async () => {
  let now = 1_800_000_000_000;
  // Without what reads the account again after a jump of the clock, which wakes the deletions too.
  const scene = await openScene(root, {
    ports: { clock: { ...fastClock, now: () => now } },
    alter: (adapters) => adapters,
  });
  const [one, two] = [await publishNote(scene.engine, 'one\n'), await publishNote(scene.engine, 'two\n')];
  const first = holdFirst(scene, 'hold', isDelete);
  await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
  now += 60_000;
  await first.reached;
  await scene.engine.library.delete({ ids: [two.id], when: 'after-undo' }, soon());
  first.release();
  await until(() => must(scene.engine.library.find({ link: one.id })).item === null);
  now += 60_000;
  await until(() => must(scene.engine.library.find({ link: two.id })).item === null);
  expect(await onServer(scene)).toEqual([]);
});

describe('an undone deletion', () => {
  /** Three items whose deletions are due; the request of the first is in progress. */
  const threeDue = async () => {
    let now = 1_800_000_000_000;
    const scene = await openScene(root, { ports: { clock: { ...fastClock, now: () => now } } });
    const one = await publishNote(scene.engine, 'one\n');
    const two = await publishNote(scene.engine, 'two\n');
    const first = holdFirst(scene, 'hold', isDelete);
    const three = await publishNote(scene.engine, 'three\n');
    for (const { id } of [one, two, three]) {
      await scene.engine.library.delete({ ids: [id], when: 'after-undo' }, soon());
      now += 1;
    }
    now += 60_000;
    await first.reached;
    return { scene, one, two, three, release: first.release };
  };

  it('while another one is being carried out is not carried out after it', async () => {
    const { scene, two, three, release } = await threeDue();
    expect(must(scene.engine.library.undelete({ ids: [two.id] })).answers).toMatchObject([
      { failure: null, item: { deletingAt: null } },
    ]);
    release();
    await until(() => must(scene.engine.library.find({ link: three.id })).item === null);
    await scene.engine.close();
    expect(await onServer(scene)).toEqual([two.content.id]);
  });

  it('reports that it has already been sent to the service', async () => {
    const { scene, one, release } = await threeDue();
    expect(must(scene.engine.library.undelete({ ids: [one.id] })).answers).toMatchObject([
      { failure: { code: 'CONTENT_GONE' } },
    ]);
    release();
    await until(() => must(scene.engine.library.find({ link: one.id })).item === null);
  });
});
