/** A sender that sends nothing, as GNOME does when a still screen loses its first frame, is started again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segmentArguments } from '../../../src/engine/recording/ffmpeg-arguments.ts';
import { pipeInput } from '../../../src/engine/recording/input-arguments.ts';
import { planRecording, USUAL_LIMITS } from '../../../src/engine/recording/recording-plan.ts';
import { startSegment } from '../../../src/engine/recording/segment-encoder.ts';
import { FRAMES_PIPE } from '../../../src/engine/recording/wayland-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SIZE = { width: 64, height: 48 };
const PROGRAM = 'ffmpeg';

/** Sends nothing until its `sendsAt`th start; each start adds a line to `starts`. */
const record = (sendsAt: number, signal = new AbortController().signal) => {
  const folder = temporaryFolder('first-frame');
  const starts = join(folder, 'starts');
  writeFileSync(starts, '');
  const frames = `${PROGRAM} -v error -re -f lavfi -i testsrc=s=${SIZE.width}x${SIZE.height}:r=30 -pix_fmt bgr0 -f rawvideo pipe:1 >&${FRAMES_PIPE}`;
  const script = `echo start >>"$1"; [ "$(wc -l <"$1")" -lt ${sendsAt} ] && exec sleep 600; exec ${frames}`;
  const plan = planRecording({ x: 0, y: 0, ...SIZE }, USUAL_LIMITS, 'none');
  if (!plan.ok) throw new Error(plan.error.detail);
  const input = [
    ...['-use_wallclock_as_timestamps', '1', '-f', 'rawvideo', '-pixel_format', 'bgr0', '-framerate', '30'],
    ...['-video_size', `${SIZE.width}x${SIZE.height}`, '-i', pipeInput(FRAMES_PIPE)],
  ];
  const args = segmentArguments({
    ...{ params: plan.value.params, encoder: { name: 'libx264', kind: 'x264' }, sounds: [], bubble: null },
    ...{ picture: { name: 'frames', input, filters: [] }, everyFrame: ['-fps_mode', 'passthrough'] },
    milliseconds: 60_000,
  });
  const path = join(folder, '0.mp4');
  const sender = { program: '/bin/sh', args: ['-c', script, 'sh', starts], firstFrameWithinMs: 1_000 };
  const environment = { PATH: process.env['PATH'] ?? '' };
  const started = startSegment({ program: PROGRAM, args, environment, sender, path, onBytes: () => {} }, signal);
  return { started, path, starts: () => readFileSync(starts, 'utf8').split('\n').length - 1 };
};

describe('the first frame of a sender', () => {
  it.each([1, 2, 3])('that comes at its start number %i is the beginning of the segment', async (sendsAt) => {
    const { started, path, starts } = record(sendsAt);
    const segment = await started;
    if (!segment.ok) throw new Error(segment.error.detail);
    expect(await segment.value.stop()).toEqual({ by: 'asked' });
    expect(starts()).toBeGreaterThanOrEqual(sendsAt);
    expect(readFileSync(path).subarray(4, 8).toString()).toBe('ftyp');
  });

  it('is not waited for when the user cancels, and nothing is left', async () => {
    const cancelling = new AbortController();
    const { started, path, starts } = record(4, cancelling.signal);
    await expect.poll(starts).toBeGreaterThanOrEqual(2);
    cancelling.abort();
    expect(await started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });

  it('is not waited for when the user cancelled before the encoder ran, and nothing is left', async () => {
    const cancelling = new AbortController();
    const during = record(1, cancelling.signal);
    cancelling.abort();
    expect(await during.started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(() => readFileSync(during.path)).toThrow('ENOENT');
    const before = record(1, cancelling.signal);
    expect(await before.started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(() => readFileSync(before.path)).toThrow('ENOENT');
    expect(before.starts()).toBe(0);
  });
});
