import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import { ok, type Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { decodeHeic } from '../../../src/engine/image/heif/decode-heic.ts';
import { createImagePreparation, type ImageDeps } from '../../../src/engine/image/prepare-image.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { UNFINISHED } from '../../../src/engine/spool-file-endings.ts';
import { createOpenSource, openSource } from '../../../src/engine/upload/upload-source.ts';
import { createFfmpeg, type Ffmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { MadeImage } from '../../../src/ipc/protocol/image-conversion.ts';
import type { PreparedFile } from '../../../src/ipc/protocol/prepared-file.ts';
import type { QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import { smallDisk } from '../../faults/small-disk.ts';
import { until } from '../../support/engine.ts';
import { lateTimes } from '../../support/late-times.ts';
import { heicOf } from '../../support/media/heic.ts';
import {
  ACCEPTED_CORPUS,
  corners,
  FOREIGN_CORPUS,
  made,
  moving,
  PNG_HEAD_BYTES,
  pngChunk,
  SECRET,
  withMetadata,
} from '../../support/media/image-corpus.ts';
import { flatImage, image, noisePixels } from '../../support/media/media.ts';
import { NEWER_FFMPEG, needsNewerFfmpeg } from '../../support/media/old-ffmpeg.ts';
import { openVideoFixture } from '../../support/media/video-fixture.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('engine-image');
const spoolDir = join(folder, 'spool');
let server: RunningServer;
let user: User;
let account: Account;
let turn = 0;

beforeAll(async () => {
  await mkdir(spoolDir);
  server = await startServer({ config: { limits: { requestsPerMinute: 100_000 } } });
  user = await server.user();
  account = (await ask<Account>(server.url, { path: '/api/v1/account', key: user.apiKey })).body;
});
afterAll(() => server.stop());

const VIDEO = { path: '/video', name: 'video.mp4', size: 1 } as PreparedFile;
const deps: ImageDeps = {
  random: systemRandom,
  spoolDir,
  openSource,
  stripMetadata: () => true,
  ffmpeg: () => Promise.resolve(createFfmpeg('ffmpeg', process.env)),
  moving: () => Promise.resolve(ok(VIDEO)),
};

const withImageLimit = (maxImageBytes: number): Account => ({
  ...account,
  limits: { ...account.limits, maxImageBytes },
});

const itemOf = (name: string, path: string) =>
  ({ id: systemRandom.uuid() as ItemId, name, source: { owner: 'user', path } }) as QueueItemIn<'queued'>;

const prepare = (
  name: string,
  path: string,
  { more = {}, as = account }: { more?: Partial<ImageDeps>; as?: Account } = {},
) =>
  createImagePreparation({ ...deps, ...more }).prepare(
    itemOf(name, path),
    { account: as, onProgress: () => {} },
    soon(),
  );

const fileOf = (name: string, bytes: Buffer): string => {
  const path = join(folder, `${turn++}-${name}`);
  writeFileSync(path, bytes);
  return path;
};

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
};

const factsOf = (body: PreparedFile | null): MadeImage => {
  if (body?.made.kind !== 'image') throw new Error('nothing was made');
  return body.made;
};

/** Sends the prepared picture as the engine would; the service must accept it immediately. */
const publish = async (body: PreparedFile | null): Promise<Content> => {
  const bytes = readFileSync(body?.path ?? '');
  const sent = await sendFile(server.url, { key: user.apiKey, bytes, filename: body?.name ?? '' });
  expect([sent.status, sent.problem.detail]).toEqual([201, undefined]);
  return sent.body.content;
};

const upright = (bytes: Buffer) =>
  sharp(bytes, { failOn: 'error' }).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer();
/** Mean difference of two pictures, of 255. */
const difference = async (a: Buffer, b: Buffer): Promise<number> => {
  const [one, other] = await Promise.all([a, b].map(upright));
  if (!one || !other || one.length !== other.length) return 255;
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
};

const REFERENCE = made('reference.png', 'png');

describe('an image before its upload', () => {
  for (const [name, make] of Object.entries({ ...ACCEPTED_CORPUS, ...FOREIGN_CORPUS })) {
    it(`is accepted on the first upload and contains no location: ${name}`, async ({ skip }) => {
      skip(needsNewerFfmpeg(name), NEWER_FFMPEG);
      const source = await make();
      const body = unwrap(await prepare(name, fileOf(name, source)));
      const { before, after, done } = factsOf(body);
      const sent = readFileSync(body?.path ?? '');
      expect(sent.includes(SECRET)).toBe(false);
      const content = await publish(body);
      expect(content).toMatchObject({ width: before.width, height: before.height, size: after.bytes });
      expect(before.bytes).toBe(source.length);
      if (Object.hasOwn(ACCEPTED_CORPUS, name)) expect(done).toEqual(['metadata-removed']);
      else expect(done).toContain('converted');
      // ffmpeg alone knows the last ones; the picture that they were made of is known.
      const seen = /\.(bmp|ico|psd|jp2|qoi)$/.test(name) ? await REFERENCE() : source;
      expect(await difference(seen, sent)).toBeLessThan(3);
    });
  }

  it('is a HEIC in tiles, turned, with a colour profile, as phones make them', async () => {
    const { icc = Buffer.alloc(0), exif = Buffer.alloc(0) } = await sharp(
      await withMetadata(corners()).jpeg().toBuffer(),
    ).metadata();
    const photo = () => corners(301, 203);
    const heic = await heicOf(photo(), { tile: 160, turns: 1, icc, exif: exif.subarray(6) });
    expect(heic.includes(SECRET)).toBe(true);
    const body = unwrap(await prepare('IMG_0001.HEIC', fileOf('a.heic', heic)));
    expect(factsOf(body)).toMatchObject({
      before: { format: 'heic', width: 203, height: 301 },
      after: { format: 'jpeg' },
    });
    expect(factsOf(body).done).toEqual(['metadata-removed', 'converted', 'quality-reduced']);
    expect(body?.name).toBe('IMG_0001.jpg');
    expect(await publish(body)).toMatchObject({ width: 203, height: 301 });
    const sent = readFileSync(body?.path ?? '');
    expect(sent.includes(SECRET)).toBe(false);
    expect((await sharp(sent).metadata()).icc).toEqual(icc);
    expect(await difference(await photo().rotate(-90).png().toBuffer(), sent)).toBeLessThan(3);
  });

  it('is a HEIC on a disk that becomes full, and leaves no unfinished file', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(await corners().withIccProfile('p3').jpeg().toBuffer()).metadata();
    const content = await heicOf(corners(301, 203), { tile: 160, turns: 0, icc, exif: Buffer.alloc(0) });
    const small = join(folder, 'small');
    await mkdir(small);
    const disk = smallDisk(small, 1);
    const ffmpeg = createFfmpeg('ffmpeg', process.env);
    const filling: Ffmpeg = {
      ...ffmpeg,
      async run(...input) {
        const decoded = await ffmpeg.run(...input);
        disk.fill();
        return decoded;
      },
    };
    await expect(decodeHeic(filling, { content, target: join(small, 'decoded.png') }, soon())).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect(readdirSync(small).filter((name) => name.endsWith(UNFINISHED))).toEqual([]);
  });

  it('is the first page of a document with several, and the summary mentions it', async () => {
    const pages = await moving().tiff().toBuffer();
    expect((await sharp(pages).metadata()).pages).toBe(3);
    const body = unwrap(await prepare('scan.tiff', fileOf('scan.tiff', pages)));
    expect(factsOf(body)).toMatchObject({ after: { width: 64, height: 48 }, done: ['converted', 'first-page-only'] });
    expect(await difference(pages, readFileSync(body?.path ?? ''))).toBe(0);
  });

  it('is sent unchanged when it fits and has no metadata', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const path = fileOf(`plain.${format}`, await corners().withIccProfile('p3').toFormat(format).toBuffer());
      const stripped = unwrap(await prepare('plain', path));
      if (stripped) expect(factsOf(stripped).done).toEqual(['metadata-removed']);
      expect(unwrap(await prepare('plain', stripped?.path ?? path))).toBeNull();
    }
  });

  it('keeps its metadata when the user wants that, also when it is encoded again', async () => {
    const more = { stripMetadata: () => false };
    const jpeg = await withMetadata(corners(), 6).jpeg().toBuffer();
    expect(unwrap(await prepare('a.jpg', fileOf('a.jpg', jpeg), { more }))).toBeNull();
    const unpacked = await withMetadata(corners(400, 300), 6).png({ compressionLevel: 0 }).toBuffer();
    const limited = { more, as: withImageLimit(200_000) };
    const body = unwrap(await prepare('a.png', fileOf('a.png', unpacked), limited));
    const { exif, orientation } = await sharp(body?.path).metadata();
    expect([exif?.includes(SECRET), orientation]).toEqual([true, 1]);
    expect(factsOf(body).done).toEqual(['repacked']);
  });
});

