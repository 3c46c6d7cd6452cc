/** The profile folder is damaged, restored manually, written by another version, on a full disk, or opened twice. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { AccountId, CaptureId, ItemId, RequestKey, Sha256, UploadId } from '../../src/api/ids.ts';
import { createPendingCaptures, type PendingCapture } from '../../src/engine/capture/pending-captures.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createLibrary } from '../../src/engine/library/library-store.ts';
import { openProfile } from '../../src/engine/profile/open-profile.ts';
import { preparedPath } from '../../src/engine/profile/spool.ts';
import { baseOf } from '../../src/engine/queue/queue-item-states.ts';
import { createQueueStore } from '../../src/engine/queue/queue-store.ts';
import { createTimeline } from '../../src/engine/queue/timeline/timeline-store.ts';
import { UNFINISHED } from '../../src/engine/spool-file-endings.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { SINGLE_ACTION } from '../../src/ipc/protocol/capture.ts';
import type { PreparedSummary } from '../../src/ipc/protocol/prepared-file.ts';
import { addFile, connectTo, fastClock, itemOf, openEngine, until } from '../support/engine.ts';
import { openTestHost } from '../support/open-host.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
import { paintScreen } from '../support/screen/painted-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { drawing } from '../support/window/drawing.ts';
import { faultScenes, PATIENCE, picture, type Scene } from './scene.ts';
import { simulatedDisk, smallDisk } from './small-disk.ts';

const scene = faultScenes();
const HOUR = 3_600_000;

/** A clock that has moved on by so many hours since the tests began. */
const hoursLater = (hours: number) => ({ ...fastClock, now: () => fastClock.now() + hours * HOUR });
const databaseOf = ({ profile }: Pick<Scene, 'profile'>) => join(profile, 'profile.sqlite');
const copies = (parts: Pick<Scene, 'profile'>) =>
  readdirSync(parts.profile).filter((name) => /\.backup-\d$/.test(name));

/**
 * A profile whose latest backup contains one item of the user's and one of the app's; a third of the app's was added
 * later.
 */
const backedUp = async () => {
  const parts = await scene();
  const { engine, profile } = parts;
  engine.queue.pauseAll();
  const file = await parts.picture(1);
  const shot = await picture(engine.spoolDir, 1);
  const mine = await parts.add(file);
  const added = await engine.queue.add([{ source: { owner: 'spool', path: shot.path }, name: 'shot.png' }]);
  if (!added.ok) throw new Error(added.error.code);
  await engine.close();
  const second = await openEngine(profile, { clock: hoursLater(2) });
  await until(() => copies(parts).length === 1);
  const late = await picture(second.engine.spoolDir, 1);
  const later = await second.engine.queue.add([{ source: { owner: 'spool', path: late.path }, name: 'late.png' }]);
  if (!later.ok) throw new Error(later.error.code);
  await second.engine.close();
  return { ...parts, file, shot, late, mine };
};

/** Makes a file so many days older. */
const agedBy = (days: number, path: string): void => {
  const then = Date.now() / 1000 - days * 24 * 3600;
  utimesSync(path, then, then);
};

const overwrite = (path: string): void => {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4_096);
  writeFileSync(path, bytes);
};

const AREA = { x: 0, y: 0, width: 64, height: 48 };
const openWithScreen = async (profile: string) =>
  (await openEngine(profile, { capturer: paintScreen([AREA]), environment: {} })).engine;

const basis = { by: 'window', read: null };

/** A capture in the editor, with something hidden. */
const takeAndHide = async (engine: Engine): Promise<{ readonly id: CaptureId; readonly path: string }> => {
  await engine.capture.start({ mode: 'region', delaySeconds: 0 }, soon());
  const { capture } = engine.state();
  if (capture?.state === 'choosing') await engine.capture.choose({ id: capture.id, area: AREA, way: 'edit' }, soon());
  const editing = engine.state().capture;
  if (editing?.state !== 'editing') throw new Error('The capture is not in the editor.');
  must(await engine.capture.keepDraft({ id: editing.id, draft: drawing(AREA), basis }));
  return { id: editing.id, path: engine.capture.picture(editing.id) ?? '' };
};

