/** Recognising text and codes in pictures, by the real process with the real data. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { fork } from '../../../src/base/node/run-program.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { StartVisionProcess } from '../../../src/engine/ports.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { forkVision } from '../../../src/engine/vision/fork-vision.ts';
import { createVisionProcessClient } from '../../../src/engine/vision/vision-process-client.ts';
import { itWith } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawQrCode, drawText, type TextPicture, wordAccuracy } from '../../support/vision/text-pictures.ts';

const root = temporaryFolder('vision');
const never = new AbortController().signal;
const environment = {};
const deps = { clock: systemClock, openSource, profileDir: root, environment, timeoutMs: 200_000 };
const vision = createVisionProcessClient(deps);
afterAll(() => vision.close());

let files = 0;
const fileOf = (bytes: Buffer | string): string => {
  files += 1;
  const path = join(root, `picture-${files}`);
  writeFileSync(path, bytes);
  return path;
};
const read = (bytes: Buffer | string, service = vision, signal = never) => service.readFile(fileOf(bytes), {}, signal);

const ENGLISH = [
  'Settings saved 3 minutes ago',
  'The quick brown fox jumps over the lazy dog',
  'Total: 1,284 files (45 MB) in 12 folders',
  'npm run build finished without errors',
];
const RUSSIAN = [
  'Настройки сохранены',
  'Быстрая лиса прыгает через ленивую собаку',
  'Всего: 128 файлов, осталось две минуты',
  'Открыть библиотеку и скопировать ссылку',
];
const SANS = 'DejaVu Sans';
const MONO = 'DejaVu Sans Mono';

const PICTURES: readonly TextPicture[] = [
  { lines: ENGLISH, font: SANS, size: 14, theme: 'light', scale: 1 },
  { lines: ENGLISH, font: SANS, size: 14, theme: 'dark', scale: 1 },
  { lines: ENGLISH, font: MONO, size: 16, theme: 'dark', scale: 2 },
  { lines: ENGLISH, font: SANS, size: 14, theme: 'light', scale: 3 },
  { lines: ENGLISH, font: MONO, size: 24, theme: 'light', scale: 1 },
  { lines: RUSSIAN, font: SANS, size: 14, theme: 'light', scale: 1 },
  { lines: RUSSIAN, font: SANS, size: 16, theme: 'dark', scale: 1 },
  { lines: RUSSIAN, font: MONO, size: 14, theme: 'light', scale: 2 },
  { lines: [...ENGLISH, ...RUSSIAN], font: SANS, size: 16, theme: 'light', scale: 1 },
  { lines: [...ENGLISH, ...RUSSIAN], font: SANS, size: 20, theme: 'dark', scale: 2 },
];

describe('text', () => {
  for (const picture of PICTURES) {
    const { font, size, theme, scale, lines } = picture;
    const language = lines === ENGLISH ? 'English' : lines === RUSSIAN ? 'Russian' : 'English and Russian';
    itWith('programs of Linux')(`reads ${language} in ${font} ${size} px, ${theme}, scale ${scale}`, async () => {
      const result = await read(await drawText(picture));
      if (!result.ok) throw new Error(result.error.detail);
      expect(wordAccuracy(lines, result.value.text), result.value.text).toBeGreaterThanOrEqual(0.95);
    });
  }

  it('finds white text on a transparent background, in what must not be missed', async () => {
    const png = await drawText({ lines: ['hunter2'], font: SANS, size: 20, theme: 'light', scale: 1 });
    const { data, info } = await sharp(png).greyscale().negate().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const picture = await sharp({ create: { width, height, channels: 3, background: 'white' } })
      .joinChannel(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    const found = [
      await vision.readEverywhere(fileOf(picture), never),
      await vision.readThoroughly(fileOf(picture), never),
    ];
    for (const result of found) {
      const texts = result.ok ? result.value.more.map((words) => words.map(({ text }) => text).join(' ')) : [];
      expect(texts).toContainEqual(expect.stringContaining('hunter2'));
    }
    const opaque = await vision.readEverywhere(fileOf(png), never);
    expect(opaque).toMatchObject({ ok: true, value: { text: 'hunter2', more: [] } });
  });

  it('says where each word is, in pixels of the picture', async () => {
    const lines = ['Hello'];
    const png = await drawText({ lines, font: SANS, size: 16, theme: 'dark', scale: 1 });
    const placed = await sharp(png)
      .extend({ left: 300, top: 200, right: 40, bottom: 40, background: '#1e1e1e' })
      .png()
      .toBuffer();
    const result = await read(placed);
    const [word] = result.ok ? result.value.words : [];
    expect(word).toMatchObject({ text: 'Hello', confidence: expect.any(Number) });
    if (!word) return;
    expect(word.x).toBeGreaterThan(300);
    expect(word.y).toBeGreaterThan(200);
    expect(word.width).toBeLessThan(70);
    expect(word.height).toBeLessThan(30);
  });
});

describe('codes', () => {
  it('returns what a QR code holds and where it is', async () => {
    const code = await drawQrCode('https://example.com/ticket?id=42');
    const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'white' } })
      .composite([{ input: code, left: 200, top: 100 }])
      .png()
      .toBuffer();
    const result = await read(picture);
    expect(result).toMatchObject({
      ok: true,
      value: { codes: [{ format: 'QRCode', text: 'https://example.com/ticket?id=42' }] },
    });
    const [found] = result.ok ? result.value.codes : [];
    expect(found?.x).toBeGreaterThanOrEqual(200);
    expect(found?.y).toBeGreaterThanOrEqual(100);
  });
});

describe('bad input', () => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();

  it('finds nothing in a picture without text', async () => {
    expect(await read(await plain(320, 200))).toMatchObject({ ok: true, value: { text: '', words: [], codes: [] } });
  });
  it('refuses a damaged picture', async () => {
    const noise = await drawText({ lines: ENGLISH, font: SANS, size: 20, theme: 'light', scale: 1 });
    expect(await read(noise.subarray(0, noise.length / 2))).toMatchObject({ error: { code: 'IMAGE_UNREADABLE' } });
  });
  it('refuses an empty file, a text and a drawing', async () => {
    expect(await read('')).toMatchObject({ ok: false });
    expect(await read('only words')).toMatchObject({ error: { code: 'IMAGE_UNREADABLE' } });
    expect(await read('<svg xmlns="http://www.w3.org/2000/svg"/>')).toMatchObject({ error: { code: 'IMAGE_VECTOR' } });
  });
  it('refuses more pixels than it has memory for', async () => {
    expect(await read(await plain(9_000, 9_000))).toMatchObject({
      error: { code: 'TEXT_NOT_READ', params: { reason: 'too-large' } },
    });
  });
});

describe('languages', () => {
  const folder = join(root, 'no-data');
  mkdirSync(folder);
  const service = createVisionProcessClient({ ...deps, environment: { LINKSHOT_TESSDATA: folder } });
  afterAll(() => service.close());

  it('names a language whose data is not installed, and reads the others', async () => {
    const result = await read(
      await drawText({ lines: ENGLISH, font: SANS, size: 16, theme: 'light', scale: 1 }),
      service,
    );
    expect(result).toMatchObject({ ok: true, value: { missing: ['rus'] } });
    expect(wordAccuracy(ENGLISH, result.ok ? result.value.text : '')).toBeGreaterThanOrEqual(0.95);
  });
  it('says how to get the data of a language that is asked for', async () => {
    const asked = await service.readFile(fileOf(await drawQrCode('x')), { languages: ['rus'] }, never);
    expect(asked).toMatchObject({
      error: { code: 'TEXT_DATA_MISSING', detail: expect.stringContaining('tesseract-ocr-rus') },
    });
  });
});

describe('the process', () => {
  it('is ended when the user cancels, and the next picture is read by another one', async () => {
    const processes: string[] = [];
    const aborter = new AbortController();
    const startVision: StartVisionProcess = (onMessage, onEnd) => {
      const started = forkVision(onMessage, onEnd);
      processes.push('started');
      return {
        send: started.send,
        kill() {
          processes.push('killed');
          started.kill();
        },
      };
    };
    const service = createVisionProcessClient({ ...deps, startVision });
    const picture = await drawQrCode('again');
    const first = read(picture, service, aborter.signal);
    await expect.poll(() => processes).toEqual(['started']);
    aborter.abort();
    expect(await first).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(await read(picture, service)).toMatchObject({ ok: true, value: { codes: [{ text: 'again' }] } });
    expect(processes).toEqual(['started', 'killed', 'started']);
    service.close();
    expect(processes).toEqual(['started', 'killed', 'started', 'killed']);
  });

  /** A process that never answers; `killed` counts its ends. */
  const silent = () => {
    const state = { killed: 0 };
    const startVision: StartVisionProcess = () => ({ send: () => {}, kill: () => (state.killed += 1) });
    return { state, startVision };
  };

  it('is ended when a recognition takes too long', async () => {
    const { state, startVision } = silent();
    const service = createVisionProcessClient({ ...deps, startVision, timeoutMs: 0 });
    expect(await read(await drawQrCode('x'), service)).toMatchObject({
      error: { code: 'TEXT_NOT_READ', params: { reason: 'timeout' } },
    });
    expect(state.killed).toBe(1);
  });
  it('is ended when it has had nothing to do', async () => {
    const state = { killed: 0 };
    const startVision: StartVisionProcess = (onMessage) => ({
      send: (task) => onMessage({ ...task, ok: true, value: { text: 'done', words: [], codes: [] } }),
      kill: () => (state.killed += 1),
    });
    const service = createVisionProcessClient({ ...deps, startVision, idleMs: 0 });
    expect(await read(await drawQrCode('x'), service)).toMatchObject({ ok: true, value: { text: 'done' } });
    await expect.poll(() => state.killed).toBe(1);
  });
  it('reports its unexpected end', async () => {
    const startVision: StartVisionProcess = (_onMessage, onEnd) => ({ send: onEnd, kill: () => {} });
    const service = createVisionProcessClient({ ...deps, startVision });
    expect(await read(await drawQrCode('x'), service)).toMatchObject({
      error: { code: 'TEXT_NOT_READ', params: { reason: 'failed' } },
    });
  });

  it('opens no connection', async () => {
    const hook = pathToFileURL(resolve(import.meta.dirname, '../../support/connections-hook.mjs')).href;
    const program = resolve(import.meta.dirname, '../../../src/engine/vision/vision-process-entry.ts');
    const connections = join(root, 'connections');
    const startVision: StartVisionProcess = (onMessage, onEnd) => {
      const child = fork(program, {
        execArgv: [`--import=${hook}`, '--disable-warning=ExperimentalWarning'],
        env: { PATH: process.env['PATH'], CONNECTIONS_FILE: connections },
        serialization: 'advanced',
      });
      child.on('message', onMessage);
      child.once('exit', onEnd);
      return { send: (task) => void child.send(task), kill: () => void child.kill('SIGKILL') };
    };
    const service = createVisionProcessClient({ ...deps, startVision });
    const text = await drawText({ lines: ENGLISH, font: SANS, size: 16, theme: 'light', scale: 1 });
    expect(await read(text, service)).toMatchObject({ ok: true, value: { text: expect.stringContaining('fox') } });
    expect(await read(await drawQrCode('https://example.com'), service)).toMatchObject({
      ok: true,
      value: { codes: [{}] },
    });
    expect(existsSync(connections)).toBe(false);
    service.close();
  });
});
