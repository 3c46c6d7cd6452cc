/** Real images and videos for tests, made by sharp and ffmpeg once per run, with the same pixels in every run. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { RUN_FOLDER } from '../../../scripts/test-run/run-folder.ts';
import { seededBytes } from '../seeded-random.ts';
import { flatPng } from './worst-files.ts';

const run = promisify(execFile);

/** In the folder of the run; a process outside of a run creates its own folder and removes it when it exits. */
const mediaFolder = (): string => {
  const ofRun = process.env[RUN_FOLDER];
  if (ofRun !== undefined) return join(ofRun, 'media');
  const own = mkdtempSync(join(tmpdir(), 'linkshot-media-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
};
const FOLDER = mediaFolder();

/** Creates a file once per recipe; parallel test processes never see a partial one. */
const cached = async (name: string, recipe: string, make: (path: string) => Promise<unknown>): Promise<string> => {
  await mkdir(FOLDER, { recursive: true });
  const key = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  const path = join(FOLDER, `${key}-${name}`);
  if (existsSync(path)) return path;
  const draft = join(FOLDER, `draft-${randomUUID()}-${name}`);
  await make(draft);
  await rename(draft, path);
  return path;
};

/** A file that ffmpeg writes; `args` are inserted between the global options and the output. */
export const ffmpegFile = (name: string, args: readonly string[]): Promise<string> =>
  cached(name, args.join(' '), (path) =>
    run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args, path]),
  );

const picture = (size: string, rate: number, seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`,
];
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];

export interface VideoRecipe {
  readonly size?: string;
  readonly rate?: number;
  readonly seconds?: number;
  /** Number of audio streams; each is a sine tone. */
  readonly sounds?: number;
  readonly args: readonly string[];
}

/** A video of ffmpeg's test pattern (2 s of 320x180 at 30 frames a second with one tone by default). */
export const video = (name: string, recipe: VideoRecipe): Promise<string> => {
  const { size = '320x180', rate = 30, seconds = 2, sounds = 1, args } = recipe;
  const inputs = [...picture(size, rate, seconds), ...Array.from({ length: sounds }, () => tone(seconds)).flat()];
  const maps = Array.from({ length: sounds + 1 }, (_, index) => ['-map', String(index)]).flat();
  return ffmpegFile(name, [...inputs, ...maps, ...args]);
};

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** An MP4 that `limits.video` accepts. */
export const goodMp4 = (): Promise<string> => video('good.mp4', { args: [...H264, '-c:a', 'aac'] });

/** A WebM that `limits.video` accepts. */
export const goodWebm = (): Promise<string> =>
  video('good.webm', { args: ['-c:v', 'libvpx-vp9', '-b:v', '300k', '-deadline', 'realtime', '-c:a', 'libopus'] });

export const CHAPTERS = [
  { startMs: 0, title: 'Beginning' },
  { startMs: 800, title: 'Глава <2> & 🎬' },
  { startMs: 1_500, title: 'The end' },
] as const;

/**
 * One of the two good videos with the three chapters; `isTimed`: silent and with a time code, beside which
 * ffmpeg names no chapter track.
 */
export const withChapters = async (container: 'mp4' | 'webm', isTimed = false): Promise<string> => {
  const good = await (container === 'mp4' ? goodMp4() : goodWebm());
  const timing = ['-i', good, '-c', 'copy', '-timecode', '01:00:00:00'];
  const path = isTimed ? await ffmpegFile(`time-code.${container}`, timing) : good;
  const lines = CHAPTERS.map(({ startMs, title }, index) => {
    const end = CHAPTERS[index + 1]?.startMs ?? 2_000;
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${startMs}\nEND=${end}\ntitle=${title}\n`;
  });
  const list = await rawFile('chapters.txt', `;FFMETADATA1\n${lines.join('')}`);
  const tracks = ['-map', '0:v', ...(isTimed ? [] : ['-map', '0:a']), '-map_chapters', '1', '-c', 'copy'];
  return ffmpegFile(`chapters${isTimed ? '-and-time-code' : ''}.${container}`, ['-i', path, '-i', list, ...tracks]);
};

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'avif';

/**
 * Noise with roughly a normal distribution (mean 128, sigma 40), the same for the same size: sharp's own has no seed.
 */
export const noisePixels = (width: number, height: number, channels: 3 | 4 = 3): Sharp => {
  const samples = Buffer.alloc(width * height * channels);
  const draws = seededBytes(`noise ${width}x${height}`, samples.length * 4);
  for (let at = 0; at < samples.length; at += 1) {
    let sum = 0;
    for (let part = 0; part < 4; part += 1) sum += draws[at * 4 + part] ?? 0;
    // Four bytes have the mean 510 and the sigma 147.8.
    samples[at] = Math.min(255, Math.max(0, Math.round(128 + ((sum - 510) * 40) / 147.8)));
  }
  return sharp(samples, { raw: { width, height, channels } });
};

/** A photo-like image: noise. */
export const image = (format: ImageFormat, width = 320, height = 200): Promise<string> =>
  cached(`image.${format}`, `image ${format} ${width}x${height} v2`, async (path) => {
    // AVIF at its usual effort costs seconds, and no test measures how small it is.
    const options = format === 'avif' ? { effort: 0 } : {};
    await writeFile(path, await noisePixels(width, height).toFormat(format, options).toBuffer());
  });

/** One flat colour: many pixels in few bytes. */
export const flatImage = (format: ImageFormat, width: number, height: number): Promise<string> =>
  cached(`flat.${format}`, `flat ${format} ${width}x${height} v2`, async (path) => {
    if (format === 'png') return writeFile(path, await flatPng(width, height));
    const pixels = sharp({ create: { width, height, channels: 3, background: '#4457c9' } });
    await writeFile(path, await pixels.toFormat(format, { effort: 2 }).toBuffer());
  });

/** 40 megapixels of one colour, which cost seconds to encode: `flatImage('avif', 8_000, 5_000)`. */
export const FLAT_40_MP_AVIF = join(import.meta.dirname, '../../fixtures/flat-8000x5000.avif');

/** The first part of a file, like an interrupted transfer. */
export const truncated = async (path: string, share: number): Promise<string> => {
  const bytes = await readFile(path);
  const name = path.slice(path.lastIndexOf('-') + 1);
  return cached(`cut-${name}`, `cut ${path} ${share} v1`, (draft) =>
    writeFile(draft, bytes.subarray(0, Math.floor(bytes.length * share))),
  );
};

/** Any bytes as a file. */
export const rawFile = (name: string, bytes: Uint8Array | string): Promise<string> =>
  cached(name, createHash('sha256').update(bytes).digest('hex'), (path) => writeFile(path, bytes));
