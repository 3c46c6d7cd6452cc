import { readFile, rm } from 'node:fs/promises';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { detectMedia, type MediaKind } from '../../../src/api/detect-media-kind.ts';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { countScans } from '../../../src/server/media/decoding-cost.ts';
import {
  createInspector,
  type Inspector,
  type InspectorOptions,
  type MediaFile,
} from '../../../src/server/media/media-inspector.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { longestBlockMs } from '../../support/cpu-time.ts';
import {
  FLAT_40_MP_AVIF,
  flatImage,
  goodMp4,
  goodWebm,
  type ImageFormat,
  image,
  rawFile,
  truncated,
} from '../../support/media/media.ts';
import { VIDEO_CORPUS } from '../../support/media/video-corpus.ts';
import { inflatingPng, manyFramesWebp, manyScansJpeg } from '../../support/media/worst-files.ts';
import { itWith } from '../../support/only-on.ts';
import { sealedSource } from '../../support/server/sealed-file.ts';

const running: Inspector[] = [];
const { video, media: limits, fairness } = DEFAULT_CONFIG;
const common = { video, imageMegapixels: 40, limits, fairness, clock: systemClock };
const start = (options: Partial<InspectorOptions> = {}): Inspector => {
  const inspector = createInspector({ ...common, ...options });
  running.push(inspector);
  return inspector;
};
afterEach(() => Promise.all(running.splice(0).map((inspector) => inspector.close())));

const never = new AbortController().signal;
const kindOf = async (path: string): Promise<MediaKind> => {
  const kind = await detectMedia((await readFile(path)).subarray(0, 2 * 1024 * 1024));
  if (kind === null) throw new Error(`${path} has no signature of ours`);
  return kind;
};
const accountId = 'account' as AccountId;
let files = 0;
const mediaOf = async (path: string, kind?: MediaKind) => {
  files += 1;
  return {
    id: `object-${files}` as ObjectId,
    accountId,
    source: await sealedSource(path),
    kind: kind ?? (await kindOf(path)),
  };
};
const inspectFile = async (path: string, inspector = start(), signal = never) =>
  inspector.inspect(await mediaOf(path), signal);
const FORMATS: readonly ImageFormat[] = ['png', 'jpeg', 'webp', 'avif'];

describe('An image', () => {
  it.each(FORMATS)('of type %s is recognised with its size', async (format) => {
    const metadata = { width: 320, height: 200, durationMs: null, videoCodec: null, hasAudio: false };
    expect(await inspectFile(await image(format))).toEqual({ ok: true, metadata });
  });
  it('has the width and height of its display, also when the camera was rotated', async () => {
    const turned = await sharp(await image('jpeg'))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const found = await inspectFile(await rawFile('turned.jpeg', turned));
    expect(found).toMatchObject({ ok: true, metadata: { width: 200, height: 320 } });
  });
  it.each(FORMATS)('of type %s that was cut off is refused', async (format) => {
    const inspector = start();
    for (const share of [0.3, 0.7, 0.95]) {
      const found = await inspectFile(await truncated(await image(format, 640, 480), share), inspector);
      expect(found).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
    }
  });
  it('of type png that lacks its very last byte is refused, one with bytes after its end is not', async () => {
    const inspector = start();
    const png = await readFile(await image('png'));
    for (const missing of [1, 12]) {
      const file = await rawFile('cut.png', png.subarray(0, png.length - missing));
      expect(await inspectFile(file, inspector)).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
    }
    const longer = await rawFile('longer.png', Buffer.concat([png, Buffer.from('more')]));
    expect(await inspectFile(longer, inspector)).toMatchObject({ ok: true });
  });
  it('that is only a signature is refused', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const file = await rawFile('empty.png', Buffer.concat([png, Buffer.from('<script>alert(1)</script>'.repeat(9))]));
    const kind: MediaKind = { type: 'IMAGE', mime: 'image/png', container: 'png' };
    const found = await start().inspect(await mediaOf(file, kind), never);
    expect(found).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
  });
  it('is never opened as another format than its signature', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const svg = await rawFile('drawing.svg', drawing);
    const inspector = start();
    for (const container of FORMATS) {
      const kind: MediaKind = { type: 'IMAGE', mime: `image/${container}`, container };
      const found = await inspector.inspect(await mediaOf(svg, kind), never);
      expect(found).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
    }
    const jpeg: MediaKind = { type: 'IMAGE', mime: 'image/jpeg', container: 'jpeg' };
    expect(await inspector.inspect(await mediaOf(await image('png'), jpeg), never)).toMatchObject({ ok: false });
  });
  it('may have 40,000,000 pixels and not one more', async () => {
    const inspector = start();
    const most = await inspectFile(await flatImage('png', 8_000, 5_000), inspector);
    expect(most).toMatchObject({ ok: true, metadata: { width: 8_000, height: 5_000 } });
    // 40,000,001 = 137 x 291,973; only PNG supports such a width.
    const above = await inspectFile(await flatImage('png', 137, 291_973), inspector);
    expect(above).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
  });
});

