/** The source file is edited, removed, restored, or locked by another program. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { err, failure, ok } from '../../src/api/errors.ts';
import { createOpenSource } from '../../src/engine/upload/upload-source.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { itemOf, until } from '../support/engine.ts';
import { lateTimes } from '../support/late-times.ts';
import { soon } from '../support/poll-timeouts.ts';
import { only } from '../support/results.ts';
import { watchedItem } from '../support/watched-item.ts';
import { makeItem } from '../support/window/app-state.ts';
import { faultScenes, PATIENCE, type Picture, picture, type Scene, uploadsOf } from './scene.ts';
import { plugDrive } from './small-disk.ts';

const scene = faultScenes();

const now = (file: Picture): Picture => {
  const bytes = readFileSync(file.path);
  return { ...file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
};

/** Overwrites the file in place with another picture of the same size: only its times and bytes differ. */
const edit = ({ path }: Picture, other: Picture): void => {
  const file = openSync(path, 'r+');
  writeSync(file, readFileSync(other.path));
  closeSync(file);
};

/**
 * Holds the item in mid-upload: its first part has arrived, the others are refused until `goOn`. A part that was read
 * before an edit may arrive after it, so `goOn` follows the end of the upload.
 */
const begun = async ({ proxy, add, item }: Scene, file: Picture) => {
  let isOpen = false;
  proxy.fault = ({ operation, nth }) =>
    operation === 'part' && nth > 0 && !isOpen ? { do: 'answer', status: 502, body: 'not now' } : null;
  const id = await add(file);
  await until(() => item(id)?.error?.failure.code === 'INTERNAL');
  return { id, goOn: () => { isOpen = true; } }; // biome-ignore format: one thought
};

describe('a file that is edited', () => {
  it.each([
    ['to the same size', 3],
    ['to a longer one', 4],
    ['to a shorter one', 2],
  ])(
    'fault 19: %s is never published mixed: its upload is cancelled, and a retry publishes the current content',
    async (_, size) => {
      const parts = await scene();
      const { engine, linked, service, user, expectPublished } = parts;
      const file = await parts.picture(3);
      const { id, goOn } = await begun(parts, file);
      if (size < 3) truncateSync(file.path);
      edit(file, await parts.picture(size));
      expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
        ok: false,
        error: { code: 'SOURCE_CHANGED' },
      });
      goOn();
      await expectPublished();
      await until(async () =>
        (await uploadsOf(service.data, user.accountId)).every(({ state }) => state === 'CANCELLED'),
      );
      engine.queue.retry({ ids: [id] });
      await linked(id);
      await expectPublished(now(file));
    },
  );

  it('fault 19: and is empty for a moment while it is rewritten counts as another file, too', async () => {
    const parts = await scene();
    const { engine, linked, expectPublished } = parts;
    const file = await parts.picture(2);
    const other = await parts.picture(2);
    const { id, goOn } = await begun(parts, file);
    truncateSync(file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_CHANGED' },
    });
    goOn();
    edit(file, other);
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(now(file));
  });

  it('fault 19: while its parts are being read only sends parts that were hashed', async () => {
    const parts = await scene();
    const { proxy, add, engine, linked, expectPublished } = parts;
    const [file, other] = [await parts.picture(5), await parts.picture(5)];
    proxy.fault = ({ operation, nth }) => {
      // At most three parts are read before the first one is confirmed.
      if (operation === 'part' && nth === 0) edit(file, other);
      return null;
    };
    const id = await add(file);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_CHANGED' },
    });
    await expectPublished();
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(now(file));
  });
});

describe('a file whose time of change comes late', () => {
  // Three parts are hashed, then sent: what is changed before the nth of these reads.
  it.each([1, 2, 3, 4, 5, 6])(
    'fault 47: is never published mixed where it is edited before read %i, and a retry publishes the current content',
    async (nth) => {
      let change = () => {};
      const openFile = lateTimes((read) => {
        if (read === nth) change();
      });
      const parts = await scene({
        alter: (real) => ({ ...real, openSource: createOpenSource(openFile), prepare: async () => ok(null) }),
      });
      const { engine, add, published, expectPublished } = parts;
      const [file, other] = [await parts.picture(3), await parts.picture(3)];
      change = () => edit(file, other);
      const id = await add(file);
      const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
      if (!settled.ok) {
        expect(settled.error.code).toBe('SOURCE_CHANGED');
        expect(await published()).toEqual([]);
        engine.queue.retry({ ids: [id] });
        await parts.linked(id);
      }
      await expectPublished({ ...other, path: file.path });
    },
  );

  it('fault 47: is not published as a note where it is edited while it is read', async () => {
    let change = () => {};
    const openFile = lateTimes((read) => {
      if (read === 2) change();
    });
    const { engine, folder, published } = await scene({
      alter: (real) => ({ ...real, openSource: createOpenSource(openFile) }),
    });
    const path = join(folder, 'note.txt');
    writeFileSync(path, 'old words');
    change = () => writeFileSync(path, 'new words', { flag: 'r+' });
    const added = await engine.note.addFiles([{ path, name: 'note.txt' }], {});
    expect(added).toMatchObject({ ok: false, error: { code: 'SOURCE_CHANGED' } });
    expect(await published()).toEqual([]);
  });
});

