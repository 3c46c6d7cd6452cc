/** The commands that read pictures: of items, captures, files and the screen, with progress, and for the clipboard. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { CaptureId, ItemId } from '../../../src/api/ids.ts';
import type { Engine, EngineDeps, EngineEvent } from '../../../src/engine/engine.ts';
import type { StartVisionProcess } from '../../../src/engine/ports.ts';
import type { ReadTask, Recognised } from '../../../src/engine/vision/vision-protocol.ts';
import { addFile, connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const DISPLAY = { x: 0, y: 0, width: 60, height: 40 };
const READING = 'reading-0001';
const ADDRESS = 'https://example.com/ticket?id=42';
const CODE = { format: 'QRCode', text: ADDRESS, x: 0, y: 0, width: 10, height: 10 };
const FOUND = { text: 'Order ready', words: [], codes: [CODE] };
const ANSWER: Recognised = { ...FOUND, more: [], width: 60, height: 40 };

/** A process that answers what the test says, after half of the progress; `tasks` are the pictures that it got. */
const answering = (found: Recognised | null = ANSWER) => {
  const tasks: ReadTask[] = [];
  const startVision: StartVisionProcess = (onMessage) => ({
    send(message) {
      const task = message as ReadTask;
      tasks.push(task);
      onMessage({ id: task.id, part: 0.5 });
      if (found) onMessage({ id: task.id, ok: true, value: found });
    },
    kill() {},
  });
  return { tasks, startVision };
};

const open = async (found: Recognised | null = ANSWER, ports: Partial<EngineDeps> = {}) => {
  const folder = temporaryFolder('vision-commands');
  const { tasks, startVision } = answering(found);
  const environment = { HOME: folder, LINKSHOT_TESSDATA: folder };
  const capturer = paintScreen([DISPLAY], []);
  const opened = await openEngine(folder, { capturer, environment, startVision, ...ports });
  const events: EngineEvent[] = [];
  opened.engine.on((event) => events.push(event));
  const of = <T extends EngineEvent['type']>(type: T) =>
    events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);
  return { ...opened, folder, tasks, of };
};

const pngAt = async (folder: string, name = 'shot.png'): Promise<string> => {
  const path = join(folder, name);
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } });
  writeFileSync(path, await picture.png().toBuffer());
  return path;
};

const chooseText = async (engine: Engine): Promise<CaptureId> => {
  await engine.capture.start({ mode: 'region' }, never);
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error('There is no frozen screen.');
  const { id } = capture;
  const area = { x: 3, y: 4, width: 20, height: 10 };
  expect(await engine.capture.choose({ id, area, way: 'text' }, never)).toEqual(ok({ item: null }));
  return id;
};