describe('A picture that takes long to decode for its size', () => {
  const file = async (name: string, bytes: Buffer) => rawFile(name, bytes);
  const tooComplex = { ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED', detail: expect.stringContaining('too complex') };

  it('is refused before it is decoded when it is a JPEG of thousands of scans', async () => {
    const jpeg = manyScansJpeg(6_320, 14_000);
    expect(jpeg.length).toBeLessThan(1_100_000);
    expect(await inspectFile(await file('scans.jpeg', jpeg))).toMatchObject(tooComplex);
  });
  it('is taken when it is a JPEG of as many scans as the limit allows for its pixels', async () => {
    const inspector = start({ limits: { ...limits, jpegScanMegapixels: 100 } });
    expect(await inspectFile(await file('few.jpeg', manyScansJpeg(1_000, 100)), inspector)).toMatchObject({ ok: true });
    expect(await inspectFile(await file('more.jpeg', manyScansJpeg(1_000, 101)), inspector)).toMatchObject(tooComplex);
    expect(await inspectFile(await file('large.jpeg', manyScansJpeg(5_000, 25)), inspector)).toMatchObject({
      ok: true,
    });
    const progressive = await sharp(await image('jpeg'))
      .jpeg({ progressive: true })
      .toBuffer();
    expect(countScans(progressive)).toBeGreaterThan(3);
    expect(await inspectFile(await file('progressive.jpeg', progressive), inspector)).toMatchObject({ ok: true });
  });
  it('is taken when it is a JPEG of no more scans than media.jpegScans, however many pixels it has', async () => {
    const inspector = start({ limits: { ...limits, jpegScans: 40, jpegScanMegapixels: 1 } });
    expect(await inspectFile(await file('scans.jpeg', manyScansJpeg(2_000, 40)), inspector)).toMatchObject({
      ok: true,
    });
    expect(await inspectFile(await file('scans.jpeg', manyScansJpeg(2_000, 41)), inspector)).toMatchObject(tooComplex);
  });
  it('counts no scan of a thumbnail, of padding or of what follows the end', async () => {
    const jpeg = manyScansJpeg(64, 3);
    const app = Buffer.concat([Buffer.from([0xff, 0xe1, 0, jpeg.length + 2]), jpeg]);
    const withThumbnail = Buffer.concat([jpeg.subarray(0, 2), app, Buffer.from([0xff]), jpeg.subarray(2), jpeg]);
    expect([countScans(jpeg), countScans(withThumbnail), countScans(jpeg.subarray(0, 1))]).toEqual([3, 3, 0]);
  });
  it('is refused before it is opened when it is a PNG of packed texts or a WebP of tens of thousands of frames', async () => {
    const inspector = start();
    expect(await inspectFile(await file('texts.png', inflatingPng(200)), inspector)).toMatchObject(tooComplex);
    expect(await inspectFile(await file('text.png', inflatingPng(1)), inspector)).toMatchObject({ ok: true });
    const still = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#f00' } })
      .webp({ lossless: true })
      .toBuffer();
    const frames = async (count: number) => file('frames.webp', manyFramesWebp(still, 16, count));
    expect(await inspectFile(await frames(20_000), inspector)).toMatchObject(tooComplex);
    expect(await inspectFile(await frames(100), inspector)).toMatchObject({ ok: true });
  });
});

describe('A file that is fetched', () => {
  /** Opens when the test lets it; `open` are those that have begun. */
  const held = async () => {
    const media = await mediaOf(await image('png'));
    const open: string[] = [];
    const gates = new Map<string, PromiseWithResolvers<void>>();
    const source = (name: string, account: string, size = media.source.size): MediaFile => ({
      ...{ id: name as ObjectId, accountId: account as AccountId, kind: media.kind },
      source: {
        ...{ size, isFetched: true },
        open: async (use, signal) => {
          open.push(name);
          const gate = Promise.withResolvers<void>();
          gates.set(name, gate);
          signal.addEventListener('abort', () => gate.reject(signal.reason));
          await gate.promise;
          try {
            return await media.source.open(use, signal);
          } finally {
            open.splice(open.indexOf(name), 1);
          }
        },
      },
    });
    return { open, source, fetched: (name: string) => gates.get(name)?.resolve() };
  };

  it('takes space only once a process is free for it, one of an account at a time', async () => {
    const inspector = start();
    const { open, source, fetched } = await held();
    const names = ['first', 'second', 'third', 'fourth'];
    const found = names.map((name) => inspector.inspect(source(name, 'greedy'), never));
    const other = inspector.inspect(source('other', 'other'), never);
    expect(open).toEqual(['first', 'other']);
    for (const name of [...names, 'other']) {
      await expect.poll(() => open).toContain(name);
      expect(open.length).toBeLessThanOrEqual(limits.processes);
      fetched(name);
    }
    expect(await Promise.all([...found, other])).toEqual(Array(5).fill(expect.objectContaining({ ok: true })));
  });

  it('and is large leaves a process to small ones, and ends with the request and with the server', async () => {
    const inspector = start();
    const { open, source, fetched } = await held();
    const size = 1024 ** 3;
    const stop = new AbortController();
    const stopped = inspector.inspect(source('stopped', 'a', size), stop.signal);
    const large = inspector.inspect(source('large', 'b', size), never);
    const small = inspector.inspect(source('small', 'c'), never);
    expect(open).toEqual(['stopped', 'small']);
    fetched('small');
    expect(await small).toMatchObject({ ok: true });
    stop.abort(new Error('gone'));
    await expect(stopped).rejects.toThrow('gone');
    await expect.poll(() => open).toContain('large');
    await inspector.close();
    expect(await large).toMatchObject({ ok: false, code: 'UPLOAD_SERVER_BUSY' });
  });

  it('that cannot be fetched rejects, and the next one is inspected', async () => {
    const inspector = start();
    const media = await mediaOf(await image('png'));
    const source = { ...media.source, open: () => Promise.reject(new Error('away')) };
    await expect(inspector.inspect({ ...media, source }, never)).rejects.toThrow('away');
    expect(await inspector.inspect(media, never)).toMatchObject({ ok: true });
  });
});

describe('The preview of an image', () => {
  it('is made of what its inspection has decoded: the file is not decoded again', async () => {
    const inspector = start();
    const path = await rawFile('once.png', await readFile(await image('png', 1_600, 900)));
    const media = await mediaOf(path);
    expect(await inspector.inspect(media, never)).toMatchObject({ ok: true });
    await rm(media.source.file.path);
    const preview = await inspector.preview(media, never);
    if (preview.kind !== 'made') throw new Error(preview.kind);
    expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'webp', width: 640, height: 360 });
    expect(await inspector.preview(media, never)).toEqual({ kind: 'none' });
  });
  it.each(['turned', 'grey', 'deep'] as const)('is the same as one that is decoded for it: %s', async (form) => {
    const photo = sharp(await image('png', 900, 700));
    const bytes = await {
      turned: () => photo.withMetadata({ orientation: 6 }).jpeg(),
      grey: () => photo.greyscale().png(),
      deep: () => photo.ensureAlpha(0.5).toColourspace('rgb16').png(),
    }
      [form]()
      .toBuffer();
    const inspector = start();
    const media = await mediaOf(await rawFile(`${form}.picture`, bytes));
    await inspector.inspect(media, never);
    const [first, again] = [await inspector.preview(media, never), await inspector.preview(media, never)];
    if (first.kind !== 'made' || again.kind !== 'made') throw new Error(`${first.kind} ${again.kind}`);
    const pixels = (preview: Uint8Array) => sharp(preview).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const [a, b] = [await pixels(first.bytes), await pixels(again.bytes)];
    expect([a.info.width, a.info.height]).toEqual([b.info.width, b.info.height]);
    const apart = a.data.reduce((sum, value, at) => sum + Math.abs(value - (b.data[at] ?? 0)), 0) / a.data.length;
    expect(apart).toBeLessThan(6);
  });
  it('that takes more than its share of time is left out', async () => {
    const inspector = start({ limits: { ...limits, previewCpuSeconds: 0.05 } });
    const media = await mediaOf(FLAT_40_MP_AVIF);
    expect(await inspector.preview(media, never)).toEqual({ kind: 'none' });
  });
});

