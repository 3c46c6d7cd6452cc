import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import Type from 'typebox';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import type { AccountId, ItemId, UploadId } from '../../../src/api/ids.ts';
import type { WindowsTools } from '../../../src/base/node/private-folder.ts';
import type { Session } from '../../../src/engine/account/account-session.ts';
import { failureOfRefusal } from '../../../src/engine/api-client/request-errors.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createLibrary } from '../../../src/engine/library/library-store.ts';
import { silentNotifier, systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import type { Clock, SecretStore } from '../../../src/engine/ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { createPersistedValue } from '../../../src/engine/profile/persisted-value.ts';
import { preparedPath } from '../../../src/engine/profile/spool.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { createOrphanedUploads } from '../../../src/engine/queue/orphaned-uploads.ts';
import { createQueueStore, type OrphanedUpload, type QueueStore } from '../../../src/engine/queue/queue-store.ts';
import { createTimeline } from '../../../src/engine/queue/timeline/timeline-store.ts';
import { FOLDER_ENDING, UNFINISHED } from '../../../src/engine/spool-file-endings.ts';
import type { QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import { addFile, connectTo, itemOf, openEngine, randomFile, until } from '../../support/engine.ts';
import { bundleOf } from '../../support/folder/folder-bundle.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { startModelService } from '../../support/server/model-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { windowsRights } from '../../support/windows-rights.ts';

const root = temporaryFolder('engine-profile');
let folder: string;
let turn = 0;

beforeEach(() => {
  folder = join(root, `test-${turn++}`);
});

const tryToOpen = (profileDir: string, secrets = async (): Promise<SecretStore> => createMemoryKeyStore()) =>
  createEngine({
    clock: systemClock,
    random: systemRandom,
    secrets,
    clipboard: null,
    notifier: silentNotifier,
    opener: { open: () => Promise.reject(new Error('unused')) },
    environment: {},
    profileDir,
    device: { name: 'Test computer', platform: 'linux' },
    version: 'test',
  });

describe('a profile', () => {
  itWith('signals')(
    'has one owner, in this process and in another, and is free again when that one is killed',
    async () => {
      const { engine } = await openEngine(folder);
      expect(await tryToOpen(folder)).toMatchObject({ ok: false, error: { code: 'PROFILE_BUSY' } });
      await engine.close();

      const script = fileURLToPath(new URL('../../support/processes/engine-process.ts', import.meta.url));
      const file = randomFile(join(root, 'files'), 'a.png', 500);
      // One that never answers: at a refusal the process would end by itself.
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      onTestFinished(() => void silent.close());
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const other = spawn(process.execPath, [script, folder, `http://127.0.0.1:${port}`, 'key', file.path], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void other.kill('SIGKILL'));
      await once(other.stdout, 'data');
      other.kill('SIGSTOP');
      expect(await tryToOpen(folder)).toMatchObject({ ok: false, error: { code: 'PROFILE_BUSY' } });
      other.kill('SIGKILL');
      await once(other, 'exit');
      const again = await openEngine(folder);
      expect(again.engine.state().queue.items).toHaveLength(1);
    },
  );

  it('that another one owns leaves the key store alone', async () => {
    const { engine } = await openEngine(folder);
    const secrets = vi.fn(async () => createMemoryKeyStore());
    expect(await tryToOpen(folder, secrets)).toMatchObject({ ok: false, error: { code: 'PROFILE_BUSY' } });
    expect(secrets).not.toHaveBeenCalled();
    await engine.close();
    const opened = await tryToOpen(folder, secrets);
    expect(secrets).toHaveBeenCalledOnce();
    if (opened.ok) await opened.value.close();
  });

  const modeOf = (path: string) => statSync(path).mode & 0o777;

  itWith('modes of files')('is accessible only to its user: folders 0700, files 0600', async () => {
    const { engine } = await openEngine(folder);
    const spooled = join(engine.spoolDir, 'shot.png');
    writeFileSync(spooled, 'picture', { mode: 0o644 });
    const added = await engine.queue.add([{ source: { owner: 'spool', path: spooled }, name: 'shot.png' }]);
    expect(added.ok).toBe(true);
    expect([folder, engine.spoolDir, join(folder, 'thumbnails')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    const files = ['profile.sqlite', 'profile.sqlite-wal', 'lock.sqlite'].map((name) => join(folder, name));
    expect([spooled, ...files].map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o600]);
  });

  itWith('modes of files')('in a folder that was there before leaves the rights of that folder alone', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const { engine } = await openEngine(folder);
    expect([folder, engine.spoolDir].map(modeOf)).toEqual([0o755, 0o700]);
  });

  it('in a folder that was there before is closed to others on Windows, and a refusal is logged', () => {
    const said: string[] = [];
    const open = (path: string, windows: WindowsTools) => {
      mkdirSync(path, { recursive: true });
      const profile = openProfile(path, systemClock, (line) => said.push(line), windows);
      if (!profile.ok) throw new Error(profile.error.detail);
      profile.value.close();
    };
    const windows = windowsRights();
    open(folder, windows);
    open(folder, windows);
    expect(windows.closed).toEqual([folder]);
    expect(said).toEqual([]);
    const refused = join(folder, 'another');
    open(refused, windowsRights(true));
    expect(said).toEqual([expect.stringContaining(`Other users of this computer may read ${refused}`)]);
  });

  it('that cannot be used is an answer that names the folder', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const opened = await tryToOpen(folder);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'PROFILE_DAMAGED', detail: expect.stringContaining(folder) },
    });
  });

  it('with a file in the place of its spool is free again after the failed start', async () => {
    mkdirSync(folder, { recursive: true });
    const spool = join(folder, 'spool');
    writeFileSync(spool, 'not a folder');
    await expect(tryToOpen(folder)).rejects.toThrow(spool);
    rmSync(spool);
    await openEngine(folder);
  });

  // Another process, because what never returned would hold this one for good.
  itWith('read-only folder /proc')('below a read-only folder is answered immediately', () => {
    const cli = fileURLToPath(new URL('../../../src/cli/cli.ts', import.meta.url));
    const words = [cli, 'status', '--profile', '/proc/linkshot'];
    const { status, stderr } = spawnSync(process.execPath, words, { timeout: 60_000, killSignal: 'SIGKILL' });
    expect([status, String(stderr)]).toEqual([1, expect.stringContaining('--profile DIR')]);
  });

  it('of a newer version is refused and not written to', async () => {
    const { engine } = await openEngine(folder);
    await engine.close();
    const path = join(folder, 'profile.sqlite');
    const database = new Database(path);
    database.pragma('user_version = 999');
    database.close();
    const before = readFileSync(path);
    expect(await tryToOpen(folder)).toMatchObject({ ok: false, error: { code: 'PROFILE_NEWER' } });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('whose database is damaged is rebuilt, keeps the old one, reports it, and finds the spooled files again', async () => {
    const { engine } = await openEngine(folder);
    const spooled = join(engine.spoolDir, 'shot.png');
    writeFileSync(spooled, 'picture');
    // The oldest comes first, and two files of one instant have no order.
    const minuteAgo = Date.now() / 1_000 - 60;
    utimesSync(spooled, minuteAgo, minuteAgo);
    writeFileSync(join(engine.spoolDir, 'half.part'), 'half');
    // The prepared body of a user's own file: the file is unchanged, and its owner must add it again.
    for (const ending of ['', '.mp4'] as const)
      writeFileSync(preparedPath(engine.spoolDir, systemRandom.uuid() as ItemId, ending), 'made');
    const code = join(engine.spoolDir, `code${FOLDER_ENDING}`);
    writeFileSync(code, bundleOf({ 'a.ts': 'code' }));
    await engine.queue.add([{ source: { owner: 'spool', path: spooled }, name: 'shot.png' }]);
    await engine.close();
    writeFileSync(join(folder, 'profile.sqlite'), 'this is not a database, '.repeat(400));

    const PRIVATE = { visibility: 'private' };
    const again = await openEngine(folder);
    expect(again.engine.state().notices).toMatchObject([{ code: 'PROFILE_DAMAGED' }]);
    expect(again.engine.state().queue.items).toMatchObject([
      // Their link settings are lost with the database.
      { name: 'shot.png', intent: 'pause', source: { path: spooled }, job: { kind: 'file' }, share: PRIVATE },
      { intent: 'pause', source: { path: code }, job: { kind: 'folder' }, share: PRIVATE },
    ]);
    expect(readdirSync(folder).some((name) => name.includes('damaged'))).toBe(true);
    again.engine.app.dismissNotices();
    await again.engine.close();
    const third = await openEngine(folder);
    expect(third.engine.state().notices).toEqual([]);
    expect(third.engine.state().queue.items).toHaveLength(2);
  });

  it('with a row it cannot read shows the row as unreadable, keeps it, and runs the others', async () => {
    const model = await startModelService();
    onTestFinished(() => model.close());
    const { engine } = await openEngine(folder);
    const file = randomFile(join(root, 'files'), 'b.png', 500);
    const odd = await addFile(engine, file.path, 'odd.png');
    const even = await addFile(engine, file.path, 'even.png');
    await engine.close();
    const database = new Database(join(folder, 'profile.sqlite'));
    const future = JSON.stringify({ state: 'teleporting', more: 1 });
    database.prepare('UPDATE queue SET item = ? WHERE id = ?').run(future, odd);

    const again = await openEngine(folder);
    expect(itemOf(again.engine, odd)).toMatchObject({
      state: 'unreadable',
      name: 'odd.png',
      error: { failure: { code: 'ITEM_UNREADABLE' } },
    });
    again.engine.queue.retry({ ids: [odd] });
    again.engine.queue.pause({ ids: [odd] });
    again.engine.queue.move({ id: odd, before: null });
    await connectTo(again.engine, model.url);
    expect((await again.engine.queue.waitFor({ id: even, patienceMs: 3_600_000 }, soon())).ok).toBe(true);
    expect(database.prepare('SELECT item FROM queue WHERE id = ?').pluck().get(odd)).toBe(future);
    database.close();
    again.engine.queue.cancel({ ids: [odd] });
    await until(() => itemOf(again.engine, odd) === undefined);
  });

  it('is swept of spooled files that nothing points at after a day, and not before', async () => {
    const { engine } = await openEngine(folder);
    const paths = ['wanted', 'old', 'new'].map((name) => join(engine.spoolDir, name));
    for (const path of paths) writeFileSync(path, 'picture');
    const [wanted = '', old = '', young = ''] = paths;
    await engine.queue.add([{ source: { owner: 'spool', path: wanted }, name: 'wanted' }]);
    await engine.close();
    const longAgo = Date.now() / 1000 - 3 * 24 * 3600;
    for (const path of [wanted, old]) utimesSync(path, longAgo, longAgo);
    await openEngine(folder, { clock: systemClock });
    await until(() => !existsSync(old));
    expect([wanted, young].map(existsSync)).toEqual([true, true]);
  });

  it('is swept of what a crash has left of a published item, while the item is still listed', async () => {
    const model = await startModelService();
    onTestFinished(() => model.close());
    const { engine } = await openEngine(folder);
    await connectTo(engine, model.url);
    const { path } = randomFile(engine.spoolDir, 'shot.png', 500);
    const bytes = readFileSync(path);
    const added = await engine.queue.add([{ source: { owner: 'spool', path }, name: 'shot.png' }]);
    const id = added.ok ? added.value[0] : undefined;
    if (id === undefined) throw new Error('Not added.');
    expect((await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).ok).toBe(true);
    await until(() => !existsSync(path));
    await engine.close();
    // As if the process had died before it removed the file.
    writeFileSync(path, bytes);
    const longAgo = Date.now() / 1000 - 3 * 24 * 3600;
    utimesSync(path, longAgo, longAgo);
    const again = await openEngine(folder, { clock: systemClock });
    await until(() => !existsSync(path));
    expect(itemOf(again.engine, id)).toMatchObject({ state: 'linked', source: { path } });
  });

  it('keeps its settings, and refuses ones of another shape', async () => {
    const { engine } = await openEngine(folder);
    expect(engine.settings.update({ language: 'ru', itemsAtOnce: 3 })).toMatchObject({
      ok: true,
      value: { language: 'ru' },
    });
    expect(engine.settings.update({ itemsAtOnce: 9 })).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    await engine.close();
    const again = await openEngine(folder);
    expect(again.engine.state().settings).toMatchObject({ language: 'ru', itemsAtOnce: 3, theme: 'system' });
  });

  it('forgets after a day the uploads left at the service, also those of an account that never comes back', async () => {
    const opened = openProfile(folder, systemClock);
    if (!opened.ok) throw new Error(opened.error.detail);
    onTestFinished(() => opened.value.close());
    const store = createQueueStore({
      profile: opened.value,
      library: createLibrary(opened.value),
      timeline: createTimeline(opened.value, systemClock),
      onChange: () => {},
    });
    const upload = (uploadId: string, orphanedAt: number) =>
      ({ uploadId: uploadId as UploadId, accountId: 'gone' as AccountId, orphanedAt }) as const;
    const now = 1_800_000_000_000;
    const fresh = upload('fresh', now - 3_600_000);
    for (const one of [fresh, upload('old', now - 25 * 3_600_000)]) store.addOrphanedUpload(one);
    const session = () => err(failure('NOT_CONNECTED', ''));
    const clock = { ...systemClock, now: () => now };
    const orphans = createOrphanedUploads({ store, clock, session }, soon());
    orphans.cancel();
    await orphans.idle();
    expect(store.orphanedUploads()).toEqual([fresh]);
  });

  it('keeps an upload left at the service until the service itself has answered about it', async () => {
    const upload = { uploadId: 'left' as UploadId, accountId: 'account' as AccountId, orphanedAt: systemClock.now() };
    let left: readonly OrphanedUpload[] = [upload];
    const store = {
      orphanedUploads: () => left,
      removeOrphanedUpload: () => {
        left = [];
      },
    } as unknown as QueueStore;
    let text = '<p>Sign in.</p>';
    const client = { call: async () => err(failureOfRefusal({ status: 404, text, afterMs: null })) };
    const session = () => ok({ client, account: { user: { id: upload.accountId } } } as unknown as Session);
    const orphans = createOrphanedUploads({ store, clock: systemClock, session }, soon());
    orphans.cancel();
    await orphans.idle();
    expect(left).toEqual([upload]);
    text = JSON.stringify({ code: 'NOT_FOUND' });
    orphans.cancel();
    await orphans.idle();
    expect(left).toEqual([]);
  });

  it('on a full disk reports it, and keeps what was stored', () => {
    const opened = openProfile(folder, systemClock);
    if (!opened.ok) throw new Error(opened.error.detail);
    const { database } = opened.value;
    onTestFinished(() => opened.value.close());
    const store = createQueueStore({
      profile: opened.value,
      library: createLibrary(opened.value),
      timeline: createTimeline(opened.value, systemClock),
      onChange: () => {},
    });
    const added = () => ({ kind: 'added', by: 'window', size: 1 }) as const;
    const item: QueueItemIn<'queued'> = {
      id: systemRandom.uuid() as ItemId,
      state: 'queued',
      accountId: null,
      name: 'a.png',
      size: 1,
      source: { owner: 'user', path: '/a.png' },
      job: { kind: 'file', fit: null },
      body: null,
      share: {},
      postPublish: null,
      position: 1,
      createdAt: 1,
      intent: 'run',
      attempts: 0,
      error: null,
    };
    expect(store.insert([item], added).ok).toBe(true);
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
    const large = { ...item, id: systemRandom.uuid() as ItemId, name: 'x'.repeat(100_000) };
    expect(store.insert([large], added)).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
    expect(store.save({ ...item, name: 'x'.repeat(100_000) })).toMatchObject({
      ok: false,
      error: { code: 'DISK_FULL' },
    });
    expect(store.all()).toEqual([item]);
    store.note({ ...large, id: item.id });
    expect(store.get(item.id)?.name).toHaveLength(100_000);
  });
});