describe('an item', () => {
  it('of the queue is read from its file, and its progress is told under the name of the reading', async () => {
    const { engine, folder, tasks, of } = await open();
    const path = await pngAt(folder);
    const id = await addFile(engine, path);
    const read = await engine.vision.readItem({ id, reading: READING }, never);
    expect(read).toMatchObject({ ok: true, value: { ...FOUND, missing: ['rus'] } });
    expect(tasks).toMatchObject([{ picture: path }]);
    expect(of('reading')).toEqual([{ type: 'reading', reading: READING, part: 0.5 }]);
  });

  it('that is published is read from the service, without a file', async () => {
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { apiKey } = await server.user();
    const { engine, folder, tasks } = await open();
    // The search in pictures would read the file itself.
    engine.settings.update({ findInPictures: false });
    await connectTo(engine, server.url, apiKey);
    const id = await addFile(engine, await pngAt(folder));
    await until(() => itemOf(engine, id)?.state === 'linked');
    expect(await engine.vision.readItem({ id, reading: READING }, never)).toMatchObject({ ok: true, value: FOUND });
    const [task] = tasks;
    expect(task?.picture).toBeInstanceOf(Uint8Array);
    expect(await sharp(task?.picture as Uint8Array).metadata()).toMatchObject({ width: 40, height: 30 });
  });

  it('that is no picture, or that is unknown, is refused', async () => {
    const { engine, folder, tasks } = await open();
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'only words');
    const id = await addFile(engine, path, 'a.txt');
    expect(await engine.vision.readItem({ id, reading: READING }, never)).toMatchObject({
      error: { code: 'IMAGE_UNREADABLE' },
    });
    const unknown = '0a1b2c3d-0000-4000-8000-000000000009' as ItemId;
    expect(await engine.vision.readItem({ id: unknown, reading: READING }, never)).toMatchObject({ ok: false });
    expect(tasks).toEqual([]);
  });

  it('is read no longer when its reading is stopped', async () => {
    const { engine, folder, tasks } = await open(null);
    const id = await addFile(engine, await pngAt(folder));
    const reading = engine.vision.readItem({ id, reading: READING }, never);
    await until(() => tasks.length === 1);
    expect(engine.vision.stop({ reading: 'another-reading' })).toEqual(ok({}));
    expect(engine.vision.stop({ reading: READING })).toEqual(ok({}));
    expect(await reading).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

describe('the text of a selection on the frozen screen', () => {
  it('is copied by the host, and nothing of it is queued or written', async () => {
    const { engine, clipboard, tasks, of } = await open();
    const id = await chooseText(engine);
    expect(engine.state().capture).toBeNull();
    await until(() => of('captureText').length === 2);
    expect(of('captureText')).toMatchObject([
      { id, found: { state: 'reading' } },
      { id, found: { state: 'read', copied: true, content: { text: 'Order ready' } } },
    ]);
    expect(clipboard).toEqual(['Order ready']);
    expect(tasks).toMatchObject([{ picture: { width: 20, height: 10 } }]);
    expect(engine.state().queue.items).toEqual([]);
    expect(readdirSync(engine.spoolDir)).toEqual([]);
  });

  it('is copied at once where the whole purpose of the session is the text', async () => {
    const { engine, clipboard, tasks, of } = await open();
    expect(await engine.capture.start({ mode: 'all', purpose: 'text' }, never)).toEqual(ok({}));
    await until(() => of('captureText').length === 2);
    expect(tasks).toMatchObject([{ picture: { width: 60, height: 40 } }]);
    expect(clipboard).toEqual(['Order ready']);
    expect(engine.state().queue.items).toEqual([]);
  });

  it('is left to the page where the host has no clipboard', async () => {
    const { engine, of } = await open(ANSWER, { clipboard: null });
    await chooseText(engine);
    await until(() => of('captureText').length === 2);
    expect(of('captureText').at(-1)).toMatchObject({ found: { state: 'read', copied: false } });
  });

  it('leaves the clipboard as it is where there is no text', async () => {
    const { engine, clipboard, of } = await open({ ...ANSWER, text: '' });
    await chooseText(engine);
    await until(() => of('captureText').length === 2);
    expect(of('captureText').at(-1)).toMatchObject({ found: { state: 'read', copied: false } });
    expect(clipboard).toEqual([]);
  });

  it('can be stopped, and the screen can be frozen again meanwhile', async () => {
    const { engine, tasks, of } = await open(null);
    const id = await chooseText(engine);
    await until(() => tasks.length === 1);
    expect(await engine.capture.start({ mode: 'region' }, never)).toEqual(ok({}));
    await engine.capture.cancel();
    engine.vision.stop({ reading: id });
    await until(() => of('captureText').length === 2);
    expect(of('captureText').at(-1)).toMatchObject({ found: { state: 'failed', failure: { code: 'CANCELLED' } } });
  });
});

describe('the screenshot in the editor', () => {
  it('that is edited is searched for secrets, and is refused once it is gone', async () => {
    const word = { text: 'anna@example.com', x: 10, y: 10, width: 45, height: 12, confidence: 80 };
    const { engine } = await open({ ...ANSWER, text: word.text, words: [word] });
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    await until(() => engine.state().capture?.state === 'editing');
    const { id } = engine.state().capture as { id: CaptureId };
    const found = await engine.vision.findSecrets({ id, reading: READING }, never);
    // Clipped to the picture, which is 60 pixels wide.
    expect(found).toMatchObject({ ok: true, value: { found: [{ kind: 'email', x: 8, width: 49, confidence: 80 }] } });
    await engine.capture.cancel();
    expect(await engine.vision.findSecrets({ id, reading: READING }, never)).toMatchObject({
      error: { code: 'CAPTURE_GONE' },
    });
  });

  it('is read as it was captured, and is refused once it is gone', async () => {
    const { engine, tasks } = await open();
    engine.settings.update({ editAfterCapture: true });
    await engine.capture.start({ mode: 'all' }, never);
    await until(() => engine.state().capture?.state === 'editing');
    const { id } = engine.state().capture as { id: CaptureId };
    expect(await engine.vision.readCapture({ id, reading: READING }, never)).toMatchObject({ ok: true, value: FOUND });
    expect(existsSync(String(tasks[0]?.picture))).toBe(true);
    await engine.capture.cancel();
    expect(await engine.vision.readCapture({ id, reading: READING }, never)).toMatchObject({
      error: { code: 'CAPTURE_GONE' },
    });
  });
});

describe('the screen', () => {
  it('is read without being stored', async () => {
    const { engine, tasks } = await open();
    const request = { target: { mode: 'screen', number: 1 }, pointer: 'hide', delaySeconds: 0 } as const;
    expect(await engine.vision.readScreen(request, never)).toMatchObject({ ok: true, value: FOUND });
    expect(tasks).toMatchObject([{ picture: { width: 60, height: 40 } }]);
    expect(readdirSync(engine.spoolDir)).toEqual([]);
    const beyond = { ...request, target: { mode: 'screen', number: 7 } } as const;
    expect(await engine.vision.readScreen(beyond, never)).toMatchObject({ error: { code: 'CAPTURE_AREA_INVALID' } });
  });
});

describe('what a code holds', () => {
  it('is opened only if it was read, by a host that opens it, and only when asked for', async () => {
    const opened: string[] = [];
    const opener = {
      open: async (): Promise<Result<void>> => err(failure('ADDRESS_INVALID', 'not this way')),
      openAny: async (address: string) => ok(void opened.push(address)),
    };
    const { engine, folder } = await open(ANSWER, { opener });
    expect(await engine.vision.open({ address: ADDRESS })).toMatchObject({ error: { code: 'ADDRESS_INVALID' } });
    await engine.vision.readFile(await pngAt(folder), READING, never);
    expect(opened).toEqual([]);
    expect(await engine.vision.open({ address: ADDRESS })).toEqual(ok({}));
    expect(await engine.vision.open({ address: 'https://example.com/other' })).toMatchObject({ ok: false });
    expect(opened).toEqual([ADDRESS]);
  });

  it('is never opened if it is no web address', async () => {
    const address = 'file:///etc/passwd';
    const { engine, folder } = await open(
      { ...ANSWER, codes: [{ ...CODE, text: address }] },
      { opener: { open: async () => ok(undefined), openAny: async () => ok(undefined) } },
    );
    await engine.vision.readFile(await pngAt(folder), READING, never);
    expect(await engine.vision.open({ address })).toMatchObject({ error: { code: 'ADDRESS_INVALID' } });
  });
});

it('text is copied where the host has a clipboard, and refused where it has none', async () => {
  const { engine, clipboard } = await open();
  expect(await engine.vision.copy({ text: 'Order ready' })).toEqual(ok({}));
  expect(clipboard).toEqual(['Order ready']);
  const { engine: without } = await open(ANSWER, { clipboard: null });
  expect(await without.vision.copy({ text: 'x' })).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
});
