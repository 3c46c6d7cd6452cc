/** The parts of the camera bubble without a camera: listings of devices, place and shape, arguments, and sentences. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeBubble, roundMask } from '../../../src/engine/recording/camera/bubble.ts';
import {
  findCamera,
  hasFormats,
  listV4l2Cameras,
  parseAvFoundationCameras,
  parseDirectShowCameras,
  withUniqueNames,
} from '../../../src/engine/recording/camera/camera-devices.ts';
import { cameraNotShown, cameraProblemIn } from '../../../src/engine/recording/camera/camera-feed.ts';
import { segmentArguments } from '../../../src/engine/recording/ffmpeg-arguments.ts';
import { pictureInputs, type SoundDevice } from '../../../src/engine/recording/input-arguments.ts';
import { planRecording, USUAL_LIMITS } from '../../../src/engine/recording/recording-plan.ts';
import { CAMERA_CORNERS, CAMERA_NAME_MAX } from '../../../src/ipc/protocol/recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the cameras that are there', () => {
  it('are the nodes of Linux with formats of pictures, by number, under the names of their devices', async () => {
    const folder = temporaryFolder('video4linux');
    const names = { video10: 'Capture card', video0: 'HD Webcam: HD Web', video1: 'HD Webcam: HD Web', media0: 'x' };
    for (const [node, name] of Object.entries(names)) {
      mkdirSync(join(folder, node));
      writeFileSync(join(folder, node, 'name'), `${name}\n`);
    }
    const found = withUniqueNames(await listV4l2Cameras(folder, async (node) => node !== 'video1'));
    expect(found.map(({ name, input }) => [name, input.at(-1)])).toEqual([
      ['HD Webcam', '/dev/video0'],
      ['Capture card', '/dev/video10'],
    ]);
    expect(found[0]?.input.join(' ')).toBe('-f v4l2 -video_size 640x480 -i /dev/video0');
    expect(await listV4l2Cameras(join(folder, 'missing'), async () => true)).toEqual([]);
  });

  it('have formats, unlike nodes of metadata; one without permission counts, so that the reason is told', () => {
    const raw = '[video4linux2,v4l2 @ 0x55] Raw       :     yuyv422 :           YUYV 4:2:2 : 640x480 1280x720\n';
    expect(hasFormats(raw)).toBe(true);
    expect(hasFormats('[video4linux2,v4l2 @ 0x55] Compressed:       mjpeg :          Motion-JPEG : 640x480\n')).toBe(
      true,
    );
    expect(hasFormats('[video4linux2,v4l2 @ 0x55] Not a video capture device.\n/dev/video1: No such device\n')).toBe(
      false,
    );
    expect(hasFormats('[video4linux2,v4l2 @ 0x55] Cannot open video device /dev/video0: Permission denied\n')).toBe(
      true,
    );
    expect(hasFormats('/dev/video1: Immediate exit requested\n')).toBe(false);
  });

  it('are read from DirectShow, by the unique name of each device', () => {
    const text = [
      '[dshow @ 0000] "HD "Pro": Webcam" (video)',
      '[dshow @ 0000]   Alternative name "@device_pnp_\\\\?\\usb#1"',
      '[dshow @ 0000] "Microphone" (audio)',
      '[dshow @ 0000]   Alternative name "@device_cm_mic"',
      '[dshow @ 0000] "TV card" (audio, video)',
      '[dshow @ 0000] "Неизвестная" (none)',
      'dummy: Immediate exit requested',
    ].join('\r\n');
    // ffmpeg 7.1 and later begin with the name of the input.
    for (const said of [text, text.replaceAll('[dshow @ ', '[in#0 @ ')])
      expect(parseDirectShowCameras(said).map(({ name, input }) => [name, input.at(-1)])).toEqual([
        ['HD "Pro": Webcam', 'video=@device_pnp_\\\\?\\usb#1'],
        ['TV card', 'video=TV card'],
      ]);
  });

  it('are read from AVFoundation, without screens and above the microphones', () => {
    const text =
      '[AVFoundation @ 0x7f] AVFoundation video devices:\n[AVFoundation @ 0x7f] [0] FaceTime HD: [1]\n' +
      '[AVFoundation @ 0x7f] [1] Capture screen 0\n[AVFoundation @ 0x7f] AVFoundation audio devices:\n' +
      '[AVFoundation @ 0x7f] [0] MacBook Microphone\n';
    expect(parseAvFoundationCameras(text)).toEqual([
      { name: 'FaceTime HD: [1]', input: ['-f', 'avfoundation', '-framerate', '30', '-i', '0:none'] },
    ]);
    expect(parseAvFoundationCameras('')).toEqual([]);
  });

  it('have one name each, in one short line, whatever the device says', () => {
    const names = (...given: string[]) =>
      withUniqueNames(given.map((name) => ({ name, input: [] }))).map(({ name }) => name);
    expect(names('Webcam', 'Webcam', 'Webcam (2)')).toEqual(['Webcam', 'Webcam (2)', 'Webcam (2) (2)']);
    expect(names('a\u001b[31m\nb\u202Ec\u0000', ' \t', '-i /etc/passwd', "'; rm -rf ~ #")).toEqual([
      'a [31m b c',
      'Camera',
      '-i /etc/passwd',
      "'; rm -rf ~ #",
    ]);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 5 }), (given) => {
        const found = names(...given);
        expect(new Set(found).size).toBe(given.length);
        for (const name of found) {
          expect(name.length).toBeLessThanOrEqual(CAMERA_NAME_MAX);
          expect(name).toMatch(/^[^\p{C}]+$/u);
        }
      }),
    );
  });

  it('are found by the whole name, else by a part of it; without a name the first one is taken', () => {
    const cameras = ['Integrated Camera', 'HD Pro Webcam', 'Webcam'].map((name) => ({ name, input: [] }));
    const named = (name: string | null) => findCamera(cameras, name)?.name ?? null;
    expect([null, 'Webcam', 'pro web', 'INTEGRATED', 'none'].map(named)).toEqual([
      'Integrated Camera',
      'Webcam',
      'HD Pro Webcam',
      'Integrated Camera',
      null,
    ]);
    expect(findCamera([], null)).toBeNull();
  });
});

describe('the bubble', () => {
  it('is a quarter of the shorter side in its corner, inside of any video, on even pixels', () => {
    expect(placeBubble({ width: 1920, height: 1080 }, 'bottom-left')).toEqual({ diameter: 270, x: 26, y: 784 });
    expect(placeBubble({ width: 1920, height: 1080 }, 'top-right')).toEqual({ diameter: 270, x: 1624, y: 26 });
    expect(placeBubble({ width: 400, height: 300 }, 'bottom-right').diameter).toBe(96);
    const side = fc.integer({ min: 8, max: 2_000 }).map((half) => 2 * half);
    fc.assert(
      fc.property(side, side, fc.constantFrom(...CAMERA_CORNERS), (width, height, corner) => {
        const { diameter, x, y } = placeBubble({ width, height }, corner);
        expect([diameter, x, y].every((value) => value % 2 === 0 && value > 0)).toBe(true);
        expect(x + diameter < width && y + diameter < height).toBe(true);
        expect(diameter).toBeLessThanOrEqual(Math.min(width, height) / 2);
      }),
    );
  });

  it('is round: opaque inside, clear in the corners, and soft between', () => {
    const diameter = 96;
    const mask = roundMask(diameter);
    const at = (x: number, y: number) => mask[y * diameter + x];
    expect([at(48, 48), at(48, 3), at(3, 48), at(0, 0), at(95, 95), at(10, 10)]).toEqual([255, 255, 255, 0, 0, 0]);
    expect(at(0, 48)).toBeGreaterThan(0);
    expect(at(0, 48)).toBeLessThan(255);
    const area = mask.reduce((sum, alpha) => sum + alpha / 255, 0);
    expect(Math.abs(area / ((Math.PI * (diameter - 2) ** 2) / 4) - 1)).toBeLessThan(0.01);
  });
});

describe('the command line of a recording with a camera', () => {
  const AREA = { x: 0, y: 0, width: 5_000, height: 2_000 };
  const words = (sounds: readonly SoundDevice[], everyFrame = ['-fps_mode', 'passthrough']) => {
    const plan = planRecording(AREA, USUAL_LIMITS, sounds.length > 0 ? 'both' : 'none', 2);
    const display = { ...AREA, number: 1, name: 'all', scale: 1 };
    const [picture] = pictureInputs({
      ...{ platform: 'linux', display: ':0', area: AREA, displays: [display], pointer: 'hide', fps: 30 },
    });
    if (!plan.ok || !picture) throw new Error('no plan');
    const { params } = plan.value;
    return segmentArguments({
      ...{ params, picture, sounds, everyFrame, milliseconds: 2_500 },
      ...{ encoder: { name: 'libx264', kind: 'x264' }, bubble: placeBubble(params, 'top-left') },
    }).join(' ');
  };

  it('puts it over the screen after that has the size that the account allows', () => {
    const line = words([]);
    expect(line).toContain('-isync 1 -thread_queue_size 8 -use_wallclock_as_timestamps 1');
    expect(line).toContain('-f rawvideo -pixel_format yuva420p -video_size 384x384 -framerate 30 -i async:pipe:4');
    expect(line).toMatch(/\[1:v\]setpts='.*',scale=3840:1536:.*,setsar=1\[screen\];\[0:v\]setpts=/);
    expect(line).toContain(
      '[screen][camera]overlay=38:38:format=yuv420:eof_action=pass,fps=30,format=yuv420p[picture]',
    );
    expect(line).toContain('-map [picture] -an');
    expect(line).not.toContain('-vf');
  });

  it('has it beside the sound', () => {
    const line = words([
      { format: 'pulse', name: 'speakers' },
      { format: 'pulse', name: 'voice' },
    ]);
    expect(line.match(/-isync 3/g)).toHaveLength(3);
    expect(line).toContain('[3:v]scale=');
    expect(line).toContain('[2:v]format=yuva420p[camera]');
    expect(line).toContain('amix=inputs=2:duration=longest:normalize=0[sound] -map [picture] -map [sound]');
    expect(words([], ['-vsync', '0'])).not.toContain('-isync');
  });
});

describe('a camera that is not shown', () => {
  it.each([
    ['[v4l2 @ 0x5] ioctl(VIDIOC_STREAMON): Device or resource busy', 'never shown', 'busy'],
    ['Could not run graph (sometimes caused by a device already in use by other application)', 'never shown', 'busy'],
    ['[v4l2 @ 0x5] Cannot open video device /dev/video0: Permission denied', 'never shown', 'denied'],
    ['/dev/video0: No such file or directory', 'never shown', 'gone'],
    ['[v4l2 @ 0x5] ioctl(VIDIOC_DQBUF): No such device', 'shown', 'gone'],
    ['', 'shown', 'gone'],
    ['', 'never shown', 'failed'],
    ['/dev/video0: Inappropriate ioctl for device', 'never shown', 'failed'],
  ] as const)('for %j, when it was %s, is %s', (stderr, shown, problem) => {
    expect(cameraProblemIn(stderr, shown)).toBe(problem);
  });

  it('has a sentence with its name that says that the recording goes on', () => {
    expect(cameraNotShown('missing', null)).toMatchObject({
      code: 'CAMERA_NOT_SHOWN',
      detail: 'No camera was found. The recording goes on without it.',
      params: { by: 'missing', name: null },
    });
    expect(cameraNotShown('missing', 'Webcam', 'A, B').detail).toContain('“Webcam” is not connected; connected: A, B.');
    expect(cameraNotShown('failed', 'Webcam').detail).toBe(
      'The camera “Webcam” sends no picture. The recording goes on without it.',
    );
  });
});