describe('A video', () => {
  it('is recognised with its metadata', async () => {
    expect(await inspectFile(await goodMp4())).toEqual({
      ok: true,
      metadata: { width: 320, height: 180, durationMs: 2_000, videoCodec: 'h264', hasAudio: true },
    });
    expect(await inspectFile(await goodWebm())).toMatchObject({
      ok: true,
      metadata: { width: 320, height: 180, videoCodec: 'vp9', hasAudio: true },
    });
  });
  it('that was rotated has the width and height of its display', async () => {
    const found = await inspectFile((await VIDEO_CORPUS['rotated.mp4']?.()) ?? '');
    expect(found).toMatchObject({ ok: true, metadata: { width: 180, height: 320 } });
  });
  it('outside limits.video is refused with all reasons and what would do', async () => {
    const found = await inspectFile((await VIDEO_CORPUS['vp8.webm']?.()) ?? '');
    expect(found).toMatchObject({
      ok: false,
      code: 'VIDEO_NOT_SUITABLE',
      params: { problems: [{ code: 'VIDEO_CODEC', actual: 'vp8', allowed: ['vp9', 'av1'] }, { code: 'AUDIO_CODEC' }] },
    });
    expect(found.ok ? '' : found.detail).toContain(
      'H.264 with AAC (MP4) or VP9/AV1 with Opus (WebM), up to 3840 x 2160',
    );
  });
  it('without a picture is unreadable', async () => {
    const found = await inspectFile(await truncated(await goodMp4(), 0.5));
    expect(found).toMatchObject({ ok: false, code: 'UPLOAD_FORMAT_UNSUPPORTED' });
  });
});

