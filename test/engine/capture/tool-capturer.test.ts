/** Capturers that run external programs: their arguments, their output, and how their pictures are read. */
import { describe, expect, it } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import {
  avfoundationArguments,
  createMacScreen,
  createWindowsScreen,
  ddagrabArguments,
  gdigrabArguments,
  LIST_AVFOUNDATION,
  parseOrigin,
  parseScreens,
} from '../../../src/engine/capture/ffmpeg-capturer.ts';
import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import { readPpm } from '../../../src/engine/capture/read-ppm.ts';
import { createToolCapturer } from '../../../src/engine/capture/tool-capturer.ts';
import type { ProcessOutput, RunProgram } from '../../../src/engine/run-helper-program.ts';
import { createFindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { Display } from '../../../src/ipc/protocol/capture.ts';

const never = new AbortController().signal;
const ffmpeg = async () => ({ path: '/ffmpeg', version: '', run: () => Promise.reject(new Error('not this way')) });

/** A picture of one colour. */
const ppm = (width: number, height: number, colour: readonly [number, number, number]) =>
  Buffer.concat([
    Buffer.from(`P6\n${width} ${height}\n255\n`),
    Buffer.from(Array.from({ length: width * height }, () => colour).flat()),
  ]);
const good = (output: Buffer, words = ''): ProcessOutput => ({ output, stderr: words, end: 'good' });
const bad = (words: string): ProcessOutput => ({ output: Buffer.alloc(0), stderr: words, end: 'failed' });

/** Answers by the input that ffmpeg is asked for. */
const answering = (answers: Readonly<Record<string, ProcessOutput>>) => {
  const asked: string[] = [];
  const run: RunProgram = async (path, args) => {
    expect(path).toBe('/ffmpeg');
    const input = args[args.indexOf('-i') + 1] ?? '';
    asked.push(input);
    return answers[Object.keys(answers).find((start) => input.startsWith(start)) ?? ''] ?? bad('No such input');
  };
  return { run, asked };
};

describe('the arguments', () => {
  it('show the pointer only on request, and ask for one uncompressed picture', () => {
    for (const make of [
      ddagrabArguments,
      gdigrabArguments,
      (pointer: 'hide' | 'show') => avfoundationArguments(2, pointer),
    ]) {
      const hidden = make('hide').join(' ');
      expect(hidden).toMatch(/(draw_mouse[= ]|capture_cursor )0/);
      expect(make('show').join(' ')).toBe(hidden.replace(/(draw_mouse[= ]|capture_cursor )0/, '$11'));
      expect(hidden).toMatch(/-frames:v 1 -f image2pipe -c:v ppm pipe:1$/);
    }
    expect(avfoundationArguments(2, 'hide').join(' ')).toContain(
      '-f avfoundation -capture_cursor 0 -framerate 10 -i 2:none',
    );
    expect(ddagrabArguments('hide').join(' ')).toContain(
      '-f lavfi -i ddagrab=output_idx=0:framerate=10:draw_mouse=0,hwdownload,format=bgra',
    );
    expect(gdigrabArguments('hide').join(' ')).toContain('-f gdigrab -framerate 10 -draw_mouse 0 -i desktop');
    expect(LIST_AVFOUNDATION.join(' ')).toContain('-f avfoundation -list_devices true');
  });

  it('are derived from the output of ffmpeg', () => {
    expect(parseOrigin('[gdigrab @ 0x1] Capturing whole desktop as 3840x1080x32 at (-1920,0)')).toEqual({
      x: -1920,
      y: 0,
    });
    expect(parseOrigin('')).toEqual({ x: 0, y: 0 });
    const devices = `[AVFoundation indev @ 0x7f] AVFoundation video devices:
[AVFoundation indev @ 0x7f] [0] FaceTime HD Camera
[AVFoundation indev @ 0x7f] [2] Capture screen 1
[AVFoundation indev @ 0x7f] [1] Capture screen 0
[AVFoundation indev @ 0x7f] AVFoundation audio devices:
[AVFoundation indev @ 0x7f] [0] Built-in Microphone`;
    expect(parseScreens(devices)).toEqual([1, 2]);
    expect(parseScreens('')).toEqual([]);
  });
});

it('a picture is read pixel by pixel, and a truncated one is rejected', () => {
  expect(readPpm(ppm(2, 1, [1, 2, 3]))).toEqual({
    width: 2,
    height: 1,
    data: Uint8Array.from([1, 2, 3, 255, 1, 2, 3, 255]),
  });
  expect(readPpm(ppm(2, 1, [1, 2, 3]).subarray(0, -1))).toBeNull();
  expect(readPpm(Buffer.from('no picture'))).toBeNull();
});

describe('Windows', () => {
  const noDisplays = async () => err(failure('CAPTURE_UNAVAILABLE', 'no displays'));
  const monitor = (x: number, width: number, number: number, scale: number): Display => ({
    ...{ x, y: 0, width, height: 3, number, scale, name: `Monitor ${number}` },
  });
  const desktopAt = (place: string, size: readonly [number, number]) =>
    good(ppm(...size, [1, 1, 1]), `Capturing whole desktop as ${size.join('x')}x32 at (${place})`);

  it('with one display is captured with Desktop Duplication', async () => {
    const { run } = answering({ ddagrab: good(ppm(4, 3, [2, 2, 2])), desktop: desktopAt('0,0', [4, 3]) });
    const frames = await createToolCapturer(createWindowsScreen({ ffmpeg, run, displays: noDisplays })).freeze(
      'hide',
      never,
    );
    expect(frames).toMatchObject({
      ok: true,
      value: [{ display: { x: 0, y: 0, width: 4, height: 3, number: 1, scale: 1 } }],
    });
    expect(frames.ok && frames.value[0]?.pixels.data[0]).toBe(2);
  });

  it.each([
    ['several displays', good(ppm(4, 3, [2, 2, 2]))],
    ['a refusing graphics card', bad('Failed to enumerate DXGI outputs')],
  ])('with %s is seen by GDI, from where the desktop begins', async (_, duplicated) => {
    const { run } = answering({ ddagrab: duplicated, desktop: desktopAt('-4,0', [8, 3]) });
    const recorder = createToolCapturer(createWindowsScreen({ ffmpeg, run, displays: noDisplays }));
    expect(await recorder.displays(never)).toMatchObject({ ok: true, value: [{ x: -4, y: 0, width: 8, height: 3 }] });
    const part = await recorder.grab({ x: -4, y: 0, width: 2, height: 2 }, 'hide', never);
    expect(part).toEqual({ ok: true, value: { width: 2, height: 2, data: expect.anything() } });
    expect(part.ok && part.value.data[0]).toBe(1);
  });

  it('with monitors that it lists has a picture of each, and lists them without taking one', async () => {
    const monitors = [monitor(0, 4, 1, 1), monitor(-2, 2, 2, 1.5)];
    const halves = Buffer.from(Array.from({ length: 18 }, (_, at) => (at % 6 < 2 ? [7, 7, 7] : [9, 9, 9])).flat());
    const picture = Buffer.concat([Buffer.from('P6\n6 3\n255\n'), halves]);
    const { run, asked } = answering({
      ddagrab: good(ppm(4, 3, [2, 2, 2])),
      desktop: good(picture, 'Capturing whole desktop as 6x3x32 at (-2,0)'),
    });
    const displays = async () => ok(monitors);
    const windows = async () => ok([]);
    const recorder = createToolCapturer(createWindowsScreen({ ffmpeg, run, displays }), { displays, windows });
    expect(await recorder.displays(never)).toEqual({ ok: true, value: monitors });
    expect(asked).toEqual([]);
    const frames = await recorder.freeze('hide', never);
    if (!frames.ok) throw new Error(frames.error.detail);
    expect(frames.value.map(({ display }) => display)).toEqual(monitors);
    expect(frames.value.map(({ pixels }) => [...new Set(pixels.data)])).toEqual([
      [9, 255],
      [7, 255],
    ]);
  });

  it('with one scaled monitor is captured with Desktop Duplication, even where GDI reports it smaller', async () => {
    const { run } = answering({ ddagrab: good(ppm(4, 3, [2, 2, 2])), desktop: desktopAt('0,0', [2, 1]) });
    const displays = async () => ok([monitor(0, 4, 1, 2)]);
    const frames = await createToolCapturer(createWindowsScreen({ ffmpeg, run, displays })).freeze('hide', never);
    expect(frames).toMatchObject({ ok: true, value: [{ display: { width: 4, height: 3, scale: 2 } }] });
  });

  it('whose monitors ffmpeg sees with other sizes is no picture with pixels of the wrong place', async () => {
    const { run } = answering({ ddagrab: bad('no'), desktop: desktopAt('-2,0', [5, 3]) });
    const displays = async () => ok([monitor(0, 4, 1, 1), monitor(-2, 2, 2, 1.5)]);
    const refused = await createToolCapturer(createWindowsScreen({ ffmpeg, run, displays })).freeze('hide', never);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'CAPTURE_UNAVAILABLE', detail: expect.stringContaining('5 x 3') },
    });
  });

  it('that shows nothing is reported, with the last line of ffmpeg', async () => {
    const { run } = answering({ desktop: bad('a\nCould not open the desktop') });
    const refused = await createToolCapturer(createWindowsScreen({ ffmpeg, run, displays: noDisplays })).displays(
      never,
    );
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'CAPTURE_UNAVAILABLE', detail: expect.stringContaining('Could not open the desktop') },
    });
  });
});

