import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, failure } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { addFile, connectTo, fastClock, itemOf, openEngine, randomFile, until, wait } from '../../support/engine.ts';
import { fastLinkClock } from '../../support/fast-link-clock.ts';
import { image } from '../../support/media/media.ts';
import { modelForEachTest } from '../../support/model-for-each-test.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { modelAccount, modelContent } from '../../support/server/model-account.ts';
import { type ModelRequest, type ModelService, startModelService } from '../../support/server/model-service.ts';

const PART = 2 * 1024 * 1024;
const PATIENCE = 3_600_000;
let model: ModelService;
let folder: string;

modelForEachTest('engine-upload', (fresh, own) => {
  model = fresh;
  folder = own;
});

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const countOf = (operation: ModelRequest['operation']) =>
  model.requests.filter((seen) => seen.operation === operation).length;

const ready = async (size = 3 * PART + 17) => {
  const opened = await openEngine(join(folder, 'profile'));
  await connectTo(opened.engine, model.url);
  return { ...opened, file: randomFile(folder, 'a.png', size) };
};

describe('an upload', () => {
  it('publishes the exact bytes of the file once and delivers its link', async () => {
    const { engine, clipboard, file } = await ready();
    const events: string[] = [];
    engine.on((event) => void (event.type === 'linked' && events.push(event.url)));
    const id = await addFile(engine, file.path, 'Снимок.png');
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: true,
      value: { state: 'linked' },
    });
    expect(model.published()).toMatchObject([{ sha256: file.sha256, account: 'account-a' }]);
    const url = model.published()[0]?.content.url;
    await until(() => itemOf(engine, id)?.state === 'linked');
    expect(clipboard).toEqual([url]);
    expect(events).toEqual([url]);
    expect(itemOf(engine, id)).toMatchObject({ name: 'Снимок.png', deliveredAt: expect.any(Number) });
  });

  it.each([
    ['is delivered by the next start', 0, 1],
    ['is not, where the clock was set back by a day', -24 * 3_600_000, 0],
  ])('whose link was not delivered %s', async (_, ahead, deliveries) => {
    const profileDir = join(folder, 'profile');
    const failing = { writeText: async () => err(failure('APP_FAILED', 'The clipboard does not answer.')) };
    const { engine } = await openEngine(profileDir, { clipboard: failing });
    await connectTo(engine, model.url);
    const id = await addFile(engine, randomFile(folder, 'a.png', 100).path);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    await engine.close();
    const told: ItemId[] = [];
    await openEngine(profileDir, {
      clock: { ...fastClock, now: () => fastClock.now() + ahead },
      notifier: { linked: (notice) => void told.push(notice.id) },
    });
    expect(told).toHaveLength(deliveries);
  });

  it('has at most three parts in flight, also while two items upload', async () => {
    const { engine } = await openEngine(join(folder, 'profile'), { clock: fastLinkClock });
    await connectTo(engine, model.url);
    const file = randomFile(folder, 'a.png', 12 * PART);
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'wait', until: wait(20) } : null);
    const other = randomFile(folder, 'b.png', 12 * PART);
    const ids = [await addFile(engine, file.path), await addFile(engine, other.path)];
    for (const id of ids) expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.mostPartsAtOnce()).toBe(3);
    expect(countOf('part')).toBe(24);
  });

  it('goes on with fewer parts at once where the service refuses one as too many', async () => {
    const { engine } = await openEngine(join(folder, 'profile'), { clock: fastLinkClock });
    await connectTo(engine, model.url);
    const file = randomFile(folder, 'a.png', 12 * PART);
    const errors: unknown[] = [];
    const tooMany = Promise.withResolvers<void>();
    let open = 0;
    let refused = 0;
    let parts = 0;
    model.interfere = ({ operation }) => {
      errors.push(...engine.state().queue.items.flatMap(({ error }) => error ?? []));
      if (operation !== 'part') return null;
      if (open > 0) {
        refused += 1;
        tooMany.resolve();
        return { do: 'refuse', code: 'UPLOAD_USER_BUSY', retryAfter: '5' };
      }
      open += 1;
      parts += 1;
      // The first goes alone; another is held until one comes beside it.
      const held = parts === 1 ? Promise.resolve() : tooMany.promise;
      const until = held.then(() => {
        open -= 1;
      });
      return { do: 'wait', until };
    };
    const id = await addFile(engine, file.path);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(errors).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(2);
    expect(countOf('part')).toBe(12 + refused);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
  });

  it('sends the share fields it was added with, and the visibility of the settings where none was given', async () => {
    const { engine, file } = await ready(100);
    engine.settings.update({ visibility: 'private' });
    const source = { owner: 'user', path: file.path } as const;
    const added = await engine.queue.add([
      { source, name: 'a.png', share: { title: 'T', tags: ['x'], password: 'long enough' } },
    ]);
    const id = added.ok ? added.value[0] : undefined;
    if (!id) throw new Error('not added');
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    const upload = [...model.uploads.values()][0];
    expect(upload?.completed?.body).toMatchObject({
      title: 'T',
      tags: ['x'],
      password: 'long enough',
      visibility: 'private',
    });
    const database = readFileSync(join(folder, 'profile', 'profile.sqlite')).toString('latin1');
    expect(database).not.toContain('long enough');
    expect(database).not.toContain('key-a');
  });

  it('removes a spooled file once it is published, and keeps the user’s file', async () => {
    const { engine, file } = await ready(100);
    const spooled = randomFile(engine.spoolDir, 'shot.png', 100);
    const added = await engine.queue.add([{ source: { owner: 'spool', path: spooled.path }, name: 'shot.png' }]);
    const id = await addFile(engine, file.path);
    for (const each of [id, ...(added.ok ? added.value : [])])
      expect((await engine.queue.waitFor({ id: each, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    await until(() => {
      try {
        readFileSync(spooled.path);
        return false;
      } catch {
        return true;
      }
    });
    expect(sha256Of(file.path)).toBe(file.sha256);
  });

  it('refuses a file it cannot publish before it takes it into the queue', async () => {
    const { engine, file } = await ready(100);
    const empty = join(folder, 'empty.png');
    writeFileSync(empty, '');
    const add = (path: string, owner: 'user' | 'spool' = 'user') =>
      engine.queue.add([{ source: { owner, path }, name: 'x' }]);
    expect(await add(empty)).toMatchObject({ ok: false, error: { code: 'SOURCE_EMPTY' } });
    expect(await add('/dev/null')).toMatchObject({ ok: false, error: { code: 'SOURCE_NOT_A_FILE' } });
    expect(await add(join(folder, 'nowhere'))).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
    expect(await add(file.path, 'spool')).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
    expect(engine.state().queue.items).toEqual([]);
  });
});

describe('a fault that passes', () => {
  it('is waited out: broken sockets, lost answers and server errors end in one item with the right bytes', async () => {
    const { engine, file } = await ready(8 * PART);
    const faults = ['break', 'lose-answer'] as const;
    model.interfere = ({ nth }) => (nth % 3 === 2 ? null : { do: faults[nth % 3] ?? 'break' });
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
    expect([...model.uploads.values()]).toHaveLength(1);
  });

  it('of a lost answer to complete leads to the item that was published', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation, nth }) => (operation === 'complete' && nth === 0 ? { do: 'lose-answer' } : null);
    const id = await addFile(engine, file.path);
    const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
    expect(settled).toMatchObject({ ok: true, value: { content: { id: model.published()[0]?.content.id } } });
    expect(model.published()).toHaveLength(1);
    expect(countOf('complete')).toBe(1);
  });

  it('of an upload that another request has completed leads to that item', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation }) => {
      if (operation !== 'complete') return null;
      for (const upload of model.uploads.values()) {
        const content = modelContent('by-another', model.url, { title: 't', name: 'n', size: PART });
        upload.completed ??= { body: { completeKey: upload.id as never }, content, sha256: file.sha256 };
        upload.state = 'COMPLETED';
      }
      return null;
    };
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: true,
      value: { content: { id: 'by-another' } },
    });
  });

  it('of 429 is retried after the time that the server sends, without counting an attempt', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation, nth }) =>
      operation === 'start' && nth < 3 ? { do: 'refuse', code: 'RATE_LIMITED', retryAfter: '4' } : null;
    const begun = performance.now();
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'RATE_LIMITED');
    expect(itemOf(engine, id)).toMatchObject({ attempts: 0, error: { retryAt: expect.any(Number) } });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    // Three times four seconds of a clock that runs twenty times as fast.
    expect(performance.now() - begun).toBeGreaterThan(600);
  });

  it('of 503 holds back every request of the account', async () => {
    const { engine, file } = await ready(PART);
    const other = randomFile(folder, 'b.png', PART);
    let busySince = 0;
    const early: string[] = [];
    model.interfere = ({ operation }) => {
      if (operation === 'start' && busySince === 0) {
        busySince = performance.now();
        return { do: 'refuse', code: 'UPLOAD_SERVER_BUSY', retryAfter: '10' };
      }
      if (busySince > 0 && performance.now() - busySince < 450) early.push(operation);
      return null;
    };
    const ids = [await addFile(engine, file.path)];
    await until(() => busySince > 0);
    ids.push(await addFile(engine, other.path));
    for (const id of ids) expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(early).toEqual([]);
  });

  it('is answered by settled when its patience ends, and the item stays in the queue', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation }) => (operation === 'account' ? null : { do: 'break' });
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: 3_000 }, soon())).toMatchObject({
      ok: false,
      error: { code: 'NETWORK_FAILED' },
    });
    expect(itemOf(engine, id)?.state).toBe('hashed');
    model.interfere = () => null;
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  });

  it('of the sign-in page of a network is not taken for success', async () => {
    const { engine, file } = await ready(PART);
    const page = { do: 'answer', status: 200, type: 'text/html', body: '<html>Sign in to Wi-Fi</html>' } as const;
    model.interfere = ({ nth, operation }) => (nth === 0 && operation !== 'account' ? page : null);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'NOT_THE_SERVICE');
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
  });
});

