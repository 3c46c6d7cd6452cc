/**
 * A deletion can be undone for some seconds and is executed otherwise, even when the app quits or crashes in between.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, failure } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { UNDO_MS } from '../../../src/engine/library/delayed-deletions.ts';
import type { SecretStore } from '../../../src/engine/ports.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { connectTo, fastClock, itemOf, openEngine, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { startServer } from '../../support/server/server.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openScene, publishNote, type Scene } from './library-scenario.ts';

const root = temporaryFolder('engine-deletion');

const onServer = async ({ service }: Pick<Scene, 'service'>): Promise<string[]> =>
  (await queryData<{ id: string }>(service.data, 'SELECT id FROM content')).map(({ id }) => id);
const isDelete = ({ method }: { method: string }) => method === 'DELETE';
/** Time is stopped, so that nothing becomes due. */
const slowClock = { ...fastClock, now: () => 1_800_000_000_000 };

const two = async (scene: Scene) =>
  [await publishNote(scene.engine, 'one\n'), await publishNote(scene.engine, 'two\n')] as const;
const total = ({ engine }: Pick<Scene, 'engine'>) => must(engine.library.search({ text: '' })).total;

describe('a deletion', () => {
  it('is executed when its undo period ends, and removes everything of the item', async () => {
    const scene = await openScene(root);
    const [one, other] = await two(scene);
    const [answer] = must(await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon())).answers;
    expect(answer).toMatchObject({ failure: null, item: { id: one.id } });
    expect((answer?.item?.deletingAt ?? 0) - fastClock.now()).toBeLessThanOrEqual(UNDO_MS);
    await until(() => total(scene) === 1);
    expect(await onServer(scene)).toEqual([other.content.id]);
    expect(itemOf(scene.engine, one.id)).toBeUndefined();
    expect(must(scene.engine.library.search({ text: 'one' })).total).toBe(0);
  });

  it('is executed when its undo period ends, also where the clock is set back meanwhile', async () => {
    let ahead = 0;
    const scene = await openScene(root, { ports: { clock: { ...fastClock, now: () => fastClock.now() + ahead } } });
    const [one, other] = await two(scene);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    ahead = -24 * 3_600_000;
    await until(() => total(scene) === 1);
    expect(await onServer(scene)).toEqual([other.content.id]);
  });

  it('that is undone has no effect', async () => {
    const scene = await openScene(root, { ports: { clock: slowClock } });
    const [one] = await two(scene);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    expect(must(scene.engine.library.undelete({ ids: [one.id] })).answers).toMatchObject([
      { failure: null, item: { deletingAt: null } },
    ]);
    await scene.engine.close();
    expect(await onServer(scene)).toHaveLength(2);
    expect(scene.proxy.requests.filter(isDelete)).toEqual([]);
  });

  it('is given more time while it waits, and does not restart once it was undone', async () => {
    let now = slowClock.now();
    const scene = await openScene(root, { ports: { clock: { ...slowClock, now: () => now } } });
    const [one] = await two(scene);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    now += 3_000;
    expect(must(await scene.engine.library.delete({ ids: [one.id], when: 'longer' }, soon())).answers).toMatchObject([
      { failure: null, item: { deletingAt: now + UNDO_MS } },
    ]);
    scene.engine.library.undelete({ ids: [one.id] });
    expect(must(await scene.engine.library.delete({ ids: [one.id], when: 'longer' }, soon())).answers).toMatchObject([
      { failure: null, item: { deletingAt: null } },
    ]);
    await scene.engine.close();
    expect(await onServer(scene)).toHaveLength(2);
  });

  it('that is being executed is not given more time: it can no longer be undone', async () => {
    const scene = await openScene(root);
    const [one] = await two(scene);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    scene.proxy.fault = (request) => {
      if (!isDelete(request)) return null;
      reached.resolve();
      return { do: 'hold', until: released };
    };
    const [asked] = must(await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon())).answers;
    await reached.promise;
    const [answer] = must(await scene.engine.library.delete({ ids: [one.id], when: 'longer' }, soon())).answers;
    expect(answer).toMatchObject({ failure: null, item: { deletingAt: asked?.item?.deletingAt } });
    expect(must(scene.engine.library.undelete({ ids: [one.id] })).answers).toMatchObject([
      { failure: { code: 'CONTENT_GONE' } },
    ]);
    release();
    await until(() => total(scene) === 1);
  });

  it('that waits is carried out by the end of the app', async () => {
    const scene = await openScene(root, { ports: { clock: slowClock } });
    const [one, other] = await two(scene);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    expect(await onServer(scene)).toHaveLength(2);
    await scene.engine.close();
    expect(await onServer(scene)).toEqual([other.content.id]);
  });

  it.each([
    ['because the service is busy', { do: 'answer', status: 503 }],
    [
      "because the network's sign-in page answers",
      { do: 'answer', status: 302, headers: { location: 'https://a.b/' } },
    ],
  ] as const)('that could not be carried out at the end %s is carried out at the next start', async (_, fault) => {
    const scene = await openScene(root);
    const [one, other] = await two(scene);
    scene.proxy.fault = (request) => (isDelete(request) ? fault : null);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    await scene.engine.close();
    expect(await onServer(scene)).toHaveLength(2);
    scene.proxy.fault = () => null;
    const next = await scene.restart();
    await until(() => total(next) === 1);
    expect(await onServer(scene)).toEqual([other.content.id]);
  });

  it('that finds a locked key store at the start is carried out when it is unlocked', async () => {
    const kept = createMemoryKeyStore();
    const scene = await openScene(root, { ports: { secrets: kept } });
    const [one, other] = await two(scene);
    scene.proxy.fault = (request) => (isDelete(request) ? { do: 'answer', status: 503 } : null);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    await scene.engine.close();
    scene.proxy.fault = () => null;
    let isLocked = true;
    const secrets: SecretStore = {
      ...kept,
      get: (name) => (isLocked ? Promise.resolve(err(failure('KEY_STORE_FAILED', 'Locked.'))) : kept.get(name)),
    };
    const clock = { ...fastClock, now: () => fastClock.now() + UNDO_MS };
    const { engine } = await openEngine(scene.profileDir, { secrets, clock });
    expect(must(engine.library.find({ link: one.id })).item?.deletingAt).not.toBeNull();
    expect(engine.state().notices).toEqual([]);
    isLocked = false;
    await engine.connection.refresh({}, soon());
    await until(() => total({ engine }) === 1);
    expect(await onServer(scene)).toEqual([other.content.id]);
  });

  it('whose account was removed meanwhile is carried out when that is connected again', async () => {
    const scene = await openScene(root, { ports: { clock: slowClock } });
    const [one, other] = await two(scene);
    await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    await scene.engine.connection.disconnect({});
    await connectTo(scene.engine, scene.proxy.url, (await scene.service.user()).apiKey);
    const next = await scene.restart({ clock: fastClock });
    await until(() => total(next) === 1);
    expect(await onServer(scene)).toEqual([other.content.id]);
  });

  it('that the service does not answer holds up none of another account, nor does it at the end of the app', async () => {
    let now = slowClock.now();
    const scene = await openScene(root, { ports: { clock: { ...slowClock, now: () => now } } });
    const [stuck, stuckToo] = await two(scene);
    const service = await startServer({ clock: fastClock });
    onTestFinished(service.stop);
    await connectTo(scene.engine, service.url, (await service.user()).apiKey);
    const [inTime, late] = await two(scene);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    scene.proxy.fault = (request) => (isDelete(request) ? { do: 'hold', until: released } : null);
    await scene.engine.library.delete({ ids: [stuck.id, stuckToo.id, inTime.id], when: 'after-undo' }, soon());
    now += UNDO_MS;
    await until(() => total(scene) === 3);
    expect(await onServer({ service })).toEqual([late.content.id]);
    await scene.engine.library.delete({ ids: [late.id], when: 'after-undo' }, soon());
    await scene.engine.close();
    expect(await onServer({ service })).toEqual([]);
  });

  it('that always fails holds up no other of its account', async () => {
    const scene = await openScene(root);
    const [one, other] = await two(scene);
    scene.proxy.fault = (request) =>
      isDelete(request) && request.path.endsWith(one.content.id) ? { do: 'answer', status: 500 } : null;
    await scene.engine.library.delete({ ids: [one.id, other.id], when: 'after-undo' }, soon());
    await until(() => total(scene) === 1);
    expect(await onServer(scene)).toEqual([one.content.id]);
    scene.proxy.fault = () => null;
    await until(() => total(scene) === 0);
  });

  it('that is wanted now is done when it is answered, and a lost answer is no failure at the second try', async () => {
    const scene = await openScene(root);
    const [one, other] = await two(scene);
    expect(must(await scene.engine.library.delete({ ids: [one.id], when: 'now' }, soon())).answers).toEqual([
      { id: one.id, item: null, failure: null },
    ]);
    expect(await onServer(scene)).toEqual([other.content.id]);
    scene.proxy.fault = (request) => (isDelete(request) ? { do: 'lose-answer' } : null);
    const [lost] = must(await scene.engine.library.delete({ ids: [other.id], when: 'now' }, soon())).answers;
    expect(lost).toMatchObject({ item: { id: other.id }, failure: { code: 'NETWORK_FAILED' } });
    scene.proxy.fault = () => null;
    expect(must(await scene.engine.library.delete({ ids: [other.id], when: 'now' }, soon())).answers).toMatchObject([
      { item: null, failure: null },
    ]);
  });

  it('is refused immediately for a key without the permission and for a missing item', async () => {
    const scene = await openScene(root);
    const [one] = await two(scene);
    const { apiKey } = await scene.service.key(scene.user, {
      scopes: ['content:read', 'content:write', 'account:read'],
    });
    await scene.engine.connection.connect({ server: scene.proxy.url, key: apiKey, keep: 'store' }, soon());
    expect(
      must(await scene.engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon())).answers,
    ).toMatchObject([
      { failure: { code: 'SCOPE_MISSING', params: { scope: 'content:delete' } }, item: { deletingAt: null } },
    ]);
    const unknown = '00000000-0000-4000-8000-000000000000' as ItemId;
    expect(must(await scene.engine.library.delete({ ids: [unknown], when: 'now' }, soon())).answers).toMatchObject([
      { failure: { code: 'COMMAND_INVALID' } },
    ]);
  });
});
