import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { SecretStore } from '../../../src/engine/ports.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { type SmallDatabase, smallDatabase } from '../../faults/small-disk.ts';
import { addFile, connectTo, itemOf, openEngine, randomFile, until, wait } from '../../support/engine.ts';
import { modelForEachTest } from '../../support/model-for-each-test.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import type { ModelService } from '../../support/server/model-service.ts';

const PART = 2 * 1024 * 1024;
const PATIENCE = 3_600_000;
let model: ModelService;
let folder: string;

modelForEachTest('engine-queue', (fresh, own) => {
  model = fresh;
  folder = own;
});

const ready = async () => {
  const { engine } = await openEngine(join(folder, 'profile'));
  await connectTo(engine, model.url);
  return engine;
};
const slowParts = (ms: number) => {
  model.interfere = ({ operation }) => (operation === 'part' ? { do: 'wait', until: wait(ms) } : null);
};
const ids = (items: readonly { readonly id: ItemId }[]) => items.map(({ id }) => id);

/** A finished item, and one that waits with a password. */
const readyOn = async (disk: SmallDatabase) => {
  const profile = join(folder, 'profile');
  const { engine } = await openEngine(profile, {}, (real) => ({ ...real, profile: disk.holding(real.profile) }));
  await connectTo(engine, model.url);
  const linked = await addFile(engine, randomFile(folder, 'a.png', 500).path);
  await until(() => itemOf(engine, linked)?.state === 'linked');
  engine.queue.pauseAll();
  const waiting = await addFile(engine, randomFile(folder, 'b.png', 500).path);
  must(await engine.queue.setShare({ ids: [waiting], change: { password: 'quiet otter 7' } }));
  return { engine, disk, waiting, linked };
};
const FULL = { code: 'DISK_FULL' };

describe('a full disk', () => {
  it('leaves a finished item in the queue, and dismissing says so', async () => {
    const { engine, disk, linked } = await readyOn(smallDatabase());
    disk.fill();
    expect(engine.queue.dismiss({ ids: [linked] })).toMatchObject({ ok: false, error: FULL });
    expect(itemOf(engine, linked)?.state).toBe('linked');
    disk.makeRoom();
    expect(engine.queue.dismiss({ ids: [linked] })).toMatchObject({ ok: true });
    expect(itemOf(engine, linked)).toBeUndefined();
  });

  it('leaves the password of an item, and removing it says so', async () => {
    const { engine, disk, waiting } = await readyOn(smallDatabase());
    const remove = () => engine.queue.setShare({ ids: [waiting], change: { password: '' } });
    disk.fill();
    expect(await remove()).toMatchObject({ value: { answers: [{ id: waiting, failure: FULL }] } });
    disk.makeRoom();
    expect(await remove()).toMatchObject({ value: { answers: [{ id: waiting, failure: null }] } });
    engine.queue.resumeAll();
    await until(() => itemOf(engine, waiting)?.state === 'linked');
    expect(itemOf(engine, waiting)).toMatchObject({ content: { passwordProtected: false } });
  });
});

