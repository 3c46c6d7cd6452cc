/**
 * Published pictures are found by the words in them, which are read while there is no other work. The recognition is a
 * double that answers what the test says; everything else is real.
 */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failure } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine, EngineDeps } from '../../../src/engine/engine.ts';
import type { StartVisionProcess } from '../../../src/engine/ports.ts';
import type { ReadTask, VisionAnswer } from '../../../src/engine/vision/vision-protocol.ts';
import { addFile, connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { itWith } from '../../support/only-on.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const DISPLAY = { x: 0, y: 0, width: 60, height: 40 };

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Answer = string | 'nothing yet' | ReturnType<typeof failure>;

/** `answer` is asked for each picture; `paths` are those that were asked for. */
const reading = (answer: () => Answer) => {
  const paths: string[] = [];
  let killed = 0;
  const startVision: StartVisionProcess = (onMessage) => ({
    send(message) {
      const { id, picture } = message as ReadTask;
      paths.push(String(picture));
      const text = answer();
      if (text === 'nothing yet') return;
      const value = { text: String(text), words: [], codes: [], more: [], width: 60, height: 40 };
      const reply: VisionAnswer = typeof text === 'string' ? { id, ok: true, value } : { id, ok: false, error: text };
      queueMicrotask(() => onMessage(reply));
    },
    kill() {
      killed += 1;
    },
  });
  return { paths, startVision, killed: () => killed };
};

const open = async (
  answer: () => Answer,
  ports: Partial<EngineDeps> = {},
  folder = temporaryFolder('picture-words'),
) => {
  const { startVision, ...read } = reading(answer);
  const environment = { HOME: folder, LINKSHOT_TESSDATA: folder };
  const capturer = paintScreen([DISPLAY], []);
  const { engine } = await openEngine(folder, { capturer, environment, startVision, ...ports });
  return { engine, folder, ...read };
};

const openConnected = async (answer: () => Answer, ports: Partial<EngineDeps> = {}) => {
  const opened = await open(answer, ports);
  await connectTo(opened.engine, server.url, (await server.user()).apiKey);
  return opened;
};

const pictureAt = async (folder: string, width = 40): Promise<string> => {
  const path = join(folder, `${randomUUID()}.png`);
  writeFileSync(
    path,
    await sharp({ create: { width, height: 30, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  );
  return path;
};
const publish = async (engine: Engine, path: string): Promise<ItemId> => {
  const id = await addFile(engine, path);
  await until(() => itemOf(engine, id)?.state === 'linked');
  return id;
};
const found = (engine: Engine, query: { readonly text?: string; readonly inPictures?: string }) => {
  const result = engine.library.search({ text: '', ...query });
  return result.ok ? result.value.items.map(({ id }) => id) : [];
};
const kept = (folder: string): readonly string[] =>
  existsSync(join(folder, 'unread-pictures')) ? readdirSync(join(folder, 'unread-pictures')) : [];

describe('a published picture', () => {
  it('is found by the beginning of a word in it, in both languages and any case, and nothing else is', async () => {
    const texts = ['Invoice for the Garden', 'Счёт за ёлку'];
    const { engine, folder } = await openConnected(() => texts.shift() ?? '');
    const first = await publish(engine, await pictureAt(folder));
    await until(() => found(engine, { inPictures: 'invoice' }).includes(first));
    const second = await publish(engine, await pictureAt(folder));
    await until(() => found(engine, { inPictures: 'ЕЛК' }).includes(second));
    expect(found(engine, { inPictures: 'gard inv' })).toEqual([first]);
    expect(found(engine, { text: 'счет' })).toEqual([second]);
    expect(found(engine, { inPictures: 'voice' })).toEqual([]);
    expect(found(engine, { inPictures: '"*' })).toEqual([]);
    engine.library.forget({ ids: [first] });
    expect(found(engine, { inPictures: 'invoice' })).toEqual([]);
  });

  it('that was a capture is kept until it is read, and no longer', async () => {
    let answer: Answer = 'nothing yet';
    const { engine, folder, paths } = await openConnected(() => answer);
    await engine.capture.take({ target: { mode: 'all' }, pointer: 'hide', delaySeconds: 0 }, never);
    await until(() => paths.length > 0);
    expect(kept(folder)).toHaveLength(1);
    expect(readFileSync(paths[0] ?? '').length).toBeGreaterThan(0);
    const [item] = engine.state().queue.items;
    await until(() => item !== undefined && !existsSync(item.source.path));
    answer = 'Meeting notes';
    // Another capture cancels the reading, and it is repeated afterwards.
    await engine.capture.take({ target: { mode: 'all' }, pointer: 'hide', delaySeconds: 0 }, never);
    await until(() => found(engine, { inPictures: 'meeting' }).length === 2);
    expect(kept(folder)).toEqual([]);
  });

  it('that changes afterwards is not read', async () => {
    const { engine, folder, paths } = await openConnected(() => 'Later words');
    const [path, later, last] = [await pictureAt(folder), await pictureAt(folder, 44), await pictureAt(folder, 48)];
    // A screenshot in the editor is work, so nothing is read until it is gone.
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    await until(() => engine.state().capture?.state === 'editing');
    await publish(engine, path);
    writeFileSync(path, readFileSync(later));
    const other = await publish(engine, last);
    await engine.capture.cancel();
    await until(() => found(engine, { inPictures: 'later' }).includes(other));
    expect(paths).not.toContain(path);
    expect(found(engine, { inPictures: 'later' })).toEqual([other]);
  });

  it('that is damaged is marked, and one that fails otherwise is tried three times', async () => {
    const answers: Answer[] = [failure('IMAGE_UNREADABLE', 'Damaged.')];
    const { engine, folder, paths } = await openConnected(() => answers.shift() ?? failure('TEXT_NOT_READ', 'Ended.'));
    const damaged = await pictureAt(folder);
    await publish(engine, damaged);
    await until(() => paths.length === 1);
    const failing = await pictureAt(folder);
    await publish(engine, failing);
    await until(() => paths.length === 4);
    expect(await engine.library.readPictures({}, never)).toMatchObject({ ok: true, value: { read: 0, pending: 0 } });
    expect(paths).toEqual([damaged, failing, failing, failing]);
  });

  itWith('links without a right of their own')('does not wait for one that cannot be reached', async () => {
    const { engine, folder } = await openConnected(() => 'Older words');
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    await until(() => engine.state().capture?.state === 'editing');
    const older = await publish(engine, await pictureAt(folder));
    const away = join(folder, 'away');
    mkdirSync(away);
    await publish(engine, await pictureAt(away, 44));
    // A link to itself answers neither "there" nor "not there", as a dead network drive.
    rmSync(away, { recursive: true });
    symlinkSync(away, away);
    await engine.capture.cancel();
    await until(() => found(engine, { inPictures: 'older' }).includes(older));
  });

  it('that was a capture is read after the profile was moved', async () => {
    const { engine, folder, paths } = await openConnected(() => 'nothing yet');
    await engine.capture.take({ target: { mode: 'all' }, pointer: 'hide', delaySeconds: 0 }, never);
    await until(() => paths.length > 0);
    await engine.close();
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    const { engine: later } = await open(() => 'Moved words', {}, moved);
    await until(() => found(later, { inPictures: 'moved' }).length === 1);
    expect(kept(moved)).toEqual([]);
    await later.close();
  });

  it('is read after a restart', async () => {
    const { engine, folder, paths } = await openConnected(() => 'nothing yet');
    const id = await publish(engine, await pictureAt(folder));
    await until(() => paths.length > 0);
    await engine.close();
    const { engine: later } = await open(() => 'Read later', {}, folder);
    await until(() => found(later, { inPictures: 'later' }).includes(id));
  });
});

describe('reading', () => {
  it('waits while something is captured', async () => {
    const { engine, folder, paths } = await openConnected(() => 'Quiet words');
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    await until(() => engine.state().capture?.state === 'editing');
    const id = await publish(engine, await pictureAt(folder));
    expect(await engine.library.readPictures({}, never)).toMatchObject({ value: { read: 0, pending: 1 } });
    expect(paths).toEqual([]);
    await engine.capture.cancel();
    await until(() => found(engine, { inPictures: 'quiet' }).includes(id));
  });

  it('is cancelled by an upload', async () => {
    let answer: Answer = 'nothing yet';
    const { engine, folder, paths, killed } = await openConnected(() => answer);
    await publish(engine, await pictureAt(folder));
    await until(() => paths.length === 1);
    answer = 'Both';
    await publish(engine, await pictureAt(folder));
    await until(() => found(engine, { inPictures: 'both' }).length === 2);
    expect(killed()).toBeGreaterThanOrEqual(1);
  });

  it('does not happen where the user turned it off, which forgets all words; so does clearing the history', async () => {
    const { engine, folder, paths } = await openConnected(() => 'Zebrawort words');
    const id = await publish(engine, await pictureAt(folder));
    await until(() => found(engine, { inPictures: 'zebrawort' }).includes(id));
    engine.settings.update({ findInPictures: false });
    expect(found(engine, { inPictures: 'zebrawort' })).toEqual([]);
    await publish(engine, await pictureAt(folder));
    expect(await engine.library.readPictures({}, never)).toMatchObject({ value: { read: 0, pending: 0, isOn: false } });
    expect(paths).toHaveLength(1);
    engine.settings.update({ findInPictures: true });
    const other = await publish(engine, await pictureAt(folder));
    await until(() => found(engine, { inPictures: 'zebrawort' }).includes(other));
    await engine.profile.clear({ what: 'history' });
    const database = readFileSync(join(folder, 'profile.sqlite'));
    expect(database.includes('zebrawort')).toBe(false);
    expect(kept(folder)).toEqual([]);
  });

  it('takes over what the user had read of a published picture', async () => {
    const { engine, folder } = await openConnected(() => 'Copied words', { delivery: 'by command' });
    const id = await publish(engine, await pictureAt(folder));
    await engine.vision.readItem({ id, reading: 'reading-0001' }, never);
    expect(found(engine, { inPictures: 'copied' })).toEqual([id]);
  });
});