describe('a source file that disappears', () => {
  it('fault 20: and is restored continues automatically with the received parts, without a new upload', async () => {
    const parts = await scene();
    const { engine, item, count, service, user, expectPublished } = parts;
    const file = await parts.picture(3);
    const { id, goOn } = await begun(parts, file);
    const aside = `${file.path}.aside`;
    copyFileSync(file.path, aside);
    rmSync(file.path);
    goOn();
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_MISSING' },
    });
    expect(item(id)?.state).toBe('started');
    const sent = count('part');
    // Another file as far as the disk is concerned, with the same bytes.
    renameSync(aside, file.path);
    await until(() => item(id)?.state === 'linked');
    expect(count('part') - sent).toBe(2);
    expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
    await expectPublished(file);
  });

  it('fault 20: with its drive continues automatically when the drive is back', async () => {
    const parts = await scene();
    const { engine, item, folder, expectPublished } = parts;
    const drive = join(folder, 'drive');
    mkdirSync(drive);
    // A drive that is pulled out: where the machine lets a test mount one, a real one.
    const unplugged = join(folder, 'unplugged');
    mkdirSync(unplugged);
    const plug = plugDrive(unplugged, drive);
    const file = await picture(drive, 3);
    const { id, goOn } = await begun(parts, file);
    plug.out();
    goOn();
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_MISSING' },
    });
    plug.in();
    await until(() => item(id)?.state === 'linked');
    await expectPublished(file);
  });

  it.each([
    ['EIO', 2],
    ['EIO', 4],
    ['ENOTCONN', 4],
    ['UNKNOWN', 4],
  ] as const)(
    'fault 20: with its drive while it is read (%s at read %i) continues automatically when the drive is back',
    async (code, at) => {
      let drive: 'in' | 'out' | 'back' = 'in';
      const fail = () => {
        throw Object.assign(new Error(`${code}: i/o error, read`), { code });
      };
      const openFile = lateTimes((nth) => {
        if (drive === 'in' && nth === at) drive = 'out';
        if (drive === 'out') fail();
      });
      const openSource = createOpenSource(async (path, flags) => (drive === 'out' ? fail() : openFile(path, flags)));
      const { picture, add, item, errorOf, expectPublished } = await scene({
        alter: (real) => ({ ...real, openSource }),
      });
      const file = await picture(2);
      const id = await add(file);
      await until(() => errorOf(id) === 'SOURCE_UNREADABLE');
      expect(item(id)?.error).toMatchObject({ retryAt: null, failure: { params: { system: code } } });
      drive = 'back';
      await until(() => item(id)?.state === 'linked');
      await expectPublished(file);
    },
  );

  it('fault 20: and stays unreadable is tried ever more rarely, until some of it has arrived', async () => {
    const reason = failure('SOURCE_UNREADABLE', 'A damaged sector.', { params: { system: 'EIO' } });
    const error = { failure: reason, since: 0, retryAt: null };
    const pauses: number[] = [];
    const done = Promise.withResolvers<void>();
    const failing = (): QueueItem =>
      makeItem('started', 1, { error, confirmedBytes: pauses.length < 7 ? 0 : 2_000_000 });
    const { watch, item } = watchedItem({
      async sleep(ms) {
        pauses.push(ms);
        if (pauses.length === 8) done.resolve();
        if (pauses.length === 8) await new Promise(() => {});
      },
      openSource: async () =>
        ok({ size: 1, identity: '', isMtimeReliable: true, read: async (into) => ok(into), close: async () => {} }),
      onBack() {
        expect(item().error).toBeNull();
        // Its beginning can be read, but the item fails again.
        setImmediate(() => watch(failing()));
      },
    });
    watch(failing());
    await done.promise;
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 2_000]);
  });

  it.each([
    ['can be read again', null],
    ['is gone from it', failure('SOURCE_MISSING', '')],
  ] as const)('fault 20: in part, as a file of a folder, is waited for until that file %s', async (_, end) => {
    const reason = failure('SOURCE_UNREADABLE', '', { params: { system: 'EIO', name: '/project/.gitignore' } });
    const opened: string[] = [];
    const { watch, back, item } = watchedItem({
      async openSource(path) {
        if (path === '/project') return err(failure('SOURCE_NOT_A_FILE', ''));
        opened.push(path);
        if (opened.length === 3 && end) return err(end);
        const read = async (into: Buffer) => (opened.length < 3 ? err(reason) : ok(into));
        return ok({ size: 1, identity: '', isMtimeReliable: true, read, close: async () => {} });
      },
    });
    watch(
      makeItem('queued', 1, {
        job: { kind: 'folder' },
        source: { owner: 'user', path: '/project' },
        error: { failure: reason, since: 0, retryAt: null },
      }),
    );
    await back;
    expect(opened).toEqual(Array(3).fill('/project/.gitignore'));
    expect(item().error).toBeNull();
  });

  it('fault 20: for another one with its name stays unpublished until the user retries', async () => {
    const parts = await scene();
    const { engine, linked, expectPublished } = parts;
    const file = await parts.picture(3);
    const { id, goOn } = await begun(parts, file);
    rmSync(file.path);
    goOn();
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_MISSING' },
    });
    const other = await parts.picture(2);
    renameSync(other.path, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'SOURCE_CHANGED');
    await expectPublished();
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(now(file));
  });

  it.each([
    ['in one request', 'shot.png', /\/api\/v1\/uploads$/, 'posting'],
    ['in parts', 'shot', /\/complete$/, 'completing'],
  ] as const)(
    'fault 20: is never one of the app, sent %s: it is kept until its item is published, and then deleted',
    async (_, name, refused, state) => {
      const parts = await scene();
      const { engine, proxy, linked, item, expectPublished } = parts;
      const file = await picture(engine.spoolDir, 1);
      proxy.fault = ({ path }) => (refused.test(path) ? { do: 'answer', status: 502, body: 'not now' } : null);
      const added = await engine.queue.add([{ source: { owner: 'spool', path: file.path }, name }]);
      const id = added.ok ? added.value[0] : undefined;
      if (!id) throw new Error('not added');
      await until(() => item(id)?.state === state && item(id)?.error !== null);
      expect(existsSync(file.path)).toBe(true);
      proxy.fault = () => null;
      await linked(id);
      await until(() => !existsSync(file.path));
      await expectPublished(file);
    },
  );
});

