/** A camera in recordings of a real X screen: what its bubble shows and covers, and what becomes of it when it fails. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Failure, ok } from '../../../src/api/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { placeBubble } from '../../../src/engine/recording/camera/bubble.ts';
import { openCameraFeed } from '../../../src/engine/recording/camera/camera-feed.ts';
import type { CameraCorner } from '../../../src/ipc/protocol/recording.ts';
import { until } from '../../support/engine.ts';
import { killAfter, recordedFile, startVictim, untilStored } from '../../support/processes/recording-victim.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordPieces,
  request,
  untilIn,
} from '../../support/screen/recording-fixture.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('camera');
const AREA = { x: 100, y: 60, width: 400, height: 300 };
const SCREEN = [0x20, 0x80, 0x30] as const;
const RED = [0xff, 0, 0] as const;
const BLUE = [0, 0, 0xff] as const;
/** What the encoding of a video leaves of a colour. */
const ALIKE = 40;

/** Red on its left, blue on its right, and green at both sides, which the square of the bubble does not have. */
const CAMERA = [
  ...['-re', '-f', 'lavfi', '-i'],
  'color=c=red:s=640x480:r=15,drawbox=x=320:w=320:color=blue:t=fill,drawbox=w=80:color=lime:t=fill,drawbox=x=560:w=80:color=lime:t=fill',
];
const NAME = 'Test camera';
const camerasOf = (input: readonly string[]) => ({ list: async () => [{ name: NAME, input }] });

let screen: XScreen;
beforeAll(async () => {
  screen = await openXScreen(640, 480);
  await screen.run('xsetroot', '-solid', '#208030');
});
afterAll(() => screen.close());

const open = (name: string, input: readonly string[]) =>
  openRecordingEngine(join(root, name), screen, { ports: { cameras: camerasOf(input) } });

const choice = (corner: CameraCorner = 'bottom-left', name: string | null = null) => ({ camera: { name, corner } });

/** The frames of a video, RGB. */
const framesOf = async (path: string): Promise<readonly Buffer[]> => {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  );
  const bytes = AREA.width * AREA.height * 3;
  return Array.from({ length: stdout.length / bytes }, (_, index) =>
    stdout.subarray(index * bytes, (index + 1) * bytes),
  );
};

/** Red, green and blue of a pixel in the first frame. */
const firstPixel = async (path: string, x: number, y: number): Promise<Buffer> => {
  const raw = ['-frames:v', '1', '-vf', `format=rgb24,crop=1:1:${x}:${y}`, '-f', 'rawvideo', '-'];
  return (await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', path, ...raw], { encoding: 'buffer' })).stdout;
};

const stop = async (engine: Engine): Promise<readonly Buffer[]> => {
  expect((await engine.recording.stop({})).ok).toBe(true);
  const frames = await framesOf(engine.recording.file(inState(engine, 'review').id) ?? '');
  await engine.recording.discard({});
  return frames;
};

const isColour = (frame: Buffer, x: number, y: number, colour: readonly number[]): boolean => {
  const at = (y * AREA.width + x) * 3;
  return colour.every((part, index) => Math.abs(part - (frame[at + index] as number)) < ALIKE);
};

/** Pixels of the frame that are neither the bubble that is expected there nor the screen; none: null. */
const wrongPixels = (frame: Buffer, corner: CameraCorner | null): string | null => {
  const bubble = corner && placeBubble(AREA, corner);
  for (let y = 0; y < AREA.height; y += 2)
    for (let x = 0; x < AREA.width; x += 2) {
      const radius = (bubble?.diameter ?? 0) / 2;
      const [dx, dy] = bubble ? [x + 0.5 - bubble.x - radius, y + 0.5 - bubble.y - radius] : [0, 0];
      const inside = radius - Math.hypot(dx, dy);
      // Encoding blurs both edges, and colours have half of the pixels.
      if (bubble && (Math.abs(inside) < 5 || (inside > 0 && Math.abs(dx) < 5))) continue;
      const expected = inside <= 0 ? SCREEN : dx < 0 ? BLUE : RED;
      if (!isColour(frame, x, y, expected)) return `${x}, ${y} for ${bubble && corner}`;
    }
  return null;
};

const hasBubble = (frame: Buffer): boolean => !isColour(frame, 40, AREA.height - 50, SCREEN);

/** The programs of cameras that this process runs. */
const running = (): readonly number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => {
      if (pid.trim() === '') return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lavfi');
      } catch {
        return false;
      }
    })
    .map(Number);