describe('an image over the limits', () => {
  it('of bytes: keeps every pixel where packing it better is enough', async () => {
    const pixels = await corners(400, 300).png({ compressionLevel: 0 }).toBuffer();
    const packed = (await sharp(pixels).png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()).length;
    for (const [limit, format, done] of [
      [packed, 'png', ['repacked']],
      [packed - 1, 'webp', ['converted']],
    ] as const) {
      const body = unwrap(await prepare('shot.png', fileOf('shot.png', pixels), { as: withImageLimit(limit) }));
      expect(factsOf(body)).toMatchObject({ after: { format, width: 400, height: 300 }, done });
      expect(factsOf(body).after.bytes).toBeLessThanOrEqual(limit);
      expect(await difference(pixels, readFileSync(body?.path ?? ''))).toBe(0);
    }
  });

  it('of bytes: loses quality before pixels, pixels before more quality, and reports it', async () => {
    const noise = readFileSync(await image('png', 1_000, 700));
    const sizes: number[] = [];
    for (const [limit, done] of [
      [900_000, ['converted', 'quality-reduced']],
      [300_000, ['converted', 'scaled', 'quality-reduced']],
    ] as const) {
      const body = unwrap(await prepare('photo.png', fileOf('photo.png', noise), { as: withImageLimit(limit) }));
      expect(factsOf(body).done).toEqual(done);
      expect(factsOf(body).after.bytes).toBeLessThanOrEqual(limit);
      sizes.push(factsOf(body).after.width);
      await publish(body);
    }
    expect(sizes[0]).toBe(1_000);
    expect(sizes[1]).toBeLessThan(1_000);
  });

  it('of bytes: a photo of any format stays upright, in its colours, and has no metadata', async () => {
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      const noise = sharp(await image('png', 500, 300));
      const photo = await withMetadata(noise, format === 'avif' ? 1 : 6)
        .toFormat(format, { quality: 97 })
        .toBuffer();
      const path = fileOf(`photo.${format}`, photo);
      const limited = { as: withImageLimit(Math.round(photo.length * 0.7)) };
      const body = unwrap(await prepare(`photo.${format}`, path, limited));
      const { before, after, done } = factsOf(body);
      expect(after.width / after.height).toBeCloseTo(before.width / before.height, 1);
      expect(after.width < after.height).toBe(format !== 'avif');
      expect(done).toEqual(expect.arrayContaining(['metadata-removed', 'quality-reduced']));
      const sent = readFileSync(body?.path ?? '');
      expect([sent.includes(SECRET), sent.length <= limited.as.limits.maxImageBytes]).toEqual([false, true]);
      expect((await sharp(sent).metadata()).icc).toEqual((await sharp(photo).metadata()).icc);
      await publish(body);
    }
  });

  it('of bytes: transparency and animation are kept', async () => {
    const glass = await noisePixels(300, 200, 4).png().toBuffer();
    const body = unwrap(await prepare('glass.png', fileOf('glass.png', glass), { as: withImageLimit(60_000) }));
    expect(await sharp(body?.path).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
    const moving = await ACCEPTED_CORPUS['moving.webp']?.();
    const path = fileOf('moving.webp', moving ?? Buffer.alloc(0));
    const smaller = unwrap(await prepare('moving.webp', path, { as: withImageLimit(20_000) }));
    expect(await sharp(smaller?.path).metadata()).toMatchObject({ format: 'webp', pages: 3 });
    expect(factsOf(smaller).done).toContain('quality-reduced');
    await publish(smaller);
  });

  it('only by the video that a phone appended: the picture is unchanged', async () => {
    const photo = await corners().jpeg().toBuffer();
    const path = fileOf('motion.jpg', Buffer.concat([photo, Buffer.alloc(200_000, 7)]));
    const body = unwrap(await prepare('motion.jpg', path, { as: withImageLimit(100_000) }));
    expect(factsOf(body).done).toEqual(['metadata-removed']);
    expect(await difference(photo, readFileSync(body?.path ?? ''))).toBe(0);
  });

  // With the second one the height would round up to 40,001,998 pixels.
  it.each([
    [8_200, 5_000],
    [9_999, 4_001],
  ])('of pixels: %i x %i is scaled to what the service takes, no further', async (width, height) => {
    const body = unwrap(await prepare('large.png', await flatImage('png', width, height)));
    const { done, after } = factsOf(body);
    expect(done).toEqual(['scaled']);
    expect(after.width * after.height).toBeGreaterThan(39.9e6);
    await publish(body);
  });

  it('and cannot be reduced enough is refused with an explanation', async () => {
    const noise = await image('png', 1_000, 700);
    expect(await prepare('noise.png', noise, { as: withImageLimit(500) })).toMatchObject({
      ok: false,
      error: { code: 'IMAGE_TOO_LARGE', params: { limitBytes: 500 } },
    });
  });
});

