/**
 * The event for a capture without a link says where the capture is stored; and the copy of the list beside the database
 * holds back no capture.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure, ok } from '../../../src/api/errors.ts';
import type { CaptureId } from '../../../src/api/ids.ts';
import { createPendingCaptures, type PendingCapture } from '../../../src/engine/capture/pending-captures.ts';
import type { EngineEvent } from '../../../src/engine/engine.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { type AfterCapture, SINGLE_ACTION } from '../../../src/ipc/protocol/capture.ts';
import { openEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { itWith } from '../../support/only-on.ts';
import { must } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inodeOf, watchSyncs } from '../../support/watch-syncs.ts';

const never = new AbortController().signal;

const capture = async (afterCapture: AfterCapture) => {
  const folder = temporaryFolder('kept');
  const { engine } = await openEngine(temporaryFolder('kept-profile'), {
    capturer: paintScreen([{ x: 0, y: 0, width: 12, height: 8 }]),
    clipboard: { writeText: async () => ok(undefined), writePicture: async () => ok(undefined) },
  });
  const keptEvents: Extract<EngineEvent, { type: 'kept' }>[] = [];
  engine.on((event) => {
    if (event.type === 'kept') keptEvents.push(event);
  });
  engine.settings.update({ afterCapture, saveFolder: folder, nameTemplate: 'shot' });
  expect(await engine.capture.start({ mode: 'all' }, never)).toMatchObject({ ok: true });
  return { engine, folder, keptEvents };
};

it('on the clipboard, in a folder, or both', async () => {
  const copied = await capture({ publish: false, copyPicture: true, save: false });
  await eventually(async () =>
    expect(copied.keptEvents).toMatchObject([{ name: 'shot.png', copied: true, savedTo: null }]),
  );
  const both = await capture({ publish: false, copyPicture: true, save: true });
  const savedTo = join(both.folder, 'shot.png');
  await eventually(async () => expect(both.keptEvents).toMatchObject([{ copied: true, savedTo }]));
  expect(existsSync(savedTo)).toBe(true);
});

it('in the folder too where nothing at all was wanted, so that it is found', async () => {
  const { folder, keptEvents } = await capture({ publish: false, copyPicture: false, save: false });
  await eventually(async () =>
    expect(keptEvents).toMatchObject([{ copied: false, savedTo: join(folder, 'shot.png') }]),
  );
});

itWith('sync of folders')('in a folder that has it on the disk before the original is deleted', async () => {
  const synced: { readonly inode: number; readonly originals: number }[] = [];
  const { engine, folder, keptEvents } = await capture(SINGLE_ACTION.copy);
  await eventually(async () => expect(keptEvents).toHaveLength(1));
  await watchSyncs((inode) => {
    const originals = readdirSync(engine.spoolDir).filter((name) => name.endsWith('.png')).length;
    synced.push({ inode, originals });
  });
  engine.settings.update({ afterCapture: SINGLE_ACTION.save });
  expect(await engine.capture.start({ mode: 'all' }, never)).toMatchObject({ ok: true });
  await eventually(async () => expect(keptEvents).toHaveLength(2));
  for (const path of [join(folder, 'shot.png'), folder])
    expect(synced).toContainEqual({ inode: inodeOf(path), originals: 1 });
  expect(readdirSync(engine.spoolDir).filter((name) => name.endsWith('.png'))).toEqual([]);
});

/** Saves a capture in a folder whose file system answers a sync of the saved file with this error. */
const saveWithout = async (code: string) => {
  const { engine, folder, keptEvents } = await capture(SINGLE_ACTION.copy);
  await eventually(async () => expect(keptEvents).toHaveLength(1));
  const path = join(folder, 'shot.png');
  await watchSyncs((inode) => {
    if (existsSync(path) && inode === inodeOf(path))
      throw Object.assign(new Error(`${code}: made by the test, fsync`), { code });
  });
  engine.settings.update({ afterCapture: SINGLE_ACTION.save });
  return { engine, folder, path, keptEvents, saved: await engine.capture.start({ mode: 'all' }, never) };
};