describe('a file that a virus scanner locks', () => {
  /** The first `times` tries to open a file after `from` of them fail as Windows lets them fail. */
  const locking = (code: string, from: number, times: number) => {
    let tries = 0;
    const openSource = createOpenSource(async (path, flags) => {
      const at = tries++;
      if (at < from || at >= from + times) return open(path, flags);
      throw Object.assign(new Error(`${code}: resource busy or locked`), { code });
    });
    return { openSource, tries: () => tries };
  };

  it.each([
    ['EBUSY', 0],
    ['EPERM', 0],
    ['EBUSY', 1],
    ['EPERM', 1],
    ['EBUSY', 2],
    ['EPERM', 2],
  ])('fault 41: for a moment (%s at step %i) is waited for', async (code, from) => {
    const lock = locking(code, from, 3);
    const { picture, add, linked, expectPublished } = await scene({
      alter: (real) => ({ ...real, openSource: lock.openSource }),
    });
    const file = await picture(1);
    await linked(await add(file));
    expect(lock.tries()).toBeGreaterThan(3 + from);
    await expectPublished(file);
  });

  it.each([0, 1])('fault 41: for a moment, of a note (at step %i), is waited for', async (from) => {
    const lock = locking('EBUSY', from, 3);
    const { engine, linked, item } = await scene({ alter: (real) => ({ ...real, openSource: lock.openSource }) });
    const added = only(await engine.note.add({ text: 'held for a moment', share: {} }), 'id');
    if (!added.ok) throw new Error(added.error.code);
    await linked(added.value);
    expect(item(added.value)).toMatchObject({ state: 'linked' });
    expect(lock.tries()).toBeGreaterThan(3 + from);
  });

  it.each(['EBUSY', 'EPERM'])(
    'fault 41: permanently (%s) is reported after a few attempts, and nothing is lost',
    async (code) => {
      const lock = locking(code, 1, 100);
      const { picture, add, engine, item } = await scene({
        alter: (real) => ({ ...real, openSource: lock.openSource }),
      });
      const id = await add(await picture(1));
      await until(() => item(id)?.error?.retryAt === null);
      expect(item(id)?.error?.failure).toMatchObject({ code: 'SOURCE_UNREADABLE', params: { system: code } });
      expect(lock.tries()).toBeLessThan(20);
      engine.queue.cancel({ ids: [id] });
    },
  );

  it('fault 41: while parts are read is waited for without a new upload', async () => {
    let reads = 0;
    const { picture, add, linked, service, user, expectPublished } = await scene({
      alter: (real) => ({
        ...real,
        async openSource(path) {
          const opened = await real.openSource(path);
          if (!opened.ok) return opened;
          const read: typeof opened.value.read = async (into, position) => {
            // After the hashing: the second part that is to be sent.
            if (++reads === 4) return err(failure('SOURCE_UNREADABLE', 'locked', { params: { system: 'EBUSY' } }));
            return opened.value.read(into, position);
          };
          return { ok: true, value: { ...opened.value, read } };
        },
      }),
    });
    const file = await picture(2);
    await linked(await add(file));
    expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
    await expectPublished(file);
  });
});
