/**
 * Takes screenshots on Windows and macOS by running ffmpeg: for the browser host and the command line, and for the
 * desktop app where Electron's own capture does not suffice, such as with the pointer on Windows. Builds ffmpeg's
 * arguments and parses its messages. Sizes and positions are physical, unscaled pixels.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Area, Display } from '../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice } from '../ports.ts';
import { lastStderrLine, type ProcessOutput, type RunProgram } from '../run-helper-program.ts';
import type { FindFfmpeg } from '../video/ffmpeg.ts';
import { desktopOf } from './areas.ts';
import { crop } from './crop.ts';
import { readPpm } from './read-ppm.ts';
import type { Shot, TakeShot } from './tool-capturer.ts';

const ONE_PICTURE = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1'] as const;
const QUIET = ['-hide_banner', '-nostdin'] as const;
const flag = (pointer: PointerChoice) => (pointer === 'show' ? '1' : '0');

/** The first output of the first graphics card by Desktop Duplication, which includes GPU-only surfaces. */
export const ddagrabArguments = (pointer: PointerChoice): readonly string[] => [
  ...QUIET,
  ...['-f', 'lavfi', '-i', `ddagrab=output_idx=0:framerate=10:draw_mouse=${flag(pointer)},hwdownload,format=bgra`],
  ...ONE_PICTURE,
];

/** The whole desktop, all displays in one frame. */
export const gdigrabArguments = (pointer: PointerChoice): readonly string[] => [
  ...QUIET,
  ...['-f', 'gdigrab', '-framerate', '10', '-draw_mouse', flag(pointer), '-i', 'desktop'],
  ...ONE_PICTURE,
];

/** Parses gdigrab's `Capturing whole desktop as 3840x1080x32 at (-1920,0)`: the origin of the desktop. */
export const parseOrigin = (stderr: string): { readonly x: number; readonly y: number } => {
  const [, x, y] = /Capturing whole desktop as \d+x\d+x\d+ at \((-?\d+),(-?\d+)\)/.exec(stderr) ?? [];
  return { x: Number(x ?? 0), y: Number(y ?? 0) };
};

export const avfoundationArguments = (device: number, pointer: PointerChoice): readonly string[] => [
  ...QUIET,
  ...['-f', 'avfoundation', '-capture_cursor', flag(pointer), '-framerate', '10', '-i', `${device}:none`],
  ...ONE_PICTURE,
];

export const LIST_AVFOUNDATION = [...QUIET, '-f', 'avfoundation', '-list_devices', 'true', '-i', ''] as const;

/** Parses `[AVFoundation indev @ 0x…] [2] Capture screen 0`: the screen devices, the main one first. */
export const parseScreens = (stderr: string): readonly number[] =>
  [...stderr.matchAll(/\[(\d+)\] Capture screen (\d+)/g)]
    .toSorted((a, b) => Number(a[2]) - Number(b[2]))
    .map(([, device]) => Number(device));

export interface FfmpegScreenDeps {
  readonly ffmpeg: FindFfmpeg;
  readonly run: RunProgram;
}

type RunFfmpeg = (args: readonly string[]) => Promise<ProcessOutput>;

const withFfmpeg =
  (
    { ffmpeg, run }: FfmpegScreenDeps,
    takeShots: (run: RunFfmpeg, pointer: PointerChoice) => Promise<Result<readonly Shot[]>>,
  ): TakeShot =>
  async (pointer, signal) => {
    const found = await ffmpeg(signal);
    if (!found)
      return unavailable('Capturing without the app needs ffmpeg, which was not found. Install it, or open Linkshot.');
    return takeShots((args) => run(found.path, args, signal), pointer);
  };

export interface WindowsScreenDeps extends FfmpegScreenDeps {
  /** The monitors that Windows reports. */
  readonly displays: () => Promise<Result<readonly Display[]>>;
}

/**
 * Uses Desktop Duplication on a desktop of one display. It does not report display positions, so GDI captures desktops
 * of several displays, and is the fallback where Desktop Duplication fails (e.g. remote desktop).
 */
export const createWindowsScreen = (deps: WindowsScreenDeps): TakeShot =>
  withFfmpeg(deps, async (run, pointer) => {
    const [gdi, duplicated, displays] = await Promise.all([
      run(gdigrabArguments(pointer)),
      run(ddagrabArguments(pointer)).then(({ output }) => readPpm(output)),
      deps.displays(),
    ]);
    const desktop = readPpm(gdi.output);
    const monitors = displays.ok ? displays.value : [];
    const [only, ...others] = monitors;
    if (duplicated && only && others.length === 0 && isSameSize(duplicated, only))
      return ok([{ ...shotOf(only), pixels: duplicated }]);
    if (!desktop) {
      if (duplicated && monitors.length === 0) return ok([{ name: 'Windows', x: 0, y: 0, pixels: duplicated }]);
      return unavailable(`Windows does not show its screen to ffmpeg (${lastStderrLine(gdi)}). Open Linkshot.`);
    }
    if (only) return inMonitors(desktop, monitors);
    const pixels = duplicated && isSameSize(duplicated, desktop) ? duplicated : desktop;
    return ok([{ name: 'Windows', ...parseOrigin(gdi.stderr), pixels }]);
  });

const shotOf = ({ name, x, y, scale }: Display) => ({ name, x, y, scale });

/** Splits a screenshot of the desktop into one shot per monitor. */
const inMonitors = (pixels: Pixels, monitors: readonly Display[]): Result<readonly Shot[]> => {
  const desktop = desktopOf(monitors);
  if (!isSameSize(pixels, desktop)) {
    const size = `${pixels.width} x ${pixels.height}`;
    return unavailable(
      `ffmpeg sees the desktop with ${size} pixels, and it has ${desktop.width} x ${desktop.height}: monitors of different scales need a newer ffmpeg. Install one, or open Linkshot.`,
    );
  }
  const frames = [{ display: { ...desktop, number: 0, name: '', scale: 1 }, pixels }];
  return ok(monitors.map((monitor) => ({ ...shotOf(monitor), pixels: crop(frames, monitor) })));
};

type Size = Pick<Area, 'width' | 'height'>;
const isSameSize = (one: Size, other: Size) => one.width === other.width && one.height === other.height;

/** avfoundation does not report display positions: the displays are placed side by side. */
export const createMacScreen = (deps: FfmpegScreenDeps): TakeShot =>
  withFfmpeg(deps, async (run, pointer) => {
    const { stderr } = await run(LIST_AVFOUNDATION);
    const shots: Shot[] = [];
    for (const device of parseScreens(stderr)) {
      const result = await run(avfoundationArguments(device, pointer));
      const pixels = readPpm(result.output);
      if (!pixels)
        return unavailable(
          `macOS does not show its screen (${lastStderrLine(result)}). Allow it in System Settings, Privacy & Security, Screen Recording.`,
        );
      const x = shots.reduce((right, shot) => right + shot.pixels.width, 0);
      shots.push({ name: `Screen ${shots.length + 1}`, x, y: 0, pixels });
    }
    return shots.length > 0 ? ok(shots) : unavailable('ffmpeg finds no screen here. Open Linkshot.');
  });

const unavailable = (detail: string) => err(failure('CAPTURE_UNAVAILABLE', detail));