describe('a file that the service does not accept as a picture', () => {
  it('is converted as a video when it is animated', async () => {
    const gif = fileOf(
      'moving.gif',
      await moving()
        .gif({ delay: [50, 50, 50] })
        .toBuffer(),
    );
    expect(unwrap(await prepare('moving.gif', gif))).toBe(VIDEO);
    const apng = fileOf('moving.png', (await ACCEPTED_CORPUS['moving.png']?.()) ?? Buffer.alloc(0));
    expect(unwrap(await prepare('moving.png', apng, { as: withImageLimit(1_000) }))).toBe(VIDEO);
  });

  it('is a video without its metadata when it is an animated PNG above the limit', async () => {
    const video = openVideoFixture(join(folder, 'moving'));
    const more: Partial<ImageDeps> = {
      moving: ({ source }, context) => video.prepare(source.path, context.account),
    };
    const apng = (await ACCEPTED_CORPUS['moving.png']?.()) ?? Buffer.alloc(0);
    expect(apng.includes(SECRET)).toBe(true);
    const body = unwrap(await prepare('a.png', fileOf('a.png', apng), { more, as: withImageLimit(1_000) }));
    expect(body).toMatchObject({ made: { kind: 'video', before: { width: 120, height: 80 } } });
    expect(readFileSync(body?.path ?? '').includes(SECRET)).toBe(false);
  });

  it('is no animation because its words contain the mark of one', async () => {
    const png = await noisePixels(60, 40, 3).png().toBuffer();
    const words = pngChunk('tEXt', Buffer.from('Comment\0acTL'));
    const still = Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), words, png.subarray(PNG_HEAD_BYTES)]);
    const body = unwrap(await prepare('a.png', fileOf('a.png', still), { as: withImageLimit(5_000) }));
    expect(body?.made.kind).toBe('image');
  });

  it('is refused, and not sent unchanged, when no video can be made of it', async () => {
    const apng = (await ACCEPTED_CORPUS['moving.png']?.()) ?? Buffer.alloc(0);
    const more: Partial<ImageDeps> = { moving: async () => ok(null) };
    const refused = await prepare('a.png', fileOf('a.png', apng), { more, as: withImageLimit(1_000) });
    expect(refused).toMatchObject({ ok: false, error: { code: 'IMAGE_UNREADABLE' } });
  });

  it('is refused before it is rendered when it is an SVG, whatever its name', async () => {
    for (const head of ['', '\uFEFF', '<?xml version="1.0"?>\n<!-- <a> -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n']) {
      const path = fileOf('a.png', Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg"/>`));
      expect(await prepare('a.png', path)).toMatchObject({ ok: false, error: { code: 'IMAGE_VECTOR' } });
    }
  });

  it('is refused when it is damaged, or when nothing can decode it, and leaves nothing behind', async () => {
    const before = readdirSync(spoolDir);
    for (const [name, make] of Object.entries(FOREIGN_CORPUS)) {
      if (needsNewerFfmpeg(name)) continue;
      const whole = await make();
      const path = fileOf(name, whole.subarray(0, Math.ceil(whole.length / 2)));
      const outcome = await prepare(name, path);
      if (outcome.ok) rmSync(outcome.value?.path ?? '');
      else expect(outcome.error.code).toBe('IMAGE_UNREADABLE');
    }
    const bmp = fileOf('a.bmp', (await FOREIGN_CORPUS['paint.bmp']?.()) ?? Buffer.alloc(0));
    const more = { ffmpeg: () => Promise.resolve(null) };
    expect(await prepare('a.bmp', bmp, { more })).toMatchObject({ ok: false, error: { code: 'IMAGE_UNREADABLE' } });
    expect(readdirSync(spoolDir)).toEqual(before);
  });

  it('is not called damaged where its drive goes away while it is decoded', async () => {
    let isAway = false;
    const away = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const bmp = fileOf('away.bmp', (await FOREIGN_CORPUS['paint.bmp']?.()) ?? Buffer.alloc(0));
    const more = {
      openSource: createOpenSource((path, flags) => (isAway ? away() : open(path, flags))),
      ffmpeg: async () => {
        isAway = true;
        return null;
      },
    };
    expect(await prepare('away.bmp', bmp, { more })).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_UNREADABLE', params: { system: 'EIO' } },
    });
  });

  it('stops immediately when the user cancels, also during an encoding, and leaves nothing behind', async () => {
    const before = readdirSync(spoolDir);
    const images = createImagePreparation(deps);
    const noise = fileOf('noise.png', readFileSync(await image('png', 1_000, 700)));
    const large = await flatImage('png', 8_200, 5_000);
    const abort = new AbortController();
    const context = { account: withImageLimit(500), onProgress: () => {} };
    const [running, waiting] = [large, noise].map((path) =>
      images.prepare(itemOf('a.png', path), context, abort.signal),
    );
    await until(() => readdirSync(spoolDir).length > before.length);
    // What a crash would leave now is known by its ending, and swept.
    const drafts = readdirSync(spoolDir).filter((name) => !before.includes(name));
    expect(drafts.every((name) => name.endsWith(UNFINISHED))).toBe(true);
    abort.abort();
    for (const outcome of [await running, await waiting]) {
      expect(outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    }
    // The encoder's turn ends when it does; then the next one has its own.
    const { signal } = new AbortController();
    expect((await images.prepare(itemOf('a.png', noise), { ...context, account }, signal)).ok).toBe(true);
    expect(readdirSync(spoolDir)).toEqual(before);
  });
});