it('in the editor where the folder does not get it on its disk, and not in the folder', async () => {
  const { engine, folder, saved } = await saveWithout('EIO');
  expect(saved).toMatchObject({ error: { code: 'SAVE_FAILED', detail: expect.stringContaining('EIO') } });
  expect(engine.state().capture).toMatchObject({ state: 'editing' });
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EISDIR'])(
  'in a folder whose file system has no sync (%s)',
  async (code) => {
    const { keptEvents, path, saved } = await saveWithout(code);
    expect(saved).toMatchObject({ ok: true });
    await eventually(async () => expect(keptEvents).toMatchObject([{ copied: true }, { savedTo: path }]));
    expect(existsSync(path)).toBe(true);
  },
);

it('not where its link is notified', async () => {
  const { engine, keptEvents } = await capture({ publish: true, copyPicture: true, save: true });
  await eventually(async () => expect(engine.state().queue.items).toMatchObject([{ origin: 'capture' }]));
  expect(keptEvents).toEqual([]);
});

describe('the copy of the list of captures', () => {
  const openList = () => {
    const folder = temporaryFolder('captures-copy');
    const profile = must(openProfile(folder, systemClock));
    onTestFinished(() => profile.close());
    const path = join(folder, 'shot.png');
    writeFileSync(path, 'picture');
    const facts = { id: randomUUID() as string as CaptureId, path, name: 'shot.png', width: 1, height: 1, takenAt: 0 };
    const as = (status: PendingCapture['status']): PendingCapture => ({ ...facts, status });
    const damage = failure('PROFILE_DAMAGED', 'Made by the test.');
    const afterDamage = () => createPendingCaptures({ ...profile, damage }, folder).all();
    return {
      afterDamage,
      pending: createPendingCaptures(profile, folder),
      copy: join(folder, 'captures.json'),
      path,
      as,
    };
  };
  const going = (picture: string): PendingCapture['status'] => ({
    ...{ is: 'going', picture, share: {} },
    after: SINGLE_ACTION.publish,
  });

  it('holds the last of many changes, and none of them waits for it', async () => {
    const { pending, copy, as } = openList();
    pending.put(as({ is: 'editing' }));
    pending.note(as(going('edited.png')));
    pending.note(as({ is: 'discarded', at: 1 }));
    expect(existsSync(copy)).toBe(false);
    await pending.written();
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject([{ status: { is: 'discarded' } }]);
    pending.drop(as({ is: 'editing' }).id);
    await pending.written();
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual([]);
  });

  it('is not written for a capture that is published as it is', async () => {
    const { pending, copy, path, as } = openList();
    pending.put(as(going(path)));
    await pending.written();
    pending.drop(as(going(path)).id);
    await pending.written();
    expect(existsSync(copy)).toBe(false);
  });

  it('is completed after damage by what only the database has, and outranks it otherwise', async () => {
    const { pending, afterDamage, copy, as } = openList();
    const other = { ...as({ is: 'editing' }), id: randomUUID() as string as CaptureId };
    const gone = { ...other, id: randomUUID() as string as CaptureId, path: `${other.path}.gone` };
    for (const capture of [as({ is: 'editing' }), other, gone]) pending.put(capture);
    await pending.written();
    const discarded = as({ is: 'discarded', at: 1 });
    writeFileSync(copy, JSON.stringify([discarded]));
    expect(afterDamage()).toEqual([other, discarded]);
  });

  it('fails no capture where it cannot be written, and is made up for by the next change', async () => {
    const { pending, copy, as } = openList();
    mkdirSync(copy);
    pending.put(as({ is: 'editing' }));
    await pending.written();
    rmSync(copy, { recursive: true });
    pending.note(as({ is: 'discarded', at: 1 }));
    await pending.written();
    expect(readFileSync(copy, 'utf8')).toContain('discarded');
  });
});
