/** Recording audio: the computer's sound, a microphone, both; with a real PulseAudio. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import { readRecordingMetadata } from '../../../src/engine/recording/probe-recording.ts';
import { defaultEncoding } from '../../../src/engine/recording/recording-setup.ts';
import { trimRecording } from '../../../src/engine/recording/trim.ts';
import { createFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordFor,
  recordPieces,
  request,
} from '../../support/screen/recording-fixture.ts';
import { openSoundServer, PLAYED_HZ, type SoundServer, SPOKEN_HZ } from '../../support/screen/sound-server.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('recording-sound');
const AREA = { x: 0, y: 0, width: 160, height: 120 };
const RATE = 8_000;
let screen: XScreen;
let sounds: SoundServer;
beforeAll(async () => {
  screen = await openXScreen(320, 240);
  sounds = await openSoundServer();
});
afterAll(async () => {
  await sounds.close();
  await screen.close();
});

/** Loudness of a tone, from 0 to 1, in each tenth of a second. */
const loudness = (samples: Float32Array, hertz: number): readonly number[] => {
  const size = RATE / 10;
  return Array.from({ length: Math.floor(samples.length / size) }, (_, window) => {
    let [sine, cosine] = [0, 0];
    for (let at = 0; at < size; at++) {
      const angle = (2 * Math.PI * hertz * at) / RATE;
      sine += (samples[window * size + at] ?? 0) * Math.sin(angle);
      cosine += (samples[window * size + at] ?? 0) * Math.cos(angle);
    }
    return (2 * Math.hypot(sine, cosine)) / size;
  });
};

const heardIn = async (path: string) => {
  const args = [
    '-v',
    'error',
    '-xerror',
    '-i',
    path,
    '-af',
    'aresample=async=1',
    '-ac',
    '1',
    '-ar',
    String(RATE),
    '-f',
    'f32le',
    '-',
  ];
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1 << 26 });
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  return { seconds: samples.length / RATE, played: loudness(samples, PLAYED_HZ), spoken: loudness(samples, SPOKEN_HZ) };
};

/** Seconds by which the last picture is extended where a busy machine keeps the encoder waiting at the end; sound is not. */
const EXTENDED_MAX = 1;

const expectAsLong = (sound: number, picture: number): void => {
  expect(sound - picture).toBeLessThan(0.5);
  expect(picture - sound).toBeLessThan(EXTENDED_MAX + 0.5);
};

const isHeard = (loud: number): boolean => loud > 0.05;

const LENGTH_MS = 1_800;

describe('a recording with sound', () => {
  const open = (name: string) =>
    openRecordingEngine(join(root, name), { environment: { ...screen.environment, ...sounds.environment } });

  it('of the computer has the played audio and no microphone, across a pause and in a trim', async () => {
    const engine = await open('system');
    expect(await engine.recording.sounds({}, never)).toEqual(ok({ sounds: ['none', 'system', 'microphone', 'both'] }));
    expect((await engine.recording.start(request(AREA, { sound: 'system' }), never)).ok).toBe(true);
    await recordFor(engine, LENGTH_MS);
    await engine.recording.pause();
    await engine.recording.resume();
    await recordFor(engine, 1_000);
    await engine.recording.stop({});
    const { id, hasSound, durationMs } = inState(engine, 'review');
    expect(hasSound).toBe(true);
    const path = engine.recording.file(id) ?? '';
    const heard = await heardIn(path);
    expectAsLong(heard.seconds, durationMs / 1_000);
    expect(heard.played.filter(isHeard).length / heard.played.length).toBeGreaterThan(0.5);
    expect(heard.spoken.every((loud) => loud < 0.02)).toBe(true);

    // Cut between key frames, it is heard as it was: the same tenths of a second are loud.
    const target = join(root, 'cut.mp4');
    const ffmpeg = createFfmpeg('/usr/bin/ffmpeg', { PATH: process.env['PATH'] });
    const tools = { ffmpeg: async () => ok({ ffmpeg, everyFrame: ['-fps_mode', 'passthrough'] }) };
    const cut = { source: path, startMs: 700, endMs: 2_000, encoding: defaultEncoding(AREA), folder: root, target };
    expect(await trimRecording(cut, tools, never)).toEqual(ok(undefined));
    expect((await readRecordingMetadata(target))?.hasSound).toBe(true);
    const short = await heardIn(target);
    expect(Math.abs(short.seconds - 1.3)).toBeLessThan(0.3);
    const before = heard.played.slice(7, 20).map(isHeard);
    const changed = short.played.map(isHeard).filter((loud, at) => loud !== before[at]);
    expect(changed.length).toBeLessThanOrEqual(4);
  });

  it('of computer and microphone has both, also with a camera', async () => {
    const input = ['-re', '-f', 'lavfi', '-i', 'color=c=red:s=320x240:r=15'];
    const cameras = { list: async () => [{ name: 'Test camera', input }] };
    const environment = { ...screen.environment, ...sounds.environment };
    const engine = await openRecordingEngine(join(root, 'both'), { environment }, { ports: { environment, cameras } });
    const camera = { name: null, corner: 'top-left' } as const;
    expect((await engine.recording.start(request(AREA, { sound: 'both', camera }), never)).ok).toBe(true);
    await recordFor(engine, LENGTH_MS);
    // Else a busy machine may end it before it has its last pictures.
    await recordPieces(engine, 1);
    await engine.recording.stop({});
    const { id, durationMs } = inState(engine, 'review');
    const path = engine.recording.file(id) ?? '';
    const heard = await heardIn(path);
    expectAsLong(heard.seconds, durationMs / 1_000);
    expect(heard.played.some(isHeard)).toBe(true);
    expect(heard.spoken.some(isHeard)).toBe(true);
    const middle = ['-vf', 'format=rgb24,crop=1:1:34:34', '-f', 'rawvideo', '-'];
    const { stdout } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', path, ...middle], {
      encoding: 'buffer',
    });
    const usual = (durationMs / 1_000) * 30;
    expect(stdout.length / 3).toBeLessThan(usual + 10);
    // The sound goes on while a busy machine keeps the last pictures waiting.
    expect(stdout.length / 3).toBeGreaterThan(usual / 2);
    for (let frame = 0; frame < stdout.length; frame += 3) {
      expect(stdout[frame]).toBeGreaterThan(200);
      expect(stdout[frame + 2]).toBeLessThan(60);
    }
  });
});