describe('macOS', () => {
  it('has a display for each screen, side by side', async () => {
    const { run } = answering({
      '1:none': good(ppm(4, 3, [1, 1, 1])),
      '2:none': good(ppm(2, 2, [2, 2, 2])),
      '': bad('[1] Capture screen 0\n[2] Capture screen 1'),
    });
    const frames = await createToolCapturer(createMacScreen({ ffmpeg, run })).freeze('hide', never);
    expect(frames).toMatchObject({
      ok: true,
      value: [{ display: { x: 0, width: 4, number: 1 } }, { display: { x: 4, width: 2, number: 2 } }],
    });
  });

  it('without permission to record the screen explains where to allow it', async () => {
    const { run } = answering({ '1:none': bad('Could not open video device'), '': bad('[1] Capture screen 0') });
    const refused = await createToolCapturer(createMacScreen({ ffmpeg, run })).freeze('hide', never);
    expect(refused).toMatchObject({ ok: false, error: { detail: expect.stringContaining('Screen Recording') } });
  });
});

it('without ffmpeg names what to install', async () => {
  const none = createFindFfmpeg({ configured: '/nonexistent/ffmpeg', environment: {} });
  for (const platform of ['win32', 'darwin'] as const) {
    const refused = await openScreenCapturer({ platform, environment: {}, ffmpeg: none }).freeze('hide', never);
    expect(refused).toMatchObject({ ok: false, error: { detail: expect.stringContaining('needs ffmpeg') } });
  }
});