describe('the camera in a recording', () => {
  it('is a mirrored round bubble in its corner from the first frame on, across a pause, and nothing else changes', async () => {
    const engine = await open('round', CAMERA);
    expect(await engine.recording.start(request(AREA, choice('top-right')), never)).toMatchObject({ ok: true });
    await recordPieces(engine, 2);
    expect(running()).toHaveLength(1);
    expect(await engine.recording.pause()).toEqual(ok({}));
    await until(() => running().length === 0);
    expect(await engine.recording.resume()).toEqual(ok({}));
    await recordPieces(engine, 1);
    const frames = await stop(engine);
    expect(frames.length).toBeGreaterThan(15);
    expect(frames.map((frame) => wrongPixels(frame, 'top-right')).filter((wrong) => wrong !== null)).toEqual([]);
    expect(engine.state().notices).toEqual([]);
    await until(() => running().length === 0);
  });

  it('is on from the countdown that the settings want, and off when that is cancelled', async () => {
    const engine = await open('countdown', CAMERA);
    expect(await engine.recording.cameras({}, never)).toEqual(ok({ cameras: [NAME] }));
    engine.settings.update({ recordingCountdownSeconds: 10, recordingCamera: NAME });
    expect(await engine.capture.start({ mode: 'region', purpose: 'recording' }, never)).toEqual(ok({}));
    const { capture } = engine.state();
    if (capture?.state !== 'choosing') throw new Error('The screen is not frozen.');
    expect(running()).toEqual([]);
    expect((await engine.capture.choose({ id: capture.id, area: AREA, way: null }, never)).ok).toBe(true);
    await until(() => running().length === 1);
    expect(engine.state().recording?.state).toBe('countdown');
    await engine.recording.discard({});
    await until(() => running().length === 0);
    expect(engine.state().notices).toEqual([]);
  });

  it('is in what is recovered after the process was killed, and is turned off by that', async () => {
    const victim = await startVictim(join(root, 'killed'), screen, undefined, CAMERA);
    // Also waits for its programs, of which the camera is one.
    await untilStored(victim, 1);
    await killAfter(victim, 0);
    const engine = await openRecordingEngine(victim.profileDir, screen);
    await untilIn(engine, 'review');
    const [red = 0, , blue = 0] = await firstPixel(recordedFile(victim.profileDir), 64, 112);
    expect([red > 200, blue < 60]).toEqual([true, true]);
    await engine.recording.discard({});
  });
});

describe('a recording goes on without a camera, and says so,', () => {
  const noticesOf = (engine: Engine) => engine.state().notices.map(({ code, params }) => [code, params?.['by']]);

  it('that ends: its bubble disappears, and all else is kept', async () => {
    const engine = await open('ending', CAMERA);
    expect(await engine.recording.start(request(AREA, choice()), never)).toMatchObject({ ok: true });
    // It is in the file before it ends.
    await recordPieces(engine, 2);
    for (const pid of running()) process.kill(pid, 'SIGKILL');
    await until(() => engine.state().notices.length > 0);
    expect(noticesOf(engine)).toEqual([['CAMERA_NOT_SHOWN', 'gone']]);
    expect(engine.state().notices[0]?.detail).toContain(`“${NAME}” was disconnected. The recording goes on`);
    await recordPieces(engine, 4);
    const bubbles = (await stop(engine)).map(hasBubble);
    expect([bubbles[0], bubbles.at(-1)]).toEqual([true, false]);
    expect(bubbles.filter((bubble, index) => index > 0 && bubble !== bubbles[index - 1])).toEqual([false]);
  });

  it('that cannot be opened or is missing; each once in a recording, and again in the next one', async () => {
    const engine = await open('broken', ['-f', 'lavfi', '-i', 'color=c=nonsense']);
    expect(await engine.recording.start(request(AREA, choice()), never)).toMatchObject({ ok: true });
    expect(noticesOf(engine)).toEqual([['CAMERA_NOT_SHOWN', 'failed']]);
    engine.app.dismissNotices();
    await engine.recording.pause();
    await engine.recording.resume();
    expect(noticesOf(engine)).toEqual([]);
    const frames = await stop(engine);
    expect(frames.map((frame) => wrongPixels(frame, null)).filter((wrong) => wrong !== null)).toEqual([]);
    expect(await engine.recording.start(request(AREA, choice()), never)).toMatchObject({ ok: true });
    expect(noticesOf(engine)).toEqual([['CAMERA_NOT_SHOWN', 'failed']]);
    await engine.recording.discard({});
    expect(await engine.recording.start(request(AREA, choice('top-left', 'Other')), never)).toMatchObject({ ok: true });
    expect(engine.state().notices[0]?.detail).toBe(
      `The camera “Other” is not connected; connected: ${NAME}. The recording goes on without it.`,
    );
    await engine.recording.discard({});
  });

  it('that hangs after its first frame', async () => {
    const program = join(root, 'hanging');
    await writeFile(program, '#!/bin/sh\nhead -c 150 /dev/zero\nexec sleep 600\n');
    await chmod(program, 0o700);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: shown, resolve: onShown } = Promise.withResolvers<void>();
    const failed: Failure[] = [];
    openCameraFeed({
      ...{ program, environment: { PATH: process.env['PATH'] ?? '' }, diameter: 10, everyFrame: [] },
      ...{ camera: { name: NAME, input: [] }, onShown, onFailed: (reason) => failed.push(reason) },
    });
    await shown;
    vi.advanceTimersByTime(3_900);
    expect(failed).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(failed).toMatchObject([{ code: 'CAMERA_NOT_SHOWN', params: { by: 'gone', name: NAME } }]);
  });
});
