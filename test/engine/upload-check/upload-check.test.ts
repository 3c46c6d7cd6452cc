/** Captures are checked for what looks secret before they are uploaded, and wait in the queue for the user's decision. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { ScreenCapturer, StartVisionProcess } from '../../../src/engine/ports.ts';
import type { ReadTask, Recognised } from '../../../src/engine/vision/vision-protocol.ts';
import type { CaptureSessionIn } from '../../../src/ipc/protocol/capture.ts';
import type { QueueItem } from '../../../src/ipc/protocol/queue-item.ts';
import type { Settings } from '../../../src/ipc/protocol/settings.ts';
import { smallDatabase } from '../../faults/small-disk.ts';
import { addFile, connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { must } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawing } from '../../support/window/drawing.ts';

const never = new AbortController().signal;
const DISPLAY = { x: 0, y: 0, width: 60, height: 40 };
const PUBLISH = { publish: true, copyPicture: false, save: false };
const EMAIL = { text: 'ann@example.com', x: 5, y: 5, width: 30, height: 10, confidence: 95 };
const CARD = { text: '4111111111111111', x: 5, y: 25, width: 30, height: 10, confidence: 95 };
const HARMLESS: Recognised = { text: 'Hello', words: [], codes: [], more: [], width: 60, height: 40 };
const SECRET: Recognised = { ...HARMLESS, text: `${EMAIL.text}\n${CARD.text}`, words: [EMAIL, CARD] };

/** `hangs`: it never answers. `fails`: it ends. */
type Reader = Recognised | 'hangs' | 'fails';

let server: RunningServer;
let apiKey: string;
beforeAll(async () => {
  server = await startServer();
  ({ apiKey } = await server.user());
});
afterAll(() => server.stop());

const open = async (
  rule: Settings['checkBeforeUpload'],
  reader: Reader,
  folder = temporaryFolder('upload-check'),
  capturer: ScreenCapturer = paintScreen([DISPLAY]),
  alter?: Parameters<typeof openEngine>[2],
) => {
  const tasks: ReadTask[] = [];
  const startVision: StartVisionProcess = (onMessage, onEnd) => ({
    send(message) {
      const task = message as ReadTask;
      tasks.push(task);
      if (reader === 'fails') onEnd();
      else if (reader !== 'hangs') onMessage({ id: task.id, ok: true, value: reader });
    },
    kill() {},
  });
  const environment = { HOME: folder, LINKSHOT_TESSDATA: folder };
  const { engine } = await openEngine(folder, { capturer, environment, startVision }, alter);
  engine.settings.update({ checkBeforeUpload: rule, findInPictures: false });
  await connectTo(engine, server.url, apiKey);
  return { engine, tasks, folder };
};

const capture = async (engine: Engine): Promise<ItemId> => {
  const request = { target: { mode: 'all' }, pointer: 'hide', delaySeconds: 0 } as const;
  const taken = await engine.capture.take(request, never);
  if (!taken.ok) throw new Error(taken.error.detail);
  return taken.value.id;
};

const published = (engine: Engine, id: ItemId) => until(() => itemOf(engine, id)?.state === 'linked');
const codeOf = (item: QueueItem | undefined) => item?.error?.failure.code;
const waiting = (engine: Engine, id: ItemId, code = 'SECRETS_FOUND') =>
  until(() => codeOf(itemOf(engine, id)) === code);

const editing = async (engine: Engine): Promise<CaptureSessionIn<'editing'>> => {
  await until(() => engine.state().capture?.state === 'editing');
  return engine.state().capture as CaptureSessionIn<'editing'>;
};
const pathOf = (engine: Engine, id: ItemId): string => itemOf(engine, id)?.source.path ?? '';