const blackPicture = async (spoolDir: string, name: string = randomUUID()): Promise<string> => {
  const path = join(spoolDir, name);
  await sharp({ create: { ...AREA, channels: 3, background: 'black' } })
    .png()
    .toFile(path);
  return path;
};

const asKilled = async (engine: Engine, profile: string): Promise<void> => {
  // Files that are being written meanwhile get another name.
  const filter = (path: string) => !path.endsWith(UNFINISHED);
  cpSync(profile, `${profile}.killed`, { recursive: true, filter });
  await engine.close();
  rmSync(profile, { recursive: true });
  renameSync(`${profile}.killed`, profile);
};

const listBeside = (profile: string): string =>
  existsSync(join(profile, 'captures.json')) ? readFileSync(join(profile, 'captures.json'), 'utf8') : '';

const loseDatabase = (profile: string): void => {
  for (const name of readdirSync(profile)) if (name.startsWith('profile.sqlite')) rmSync(join(profile, name));
  writeFileSync(join(profile, 'profile.sqlite'), 'no database at all, '.repeat(500));
};

interface Paths {
  readonly path: string;
  readonly edited: string;
}
const going = (picture: string): PendingCapture['status'] => ({
  ...{ is: 'going', picture, share: {} },
  after: SINGLE_ACTION.publish,
});

const queuedIn = (engine: Engine): readonly string[] => engine.state().queue.items.map(({ source }) => source.path);
const draftOf = async (engine: Engine) => {
  const { capture } = engine.state();
  return capture?.state === 'editing' ? must(await engine.capture.draft({ id: capture.id })).draft : null;
};