describe('a refusal', () => {
  it('of the format waits for the user, with the reason', async () => {
    const { engine, file } = await ready(9 * PART);
    model.interfere = ({ operation }) =>
      operation === 'part' ? { do: 'refuse', code: 'UPLOAD_FORMAT_UNSUPPORTED' } : null;
    const id = await addFile(engine, file.path);
    const settled = await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon());
    expect(settled).toMatchObject({ ok: false, error: { code: 'UPLOAD_FORMAT_UNSUPPORTED', status: 400 } });
    expect(itemOf(engine, id)?.error?.retryAt).toBeNull();
    expect(countOf('part')).toBeLessThanOrEqual(3);
  });

  it('that redirects is not followed, and the key is sent nowhere else', async () => {
    const { engine, file } = await ready(PART);
    const elsewhere = await startModelService();
    onTestFinished(() => elsewhere.close());
    const moved = {
      do: 'answer',
      status: 307,
      type: 'text/plain',
      body: '',
      headers: { location: `${elsewhere.url}/x` },
    } as const;
    model.interfere = ({ operation }) => (operation === 'start' ? moved : null);
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'REDIRECT_REFUSED' },
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it('can be retried by the user, with a new upload', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation, nth }) => {
      if (operation !== 'part' || nth > 0) return null;
      for (const upload of model.uploads.values()) upload.state = 'CANCELLED';
      return { do: 'refuse', code: 'IMAGE_TOO_LARGE', params: { limitBytes: 1 } };
    };
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      error: { code: 'IMAGE_TOO_LARGE', params: { limitBytes: 1 } },
    });
    engine.queue.retry({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
  });
});