describe('the count of runs', () => {
  const DATABASE = 'profile.sqlite';
  const RUNS = `${DATABASE}.runs`;

  const openNow = (at = folder, clock: Clock = systemClock) => {
    const opened = openProfile(at, clock);
    if (!opened.ok) throw new Error(opened.error.detail);
    onTestFinished(() => opened.value.close());
    const settings = createPersistedValue(opened.value, 'test', Type.Number());
    return { ...opened.value, change: (value: number) => opened.value.durably(() => settings.write(value)) };
  };

  /** The copy in the place of the database that a killed run leaves. */
  const isOutdated = (copy: string): boolean => {
    const killed = `${folder}-killed-${turn++}`;
    mkdirSync(killed);
    copyFileSync(copy, join(killed, DATABASE));
    if (existsSync(join(folder, RUNS))) copyFileSync(join(folder, RUNS), join(killed, RUNS));
    return openNow(killed).damage !== null;
  };

  it('outdates earlier copies with the first durable change of a run, and backups with the next one', async () => {
    const profile = openNow();
    const [before, during] = [join(root, `before-${turn}`), join(folder, `${DATABASE}.backup-1`)];
    await profile.database.backup(before);
    expect(isOutdated(before)).toBe(false);
    profile.change(1);
    expect(isOutdated(before)).toBe(true);
    await profile.scrub();
    expect(isOutdated(during)).toBe(false);
    profile.change(2);
    expect(isOutdated(during)).toBe(true);
  });

  it('outdates an hourly backup too', async () => {
    const first = openNow();
    first.database.exec("INSERT INTO queue (id, name, position, created_at, item) VALUES ('a', 'a', 1, 1, '{}')");
    first.close();
    const slept = Promise.withResolvers<void>();
    const sleep = () => {
      slept.resolve();
      return new Promise<never>(() => {});
    };
    const profile = openNow(folder, { ...systemClock, sleep });
    profile.change(1);
    await slept.promise;
    const backup = join(folder, `${DATABASE}.backup-1`);
    expect(isOutdated(backup)).toBe(false);
    profile.change(2);
    expect(isOutdated(backup)).toBe(true);
  });

  it('is written by the first of many changes, and not at all by a run that only reads', async () => {
    // The first run of a profile names the device.
    await (await openEngine(folder)).engine.close();
    const writtenAt = () => statSync(join(folder, RUNS), { bigint: true }).mtimeNs;
    const changing = openNow();
    changing.change(1);
    const first = writtenAt();
    for (const value of [2, 3, 4]) changing.change(value);
    expect(writtenAt()).toBe(first);
    changing.close();
    const last = writtenAt();
    const reading = await openEngine(folder);
    await reading.engine.close();
    expect(writtenAt()).toBe(last);
  });

  it('keeps no run from starting where it cannot be read, also one that rebuilds the database', () => {
    openNow().close();
    rmSync(join(folder, RUNS), { force: true });
    // Nobody can read a folder as a file, whatever their rights.
    mkdirSync(join(folder, RUNS));
    const profile = openNow();
    expect(profile.damage).toBeNull();
    profile.change(1);
    profile.close();
    writeFileSync(join(folder, DATABASE), 'no database at all, '.repeat(500));
    expect(openNow().damage).toMatchObject({ code: 'PROFILE_DAMAGED' });
  });

  it('keeps no run from starting or changing where it cannot be written, and is tried again at its end only', async () => {
    const inTheWay = join(folder, RUNS + UNFINISHED);
    mkdirSync(inTheWay, { recursive: true });
    const first = openNow();
    first.change(1);
    first.close();
    const profile = openNow();
    expect(profile.damage).toBeNull();
    const before = join(root, `before-${turn}`);
    await profile.database.backup(before);
    profile.change(2);
    rmdirSync(inTheWay);
    // On Windows each attempt on a file that is held blocks for seconds.
    profile.change(3);
    expect(existsSync(join(folder, RUNS))).toBe(false);
    profile.close();
    expect(isOutdated(before)).toBe(true);
  });
});
