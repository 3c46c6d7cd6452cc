/** A screen that only another program can see: each question is one picture that it takes of everything. */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { type ProgramError, runProgram } from '../../base/node/run-program.ts';
import type { Display } from '../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice, ScreenCapturer } from '../ports.ts';
import { cut } from './crop.ts';

/** One display, or the whole desktop where the program does not tell its displays apart. */
export interface Shot {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly pixels: Pixels;
  /** Physical pixels per logical one; 1 where it is not said. */
  readonly scale?: number;
}

/** What the platform tells without a picture. */
export type Surroundings = Pick<ScreenCapturer, 'displays' | 'windows'>;

/** The primary display first; never none. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
export type TakeShot = (pointer: PointerChoice, signal: AbortSignal) => Promise<Result<readonly Shot[]>>;

export const createToolCapturer = (shoot: TakeShot, told?: Surroundings): ScreenCapturer => {
  const freeze: ScreenCapturer['freeze'] = async (pointer, signal) => {
    const shots = await shoot(pointer, signal);
    if (signal.aborted) return err(failure('CANCELLED', 'The capture was given up.'));
    if (!shots.ok) return shots;
    return ok(
      shots.value.map(({ pixels, ...place }, index) => {
        const { width, height } = pixels;
        const display: Display = { scale: 1, ...place, width, height, number: index + 1 };
        return { display, pixels };
      }),
    );
  };
  return {
    freeze,
    async displays(signal) {
      const known = await told?.displays(signal);
      if (known?.ok) return known;
      const frames = await freeze('hide', signal);
      return frames.ok ? ok(frames.value.map(({ display }) => display)) : frames;
    },
    windows: told?.windows ?? (async () => ok([])),
    async grab(area, pointer, signal) {
      const frames = await freeze(pointer, signal);
      return frames.ok ? ok(cut(frames.value, area)) : frames;
    },
  };
};

export interface ProcessOutput {
  readonly output: Buffer;
  /** What it wrote to stderr. */
  readonly words: string;
  /** `missing`: there is no such program. */
  readonly end: 'good' | 'failed' | 'missing';
}

/** Runs a program to its end; one that is given up or stands still is killed. */
export type RunProgram = (path: string, args: readonly string[], signal: AbortSignal) => Promise<ProcessOutput>;

const PATIENCE_MS = 20_000;
const MOST_BYTES = 2 ** 30;

/** `environment`: all that the program gets of it; never a key. */
export const runProgramIn =
  (environment: Readonly<Record<string, string>>): RunProgram =>
  (path, args, signal) =>
    runProgram(path, args, {
      ...{ env: environment, signal, timeout: PATIENCE_MS },
      ...{ killSignal: 'SIGKILL', maxBuffer: MOST_BYTES },
    }).then(
      ({ stdout, stderr }) => ({ output: stdout, words: stderr.toString(), end: 'good' }),
      ({ stdout, stderr, code }: ProgramError) => {
        const end = code === 'ENOENT' ? 'missing' : 'failed';
        return { output: stdout, words: stderr.toString(), end };
      },
    );

/** A binary PPM of 8 bits a channel, which says its size and holds nothing but pixels; null: it is none, or not whole. */
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

/** The last line of what a program said, for a sentence. */
export const lastStderrLine = ({ words }: ProcessOutput): string =>
  words.trim().split('\n').at(-1) || 'it says nothing';