describe('a refusal by a limit that the plan of the account now has', () => {
  const LIMIT = 1024 * 1024;
  const { limits, ...account } = modelAccount('account-a');
  const ended = {
    do: 'answer',
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ ...account, limits: { ...limits, maxImageBytes: LIMIT, maxUploadBytes: LIMIT } }),
  } as const;

  it.each([
    ['start', 'UPLOAD_TOO_LARGE'],
    ['part', 'IMAGE_TOO_LARGE'],
    ['complete', 'VIDEO_NOT_SUITABLE'],
  ] as const)('at its %s is repeated by the user alone, who then sends a file prepared anew', async (stage, code) => {
    const { engine } = await ready();
    const path = await image('png', 1_000, 1_000);
    let isEnded = false;
    model.interfere = ({ operation }) => {
      if (operation === 'account') return isEnded ? ended : null;
      if (operation !== stage || isEnded) return null;
      isEnded = true;
      for (const upload of model.uploads.values()) upload.state = 'CANCELLED';
      return { do: 'refuse', code };
    };
    const id = await addFile(engine, path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ error: { code } });
    await until(() => engine.state().accounts[0]?.connection.account?.limits.maxImageBytes === LIMIT);
    expect(countOf('start')).toBe(1);
    engine.queue.retry({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect([...model.uploads.values()].at(-1)?.start.size).toBeLessThanOrEqual(LIMIT);
  });

  it('but one that names no kind of file keeps the parts that have arrived', async () => {
    const { engine, file } = await ready();
    model.interfere = ({ operation, nth }) =>
      operation === 'part' && nth === 3 ? { do: 'refuse', code: 'UPLOAD_TOO_LARGE' } : null;
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: false });
    engine.queue.retry({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.uploads.size).toBe(1);
  });
});

