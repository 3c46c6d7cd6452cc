/** On a full disk every command on published items answers DISK_FULL, and completes what it began once there is space. */
import { describe, expect, it } from 'vitest';
import type { EngineAdapters } from '../../../src/engine/engine-adapters.ts';
import { smallDatabase } from '../../faults/small-disk.ts';
import { fastClock, itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { remove } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openScene, publishNote } from './library-scenario.ts';

const root = temporaryFolder('engine-library-full-disk');
const FULL = { code: 'DISK_FULL' };
/** Time is stopped, so that nothing becomes due. */
const slowClock = { ...fastClock, now: () => 1_800_000_000_000 };

const onSmallDisk = async (ports = {}) => {
  const disk = smallDatabase();
  const scene = await openScene(root, {
    ports,
    alter: (real: EngineAdapters) => ({ ...real, profile: disk.holding(real.profile) }),
  });
  const [one, other] = [await publishNote(scene.engine, 'one\n'), await publishNote(scene.engine, 'two\n')];
  return { ...scene, disk, one, other, ids: [one.id, other.id] };
};

describe('a full disk', () => {
  it('keeps the row of an item that the service has deleted, until both the library and the queue can forget it', async () => {
    const { engine, disk, one } = await onSmallDisk();
    const deleteNow = () => engine.library.delete({ ids: [one.id], when: 'now' }, soon());
    disk.fill();
    expect(must(await deleteNow()).answers).toMatchObject([{ id: one.id, failure: FULL }]);
    expect(must(engine.library.find({ link: one.id })).item).not.toBeNull();
    expect(itemOf(engine, one.id)).toBeDefined();
    disk.makeRoom();
    expect(must(await deleteNow()).answers).toMatchObject([{ id: one.id, failure: null, item: null }]);
    expect(itemOf(engine, one.id)).toBeUndefined();
  });

  it('is the answer for each item of a batch', async () => {
    const { engine, disk, ids, one, service, user } = await onSmallDisk({ clock: slowClock });
    const both = ids.map((id) => ({ id, failure: FULL }));
    disk.fill();
    expect(must(await engine.library.refresh({ ids }, soon())).answers).toMatchObject(both);
    expect(must(await engine.library.update({ ids, change: { title: 'new' } }, soon())).answers).toMatchObject(both);
    expect(must(await engine.library.delete({ ids, when: 'after-undo' }, soon())).answers).toMatchObject(both);
    await remove(service, user, one.content.id);
    expect(must(await engine.library.refresh({ ids }, soon())).answers).toMatchObject(both);
    disk.makeRoom();
    const [gone, changed] = must(await engine.library.refresh({ ids }, soon())).answers;
    expect(gone).toMatchObject({ failure: null, item: { goneAt: slowClock.now() } });
    expect(changed).toMatchObject({
      failure: null,
      item: { content: { title: 'new' }, goneAt: null, deletingAt: null },
    });
  });

  it('leaves a deletion pending whose undoing cannot be persisted, and says so', async () => {
    const { engine, disk, ids } = await onSmallDisk({ clock: slowClock });
    await engine.library.delete({ ids, when: 'after-undo' }, soon());
    disk.fill();
    expect(must(engine.library.undelete({ ids })).answers).toMatchObject(ids.map((id) => ({ id, failure: FULL })));
    disk.makeRoom();
    expect(must(engine.library.undelete({ ids })).answers).toMatchObject(ids.map((id) => ({ id, failure: null })));
  });

  it('delays the rest of a deletion that became due, and does not report it as refused', async () => {
    const { engine, disk, one } = await onSmallDisk();
    await engine.library.delete({ ids: [one.id], when: 'after-undo' }, soon());
    disk.fill();
    await until(
      async () =>
        must(await engine.library.refresh({ ids: [one.id] }, soon())).answers[0]?.failure?.code === 'DISK_FULL',
    );
    disk.makeRoom();
    await until(() => must(engine.library.find({ link: one.id })).item === null);
    expect(itemOf(engine, one.id)).toBeUndefined();
    expect(engine.state().notices).toEqual([]);
  });

  it('does not hide the text of a note', async () => {
    const { engine, disk, one } = await onSmallDisk();
    disk.fill();
    expect(must(await engine.note.read({ id: one.id }, soon())).note.text).toBe('one\n');
  });

  it('stops clearing the history before anything of it is cleared', async () => {
    const { engine, disk, ids } = await onSmallDisk();
    disk.fill();
    expect(await engine.profile.clear({ what: 'history' })).toMatchObject({ ok: false, error: FULL });
    expect(engine.state().queue.items.map(({ id }) => id)).toEqual(ids);
    disk.makeRoom();
    expect(await engine.profile.clear({ what: 'history' })).toMatchObject({ ok: true });
    expect(engine.state().queue.items).toEqual([]);
  });
});
