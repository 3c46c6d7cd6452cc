/** The screen of an X11 session, read by ffmpeg: every pixel as the X server holds it, nothing scaled or filtered. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Display } from '../../contract/capture.ts';
import { err, type Failure, failure, ok } from '../../contract/errors.ts';
import type { Recorder } from '../ports.ts';

export interface X11Session {
  /** The value of `DISPLAY`, such as `:0`. */
  readonly display: string;
  /** The environment that the programs get: where they are found, and who may see this display. Holds no key. */
  readonly environment: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const PATIENCE_MS = 20_000;

/** `0: +*eDP-1 1920/344x1080/193+0+0  eDP-1`: a star marks the primary display. */
const MONITOR = /^\s*\d+:\s+\+?(\*?)(\S+)\s+(\d+)\/\d+x(\d+)\/\d+([+-]\d+)([+-]\d+)/;

/** The displays that `xrandr --listmonitors` tells of, the primary one first. */
export const parseMonitors = (text: string): readonly Display[] =>
  text
    .split('\n')
    .flatMap((line) => {
      const [, star, name = '', width, height, x, y] = MONITOR.exec(line) ?? [];
      if (width === undefined) return [];
      const area = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
      return [{ isPrimary: star === '*', display: { ...area, name } }];
    })
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ display }, index) => ({ ...display, number: index + 1, scale: 1 }));

/** `  dimensions:    1280x1024 pixels (338x270 millimeters)` of `xdpyinfo`, or the stream's line of ffmpeg. */
export const parseSize = (text: string): { readonly width: number; readonly height: number } | null => {
  const [, width, height] = /(?:dimensions:\s+|Video: rawvideo.*?, )(\d{1,5})x(\d{1,5})\b/.exec(text) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
};

export const createX11Recorder = ({ display, environment }: X11Session): Recorder => {
  const program = (path: string, args: readonly string[], signal: AbortSignal) =>
    run(path, [...args], { env: { ...environment }, timeout: PATIENCE_MS, killSignal: 'SIGKILL', signal });

  const outputOf = (path: string, args: readonly string[], signal: AbortSignal): Promise<string> =>
    program(path, args, signal).then(
      ({ stdout }) => stdout,
      // Not installed, or without an answer: there is another way to ask.
      () => '',
    );

  const look = async (input: readonly string[], output: readonly string[], signal: AbortSignal) => {
    try {
      const words = ['-hide_banner', '-nostdin', '-f', 'x11grab', ...input, '-i', display, '-frames:v', '1', ...output];
      const options = { env: { ...environment }, timeout: PATIENCE_MS, killSignal: 'SIGKILL', signal } as const;
      return ok(await run('ffmpeg', words, { ...options, encoding: 'buffer', maxBuffer: 1 << 30 }));
    } catch (error) {
      if (signal.aborted) return err(failure('CANCELLED', 'The capture was given up.'));
      return err(failureOf(error, display));
    }
  };

  const displays: Recorder['displays'] = async (signal) => {
    const monitors = parseMonitors(await outputOf('xrandr', ['--listmonitors'], signal));
    if (monitors.length > 0) return ok(monitors);
    let size = parseSize(await outputOf('xdpyinfo', [], signal));
    if (!size) {
      const looked = await look([], ['-f', 'null', '-'], signal);
      if (!looked.ok) return looked;
      size = parseSize(looked.value.stderr.toString());
    }
    if (size) return ok([{ number: 1, name: display, scale: 1, x: 0, y: 0, ...size }]);
    return err(
      failure('CAPTURE_UNAVAILABLE', `The size of the screen ${display} cannot be found out. Install xrandr.`),
    );
  };

  const grab: Recorder['grab'] = async ({ x, y, width, height }, pointer, signal) => {
    const input = [
      ...['-draw_mouse', pointer === 'show' ? '1' : '0'],
      ...['-grab_x', String(x), '-grab_y', String(y)],
      ...['-video_size', `${width}x${height}`],
    ];
    const taken = await look(input, ['-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1'], signal);
    return taken.ok ? ok({ width, height, data: taken.value.stdout }) : taken;
  };

  return {
    displays,
    windows: async () => ok([]),
    grab,
    async freeze(pointer, signal) {
      const found = await displays(signal);
      if (!found.ok) return found;
      const frames = [];
      for (const display of found.value) {
        const pixels = await grab(display, pointer, signal);
        if (!pixels.ok) return pixels;
        frames.push({ display, pixels: pixels.value });
      }
      return ok(frames);
    },
  };
};

const failureOf = (error: unknown, display: string): Failure => {
  const { code, stderr: words = '' } = error as { readonly code?: unknown; readonly stderr?: string | Buffer };
  const stderr = words.toString();
  if (code === 'ENOENT')
    return failure('CAPTURE_UNAVAILABLE', 'Capturing needs ffmpeg, which is not found. Install it.');
  if (/No space left/i.test(stderr)) return failure('DISK_FULL', 'The disk is full. Free some space, then try again.');
  if (/Unknown input format/i.test(stderr)) {
    return failure('CAPTURE_UNAVAILABLE', 'This ffmpeg cannot read the screen. Install one with x11grab.');
  }
  const reason = stderr.trim().split('\n').at(-1) ?? String(error);
  return failure('CAPTURE_UNAVAILABLE', `The screen ${display} cannot be captured: ${reason}`);
};