describe('The server stays in charge', () => {
  it('while an AVIF of 40 megapixels in a few bytes is decoded', async () => {
    expect((await readFile(FLAT_40_MP_AVIF)).length).toBeLessThan(20_000);
    const inspector = start();
    const found = inspectFile(FLAT_40_MP_AVIF, inspector);
    const before = process.memoryUsage().rss;
    const blocked = await longestBlockMs(async () =>
      expect(await found).toMatchObject({ ok: true, metadata: { width: 8_000, height: 5_000 } }),
    );
    expect(blocked).toBeLessThan(300);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
  itWith('memory limit that is set by prlimit')(
    'when a file takes too much memory: it is refused and the next one is served',
    async () => {
      const inspector = start({ limits: { ...limits, memoryBytes: 900 * 1024 * 1024 } });
      expect(await inspectFile(FLAT_40_MP_AVIF, inspector)).toMatchObject({
        ok: false,
        code: 'UPLOAD_FORMAT_UNSUPPORTED',
      });
      expect(await inspectFile(await image('png'), inspector)).toMatchObject({ ok: true });
    },
  );
  itWith('measurement of the processor time of other programs')(
    'when a file takes too long: it is refused and the next one is served',
    async () => {
      const slow = start({ limits: { ...limits, imageCpuSeconds: 0.1, cpuSecondsPerMegapixel: 0.001 } });
      expect(await inspectFile(FLAT_40_MP_AVIF, slow)).toMatchObject({
        ok: false,
        code: 'UPLOAD_FORMAT_UNSUPPORTED',
      });
      // The same picture takes hundreds of times as long, on any machine.
      expect(await inspectFile(FLAT_40_MP_AVIF, start({ limits: { ...limits, wallSeconds: 0.001 } }))).toMatchObject({
        ok: false,
        code: 'UPLOAD_FORMAT_UNSUPPORTED',
      });
    },
  );
  it('when too many files come: the rest are refused with a request to retry', async () => {
    const inspector = start({ limits: { ...limits, waitingPerAccount: 2 } });
    const media = await mediaOf(await image('png'));
    const found = await Promise.all(Array.from({ length: 5 }, () => inspector.inspect(media, never)));
    expect(found.filter(({ ok }) => ok)).toHaveLength(3);
    expect(found.filter((one) => !one.ok && one.code === 'UPLOAD_SERVER_BUSY')).toHaveLength(2);
  });
  it('when the requester disconnects: a waiting and a running file are dropped', async () => {
    const inspector = start();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const [runs, waits, small] = [
      await mediaOf(FLAT_40_MP_AVIF),
      await mediaOf(FLAT_40_MP_AVIF),
      await mediaOf(await image('png')),
    ];
    const open: MediaFile['source']['open'] = (use, signal) =>
      runs.source.open((file) => {
        const used = use(file);
        waiting.abort();
        running.abort();
        return used;
      }, signal);
    const found = await Promise.allSettled([
      inspector.inspect({ ...runs, source: { ...runs.source, open } }, running.signal),
      inspector.inspect(waits, waiting.signal),
      inspector.inspect(small, never),
    ]);
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(found[2]).toMatchObject({ value: { ok: true } });
  });
  it('when it ends: nothing waits for an answer', async () => {
    const inspector = start();
    // One at a time; the last cannot have run when it ends, on any machine.
    const open = Array.from({ length: 12 }, () => inspectFile(FLAT_40_MP_AVIF, inspector));
    setTimeout(() => inspector.close(), 300);
    const found = await Promise.all(open);
    expect(found.at(-1)).toMatchObject({ ok: false, code: 'UPLOAD_SERVER_BUSY' });
    for (const one of found) if (!one.ok) expect(one.code).toBe('UPLOAD_SERVER_BUSY');
  });
});
