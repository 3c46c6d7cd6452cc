/** A virtual X screen with known pixels: noise in two colours, painted on its root window. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '../seeded-random.ts';
import { startXServer } from './x-server.ts';

const run = promisify(execFile);
const INK = [0x12, 0x34, 0x56] as const;
const PAPER = [0xab, 0xcd, 0xef] as const;
const hex = (colour: readonly number[]) => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

export interface XScreen {
  /** The value of `DISPLAY`. */
  readonly display: string;
  /** Environment variables for programs on this screen. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The expected pixels of a part of it, three bytes each. */
  pixels(area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): Buffer;
  /** Runs a program on this screen until it exits; returns its output. */
  run(program: string, ...args: readonly string[]): Promise<Buffer>;
  /** Kills its server. */
  close(): Promise<void>;
}

export interface XScreenOptions {
  readonly depth?: number;
  /** That of one that was closed; by default one that no other test has had. */
  readonly display?: string;
  /** Its cookies; without one, every client is accepted. */
  readonly authority?: string;
  /** Reached by TCP and without shared memory, as a server of another computer. */
  readonly isRemote?: boolean;
  /** `absent`: without RECORD and XTEST. */
  readonly testExtensions?: 'absent';
}

export const openXScreen = async (
  width: number,
  height: number,
  { depth = 24, display: wanted, authority, isRemote = false, testExtensions }: XScreenOptions = {},
): Promise<XScreen> => {
  const server = await startXServer(
    [
      ...['-screen', '0', `${width}x${height}x${depth}`, '-noreset'],
      ...(isRemote
        ? ['-listen', 'tcp', '-nolisten', 'unix', '-nolisten', 'local', '-extension', 'MIT-SHM']
        : ['-nolisten', 'tcp']),
      ...(authority ? ['-auth', authority] : []),
      ...(testExtensions === 'absent' ? ['-tst'] : []),
    ],
    wanted,
  );
  const display = `${isRemote ? '127.0.0.1' : ''}${server.display}`;
  const environment = { PATH: process.env['PATH'], DISPLAY: display, ...(authority && { XAUTHORITY: authority }) };
  const program: XScreen['run'] = async (path, ...args) => {
    const options = { env: environment, encoding: 'buffer', maxBuffer: 1 << 28 } as const;
    return (await run(path, [...args], options)).stdout;
  };

  const rowBytes = Math.ceil(width / 8);
  const random = seededRandom(7);
  const bits = Buffer.from(Array.from({ length: rowBytes * height }, () => Math.floor(random() * 256)));
  const folder = await mkdtemp(join(tmpdir(), 'linkshot-x-screen-'));
  const bitmap = join(folder, 'noise.xbm');
  const bytes = Array.from(bits, (byte) => `0x${byte.toString(16)}`).join(',\n');
  const text = `#define noise_width ${width}\n#define noise_height ${height}\nstatic char noise_bits[] = {\n${bytes}};\n`;
  await writeFile(bitmap, text);
  await program('xsetroot', '-bitmap', bitmap, '-fg', hex(INK), '-bg', hex(PAPER));
  await rm(folder, { recursive: true });

  return {
    display,
    environment,
    run: program,
    pixels: (area) =>
      Buffer.from(
        Array.from({ length: area.width * area.height }, (_, index) => {
          const x = area.x + (index % area.width);
          const y = area.y + Math.floor(index / area.width);
          const byte = bits[y * rowBytes + (x >> 3)] as number;
          return (byte >> (x & 7)) & 1 ? INK : PAPER;
        }).flat(),
      ),
    close: server.close,
  };
};
