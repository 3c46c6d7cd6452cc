/** The promise: an answer that comes late never undoes what was asked for, or became known, after its request went out. */
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../src/contract/ids.ts';
import { fastClock, until } from '../../support/engine.ts';
import { soon } from '../../support/patience.ts';
import { read } from '../../support/server/items.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { must, openScene, publishNote, type Scene } from './scene.ts';

const root = temporaryFolder('engine-overtaken');

/** Holds the first request of a kind, or its answer, until it is released. */
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
    reached.resolve();
    return { do: way, until };
  };
  return { reached: reached.promise, release };
};

const onServer = ({ service }: Scene): string[] =>
  queryData<{ id: string }>(service.data, 'SELECT id FROM content').map(({ id }) => id);
const isList = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === 'GET' && /\/content(\?|$)/.test(path);
const titleOf = ({ engine }: Scene, id: ItemId) => engine.findItem(id)?.content.title;
const listAnswered = (scene: Scene) => () =>
  scene.proxy.requests.some((one) => isList(one)) && onServer(scene).length > 0;

describe('a list of the service that was asked for before', () => {
  it('an item was changed leaves the item as it was changed', async () => {
    const scene = await openScene(root);
    const { id } = await publishNote(scene.engine, 'one\n');
    const list = holdFirst(scene, 'hold-answer', isList);
    const synced = scene.engine.syncLibrary(soon());
    await list.reached;
    await until(listAnswered(scene));
    await scene.engine.updateItems([id], { title: 'Changed meanwhile' }, soon());
    list.release();
    expect(must(await synced)).toEqual({ added: 0, changed: 0, gone: 0 });
    expect(titleOf(scene, id)).toBe('Changed meanwhile');
  });

  it('an item was deleted does not bring it back', async () => {
    const scene = await openScene(root);
    const { id } = await publishNote(scene.engine, 'one\n');
    const list = holdFirst(scene, 'hold-answer', isList);
    const synced = scene.engine.syncLibrary(soon());
    await list.reached;
    await until(listAnswered(scene));
    await scene.engine.deleteItems([id], 'now', soon());
    list.release();
    expect(must(await synced)).toEqual({ added: 0, changed: 0, gone: 0 });
    expect(scene.engine.search({ text: '' }).total).toBe(0);
  });
});

it('two changes of one item are made in the order in which they were asked for', async () => {
  const scene = await openScene(root);
  const { id, content } = await publishNote(scene.engine, 'one\n');
  const first = holdFirst(scene, 'hold', ({ method }) => method === 'PATCH');
  const earlier = scene.engine.updateItems([id], { visibility: 'public', title: 'Earlier' }, soon());
  await first.reached;
  const later = scene.engine.updateItems([id], { visibility: 'private', title: 'Later' }, soon());
  await scene.engine.updateItems([(await publishNote(scene.engine, 'two\n')).id], { title: 'Other' }, soon());
  first.release();
  await Promise.all([earlier, later]);
  expect((await read(scene.service, scene.person, content.id)).body).toMatchObject({
    visibility: 'private',
    title: 'Later',
  });
  expect(titleOf(scene, id)).toBe('Later');
});

describe('a deletion that is taken back', () => {
  const isDelete = ({ method }: { readonly method: string }) => method === 'DELETE';

  /** Three items whose deletions are due; the request of the first is on its way. */
  const threeDue = async () => {
    let now = 1_800_000_000_000;
    const scene = await openScene(root, { ports: { clock: { ...fastClock, now: () => now } } });
    const one = await publishNote(scene.engine, 'one\n');
    const two = await publishNote(scene.engine, 'two\n');
    const first = holdFirst(scene, 'hold', isDelete);
    const three = await publishNote(scene.engine, 'three\n');
    for (const { id } of [one, two, three]) {
      await scene.engine.deleteItems([id], 'after-undo', soon());
      now += 1;
    }
    now += 60_000;
    await first.reached;
    return { scene, one, two, three, release: first.release };
  };

  it('while another one is being carried out is not carried out after it', async () => {
    const { scene, two, three, release } = await threeDue();
    expect(scene.engine.undeleteItems([two.id])).toMatchObject([{ failure: null, item: { deletingAt: null } }]);
    release();
    await until(() => scene.engine.findItem(three.id) === null);
    await scene.engine.close();
    expect(onServer(scene)).toEqual([two.content.id]);
  });

  it('when it is on its way already says so', async () => {
    const { scene, one, release } = await threeDue();
    expect(scene.engine.undeleteItems([one.id])).toMatchObject([{ failure: { code: 'COMMAND_INVALID' } }]);
    release();
    await until(() => scene.engine.findItem(one.id) === null);
  });
});