describe('a damaged database', () => {
  it.each([
    ['with torn pages', overwrite],
    ['that is something else', (path: string) => writeFileSync(path, 'no database at all, '.repeat(500))],
    ['cut off', (path: string) => truncateSync(path, 10_000)],
    ['of which nothing is left', (path: string) => truncateSync(path, 0)],
  ])(
    'fault 38: %s is moved aside and rebuilt from its copy and the files of the app, and the user is notified',
    async (_, damage) => {
      const parts = await backedUp();
      const { profile, proxy, user, file, shot, late, expectPublished } = parts;
      damage(databaseOf(parts));
      const { engine } = await openEngine(profile, { clock: hoursLater(2) });
      const { items } = engine.state().queue;
      expect(items.map(({ source }) => source.path).toSorted()).toEqual([file.path, shot.path, late.path].toSorted());
      // What happened to them since is unknown: they wait for the user.
      expect(items.map(({ intent, error }) => [intent, error?.failure.code])).toEqual(
        items.map(() => ['pause', 'PROFILE_DAMAGED']),
      );
      const [notice] = engine.state().notices;
      expect(notice).toMatchObject({ code: 'PROFILE_DAMAGED', params: { copyOf: expect.any(Number) } });
      expect(existsSync(String(notice?.params?.['movedTo']))).toBe(true);
      await connectTo(engine, proxy.url, user.apiKey);
      engine.queue.resumeAll();
      engine.queue.resume({ ids: items.map(({ id }) => id) });
      for (const { id } of items)
        expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
      await expectPublished(file, shot, late);
    },
  );

  it('fault 38: and a damaged copy fall back to the copy before it', async () => {
    const parts = await backedUp();
    const { profile, mine } = parts;
    const third = await openEngine(profile, { clock: hoursLater(4) });
    await until(() => copies(parts).length === 2);
    await third.engine.close();
    overwrite(databaseOf(parts));
    overwrite(`${databaseOf(parts)}.backup-1`);
    const { engine } = await openEngine(profile, { clock: hoursLater(4) });
    expect(itemOf(engine, mine)).toMatchObject({ intent: 'pause' });
    expect(engine.state().queue.items).toHaveLength(3);
  });

  it('fault 38: without any copy is created again from the files of the app', async () => {
    const parts = await backedUp();
    for (const name of copies(parts)) rmSync(join(parts.profile, name));
    overwrite(databaseOf(parts));
    const { engine } = await openEngine(parts.profile);
    expect(
      engine
        .state()
        .queue.items.map(({ source }) => source.path)
        .toSorted(),
    ).toEqual([parts.shot.path, parts.late.path].toSorted());
    expect(engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED', params: { copyOf: null } }]);
  });

  it('fault 38: whose recovery a crash interrupts is recovered at the next start', async () => {
    const parts = await backedUp();
    const { profile, file, shot, late } = parts;
    overwrite(databaseOf(parts));
    const clock = hoursLater(2);
    // It ends between the new database and the recovery of its queue.
    const interrupted = openProfile(profile, clock);
    if (!interrupted.ok) throw new Error(interrupted.error.detail);
    interrupted.value.close();
    agedBy(3, late.path);
    const { engine } = await openEngine(profile, { clock });
    expect(engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
    const { items } = engine.state().queue;
    expect(items.map(({ source }) => source.path).toSorted()).toEqual([file.path, shot.path, late.path].toSorted());
    expect(items.map(({ intent }) => intent)).toEqual(['pause', 'pause', 'pause']);
    engine.app.dismissNotices();
    await engine.close();
    const next = await openEngine(profile, { clock });
    expect(next.engine.state().notices).toEqual([]);
    expect(next.engine.state().queue.items).toHaveLength(3);
  });

  it('fault 38: whose recovery finds a full disk is recovered when there is space, and no file is lost meanwhile', async () => {
    const parts = await backedUp();
    const { profile, late } = parts;
    const { spoolDir } = parts.engine;
    const shots = Array.from({ length: 40 }, (_, turn) => join(spoolDir, `shot-${turn}-${'x'.repeat(100)}.png`));
    for (const path of shots) writeFileSync(path, 'picture');
    for (const path of [late.path, ...shots]) agedBy(3, path);
    overwrite(databaseOf(parts));
    const clock = hoursLater(2);
    const full = await openEngine(profile, { clock }, (real) => {
      real.profile.database.pragma(`max_page_count = ${real.profile.database.pragma('page_count', { simple: true })}`);
      return real;
    });
    expect(full.engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
    await full.engine.close();
    const { engine } = await openEngine(profile, { clock });
    expect(engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
    const held = engine.state().queue.items.map(({ source }) => source.path);
    expect(held).toEqual(expect.arrayContaining([late.path, ...shots]));
    for (const path of shots) expect(existsSync(path)).toBe(true);
  });

  it.each(['closed', 'killed'])(
    'fault 38: that was replaced by an older one after a run that was %s gets the files of the app back, paused, and the user is notified',
    async (end) => {
      const parts = await scene();
      const { engine, profile } = parts;
      const first = await picture(engine.spoolDir, 1);
      engine.queue.pauseAll();
      await engine.queue.add([{ source: { owner: 'spool', path: first.path }, name: 'first.png' }]);
      await engine.close();
      const old = `${databaseOf(parts)}.of-the-person`;
      copyFileSync(databaseOf(parts), old);
      const newer = await openEngine(profile);
      const second = await picture(newer.engine.spoolDir, 1);
      await newer.engine.queue.add([{ source: { owner: 'spool', path: second.path }, name: 'second.png' }]);
      const runs = `${databaseOf(parts)}.runs`;
      const runsThen = readFileSync(runs);
      await newer.engine.close();
      // What a killed run leaves beside the database is what was there before its end.
      if (end === 'killed') writeFileSync(runs, runsThen);
      copyFileSync(old, databaseOf(parts));
      agedBy(3, second.path);
      const again = await openEngine(profile);
      expect(again.engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
      const { items } = again.engine.state().queue;
      expect(items.map(({ source }) => source.path)).toEqual([first.path, second.path]);
      expect(items.map(({ intent }) => intent)).toEqual(['pause', 'pause']);
      again.engine.app.dismissNotices();
      await again.engine.close();
      expect((await openEngine(profile)).engine.state().notices).toEqual([]);
    },
  );

  it('fault 38: items published after the copy was made do not come back', async () => {
    const parts = await backedUp();
    const { profile, proxy, user, shot, late, file, mine, published } = parts;
    const { engine } = await openEngine(profile, { clock: hoursLater(2) });
    await connectTo(engine, proxy.url, user.apiKey);
    engine.queue.resumeAll();
    await until(() => engine.state().queue.items.every(({ state }) => state === 'linked'));
    await until(() => !existsSync(shot.path) && !existsSync(late.path));
    await engine.close();
    overwrite(databaseOf(parts));
    const again = await openEngine(profile, { clock: hoursLater(2) });
    // The user's own file may have been published; only the user can know, so it is not sent automatically.
    expect(again.engine.state().queue.items.map(({ id }) => id)).toEqual([mine]);
    expect(itemOf(again.engine, mine)?.source.path).toBe(file.path);
    expect(await published()).toHaveLength(3);
  });

  it('fault 38: an older file beside the journal of a newer one loses no file of the app, and a mismatch is reported', async () => {
    const parts = await backedUp();
    const { profile } = parts;
    const path = databaseOf(parts);
    const old = `${path}.of-the-person`;
    copyFileSync(path, old);
    const { engine } = await openEngine(profile, { clock: hoursLater(2) });
    engine.queue.pauseAll();
    const shots = [];
    for (let turn = 0; turn < 40; turn++) {
      const shot = join(engine.spoolDir, `shot-${turn}.png`);
      writeFileSync(shot, `picture ${turn} ${'x'.repeat(1_000)}`);
      await engine.queue.add([
        { source: { owner: 'spool', path: shot }, name: `${'a long name '.repeat(20)}${turn}.png` },
      ]);
      shots.push(shot);
    }
    // The process dies with its journal beside the database; then the user replaces the database with an old file.
    const [journal, index] = ['-wal', '-shm'].map((ending) => readFileSync(path + ending));
    await engine.close();
    copyFileSync(old, path);
    writeFileSync(`${path}-wal`, journal ?? '');
    writeFileSync(`${path}-shm`, index ?? '');
    const again = await openEngine(profile, { clock: hoursLater(2) });
    const held = new Set(again.engine.state().queue.items.map(({ source }) => source.path));
    for (const shot of [parts.shot.path, ...shots]) expect(held).toContain(shot);
  });

  it('fault 38: does not publish what the user hid or discarded: the editor has its captures again', async () => {
    const profile = temporaryFolder('profile-captures');
    const engine = await openWithScreen(profile);
    const { spoolDir } = engine;
    const published = await takeAndHide(engine);
    const picture = await blackPicture(spoolDir);
    const after = SINGLE_ACTION.publish;
    expect(await engine.capture.finish({ id: published.id, picture, basis, after, share: {} }, soon())).toMatchObject({
      ok: true,
    });
    const discarded = await takeAndHide(engine);
    await engine.capture.cancel();
    const edited = await takeAndHide(engine);
    await blackPicture(spoolDir, `${edited.id}.clipboard.png`);
    await until(() => listBeside(profile).includes(edited.id));
    await asKilled(engine, profile);
    loseDatabase(profile);
    for (let starts = 0; starts < 2; starts++) {
      const again = await openWithScreen(profile);
      expect(queuedIn(again)).toEqual([picture]);
      expect(again.state()).toMatchObject({ capture: { id: edited.id }, discarded: [{ id: discarded.id }] });
      expect(await draftOf(again)).toEqual(drawing(AREA));
      await until(() => !existsSync(published.path));
      await asKilled(again, profile);
    }
  });

  it('fault 38: and a list of captures that is lost too publishes nothing without what is drawn on it', async () => {
    const profile = temporaryFolder('profile-drawn');
    const engine = await openWithScreen(profile);
    const { path } = await takeAndHide(engine);
    await asKilled(engine, profile);
    loseDatabase(profile);
    rmSync(join(profile, 'captures.json'), { force: true });
    const again = await openWithScreen(profile);
    expect(queuedIn(again)).toEqual([]);
    expect(again.state().capture).toMatchObject({ state: 'editing', width: AREA.width, height: AREA.height });
    expect(await draftOf(again)).toEqual(drawing(AREA));
    expect(existsSync(path)).toBe(true);
  });

  it.each(['captures.json', 'profile.sqlite.runs'])(
    'fault 38: and %s that cannot be read do not block the start, and the captures are kept',
    async (name) => {
      const profile = temporaryFolder('profile-unreadable');
      const engine = await openWithScreen(profile);
      const { id } = await takeAndHide(engine);
      await asKilled(engine, profile);
      const unreadable = join(profile, name);
      rmSync(unreadable, { force: true });
      // Nobody can read a folder as a file, whatever their rights.
      mkdirSync(unreadable);
      const again = await openWithScreen(profile);
      expect(again.state().capture).toMatchObject({ id });
      await asKilled(again, profile);
      rmSync(unreadable, { recursive: true });
      loseDatabase(profile);
      mkdirSync(unreadable);
      const rebuilt = await openWithScreen(profile);
      expect(rebuilt.state().capture).toMatchObject({ state: 'editing' });
      expect(rebuilt.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
    },
  );

  it('fault 38: and files of a capture that cannot be deleted do not block the start, and it is not published unedited', async () => {
    const profile = temporaryFolder('profile-undeletable');
    const engine = await openWithScreen(profile);
    const { spoolDir } = engine;
    await engine.close();
    const opened = openProfile(profile, fastClock);
    if (!opened.ok) throw new Error(opened.error.detail);
    const path = await blackPicture(spoolDir, `${randomUUID()}.png`);
    const edited = await blackPicture(spoolDir);
    const captures = createPendingCaptures(opened.value, profile);
    const facts = { id: randomUUID() as string as CaptureId, path, name: 'shot.png', takenAt: 0 };
    captures.put({ ...facts, width: AREA.width, height: AREA.height, status: going(edited) });
    await captures.written();
    opened.value.close();
    loseDatabase(profile);
    mkdirSync(`${path}.drawing`);
    const again = await openWithScreen(profile);
    await until(() => queuedIn(again).length > 0);
    expect(queuedIn(again)).toEqual([edited]);
    await again.close();
    // Only a recovery that is complete ends the report.
    const next = openProfile(profile, fastClock);
    expect(must(next).damage).toMatchObject({ code: 'PROFILE_DAMAGED' });
    must(next).close();
  });

  it.each<[string, (paths: Paths, item: ItemId) => Pick<PendingCapture, 'item' | 'status'>, readonly (keyof Paths)[]]>([
    ['was queued edited', (_, item) => ({ status: { is: 'kept', item } }), ['edited']],
    ['was about to be queued edited', ({ edited }, item) => ({ item, status: going(edited) }), ['edited']],
    ['was about to be queued unedited', ({ path }, item) => ({ item, status: going(path) }), ['path']],
    ['is in the editor', (_, item) => ({ item, status: { is: 'editing' } }), ['path']],
  ])(
    'fault 38: that was replaced by an older one publishes nothing by itself of a capture that %s',
    async (_, entryOf, queued) => {
      const profile = temporaryFolder('profile-original');
      const engine = await openWithScreen(profile);
      const path = await blackPicture(engine.spoolDir, `${randomUUID()}.png`);
      const source = { owner: 'spool', path } as const;
      const [item] = must(await engine.queue.add([{ source, name: 'shot.png', origin: 'capture' }]));
      await engine.close();
      const old = join(profile, 'of-the-person');
      copyFileSync(databaseOf({ profile }), old);

      const opened = openProfile(profile, fastClock);
      if (!opened.ok) throw new Error(opened.error.detail);
      const isEdited = queued[0] === 'edited';
      const paths = { path, edited: isEdited ? await blackPicture(engine.spoolDir) : '' };
      const entry = {
        ...entryOf(paths, item as ItemId),
        path,
        name: 'shot.png',
        width: AREA.width,
        height: AREA.height,
      };
      const captures = createPendingCaptures(opened.value, profile);
      captures.put({ id: randomUUID() as string as CaptureId, takenAt: 0, ...entry });
      await captures.written();
      opened.value.close();
      copyFileSync(old, databaseOf({ profile }));

      const again = await openWithScreen(profile);
      expect(queuedIn(again)).toEqual(queued.map((which) => paths[which]));
      expect(again.state().queue.items.map(({ intent }) => intent)).toEqual(queued.map(() => 'pause'));
      // The unedited picture is in the editor.
      expect(again.state().capture).toEqual(isEdited ? null : expect.objectContaining({ name: 'shot.png', item }));
      await until(() => existsSync(path) !== isEdited);
    },
  );

  it('fault 38: that was replaced by an older one keeps the link settings of a capture that waits with something hidden', async () => {
    const profile = temporaryFolder('profile-waiting');
    const engine = await openWithScreen(profile);
    engine.queue.pauseAll();
    const path = await blackPicture(engine.spoolDir, `${randomUUID()}.png`);
    const share = { visibility: 'private', oneTime: true } as const;
    const source = { owner: 'spool', path } as const;
    const [id] = must(await engine.queue.add([{ source, name: 'shot.png', origin: 'capture', share }]));
    const item = id as ItemId;
    await engine.close();
    const opened = must(openProfile(profile, fastClock));
    const captures = createPendingCaptures(opened, profile);
    const facts = { id: randomUUID() as string as CaptureId, path, name: 'shot.png', takenAt: 0, item };
    captures.put({ ...facts, width: AREA.width, height: AREA.height, status: { is: 'editing' } });
    await captures.written();
    opened.close();
    writeFileSync(`${path}.drawing`, JSON.stringify(drawing(AREA)));
    writeFileSync(`${databaseOf({ profile })}.runs`, '99');

    const again = await openWithScreen(profile);
    expect(again.state().capture).toMatchObject({ state: 'editing', id: facts.id, item });
    expect(itemOf(again, item)).toMatchObject({ share, intent: 'pause', source: { path } });
    // Not without what is drawn on it, as long as the editor has not sent it.
    expect(itemOf(again, item)).toMatchObject({ error: { failure: { code: 'DRAWING_NOT_APPLIED' } } });
    const picture = await blackPicture(again.spoolDir);
    const { version } = must(await again.capture.draft({ id: facts.id }));
    const after = SINGLE_ACTION.publish;
    must(
      await again.capture.finish(
        {
          id: facts.id,
          picture,
          basis: { by: 'window', read: version?.revision ?? null },
          after,
          share: {},
          isReviewed: true,
        },
        soon(),
      ),
    );
    expect(itemOf(again, item)).toMatchObject({ share, source: { path: picture } });
    expect(queuedIn(again)).toEqual([picture]);
  });

  it.each(['returned to the editor', 'lost its picture'])(
    'fault 38: that was replaced by an older one leaves nothing of an item whose capture %s: no thumbnail, file or upload',
    async (fate) => {
      const profile = temporaryFolder('profile-left');
      const engine = await openWithScreen(profile);
      const path = await blackPicture(engine.spoolDir, `${randomUUID()}.png`);
      const source = { owner: 'spool', path } as const;
      const [item] = must(await engine.queue.add([{ source, name: 'shot.png', origin: 'capture' }]));
      const id = item as ItemId;
      await until(() => engine.state().thumbnails.includes(id));
      const body = preparedPath(engine.spoolDir, id);
      writeFileSync(body, 'prepared');
      await engine.close();
      const open = () => {
        const opened = must(openProfile(profile, fastClock));
        const library = createLibrary(opened);
        const timeline = createTimeline(opened, fastClock);
        return { opened, store: createQueueStore({ profile: opened, library, timeline, onChange: () => {} }) };
      };
      const { opened, store } = open();
      const queued = store.get(id);
      if (!queued) throw new Error('The item is not in the queue.');
      const upload = { uploadId: randomUUID() as string as UploadId, accountId: randomUUID() as string as AccountId };
      const hashed = { fingerprint: '0'.repeat(64) as Sha256, startKey: randomUUID() as string as RequestKey };
      const sent = { ...upload, ...hashed, confirmedBytes: 0, state: 'started' } as const;
      const facts = { format: 'png', bytes: 8, width: AREA.width, height: AREA.height };
      const made: PreparedSummary = { kind: 'image', before: facts, after: facts, done: ['repacked'] };
      const prepared = { path: body, name: 'shot.png', size: 8, made };
      must(store.save({ ...baseOf(queued), ...sent, body: prepared }));
      const captures = createPendingCaptures(opened, profile);
      const entry = { id: randomUUID() as string as CaptureId, path, name: 'shot.png', takenAt: 0, item: id };
      const status = { is: 'editing' } as const;
      if (fate === 'lost its picture') rmSync(path);
      else captures.put({ ...entry, width: AREA.width, height: AREA.height, status });
      await captures.written();
      opened.close();
      // The database is older than the last one.
      writeFileSync(`${databaseOf({ profile })}.runs`, '99');

      const again = await openWithScreen(profile);
      expect(queuedIn(again)).toEqual([]);
      await until(() => !again.state().thumbnails.includes(id) && !existsSync(body));
      expect(existsSync(path)).toBe(fate === 'returned to the editor');
      await again.close();
      const after = open();
      expect(after.store.orphanedUploads()).toMatchObject([upload]);
      after.opened.close();
    },
  );

  it('keeps two copies, made at most once an hour, and never one of an empty profile', async () => {
    const parts = await backedUp();
    const { profile } = parts;
    for (const [hours, expected] of [
      [2.5, 1],
      [3.5, 2],
      [5, 2],
      [7, 2],
    ] as const) {
      const { engine } = await openEngine(profile, { clock: hoursLater(hours) });
      await addFile(engine, parts.file.path);
      await until(() => copies(parts).length === expected);
      await engine.close();
    }
    const empty = await openEngine(join(parts.folder, 'empty'), { clock: hoursLater(9) });
    await empty.engine.close();
    expect(copies({ profile: join(parts.folder, 'empty') })).toEqual([]);
    const held = new Database(`${databaseOf(parts)}.backup-1`, { readonly: true });
    expect(held.prepare('SELECT count(*) FROM queue').pluck().get()).toBeGreaterThan(3);
    held.close();
  });
});

it('fault 39: a database of a newer version is refused, and is not written to', async () => {
  const parts = await backedUp();
  const path = databaseOf(parts);
  const database = new Database(path);
  database.pragma('user_version = 999');
  database.close();
  const facts = () => readdirSync(parts.profile).filter((name) => name.startsWith('profile.sqlite')).map((name) => [name, readFileSync(join(parts.profile, name)).toString('base64')]); // biome-ignore format: one thought
  const before = facts();
  await expect(openEngine(parts.profile)).rejects.toThrow('PROFILE_NEWER');
  expect(facts()).toEqual(before);
});

it('fault 37: a second start on the same profile is refused, and passes its file to the first', async () => {
  const { proxy, user, folder, picture, expectPublished } = await scene({ connect: 'later' });
  const profile = join(folder, 'shared');
  const first = await openTestHost(profile);
  await connectTo(first.engine, proxy.url, user.apiKey);
  await expect(openTestHost(profile)).rejects.toThrow('already running with this profile');
  const instance = await connectToInstance(profile);
  const file = await picture(1);
  const added = await instance?.call('queue.addPaths', { paths: [file.path] });
  expect(added).toMatchObject({ ok: true });
  await until(() => first.engine.state().queue.items.some(({ state }) => state === 'linked'));
  await expectPublished(file);
  instance?.close();
});

it('fault 21: a full disk pauses the queue visibly, keeps every capture, and the queue continues when there is space', async () => {
  const { folder, proxy, user, expectPublished } = await scene({ connect: 'later' });
  const profile = join(folder, 'small');
  mkdirSync(profile);
  const disk = smallDisk(profile, 12);
  const { engine } = await openEngine(profile);
  await connectTo(engine, proxy.url, user.apiKey);
  engine.queue.pauseAll();
  const shot = await picture(engine.spoolDir, 1);
  const added = await engine.queue.add([{ source: { owner: 'spool', path: shot.path }, name: 'shot.png' }]);
  const id = (added.ok ? added.value[0] : undefined) as ItemId;
  disk.fill();
  engine.queue.resumeAll();
  await until(() => itemOf(engine, id)?.error?.failure.code === 'DISK_FULL');
  expect(itemOf(engine, id)?.error?.retryAt).toBeNull();
  const other = await picture(folder, 1);
  expect(await engine.queue.add([{ source: { owner: 'user', path: other.path }, name: 'other.png' }])).toMatchObject({
    ok: false,
    error: { code: 'DISK_FULL' },
  });
  const source = { owner: 'user', path: other.path } as const;
  expect(await engine.queue.add([{ source, name: 'o.png', share: { password: 'long enough' } }])).toMatchObject({
    ok: false,
    error: { code: 'DISK_FULL' },
  });
  expect(existsSync(shot.path)).toBe(true);
  disk.makeRoom();
  engine.queue.retry({ ids: [id] });
  await until(() => itemOf(engine, id)?.state === 'linked');
  await expectPublished(shot);
});

it.each([
  ['a full disk', smallDisk],
  ['a simulated one', simulatedDisk],
])('fault 21: every command on %s succeeds or reports that the disk is full', async (_, diskAt) => {
  const { folder, proxy, user, picture } = await scene({ connect: 'later' });
  const profile = join(folder, 'small');
  mkdirSync(profile);
  const disk = diskAt(profile, 12);
  const { engine, dispatcher, logged } = await openTestHost(profile);
  const run = (command: string, input: object) => dispatcher.dispatch('owner', command, input, soon());
  await connectTo(engine, proxy.url, user.apiKey);
  for (const text of ['one', 'two', 'three']) await run('note.add', { text });
  await until(() => engine.state().queue.items.every(({ state }) => state === 'linked'));
  engine.queue.pauseAll();
  await run('note.add', { text: 'waiting' });
  const [one, two, three, waiting] = engine.state().queue.items.map(({ id }) => id);
  const paths = [(await picture(1)).path];
  disk.fill();
  const commands: readonly (readonly [string, object])[] = [
    ['library.refresh', { ids: [one] }],
    ['library.update', { ids: [one], change: { title: 'new' } }],
    ['library.delete', { ids: [one], when: 'after-undo' }],
    ['library.undelete', { ids: [one] }],
    ['library.delete', { ids: [two], when: 'now' }],
    ['library.forget', { ids: [three] }],
    ['library.sync', {}],
    ['link.copy', { id: three }],
    ['note.read', { id: three }],
    ['note.edit', { id: three, text: 'x'.repeat(9_000), revision: 1 }],
    ['note.dropDraft', { id: three }],
    ['note.dropUnpublished', {}],
    ['note.add', { text: 'x'.repeat(9_000) }],
    ['queue.addPaths', { paths }],
    ['queue.setShare', { ids: [waiting], change: { title: 'new', password: 'quiet otter 7' } }],
    ['queue.move', { id: waiting, before: three }],
    ['queue.dismiss', { ids: [three] }],
    ['queue.cancel', { ids: [waiting] }],
    ['queue.resumeAll', {}],
    ['settings.update', { theme: 'dark' }],
    ['preset.save', { name: 'new', link: {} }],
    ['problem.note', { failure: { code: 'DISK_FULL', detail: 'full' } }],
    ['problem.forget', { ids: 'all' }],
    ['app.dismissNotices', {}],
    ...['history', 'lastRegion', 'discarded', 'leftovers', 'thumbnails'].map(
      (what) => ['profile.clear', { what }] as const,
    ),
    ['connection.disconnect', {}],
    ['connection.connect', { server: proxy.url, key: user.apiKey }],
  ];
  for (const [command, input] of commands) {
    const reply = await run(command, input);
    if (!reply.ok) expect(reply.error, command).toMatchObject({ code: 'DISK_FULL' });
  }
  disk.makeRoom();
  expect(logged.filter((line) => !line.includes('SQLITE_FULL') && !line.includes('disk is full'))).toEqual([]);
});

it('fault 21: a profile that is opened on a full disk reports it, or shows its items', async () => {
  const { folder, picture } = await scene({ connect: 'later' });
  const profile = join(folder, 'small');
  mkdirSync(profile);
  const disk = smallDisk(profile, 8);
  const first = await openEngine(profile);
  first.engine.queue.pauseAll();
  const id = await addFile(first.engine, (await picture(1)).path);
  await first.engine.close();
  disk.fill();
  const again = await openEngine(profile).catch((error: Error) => error);
  if (again instanceof Error) expect(again.message).toContain('DISK_FULL');
  else expect(itemOf(again.engine, id)?.state).toBe('queued');
  disk.makeRoom();
  if (again instanceof Error) expect(itemOf((await openEngine(profile)).engine, id)?.state).toBe('queued');
});