const edited = async (engine: Engine): Promise<string> => {
  const path = join(engine.spoolDir, 'edited.png');
  writeFileSync(
    path,
    await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  return path;
};

describe('without the check', () => {
  it('a capture is uploaded, and nothing is read', async () => {
    const { engine, tasks } = await open('off', SECRET);
    await published(engine, await capture(engine));
    expect(tasks).toEqual([]);
  });

  it('a file of the user is uploaded at once, whatever it shows', async () => {
    const { engine, tasks, folder } = await open('require', SECRET);
    const path = join(folder, 'own.png');
    writeFileSync(
      path,
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    await published(engine, await addFile(engine, path));
    expect(tasks).toEqual([]);
  });
});

describe('a capture in which nothing looks secret', () => {
  it.each(['ask', 'require'] as const)('is uploaded after the check: %s', async (rule) => {
    const { engine, tasks } = await open(rule, HARMLESS);
    await published(engine, await capture(engine));
    expect(tasks).toMatchObject([{ way: 'thoroughly' }]);
    expect(engine.state().capture).toBeNull();
  });
});

describe('a capture in which something looks secret', () => {
  it('waits for a capture whose screen is being frozen, disturbs it with nothing, and opens in the editor then', async () => {
    const painted = paintScreen([DISPLAY]);
    const frozen = Promise.withResolvers<void>();
    let freezes = 0;
    const freeze: ScreenCapturer['freeze'] = async (...how) => {
      if (freezes++ === 0) await frozen.promise;
      return painted.freeze(...how);
    };
    const { engine } = await open('ask', SECRET, temporaryFolder('upload-check'), { ...painted, freeze });
    const recalled: string[] = [];
    let isTold = false;
    engine.on((event) => {
      if (event.type === 'recalled') recalled.push(event.type);
      isTold ||= event.type === 'state' && event.state.queue.items.some((item) => codeOf(item) === 'SECRETS_FOUND');
    });
    const started = engine.capture.start({ mode: 'region' }, never);
    const id = await capture(engine);
    await until(() => isTold);
    frozen.resolve();
    expect(await started).toMatchObject({ ok: true });
    expect([engine.state().capture?.state, recalled]).toEqual(['choosing', []]);
    await engine.capture.cancel();
    expect(await editing(engine)).toMatchObject({ item: id });
  });

  it('waits in the queue and in the editor, also across a restart, and keeps its id and its place', async () => {
    const { engine, folder, tasks } = await open('ask', SECRET);
    const id = await capture(engine);
    await waiting(engine, id);
    expect(itemOf(engine, id)).toMatchObject({
      state: 'queued',
      error: { retryAt: null, failure: { params: { count: 2, rule: 'ask' } } },
    });
    const session = await editing(engine);
    expect(session).toMatchObject({ item: id, width: 60, height: 40 });
    const reading = 'reading-0001';
    expect(await engine.vision.findSecrets({ id: session.id, reading }, never)).toMatchObject({
      value: { found: [{ kind: 'email' }, { kind: 'card' }] },
    });
    // The places of the check are proposed.
    expect(tasks).toHaveLength(1);
    await engine.close();

    const { engine: next } = await open('ask', SECRET, folder);
    expect(codeOf(itemOf(next, id))).toBe('SECRETS_FOUND');
    const again = await editing(next);
    expect(again).toMatchObject({ id: session.id, item: id });
    const share = { visibility: 'private' } as const;
    const request = { id: again.id, picture: null, after: PUBLISH, share, isReviewed: true } as const;
    expect(await next.capture.finish(request, never)).toEqual({ ok: true, value: { item: id } });
    await published(next, id);
    expect(itemOf(next, id)).toMatchObject({ content: { visibility: 'private' } });
    await until(() => readdirSync(next.spoolDir).length === 0);
  });

  it('is uploaded as the user has edited it, and the original is deleted with it', async () => {
    const { engine } = await open('require', SECRET);
    const id = await capture(engine);
    const original = pathOf(engine, id);
    const session = await editing(engine);
    const picture = await edited(engine);
    const request = { id: session.id, picture, after: PUBLISH, isReviewed: true } as const;
    expect(await engine.capture.finish(request, never)).toEqual({ ok: true, value: { item: id } });
    expect(engine.state().capture).toBeNull();
    await published(engine, id);
    const media = await engine.library.media(id, 'file', null, never);
    if (!media.ok) throw new Error(media.error.detail);
    const bytes = Buffer.concat(await media.value.body.toArray());
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 0, 0]);
    await until(() => !existsSync(original) && !existsSync(picture));
  });

  it('is uploaded as edited also where the disk is full as soon as the item has that picture', async () => {
    const disk = smallDatabase();
    const { engine } = await open('require', SECRET, undefined, undefined, (real) => ({
      ...real,
      profile: disk.holdingUntilQueued(real.profile, 'edited.png'),
    }));
    const id = await capture(engine);
    const session = await editing(engine);
    const picture = await edited(engine);
    const request = { id: session.id, picture, after: PUBLISH, isReviewed: true } as const;
    expect(await engine.capture.finish(request, never)).toEqual({ ok: true, value: { item: id } });
    expect([engine.state().capture, pathOf(engine, id), existsSync(picture)]).toEqual([null, picture, true]);
    disk.makeRoom();
    engine.queue.retry({ ids: [id] });
    await published(engine, id);
  });

  it('has a thumbnail of what the user has left of it, also where one of the original was made', async () => {
    const { engine } = await open('require', SECRET);
    const id = await capture(engine);
    const session = await editing(engine);
    await until(() => engine.library.thumbnail(id) !== null);
    const colour = async () => {
      const path = engine.library.thumbnail(id);
      return path === null ? null : [...(await sharp(readFileSync(path)).raw().toBuffer()).subarray(0, 3)];
    };
    const picture = await edited(engine);
    const request = { id: session.id, picture, after: PUBLISH, isReviewed: true } as const;
    expect(await engine.capture.finish(request, never)).toEqual({ ok: true, value: { item: id } });
    await published(engine, id);
    await until(() => engine.state().thumbnails.includes(id));
    const [red = 0, green = 255, blue = 255] = (await colour()) ?? [];
    expect([red > 240, green < 15, blue < 15]).toEqual([true, true, true]);
    // What has shown the original loads it from another address.
    expect(engine.state().replacedThumbnails).toEqual([id]);
  });

  it('is never uploaded without a decision about it, where the rule says so', async () => {
    const { engine, tasks } = await open('require', SECRET);
    const id = await capture(engine);
    const session = await editing(engine);
    const unreviewed = { id: session.id, picture: null, after: PUBLISH } as const;
    expect(await engine.capture.finish(unreviewed, never)).toMatchObject({ error: { code: 'SECRETS_FOUND' } });
    expect((await editing(engine)).id).toBe(session.id);
    expect(await engine.queue.approve({ ids: [id] })).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
    engine.queue.retry({ ids: [id] });
    await waiting(engine, id);
    engine.queue.resume({ ids: [id] });
    await waiting(engine, id);
    expect(itemOf(engine, id)?.state).toBe('queued');
    expect(tasks).toHaveLength(1);
  });

  it('is checked again where it was recovered after damage to the queue', async () => {
    const { engine, folder } = await open('require', SECRET);
    await waiting(engine, await capture(engine));
    await engine.close();
    for (const name of readdirSync(folder).filter((one) => one.startsWith('profile.sqlite')))
      rmSync(join(folder, name));
    writeFileSync(join(folder, 'profile.sqlite'), 'damaged');
    const next = await open('require', SECRET, folder);
    const [item] = next.engine.state().queue.items;
    if (!item) throw new Error('The capture was not recovered.');
    next.engine.queue.resume({ ids: [item.id] });
    await waiting(next.engine, item.id);
  });

  it('is uploaded with the password that the user sets in the editor', async () => {
    const { engine } = await open('require', SECRET);
    const id = await capture(engine);
    const session = await editing(engine);
    const share = { password: 'quiet otter 7' };
    const request = { id: session.id, picture: null, after: PUBLISH, share, isReviewed: true } as const;
    expect(await engine.capture.finish(request, never)).toEqual({ ok: true, value: { item: id } });
    await published(engine, id);
    expect(itemOf(engine, id)).toMatchObject({ content: { passwordProtected: true } });
  });

  it('is uploaded as it is where the user approves it', async () => {
    const { engine } = await open('ask', SECRET);
    const id = await capture(engine);
    await editing(engine);
    expect(await engine.queue.approve({ ids: [id] })).toMatchObject({ ok: true });
    await published(engine, id);
    await until(() => engine.state().capture === null);
  });

  it('still waits when the user closes the editor or only saves the picture, and is opened again', async () => {
    const { engine, folder } = await open('ask', SECRET);
    const id = await capture(engine);
    await editing(engine);
    await engine.capture.cancel();
    expect(engine.state()).toMatchObject({ capture: null, discarded: [] });
    await waiting(engine, id);
    expect(await engine.capture.review({ item: id })).toMatchObject({ ok: true });
    const session = await editing(engine);
    engine.settings.update({ saveFolder: folder });
    const save = { publish: false, copyPicture: false, save: true };
    const picture = await edited(engine);
    expect(await engine.capture.finish({ id: session.id, picture, after: save }, never)).toMatchObject({ ok: true });
    expect(codeOf(itemOf(engine, id))).toBe('SECRETS_FOUND');
    expect(existsSync(pathOf(engine, id))).toBe(true);
    expect(existsSync(picture)).toBe(false);
    expect(await engine.capture.review({ item: id })).toMatchObject({ ok: true });
    await editing(engine);
  });

  it('leaves the editor when it is removed from the queue, and leaves no file', async () => {
    const { engine } = await open('ask', SECRET);
    const id = await capture(engine);
    await editing(engine);
    engine.queue.cancel({ ids: [id] });
    await until(() => engine.state().capture === null && readdirSync(engine.spoolDir).length === 0);
    expect(await engine.capture.review({ item: id })).toMatchObject({ error: { code: 'CAPTURE_GONE' } });
  });

  it('waits for the editor while another one is open there', async () => {
    const { engine } = await open('ask', SECRET);
    const first = await capture(engine);
    expect((await editing(engine)).item).toBe(first);
    const second = await capture(engine);
    await waiting(engine, second);
    expect(await engine.capture.review({ item: second })).toMatchObject({ error: { code: 'CAPTURE_BUSY' } });
    await engine.capture.cancel();
    await until(() => engine.state().capture?.state === 'editing');
    expect((await editing(engine)).item).toBe(second);
  });
});