describe('the name of an item', () => {
  it('is that of the file, without its folders, also where a path is given; a note keeps its own', async () => {
    const engine = await ready();
    const named = async (path: string) => {
      const spooled = join(engine.spoolDir, basename(path));
      writeFileSync(spooled, 'bytes');
      const added = must(await engine.queue.addSpooled({ path: spooled, name: path }));
      return (await engine.queue.waitFor({ id: added.ids[0] as ItemId, patienceMs: PATIENCE }, soon())).ok;
    };
    expect(await named('/home/mira/clients/acme/shot.png')).toBe(true);
    const own = await addFile(engine, randomFile(folder, 'own.png', 500).path, '/home/mira/own.png');
    expect((await engine.queue.waitFor({ id: own, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published().map(({ content }) => content.originalName)).toEqual(['shot.png', 'own.png']);
    engine.queue.pauseAll();
    const { id } = must(await engine.note.add({ text: 'and/or' }));
    expect(itemOf(engine, id)).toMatchObject({ name: 'and/or' });
  });
});

describe('pause', () => {
  it('stops the parts, and resume continues without sending confirmed ones again', async () => {
    const engine = await ready();
    slowParts(30);
    const file = randomFile(folder, 'a.png', 20 * PART);
    const id = await addFile(engine, file.path);
    await until(() =>
      itemOf(engine, id)?.state === 'started' ? ([...model.uploads.values()][0]?.parts.size ?? 0) > 4 : false,
    );
    engine.queue.pause({ ids: [id] });
    // Parts that are on their way still arrive.
    await until(async () => {
      const asked = model.requests.length;
      await wait(150);
      return model.requests.length === asked;
    });
    expect(itemOf(engine, id)).toMatchObject({ intent: 'pause', state: 'started', error: null });
    const confirmed = new Set([...model.uploads.values()].flatMap(({ parts }) => [...parts.keys()]));
    expect(confirmed.size).toBeLessThan(20);
    const asked = model.requests.length;
    engine.queue.resume({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    const sent = model.requests.slice(asked).flatMap(({ index }) => index ?? []);
    expect(sent.filter((index) => confirmed.has(index))).toEqual([]);
    expect(sent).toHaveLength(new Set(sent).size);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
  });

  it('of items that are hashed does not keep others from being hashed', async () => {
    const engine = await ready();
    model.interfere = ({ operation }) => (operation === 'start' ? { do: 'wait', until: wait(60) } : null);
    for (const name of ['a', 'b', 'c']) {
      const id = await addFile(engine, randomFile(folder, name, 500).path, name);
      await until(() => itemOf(engine, id)?.state === 'hashed');
      engine.queue.pause({ ids: [id] });
    }
    const last = await addFile(engine, randomFile(folder, 'd', 500).path, 'd');
    expect((await engine.queue.waitFor({ id: last, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  });

  it('of everything is remembered over a restart, and resume of everything ends it', async () => {
    const engine = await ready();
    engine.queue.pauseAll();
    const file = randomFile(folder, 'a.png', PART);
    await addFile(engine, file.path);
    await engine.close();
    const again = await openEngine(join(folder, 'profile'));
    await connectTo(again.engine, model.url);
    await wait(100);
    expect(again.engine.state().queue).toMatchObject({ paused: true, items: [{ state: 'queued' }] });
    again.engine.queue.resumeAll();
    await until(() => model.published().length === 1);
  });
});

describe('cancel', () => {
  it('removes the item immediately, reports it, and cancels the upload at the service', async () => {
    const engine = await ready();
    slowParts(50);
    const spooled = randomFile(engine.spoolDir, 'shot.png', 10 * PART);
    const added = await engine.queue.add([{ source: { owner: 'spool', path: spooled.path }, name: 'shot.png' }]);
    const id = added.ok ? added.value[0] : undefined;
    if (!id) throw new Error('not added');
    const cancelled: string[] = [];
    engine.on((event) => void (event.type === 'cancelled' && cancelled.push(event.id)));
    await until(() => itemOf(engine, id)?.state === 'started');
    const settled = engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
    engine.queue.cancel({ ids: [id] });
    expect(await settled).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(cancelled).toEqual([id]);
    await until(() => [...model.uploads.values()].every(({ state }) => state === 'CANCELLED'));
    await until(() => !existsSync(spooled.path));
    expect(model.published()).toEqual([]);
  });

  it('without a network is immediate, and the service is informed later, also after a restart', async () => {
    const engine = await ready();
    slowParts(50);
    const file = randomFile(folder, 'a.png', 10 * PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'started');
    model.interfere = () => ({ do: 'break' });
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id) === undefined);
    await engine.close();
    model.interfere = () => null;
    const again = await openEngine(join(folder, 'profile'));
    await connectTo(again.engine, model.url);
    await until(() => [...model.uploads.values()][0]?.state === 'CANCELLED');
  });

  it('while the service completes waits for its result: a published item is kept, with its link', async () => {
    const engine = await ready();
    model.interfere = ({ operation, nth }) => (operation === 'complete' && nth === 0 ? { do: 'lose-answer' } : null);
    const file = randomFile(folder, 'a.png', PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'completing');
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id)?.state === 'linked');
    expect(itemOf(engine, id)).toMatchObject({ intent: 'run', content: { id: model.published()[0]?.content.id } });
  });

  it('before the service starts to complete publishes nothing', async () => {
    const engine = await ready();
    model.interfere = ({ operation }) => (operation === 'complete' ? { do: 'break' } : null);
    const file = randomFile(folder, 'a.png', PART);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'NETWORK_FAILED');
    engine.queue.cancel({ ids: [id] });
    await until(() => itemOf(engine, id) === undefined);
    expect(model.published()).toEqual([]);
    expect([...model.uploads.values()][0]?.state).toBe('CANCELLED');
  });
});

describe('order', () => {
  it('is the order of publishing for what needs no preparation, and move changes it', async () => {
    // Three files are looked at together, and one may take longer than the next.
    const isNext = (id: ItemId) => engine.state().queue.items.find(({ state }) => state === 'queued')?.id === id;
    const { engine } = await openEngine(join(folder, 'profile'), {}, (real) => ({
      ...real,
      async prepare({ id }) {
        await until(() => isNext(id));
        return ok(null);
      },
    }));
    await connectTo(engine, model.url);
    engine.settings.update({ itemsAtOnce: 1 });
    engine.queue.pauseAll();
    const names = ['a', 'b', 'c', 'd'];
    const [a, b, c, d] = await Promise.all(
      names.map((name) => addFile(engine, randomFile(folder, `${name}.png`, 500).path, `${name}.png`)),
    );
    if (!a || !b || !c || !d) throw new Error('not added');
    const order = ids(engine.state().queue.items);
    const last = order.at(-1);
    const first = order[0];
    if (!first || !last) throw new Error('empty');
    engine.queue.move({ id: last, before: first });
    engine.queue.move({ id: first, before: null });
    const wanted = [last, ...order.slice(1, -1), first];
    expect(ids(engine.state().queue.items)).toEqual(wanted);
    engine.queue.resumeAll();
    for (const id of wanted) expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    const nameOf = (id: ItemId) => itemOf(engine, id)?.name;
    expect(model.published().map(({ content }) => content.originalName)).toEqual(wanted.map(nameOf));
  });

  it('stays, and says so, where the new one cannot be written', async () => {
    const { engine, disk, waiting, linked } = await readyOn(smallDatabase());
    const before = ids(engine.state().queue.items);
    disk.fill();
    expect(engine.queue.move({ id: waiting, before: linked })).toMatchObject({ ok: false, error: FULL });
    expect(ids(engine.state().queue.items)).toEqual(before);
    disk.makeRoom();
    expect(engine.queue.move({ id: waiting, before: linked })).toMatchObject({ ok: true });
    expect(ids(engine.state().queue.items)).toEqual([waiting, linked]);
  });

  it('survives any number of moves into the same gap, and a restart', async () => {
    const engine = await ready();
    engine.queue.pauseAll();
    for (const name of ['a', 'b', 'c']) await addFile(engine, randomFile(folder, `${name}.png`, 500).path, name);
    for (let turn = 0; turn < 200; turn++) {
      const [x, y, z] = ids(engine.state().queue.items);
      if (!x || !y || !z) throw new Error('empty');
      engine.queue.move({ id: z, before: y });
      expect(ids(engine.state().queue.items)).toEqual([x, z, y]);
    }
    const order = ids(engine.state().queue.items);
    await engine.close();
    const again = await openEngine(join(folder, 'profile'));
    expect(ids(again.engine.state().queue.items)).toEqual(order);
  });

  it('that is changed while an item uploads outlives its steps', async () => {
    const engine = await ready();
    slowParts(40);
    const first = await addFile(engine, randomFile(folder, 'a.png', 6 * PART).path);
    const second = await addFile(engine, randomFile(folder, 'b.png', 500).path);
    engine.queue.pause({ ids: [second] });
    await until(() => itemOf(engine, first)?.state === 'started');
    engine.queue.move({ id: first, before: null });
    expect((await engine.queue.waitFor({ id: first, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(ids(engine.state().queue.items)).toEqual([second, first]);
  });

  it('hashes the next item while one uploads', async () => {
    const engine = await ready();
    engine.settings.update({ itemsAtOnce: 1 });
    const isHashed = Promise.withResolvers<void>();
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'wait', until: isHashed.promise } : null);
    const first = await addFile(engine, randomFile(folder, 'a.png', 12 * PART).path);
    const second = await addFile(engine, randomFile(folder, 'b.png', 12 * PART).path);
    // The one that uploads cannot end: its parts are held.
    const states = () => [first, second].map((id) => itemOf(engine, id)?.state).sort();
    await until(() => states().join() === 'hashed,started', states);
    engine.queue.cancel({ ids: [first, second] });
    isHashed.resolve();
  });
});

it('dismiss takes a finished item out of the queue and leaves it in the library', async () => {
  const engine = await ready();
  const id = await addFile(engine, randomFile(folder, 'a.png', 500).path, 'holiday.png');
  expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  engine.queue.dismiss({ ids: [id] });
  expect(engine.state().queue.items).toEqual([]);
  expect(must(engine.library.search({ text: 'holi' })).items).toMatchObject([{ id, name: 'holiday.png' }]);
  const url = model.published()[0]?.content.url;
  expect(await engine.link.copy({ id })).toEqual({ ok: true, value: { url, text: url } });
});

/** Like a key store of the system: it outlives the engine. */
const keyring = () => {
  const memory = createMemoryKeyStore();
  const names = new Set<string>();
  const secrets: SecretStore = {
    ...memory,
    place: 'keyring',
    async set(name, secret) {
      names.add(name);
      return await memory.set(name, secret);
    },
    async delete(name) {
      names.delete(name);
      return await memory.delete(name);
    },
  };
  return { secrets, passwords: () => [...names].filter((name) => name.startsWith('item ')) };
};

describe('the password of an item that waits', () => {
  it('leaves the key store when another item that was to be added with it is refused', async () => {
    const { secrets, passwords } = keyring();
    const { engine } = await openEngine(join(folder, 'profile'), { secrets });
    const share = { password: 'long enough' };
    const [path, missing] = [randomFile(folder, 'a.png', 500).path, join(folder, 'missing.png')];
    const added = await engine.queue.add([
      { source: { owner: 'user', path }, name: 'a.png', share },
      { source: { owner: 'user', path: missing }, name: 'missing.png', share },
    ]);
    expect(added).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
    expect(engine.state().guarded).toEqual([]);
    expect(passwords()).toEqual([]);
  });

  it('leaves the key store when the app runs again after a command without it has cancelled the item', async () => {
    const { secrets, passwords } = keyring();
    const profile = join(folder, 'profile');
    const { engine } = await openEngine(profile, { secrets });
    const share = { password: 'long enough' };
    const [gone, kept] = ['a.png', 'b.png'].map((name) => randomFile(folder, name, 500).path);
    const added = must(
      await engine.queue.add(
        [gone, kept].map((path = '') => ({ source: { owner: 'user', path }, name: basename(path), share })),
      ),
    );
    const [cancelled, waiting] = added;
    if (!cancelled || !waiting) throw new Error('not added');
    await engine.close();

    const command = (await openEngine(profile, { queue: 'resting' })).engine;
    command.queue.cancel({ ids: [cancelled] });
    await until(() => itemOf(command, cancelled) === undefined);
    await command.close();

    const again = (await openEngine(profile, { secrets })).engine;
    await until(() => again.state().guarded.length === 1);
    expect(again.state().guarded).toEqual([waiting]);
    expect(passwords()).toEqual([`item ${waiting}`]);
  });
});

it('a password that is lost with the process keeps its item from being published without it', async () => {
  const profile = join(folder, 'profile');
  const { engine } = await openEngine(profile, { secrets: createMemoryKeyStore() });
  const file = randomFile(folder, 'a.png', 500);
  const added = await engine.queue.add([
    { source: { owner: 'user', path: file.path }, name: 'a.png', share: { password: 'long enough' } },
  ]);
  const id = added.ok ? added.value[0] : undefined;
  if (!id) throw new Error('not added');
  await engine.close();
  const again = await openEngine(profile, { secrets: createMemoryKeyStore() });
  await connectTo(again.engine, model.url);
  expect(await again.engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
    ok: false,
    error: { code: 'KEY_STORE_FAILED' },
  });
  expect(model.published()).toEqual([]);
});
