/**
 * The ffmpeg arguments on each platform and the encoder parameters behind them; pure, so that all platforms are tested
 * on any machine.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitrateCeiling } from '../../../src/api/account.ts';
import {
  devicesFor,
  offeredAudioSources,
  parseAvFoundation,
  parseDirectShow,
  parsePulseSources,
} from '../../../src/engine/recording/audio-sources.ts';
import { segmentArguments } from '../../../src/engine/recording/ffmpeg-arguments.ts';
import { pictureInputs } from '../../../src/engine/recording/input-arguments.ts';
import { isFrameIntact, openRecordingFile } from '../../../src/engine/recording/recording-file-reader.ts';
import { planRecording, USUAL_LIMITS } from '../../../src/engine/recording/recording-plan.ts';
import { locateFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { readCapabilities } from '../../../src/engine/video/ffmpeg-capabilities.ts';
import type { Area, Display } from '../../../src/ipc/protocol/capture.ts';
import { hasOldFfmpeg, NEWER_FFMPEG } from '../../support/media/old-ffmpeg.ts';
import { HERE } from '../../support/media/video-fixture.ts';
import { must } from '../../support/results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LEFT: Display = { number: 1, name: 'left', scale: 1, x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT: Display = { number: 2, name: 'right', scale: 1.25, x: 1920, y: -200, width: 2560, height: 1440 };
const ON_RIGHT: Area = { x: 2000, y: 0, width: 800, height: 600 };
const ON_BOTH: Area = { x: 1800, y: 0, width: 800, height: 600 };

const waysTo = (platform: string, area: Area, pointer: 'hide' | 'show' = 'hide', displays = [LEFT, RIGHT]) =>
  pictureInputs({ platform, display: ':1', area, displays, pointer, fps: 30 }).map(({ name, input, filters }) => ({
    name,
    input: input.join(' '),
    filters: filters.join(','),
  }));

describe('the screen input', () => {
  it('is x11grab on Linux', () => {
    expect(waysTo('linux', ON_BOTH, 'show')).toEqual([
      {
        name: 'x11grab',
        input:
          '-thread_queue_size 128 -f x11grab -framerate 30 -draw_mouse 1 -video_size 800x600 -grab_x 1800 -grab_y 0 -i :1',
        filters: '',
      },
    ]);
  });

  it('is the graphics card on Windows, and gdigrab where that fails', () => {
    const [card, old, ...more] = waysTo('win32', ON_RIGHT, 'hide', [RIGHT]);
    expect(card).toMatchObject({ name: 'ddagrab', filters: 'hwdownload,format=bgra' });
    expect(card?.input).toContain(
      'ddagrab=output_idx=0:framerate=30:draw_mouse=0:offset_x=80:offset_y=200:video_size=800x600',
    );
    expect(old?.input).toContain('-f gdigrab -framerate 30 -draw_mouse 0 -offset_x 2000 -offset_y 0');
    expect(more).toEqual([]);
  });

  it('is gdigrab on Windows with several displays, because the graphics card has another order of them', () => {
    for (const area of [ON_RIGHT, ON_BOTH]) {
      expect(waysTo('win32', area).map(({ name }) => name)).toEqual(['gdigrab']);
    }
  });

  it('is one whole screen on macOS, which is cut', () => {
    const [way] = waysTo('darwin', ON_RIGHT, 'show');
    expect(way).toMatchObject({ name: 'avfoundation', filters: 'crop=800:600:80:200' });
    expect(way?.input).toContain('-capture_cursor 1 -i Capture screen 1:none');
    expect(waysTo('darwin', ON_BOTH)).toEqual([]);
  });
});

describe('the numbers of a recording', () => {
  it('keep every recording below the limit of the average, for any two seconds of it and more', () => {
    const side = fc.integer({ min: 16, max: 9_000 });
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 144 }), fc.boolean(), (width, height, maxFps, isHeard) => {
        const limits = { ...USUAL_LIMITS, video: { ...USUAL_LIMITS.video, maxFps } };
        const sound = isHeard ? 'system' : 'none';
        const plan = planRecording({ x: 5, y: 7, width, height }, limits, sound, 8);
        // Extremely long strips have no size that a video may have.
        fc.pre(plan.ok);
        if (!plan.ok) return;
        const { area, params } = plan.value;
        expect([area.x, area.y]).toEqual([5, 7]);
        expect([width - area.width, height - area.height].every((cut) => cut === 0 || cut === 1)).toBe(true);
        expect(params.width % 2 === 0 && params.height % 2 === 0).toBe(true);
        expect(params.fps).toBe(Math.min(30, maxFps));
        expect(Math.max(params.width, params.height)).toBeLessThanOrEqual(limits.video.maxLongSide);
        expect(Math.min(params.width, params.height)).toBeLessThanOrEqual(limits.video.maxShortSide);
        for (const seconds of [2, 3, 10, 3_600]) {
          const average = params.maxBits + params.bufferBits / seconds + params.audioBits;
          expect(average).toBeLessThan(bitrateCeiling(limits.video, params));
        }
      }),
    );
  });

  it('spare a computer that is small for what it records', () => {
    const of = (width: number, height: number, cores: number) => {
      const plan = planRecording({ x: 0, y: 0, width, height }, USUAL_LIMITS, 'none', cores);
      return plan.ok ? plan.value.params.preset : plan.error.code;
    };
    expect([of(1920, 1080, 2), of(1920, 1080, 1), of(3840, 2160, 4), of(3840, 2160, 8)]).toEqual([
      'veryfast',
      'superfast',
      'superfast',
      'veryfast',
    ]);
    expect(of(12, 500, 2)).toBe('CAPTURE_AREA_INVALID');
  });

  it('end a recording before the limits of the account', () => {
    const limits = { ...USUAL_LIMITS, maxBytes: 10_000_000 };
    const plan = planRecording(LEFT, limits, 'both', 4);
    expect(plan.ok && plan.value.bounds.milliseconds).toBe(3_599_500);
    expect(plan.ok && plan.value.bounds.bytes).toBeLessThan(9_000_000);
  });
});

it('the command line has one picture, all audio mixed into one track, and fragments that survive a crash', () => {
  const plan = planRecording(ON_RIGHT, USUAL_LIMITS, 'both', 2);
  const [picture] = pictureInputs({
    ...{ platform: 'linux', display: ':0', area: ON_RIGHT, displays: [LEFT, RIGHT], pointer: 'hide', fps: 30 },
  });
  if (!plan.ok || !picture) throw new Error('no plan');
  const { params } = plan.value;
  const job = { params, picture, bubble: null, milliseconds: 2_500, everyFrame: ['-fps_mode', 'passthrough'] };
  const x264 = { name: 'libx264', kind: 'x264' } as const;
  const sounds = [
    { format: 'pulse', name: 'speakers' },
    { format: 'pulse', name: 'voice' },
  ] as const;
  const words = segmentArguments({ ...job, sounds, encoder: x264 }).join(' ');
  expect(words).toContain('-isync 2 -thread_queue_size 1024 -f pulse -name Linkshot -fragment_size 9600 -i speakers');
  expect(words).toContain('[s0][s1]amix=inputs=2:duration=longest:normalize=0[sound]');
  expect(words).toContain(`-bf 0 -g 60`);
  expect(words).toContain(`-crf 23 -maxrate ${params.maxBits} -bufsize ${params.bufferBits}`);
  expect(words).toContain('-t 2.500 -movflags +empty_moov+default_base_moof -frag_duration 500000');
  expect(words.endsWith('-f mp4 pipe:1')).toBe(true);
  const silent = segmentArguments({ ...job, sounds: [], encoder: { name: 'h264_nvenc', kind: 'bitrate' } }).join(' ');
  expect(silent).toContain(`-c:v h264_nvenc -bf 0`);
  expect(silent).toContain(`-b:v ${Math.floor(params.maxBits * 0.9)}`);
  expect(silent).not.toMatch(/-crf|aac/);
});

it.for([
  ['forwards, as over a sleep', '+3600', 2 + 5],
  ['backwards, as a clock that is set', '-0.5', 2],
] as const)(
  'a time that jumps %s is in the recording for some seconds at most',
  async ([, jump, seconds], { skip }) => {
    // ffmpeg 4.1 fills the gap up to the limit of the recording.
    skip(jump === '+3600' && hasOldFfmpeg(), NEWER_FFMPEG);
    const plan = planRecording({ x: 0, y: 0, width: 160, height: 120 }, USUAL_LIMITS, 'none', 2);
    if (!plan.ok) throw new Error('no plan');
    const source = `testsrc=size=160x120:rate=30:duration=2,setpts='if(gt(N,20),PTS${jump}/TB,PTS)'`;
    const ffmpeg = await locateFfmpeg(HERE, new AbortController().signal);
    if (!ffmpeg) throw new Error('This test needs ffmpeg.');
    const { everyFrame } = must(await readCapabilities(ffmpeg, new AbortController().signal));
    const args = segmentArguments({
      params: plan.value.params,
      encoder: { name: 'libx264', kind: 'x264' },
      picture: { name: 'x11grab', input: ['-f', 'lavfi', '-i', source], filters: [] },
      sounds: [],
      bubble: null,
      milliseconds: 60_000,
      everyFrame,
    });
    const path = join(temporaryFolder('recording-jump'), 'jump.mp4');
    await promisify(execFile)('ffmpeg', ['-nostdin', ...args.slice(0, -1), path]);
    const piece = await openRecordingFile(path);
    expect(Math.abs((piece?.seconds ?? 0) - seconds)).toBeLessThan(0.2);
    await piece?.close();
  },
);

describe('the sounds that are there', () => {
  it('are read from PulseAudio and PipeWire', () => {
    const text =
      'Auto-detected sources for pulse:\n  speakers.monitor [Monitor of Built-in] (none)\n' +
      '  usb.webcam [Webcam] (none)\n* built-in.microphone [Built-in] (none)\n';
    const found = parsePulseSources(text);
    expect(found).toEqual({
      system: { format: 'pulse', name: '@DEFAULT_MONITOR@' },
      microphone: { format: 'pulse', name: 'built-in.microphone' },
    });
    expect(offeredAudioSources(found)).toEqual(['none', 'system', 'microphone', 'both']);
    const silent = parsePulseSources('Auto-detected sources for pulse:\nCannot list sources: Generic error\n');
    expect(offeredAudioSources(silent)).toEqual(['none']);
    expect(devicesFor('system', silent)).toMatchObject({ ok: false, error: { code: 'CAPTURE_UNAVAILABLE' } });
  });

  it('are read from DirectShow, where played audio has a device of its own', () => {
    const text =
      '[dshow @ 0000] "HD Webcam" (video)\n[dshow @ 0000]   Alternative name "@device_pnp"\n' +
      '[dshow @ 0000] "Microphone (Realtek)" (audio)\n[dshow @ 0000] "Stereo Mix (Realtek)" (audio)\n';
    expect(parseDirectShow(text)).toEqual({
      system: { format: 'dshow', name: 'Stereo Mix (Realtek)' },
      microphone: { format: 'dshow', name: 'Microphone (Realtek)' },
    });
  });

  it('are opened on Windows by names without a colon, one for each device', () => {
    const text = [
      '[dshow @ 0000] "Webcam" (video)',
      '[dshow @ 0000]   Alternative name "@device_pnp_usb#1"',
      '[dshow @ 0000] "Line: "Front" (USB)" (audio)',
      '[dshow @ 0000]   Alternative name "@device_cm_{33D9}\\wave_{1}"',
      '[dshow @ 0000] "Stereo Mix" (audio)',
      '[dshow @ 0000]   Alternative name "@device_cm_{33D9}\\wave_{2}"',
    ];
    for (const end of ['\n', '\r\n'])
      expect(parseDirectShow(text.join(end))).toEqual({
        system: { format: 'dshow', name: '@device_cm_{33D9}\\wave_{2}' },
        microphone: { format: 'dshow', name: '@device_cm_{33D9}\\wave_{1}' },
      });
  });

  it.each([
    'Стерео микшер (Realtek)',
    'Stereomix (Realtek)',
    'Mixage stéréo (Realtek)',
    'Mezcla estéreo (Realtek)',
    'Mixagem estéreo (Realtek)',
    'Missaggio stereo (Realtek)',
    'Miks stereo (Realtek)',
    'ステレオ ミキサー (Realtek)',
    '立体声混音 (Realtek)',
  ])('are read from DirectShow on a Windows in another language: %s', (name) => {
    const text = `[dshow @ 0000] "Микрофон (Realtek)" (audio)\n[dshow @ 0000] "${name}" (audio)\n`;
    expect(parseDirectShow(text)).toEqual({
      system: { format: 'dshow', name },
      microphone: { format: 'dshow', name: 'Микрофон (Realtek)' },
    });
  });

  it('are read from AVFoundation, below the cameras and screens', () => {
    const text =
      '[AVFoundation @ 0x7f] AVFoundation video devices:\n[AVFoundation @ 0x7f] [0] FaceTime\n' +
      '[AVFoundation @ 0x7f] [1] Capture screen 0\n[AVFoundation @ 0x7f] AVFoundation audio devices:\n' +
      '[AVFoundation @ 0x7f] [0] BlackHole 2ch\n[AVFoundation @ 0x7f] [1] MacBook Microphone\n';
    expect(parseAvFoundation(text)).toEqual({
      system: { format: 'avfoundation', index: 0 },
      microphone: { format: 'avfoundation', index: 1 },
    });
  });
});

it('a picture is whole where its parts fill it and none is empty', () => {
  const part = (...bytes: number[]) => [0, 0, 0, bytes.length, ...bytes];
  const whole = (bytes: readonly number[]) => isFrameIntact(Uint8Array.from(bytes));
  expect(whole([...part(9, 16), ...part(101, 1, 2, 128)])).toBe(true);
  expect(whole([])).toBe(false);
  expect(whole([0, 0, 0, 0])).toBe(false);
  expect(whole([...part(9, 16), 0, 0, 0, 9, 1])).toBe(false);
  expect(whole(part(101, 1, 0, 0, 0, 7))).toBe(false);
  expect(whole(part(101, 7, 0))).toBe(false);
});