describe('an upload that the service has forgotten', () => {
  it('restarts with new keys and without hashing again', async () => {
    const { engine, file } = await ready(6 * PART);
    model.interfere = ({ operation, nth }) => {
      if (operation === 'part' && nth === 3) for (const upload of model.uploads.values()) upload.state = 'EXPIRED';
      return null;
    };
    const id = await addFile(engine, file.path);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
    const keys = [...model.uploads.values()].map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  });

  it('that repeats is not restarted without a pause', async () => {
    const { engine, file } = await ready(PART);
    model.interfere = ({ operation }) => {
      if (operation === 'part') for (const upload of model.uploads.values()) upload.state = 'CANCELLED';
      return null;
    };
    const begun = fastClock.monotonic();
    const id = await addFile(engine, file.path);
    await until(() => countOf('start') >= 4);
    // The first new upload starts immediately; then at least half a second and one second pass.
    expect(fastClock.monotonic() - begun).toBeGreaterThan(1_500);
    expect(itemOf(engine, id)?.attempts).toBeGreaterThanOrEqual(2);
    engine.queue.cancel({ ids: [id] });
  });
});

describe('a file that changes', () => {
  const overwrite = (path: string, position: number) => {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from('changed'), 0, 7, position);
    closeSync(file);
  };

  it.each([
    ['in a part that is not sent yet', 7 * PART + 5],
    ['in a part that is already sent', 5],
  ])('%s is never published torn, and a retry publishes what it is then', async (_, position) => {
    const { engine, file } = await ready(8 * PART);
    const edited = Promise.withResolvers<void>();
    model.interfere = ({ operation, nth }) => {
      if (operation !== 'part' || nth === 0) return null;
      // The other parts under way wait for the edit, so that there are always some that have not been read yet.
      if (nth !== 1) return { do: 'wait', until: edited.promise };
      overwrite(file.path, position);
      edited.resolve();
      return null;
    };
    const id = await addFile(engine, file.path);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_CHANGED' },
    });
    expect(model.published()).toEqual([]);
    await until(() => [...model.uploads.values()].every(({ state }) => state === 'CANCELLED'));
    engine.queue.retry({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: sha256Of(file.path) }]);
  });

  it.each([
    ['shorter', (path: string) => truncateSync(path, PART)],
    ['as long as before', (path: string) => overwrite(path, 5)],
  ])('while it waits for its upload is noticed, also when it is %s', async (_, change) => {
    const { engine, file } = await ready(4 * PART);
    model.interfere = ({ operation, nth }) => (operation === 'part' && nth > 0 ? { do: 'break' } : null);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'NETWORK_FAILED');
    change(file.path);
    model.interfere = () => null;
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_CHANGED' },
    });
    expect(model.published()).toEqual([]);
  });

  it('only in its times continues where it was', async () => {
    const { engine, file } = await ready(4 * PART);
    model.interfere = ({ operation, nth }) =>
      operation === 'part' && nth >= 2 ? { do: 'refuse', code: 'INTERNAL' } : null;
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'INTERNAL');
    const confirmed = [...model.uploads.values()][0]?.parts.size ?? 0;
    writeFileSync(file.path, readFileSync(file.path));
    model.interfere = () => null;
    const before = countOf('part');
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(countOf('part') - before).toBeLessThanOrEqual(4 - confirmed);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
  });

  it('and is deleted waits for the user, and continues when it is back', async () => {
    const { engine, file } = await ready(4 * PART);
    model.interfere = ({ operation }) => (operation === 'part' ? { do: 'break' } : null);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.state === 'started' && itemOf(engine, id)?.error !== null);
    const bytes = readFileSync(file.path);
    rmSync(file.path);
    model.interfere = () => null;
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_MISSING' },
    });
    writeFileSync(file.path, bytes);
    engine.queue.retry({ ids: [id] });
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
    expect(model.uploads.size).toBe(1);
  });

  const NOW = 1_800_000_000_000;
  /** `change` happens once, after the file was checked and before it is hashed. Resolves to the number of preparations. */
  const publishChanged = async (path: string, change: () => void) => {
    const clock = { ...fastClock, now: () => NOW };
    let prepared = 0;
    const { engine } = await openEngine(join(folder, 'profile'), { clock }, (real) => ({
      ...real,
      async prepare(...args) {
        const body = await real.prepare(...args);
        if (prepared++ === 0) change();
        return body;
      },
    }));
    await connectTo(engine, model.url);
    const id = await addFile(engine, path, basename(path));
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    return prepared;
  };
  const sentBytes = () => {
    const parts = [...([...model.uploads.values()].at(-1)?.parts ?? [])];
    return Buffer.concat(parts.sort(([one], [other]) => one - other).map(([, bytes]) => bytes));
  };

  it('after it was found to need no change is checked again, so that no location in it is published', async () => {
    const path = join(folder, 'holiday.jpg');
    mkdirSync(folder, { recursive: true });
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#357' } }).jpeg();
    const tagged = await picture.withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }).toBuffer();
    expect((await sharp(tagged).metadata()).exif).toBeDefined();
    writeFileSync(path, await sharp(tagged).jpeg().toBuffer());
    utimesSync(path, NOW / 1000 - 3_600, NOW / 1000 - 3_600);
    expect(await publishChanged(path, () => writeFileSync(path, tagged))).toBe(2);
    expect((await sharp(sentBytes()).metadata()).exif).toBeUndefined();
  });

  it('after its check and keeps its size and time is checked again, where a time proves nothing', async () => {
    const { path } = randomFile(folder, 'a.bin', 3 * PART);
    utimesSync(path, NOW / 1000, NOW / 1000);
    const change = () => {
      overwrite(path, PART + 5);
      utimesSync(path, NOW / 1000, NOW / 1000);
    };
    expect(await publishChanged(path, change)).toBe(2);
    expect(model.published()).toMatchObject([{ sha256: sha256Of(path) }]);
  });

  it('while it is hashed is looked at again until it rests', async () => {
    const { engine, file } = await ready(40 * PART);
    const writer = setInterval(() => overwrite(file.path, 39 * PART), 1);
    const id = await addFile(engine, file.path);
    await until(() => itemOf(engine, id)?.error?.failure.code === 'SOURCE_CHANGED');
    expect(itemOf(engine, id)?.error?.retryAt).toEqual(expect.any(Number));
    clearInterval(writer);
    expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
    expect(model.published()).toMatchObject([{ sha256: sha256Of(file.path) }]);
  });
});