describe('a waiting capture in which the user has hidden something', () => {
  const NOT_APPLIED = { error: { code: 'DRAWING_NOT_APPLIED' } };
  const hidden = async () => {
    const opened = await open('ask', SECRET);
    const { engine } = opened;
    const id = await capture(engine);
    const session = await editing(engine);
    const basis = { by: 'editor', read: null };
    expect(await engine.capture.keepDraft({ id: session.id, draft: drawing(DISPLAY), basis })).toMatchObject({
      ok: true,
    });
    const path = pathOf(engine, id);
    return { ...opened, id, session, basis, path, draft: `${path}.drawing` };
  };

  it('is uploaded without that only where the user has agreed to it, and leaves no file', async () => {
    const { engine, id, draft } = await hidden();
    await engine.capture.cancel();
    const other = await capture(engine);
    await waiting(engine, other);
    expect(await engine.queue.approve({ ids: [id, other] })).toMatchObject(NOT_APPLIED);
    await published(engine, other);
    expect([codeOf(itemOf(engine, id)), existsSync(draft)]).toEqual(['SECRETS_FOUND', true]);
    expect(await engine.queue.approve({ ids: [id], isUnedited: true })).toMatchObject({ ok: true });
    await published(engine, id);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  it.each([
    ['without the check', 'off', SECRET],
    ['and nothing looks secret any more', 'ask', HARMLESS],
    ['and it cannot be checked', 'ask', 'fails'],
  ] as const)('waits on when it is tried again %s', async (_, rule, reader) => {
    const { engine, folder, id, draft } = await hidden();
    await engine.close();
    const { engine: next } = await open(rule, reader, folder);
    next.queue.retry({ ids: [id] });
    await waiting(next, id, 'DRAWING_NOT_APPLIED');
    expect(existsSync(draft)).toBe(true);
    const session = await editing(next);
    expect(must(await next.capture.draft({ id: session.id })).draft).toEqual(drawing(DISPLAY));
    const request = { id: session.id, picture: null, after: PUBLISH, isReviewed: true } as const;
    expect(await next.capture.finish(request, never)).toMatchObject(NOT_APPLIED);
    const finished = await next.capture.finish({ ...request, isUnedited: true }, never);
    expect(finished).toEqual({ ok: true, value: { item: id } });
    await published(next, id);
    await until(() => readdirSync(next.spoolDir).length === 0);
  });

  it('keeps it when only a copy is saved, and across starts for as long as it waits', async () => {
    const { engine, folder, id, session, basis, draft } = await hidden();
    engine.settings.update({ saveFolder: folder });
    const after = { publish: false, copyPicture: false, save: true };
    const picture = await edited(engine);
    expect(await engine.capture.finish({ id: session.id, picture, basis, after }, never)).toMatchObject({ ok: true });
    expect(existsSync(draft)).toBe(true);
    await engine.close();
    const orphan = join(engine.spoolDir, 'orphan.png');
    writeFileSync(orphan, 'orphan');
    // The sweep reads the oldest file first.
    for (const [path, seconds] of [
      [draft, 1],
      [orphan, 2],
    ] as const)
      utimesSync(path, seconds, seconds);
    const { engine: next } = await open('ask', SECRET, folder);
    await until(() => !existsSync(orphan));
    expect(existsSync(draft)).toBe(true);
    next.queue.cancel({ ids: [id] });
    await until(() => readdirSync(next.spoolDir).length === 0);
  });
});

describe('a capture that the user has edited', () => {
  it('is checked and uploaded without the edits where the user has agreed to it', async () => {
    const { engine } = await open('ask', HARMLESS);
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    const { id } = await editing(engine);
    await engine.capture.keepDraft({ id, draft: drawing(DISPLAY), basis: { by: 'editor', read: null } });
    const finished = await engine.capture.finish({ id, picture: null, isUnedited: true, after: PUBLISH }, never);
    if (!finished.ok || !finished.value.item) throw new Error('It was not added.');
    await published(engine, finished.value.item);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });

  it('is not checked again once each place was decided about', async () => {
    const { engine, tasks } = await open('require', SECRET);
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    const { id } = await editing(engine);
    const finished = await engine.capture.finish({ id, picture: null, after: PUBLISH, isReviewed: true }, never);
    if (!finished.ok || !finished.value.item) throw new Error('It was not added.');
    await published(engine, finished.value.item);
    expect(tasks).toEqual([]);
  });

  it('is checked where it was not', async () => {
    const { engine } = await open('require', SECRET);
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    const { id } = await editing(engine);
    const finished = await engine.capture.finish({ id, picture: null, after: PUBLISH }, never);
    if (!finished.ok || !finished.value.item) throw new Error('It was not added.');
    await waiting(engine, finished.value.item);
  });
});

describe('a capture that cannot be read', () => {
  it('is uploaded with a notice, where the user is only asked', async () => {
    const { engine } = await open('ask', 'fails');
    const id = await capture(engine);
    await published(engine, id);
    expect(engine.state().notices).toMatchObject([{ code: 'UPLOADED_UNCHECKED', params: { reason: 'TEXT_NOT_READ' } }]);
  });

  it('waits where the rule says so, and is uploaded once the user has looked at it', async () => {
    const { engine } = await open('require', 'fails');
    const id = await capture(engine);
    await waiting(engine, id, 'SECRETS_UNCHECKED');
    const session = await editing(engine);
    const request = { id: session.id, picture: null, after: PUBLISH, isReviewed: true } as const;
    expect(await engine.capture.finish(request, never)).toMatchObject({ ok: true });
    await published(engine, id);
  });

  it('waits when it takes too long', async () => {
    const { engine } = await open('require', 'hangs');
    await waiting(engine, await capture(engine), 'SECRETS_UNCHECKED');
  });

  it('is checked by the next start when the app is closed during the check', async () => {
    const { engine, folder, tasks } = await open('ask', 'hangs');
    const id = await capture(engine);
    await until(() => tasks.length === 1);
    await engine.close();
    const { engine: next } = await open('ask', SECRET, folder);
    await waiting(next, id);
  });
});