describe('a picture that is edited while it is made to fit', () => {
  it.each([
    ['whose time of change comes late', createOpenSource(lateTimes())],
    ['whose time of change tells', createOpenSource(open, { platform: 'linux', now: () => 0 })],
  ])('fault 47: and %s is refused, and leaves nothing behind', async (_, openAt) => {
    const before = readdirSync(spoolDir);
    const path = fileOf('edited.png', readFileSync(await image('png', 1_000, 700)));
    const [size, edited] = [statSync(path).size, Buffer.from([0])];
    const onProgress = () => {
      const file = openSync(path, 'r+');
      writeSync(file, edited, 0, 1, size - 1);
      closeSync(file);
    };
    const images = createImagePreparation({ ...deps, openSource: openAt });
    const context = { account: withImageLimit(300_000), onProgress };
    expect(await images.prepare(itemOf('a.png', path), context, soon())).toMatchObject({
      ok: false,
      error: { code: 'SOURCE_CHANGED' },
    });
    expect(readdirSync(spoolDir)).toEqual(before);
  });
});

describe('the preview', () => {
  it('predicts exactly what will be done, and leaves no files', async () => {
    const before = readdirSync(spoolDir);
    const { preview } = createImagePreparation(deps);
    const see = async (path: string, as = account) => preview(path, as, soon());
    const photo = fileOf('photo.jpg', (await ACCEPTED_CORPUS['photo-6.jpg']?.()) ?? Buffer.alloc(0));
    const noise = await image('png', 1_000, 700);
    const limited = withImageLimit(300_000);
    for (const [path, as] of [
      [photo, account],
      [noise, limited],
    ] as const) {
      const shown = await see(path, as);
      const body = unwrap(await prepare('x', path, { as }));
      const { kind: _, ...facts } = factsOf(body);
      expect(shown).toEqual({ way: 'change', ...facts });
      rmSync(body?.path ?? '');
    }
    expect(await see(await flatImage('png', 80, 60))).toMatchObject({ way: 'pass', before: { width: 80, height: 60 } });
    expect(
      await see(
        fileOf(
          'a.gif',
          await moving()
            .gif({ delay: [50, 50, 50] })
            .toBuffer(),
        ),
      ),
    ).toBeNull();
    expect(await see(noise, withImageLimit(500))).toMatchObject({
      way: 'refuse',
      failure: { code: 'IMAGE_TOO_LARGE' },
    });
    expect(readdirSync(spoolDir)).toEqual(before);
  });
});