it('shows progress that only grows to the whole, at most ten snapshots a second, the last one included', async () => {
  const { engine } = await openEngine(join(folder, 'profile'), { clock: systemClock });
  await connectTo(engine, model.url);
  const file = randomFile(folder, 'a.png', 20 * PART);
  model.interfere = ({ operation }) => (operation === 'part' ? { do: 'wait', until: wait(60) } : null);
  const seen: { readonly state: string | undefined; readonly done: number | undefined }[] = [];
  const began = performance.now();
  engine.on((event) => {
    if (event.type !== 'state') return;
    const item = event.state.queue.items[0];
    seen.push({ state: item?.state, done: item && event.state.queue.live[item.id]?.doneBytes });
  });
  const id = await addFile(engine, file.path);
  expect((await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).ok).toBe(true);
  await until(() => seen.at(-1)?.state === 'linked');
  // All of them, because a busy machine may show one late and the next in time; a timer may end early by a little.
  expect(seen.length).toBeLessThanOrEqual(1 + (performance.now() - began) / 90);
  const sending = seen
    .filter(({ state, done }) => state === 'started' && done !== undefined)
    .map(({ done }) => done ?? 0);
  expect(sending.length).toBeGreaterThan(2);
  expect(sending).toEqual(sending.toSorted((a, b) => a - b));
});
