/** The items that the kill campaign publishes, one of each kind, and how to verify that they arrived complete. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { filesOf } from '../support/folder/packed-folder.ts';
import { ffmpegFile, video } from '../support/media/media.ts';
import { makeVideo } from '../support/media/padded-video.ts';

/** Begins with one of each. */
export const KINDS = [
  'file',
  'folder',
  'video',
  'note',
  'settings',
  'image',
  'file',
  'folder',
  'file',
  'note',
] as const;
export type Kind = (typeof KINDS)[number];

/** What the check may ask of the service. */
export interface Service {
  /** The published file itself. */
  media(id: string): Promise<Buffer>;
  text(id: string): Promise<string>;
}

export interface Cargo {
  /** Of the command line, without the options of the service. */
  readonly command: readonly string[];
  /** Bytes that have to go over the wire; null where something else than the source is sent. */
  readonly bytes: number | null;
  /** Approximate time of an undisturbed publication. */
  readonly usualMs: number;
  /** Fails unless the published item is whole. */
  check(content: Content, service: Service): Promise<void>;
  remove(): void;
}

interface Order {
  readonly folder: string;
  /** Its title; unlike that of any other. */
  readonly name: string;
  /** In [0, 1). */
  readonly random: () => number;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const run = promisify(execFile);

export const makeCargo = (kind: Kind, order: Order): Cargo | Promise<Cargo> => {
  switch (kind) {
    case 'file':
      return sentFile(order, 1 + Math.floor(order.random() * 40), []);
    case 'settings':
      return withSettings(order);
    case 'video':
      return fittedVideo(order);
    case 'image':
      return convertedImage(order);
    case 'folder':
      return packedFolder(order);
    case 'note':
      return note(order);
  }
};

/** A video that fits: sent unchanged, part by part. */
const sentFile = ({ folder, name, random }: Order, parts: number, options: readonly string[]): Cargo => {
  const path = join(folder, `${name}.mp4`);
  const bytes = Math.max(64 * 1024, Math.floor((parts - random()) * LIMITS.partBytes));
  const hash = makeVideo(path, bytes);
  return {
    command: ['upload', path, '--title', name, ...options],
    bytes,
    usualMs: 500 + 25 * parts,
    check: async ({ id }, service) => expect(sha256(await service.media(id))).toBe(hash),
    remove: () => rmSync(path),
  };
};

/** Some settings can be applied only after the file is published; its link must not be delivered before. */
const withSettings = (order: Order): Cargo => {
  const options = ['--visibility', 'public', '--tags', 'kill,campaign', '--downloads', 'forbidden', '--views', '7'];
  const file = sentFile(order, 1, options);
  return {
    ...file,
    usualMs: 1_000,
    async check(content, service) {
      await file.check(content, service);
      const { visibility, tags, allowDownload, viewLimit } = content;
      const wished = { visibility: 'public', tags: ['kill', 'campaign'], allowDownload: false, viewLimit: 7 };
      expect({ visibility, tags, allowDownload, viewLimit }).toEqual(wished);
    },
  };
};

/** HEVC in Matroska: the service accepts neither. */
const fittedVideo = async ({ folder, name }: Order): Promise<Cargo> => {
  const seconds = 4;
  const args = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-c:a', 'ac3'];
  const path = join(folder, `${name}.mkv`);
  cpSync(await video('kill.mkv', { size: '640x360', seconds, args }), path);
  return {
    command: ['upload', path, '--title', name],
    bytes: null,
    usualMs: 4_000,
    async check(content, service) {
      const media = await service.media(content.id);
      expect(media.byteLength).toBe(content.size);
      expect([content.videoCodec, content.width, content.height]).toEqual(['h264', 640, 360]);
      expect(Math.abs((content.durationMs ?? 0) - seconds * 1_000)).toBeLessThan(200);
      const copy = join(folder, 'whole.mp4');
      writeFileSync(copy, media);
      const { stderr } = await run('ffmpeg', ['-v', 'error', '-xerror', '-nostdin', '-i', copy, '-f', 'null', '-']);
      expect(stderr).toBe('');
      rmSync(copy);
    },
    remove: () => rmSync(path),
  };
};

const convertedImage = async ({ folder, name }: Order): Promise<Cargo> => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1280:rate=1:duration=1', '-frames:v', '1', '-update', '1'];
  const path = join(folder, `${name}.bmp`);
  cpSync(await ffmpegFile('kill.bmp', picture), path);
  return {
    command: ['upload', path, '--title', name],
    bytes: null,
    usualMs: 1_200,
    async check(content, service) {
      const media = await service.media(content.id);
      expect(media.byteLength).toBe(content.size);
      const { info } = await sharp(media, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([1920, 1280]);
    },
    remove: () => rmSync(path),
  };
};

const packedFolder = ({ folder, name, random }: Order): Cargo => {
  const root = join(folder, name);
  const kept = new Map<string, string>();
  for (let file = Math.floor(20 + random() * 400); file > 0; file--) {
    kept.set(`part-${file % 7}/file-${file}.ts`, `export const text = '${randomBytes(400).toString('hex')}';\n`);
  }
  const secret = ['.env', 'node_modules/left-pad/index.js', 'deploy.pem'];
  for (const [path, text] of [...kept, ...secret.map((path) => [path, 'TOKEN=1\n'] as const)]) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    command: ['folder', root, '--title', name],
    bytes: null,
    usualMs: 1_200,
    async check({ id, size, folderFiles }, service) {
      const archive = await service.media(id);
      expect([archive.byteLength, folderFiles]).toEqual([size, kept.size]);
      const sorted = (files: ReadonlyMap<string, string>) => [...files].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(sorted(filesOf(archive))).toEqual(sorted(kept));
    },
    remove: () => rmSync(root, { recursive: true }),
  };
};

const note = ({ folder, name, random }: Order): Cargo => {
  const path = join(folder, `${name}.md`);
  const text = `# ${name}\n\n${randomBytes(10 + Math.floor(random() * 40_000)).toString('base64')}\n`;
  writeFileSync(path, text);
  return {
    command: ['note', path, '--title', name],
    bytes: null,
    usualMs: 800,
    async check({ id, size }, service) {
      expect(await service.text(id)).toBe(text);
      expect(size).toBe(statSync(path).size);
    },
    remove: () => rmSync(path),
  };
};
