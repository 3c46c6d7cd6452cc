/**
 * Turns an external program that takes screenshots of the whole desktop, such as ffmpeg, into a screen capturer. Also
 * runs such programs, decodes their PPM images and finds their error messages.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { type ProgramError, runProgram } from '../../base/node/run-program.ts';
import type { Display } from '../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice, ScreenCapturer } from '../ports.ts';
import { crop } from './crop.ts';

/** One display, or the whole desktop where the program does not distinguish displays. */
export interface Shot {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly pixels: Pixels;
  /** Physical pixels per logical pixel; 1 where unknown. */
  readonly scale?: number;
}

/** What the platform reports without a screenshot. */
export type DesktopQueries = Pick<ScreenCapturer, 'displays' | 'windows'>;

/** At least one shot, the primary display first. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
export type TakeShot = (pointer: PointerChoice, signal: AbortSignal) => Promise<Result<readonly Shot[]>>;

export const createToolCapturer = (takeShot: TakeShot, queries?: DesktopQueries): ScreenCapturer => {
  const freeze: ScreenCapturer['freeze'] = async (pointer, signal) => {
    const shots = await takeShot(pointer, signal);
    if (signal.aborted) return err(failure('CANCELLED', 'The capture was cancelled.'));
    if (!shots.ok) return shots;
    return ok(
      shots.value.map(({ pixels, ...origin }, index) => {
        const { width, height } = pixels;
        const display: Display = { scale: 1, ...origin, width, height, number: index + 1 };
        return { display, pixels };
      }),
    );
  };
  return {
    freeze,
    async displays(signal) {
      const known = await queries?.displays(signal);
      if (known?.ok) return known;
      const frames = await freeze('hide', signal);
      return frames.ok ? ok(frames.value.map(({ display }) => display)) : frames;
    },
    windows: queries?.windows ?? (async () => ok([])),
    async grab(area, pointer, signal) {
      const frames = await freeze(pointer, signal);
      return frames.ok ? ok(crop(frames.value, area)) : frames;
    },
  };
};

export interface ProcessOutput {
  readonly output: Buffer;
  /** What it wrote to stderr. */
  readonly stderr: string;
  /** `missing`: the program is not installed. */
  readonly end: 'good' | 'failed' | 'missing';
}

/** Runs a program to its end; kills it when it is cancelled or exceeds the time limit. */
export type RunProgram = (path: string, args: readonly string[], signal: AbortSignal) => Promise<ProcessOutput>;

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 2 ** 30;

/** `environment`: all variables that the program gets; never a key. */
export const runProgramIn =
  (environment: Readonly<Record<string, string>>): RunProgram =>
  (path, args, signal) =>
    runProgram(path, args, {
      ...{ env: environment, signal, timeout: TIMEOUT_MS },
      ...{ killSignal: 'SIGKILL', maxBuffer: MOST_BYTES },
    }).then(
      ({ stdout, stderr }) => ({ output: stdout, stderr: stderr.toString(), end: 'good' }),
      ({ stdout, stderr, code }: ProgramError) => {
        const end = code === 'ENOENT' ? 'missing' : 'failed';
        return { output: stdout, stderr: stderr.toString(), end };
      },
    );

/** Parses a binary PPM with 8 bits per channel; null: not a PPM, or incomplete. */
export const readPpm = (picture: Buffer): Pixels | null => {
  const [header, wide, high] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 64)) ?? [];
  const [width, height] = [Number(wide), Number(high)];
  if (header === undefined || picture.length < header.length + width * height * 3) return null;
  const data = new Uint8Array(width * height * 4);
  for (let from = header.length, to = 0; to < data.length; from += 3, to += 4) {
    data[to] = picture[from] as number;
    data[to + 1] = picture[from + 1] as number;
    data[to + 2] = picture[from + 2] as number;
    data[to + 3] = 255;
  }
  return { width, height, data };
};

/** The last line of stderr, for use in an error message. */
export const lastStderrLine = ({ stderr }: ProcessOutput): string =>
  stderr.trim().split('\n').at(-1) || 'no error output';
