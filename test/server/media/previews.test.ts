/** Previews and posters: made after publishing, in the limited child, served like the items themselves. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { kindOfMime } from '../../../src/api/detect-media-kind.ts';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import {
  createInspector,
  type Inspector,
  type InspectorOptions,
  type MediaFile,
} from '../../../src/server/media/media-inspector.ts';
import { forkInspector, type StartInspectorProcess } from '../../../src/server/media/start-inspector-process.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { eventually } from '../../support/eventually.ts';
import { FLAT_40_MP_AVIF, flatImage, goodMp4, goodWebm, image, rawFile, video } from '../../support/media/media.ts';
import { VIDEO_CORPUS } from '../../support/media/video-corpus.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { itWith } from '../../support/only-on.ts';
import { browser, change, editRow, publish, read, remove } from '../../support/server/items.ts';
import { rawRequest } from '../../support/server/raw-http.ts';
import { sealedSource } from '../../support/server/sealed-file.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { lendInspector } from '../../support/server/spare-inspectors.ts';
import { changeData, objectFiles, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = (path: string, text: string): Promise<void> => writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
const never = new AbortController().signal;
const PLENTY = { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } };

/** Inspectors that begin no preview before. */
const makingPreviewsAfter =
  (moment: Promise<void>): StartInspectorProcess =>
  async (settings) => {
    const inspector = await lendInspector(settings);
    const isPreview = (task: object): boolean => 'job' in task && task.job === 'preview';
    return {
      ...inspector,
      send: (task) => (isPreview(task) ? void moment.then(() => inspector.send(task)) : inspector.send(task)),
    };
  };

/** Inspectors that never convert a preview to JPEG. A lent one would not tell the server of its end. */
const withoutJpegs = () => {
  const held = { asked: 0, ended: 0 };
  const fork = forkInspector(DEFAULT_CONFIG.media.memoryBytes);
  const start: StartInspectorProcess = async (settings) => {
    const inspector = await fork(settings);
    let isHeld = false;
    return {
      ...inspector,
      send: (task) => {
        isHeld = 'format' in task && task.format === 'jpeg';
        if (isHeld) held.asked += 1;
        else inspector.send(task);
      },
      kill: () => {
        if (isHeld) held.ended += 1;
        isHeld = false;
        inspector.kill();
      },
    };
  };
  return { held, start };
};

describe('A preview', () => {
  const running: Inspector[] = [];
  const open = (options: Partial<InspectorOptions> = {}): Inspector => {
    const { video: videoLimits, media: limits, fairness } = DEFAULT_CONFIG;
    const common = { video: videoLimits, imageMegapixels: 40, limits, fairness, clock: systemClock };
    const inspector = createInspector({ ...common, ...options });
    running.push(inspector);
    return inspector;
  };
  const fileOf = async (path: string, mime: string): Promise<MediaFile> => ({
    ...{ id: 'object' as ObjectId, accountId: 'account' as AccountId },
    ...{ source: await sealedSource(path), kind: kindOfMime(mime) },
  });
  const previewOf = async (path: string, mime: string, options: Partial<InspectorOptions> = {}) =>
    open(options).preview(await fileOf(path, mime), never);
  const pictureOf = async (path: string, mime: string) => {
    const preview = await previewOf(path, mime);
    if (preview.kind !== 'made') throw new Error(JSON.stringify(preview));
    return Buffer.from(preview.bytes);
  };
  const colourAt = async (bytes: Buffer, left: number, top: number): Promise<readonly number[]> => {
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (top * info.width + left) * info.channels;
    return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255));
  };
  const RED = [1, 0, 0];
  const BLUE = [0, 0, 1];
  afterEach(() => Promise.all(running.splice(0).map((inspector) => inspector.close())));

  it.each(['png', 'jpeg', 'webp', 'avif'] as const)(
    'of a %s is a WebP of 640 pixels on its longer side',
    async (format) => {
      const facts = await sharp(await pictureOf(await flatImage(format, 1_600, 900), `image/${format}`)).metadata();
      expect(facts).toMatchObject({ format: 'webp', width: 640, height: 360 });
      const high = await sharp(await pictureOf(await flatImage(format, 300, 1_280), `image/${format}`)).metadata();
      expect(high).toMatchObject({ width: 150, height: 640 });
    },
  );
  it('is never larger than the picture', async () => {
    expect(await sharp(await pictureOf(await image('png', 40, 30), 'image/png')).metadata()).toMatchObject({
      width: 40,
      height: 30,
    });
  });
  it('is upright and carries nothing that the camera wrote', async () => {
    const halves = Buffer.from(
      Array.from({ length: 200 }, (_, index) => (index % 20 < 10 ? RED : BLUE))
        .flat()
        .map((one) => one * 255),
    );
    const photo = await sharp(halves, { raw: { width: 20, height: 10, channels: 3 } })
      .resize(200, 100, { kernel: 'nearest' })
      .withExif({ IFD0: { Copyright: 'somewhere secret' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const preview = await pictureOf(await rawFile('turned-halves.jpeg', photo), 'image/jpeg');
    const { width, height, exif, orientation, icc, xmp } = await sharp(preview).metadata();
    expect({ width, height, exif, orientation, icc, xmp }).toEqual({ width: 100, height: 200 });
    // Rotated clockwise by a quarter: the left side is now on top.
    expect([await colourAt(preview, 50, 40), await colourAt(preview, 50, 160)]).toEqual([RED, BLUE]);
  });
  it('of a moving picture is its first frame', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .png()
        .toBuffer();
    const moving = await sharp([await frame('#ff0000'), await frame('#0000ff')], { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const preview = await pictureOf(await rawFile('moving.webp', moving), 'image/webp');
    expect(await sharp(preview).metadata()).toMatchObject({ width: 60, height: 40 });
    expect(await colourAt(preview, 30, 20)).toEqual(RED);
  });
  it('of a video is a frame of it, never enlarged', async () => {
    for (const [path, mime] of [
      [await goodMp4(), 'video/mp4'],
      [await goodWebm(), 'video/webm'],
    ] as const)
      expect(await sharp(await pictureOf(path, mime)).metadata()).toMatchObject({
        format: 'webp',
        width: 320,
        height: 180,
      });
    const large = await video('large.mp4', {
      size: '1920x1080',
      seconds: 1,
      args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    });
    expect(await sharp(await pictureOf(large, 'video/mp4')).metadata()).toMatchObject({ width: 640, height: 360 });
  });
  it('of a video that was turned is upright', async () => {
    const path = (await VIDEO_CORPUS['rotated.mp4']?.()) ?? '';
    expect(await sharp(await pictureOf(path, 'video/mp4')).metadata()).toMatchObject({ width: 180, height: 320 });
  });
  it('of a video needs ffmpeg; without ffmpeg there is no preview', async () => {
    expect(await previewOf(await goodMp4(), 'video/mp4', { ffmpeg: 'no-such-program' })).toEqual({ kind: 'none' });
  });
  it('of a video with garbage frames is FAILED with a reason', async () => {
    const bytes = Buffer.from(await readFile(await goodMp4()));
    const start = bytes.indexOf('mdat') + 4;
    const end = start - 8 + bytes.readUInt32BE(start - 8);
    const spoilt = await rawFile('spoilt.mp4', bytes.fill(0, start, end));
    expect(await previewOf(spoilt, 'video/mp4')).toMatchObject({ kind: 'damaged' });
  });
  itWith('programs of Linux')(
    'of a video that only this ffmpeg cannot decode is none, of a damaged one FAILED',
    async () => {
      const folder = temporaryFolder('decoders');
      const ffmpeg = join(folder, 'ffmpeg');
      await program(ffmpeg, `cat >${folder}/input; cat ${folder}/complaint >&2; exit 69`);
      const inspector = open({ ffmpeg });
      const kindOf = async (complaint: string) => {
        await writeFile(join(folder, 'complaint'), complaint);
        return (await inspector.preview(await fileOf(await goodMp4(), 'video/mp4'), never)).kind;
      };
      const invalid = 'Error while decoding stream #0:0: Invalid data found when processing input';
      for (const complaint of [
        'Decoder (codec av1) not found for input stream #0:0',
        // The decoder of AV1 that every ffmpeg has, without the graphics card that it needs.
        `[av1 @ 0x1] Your platform doesn't suppport hardware accelerated AV1 decoding.\n${invalid}`,
        `[av1 @ 0x1] Failed to get pixel format.\n${invalid}`,
        `Error while decoding stream #0:0: Function not implemented\n[av1 @ 0x1] Missing Sequence Header.\n${invalid}`,
        'Error while opening decoder for input stream #0:0 : Operation not permitted',
      ])
        expect([complaint, await kindOf(complaint)]).toEqual([complaint, 'none']);
      for (const complaint of [
        `[h264 @ 0x1] Invalid NAL unit size (0 > 12).\n[h264 @ 0x1] Error splitting the input into NAL units.\n${invalid}`,
        'Error while opening decoder for input stream #0:0 : Invalid data found when processing input',
      ])
        expect([complaint, await kindOf(complaint)]).toEqual([complaint, 'damaged']);
    },
  );
  itWith('memory limit that is set by prlimit')(
    'that takes too much memory or time is left out, and the next one is made',
    async () => {
      const heavy = await fileOf(FLAT_40_MP_AVIF, 'image/avif');
      expect(await open({ limits: { ...DEFAULT_CONFIG.media, wallSeconds: 0.001 } }).preview(heavy, never)).toEqual({
        kind: 'none',
      });
      const roomy = open({ limits: { ...DEFAULT_CONFIG.media, memoryBytes: 900 * 1024 ** 2 } });
      expect(await roomy.preview(heavy, never)).toEqual({ kind: 'none' });
      expect(await roomy.preview(await fileOf(await image('png'), 'image/png'), never)).toMatchObject({ kind: 'made' });
    },
  );
  itWith('programs of Linux')('takes a hanging ffmpeg with it when its time is over', async () => {
    const folder = temporaryFolder('hanging');
    const ffmpeg = join(folder, 'ffmpeg');
    const pidFile = join(folder, 'pid');
    await program(ffmpeg, `echo $$ > ${pidFile}.new\nmv ${pidFile}.new ${pidFile}\nexec sleep 60`);
    // On a busy machine the limit may pass before the program has started: double it for the next attempt.
    for (let wallSeconds = 1; !existsSync(pidFile); wallSeconds *= 2) {
      const limits = { ...DEFAULT_CONFIG.media, wallSeconds };
      expect(await previewOf(await goodMp4(), 'video/mp4', { ffmpeg, limits })).toEqual({ kind: 'none' });
    }
    const pid = Number(await readFile(pidFile, 'utf8'));
    await eventually(async () => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });
  itWith('programs of Linux')('gives ffmpeg a pipe, no file and no address', async () => {
    const folder = temporaryFolder('spying');
    const ffmpeg = join(folder, 'ffmpeg');
    await program(
      ffmpeg,
      `printf '%s\\n' "$@" > ${folder}/arguments\nulimit -d > ${folder}/memory\ncat > ${folder}/input`,
    );
    await previewOf(await goodMp4(), 'video/mp4', { ffmpeg });
    const words = (await readFile(join(folder, 'arguments'), 'utf8')).trim().split('\n');
    expect(words.slice(words.indexOf('-protocol_whitelist'), words.indexOf('-map'))).toEqual([
      '-protocol_whitelist',
      'pipe',
      '-f',
      'matroska',
      '-threads',
      '1',
      '-i',
      'pipe:0',
    ]);
    expect(words.filter((word) => word.includes('/') || word.includes('file:'))).toEqual([]);
    expect((await readFile(join(folder, 'input'))).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    expect(Number(await readFile(join(folder, 'memory'), 'utf8'))).toBe((2 * 1024 ** 3) / 1024);
  });
});

describe('An item', () => {
  let clock: MovableClock;
  let server: RunningServer;
  let owner: User;
  let other: User;
  beforeAll(async () => {
    clock = movableClock();
    server = await startServer({ clock, config: PLENTY });
    owner = await server.user({ plan: 'pro' });
    other = await server.user();
  });
  afterAll(() => server.stop());

  const previewed = async (id: string, user = owner): Promise<string> => {
    let found: string | null | undefined;
    await eventually(async () => {
      found = (await read(server, user, id)).body.previewUrl;
      expect(found).toBe(`/api/media/${id}/preview`);
    });
    return found ?? '';
  };
  const deletions = async () =>
    (await queryData<{ n: number }>(server.data, 'SELECT count(*) AS n FROM deletions'))[0]?.n;
  const storageUsed = async (): Promise<number> =>
    (await ask<{ user: { storageUsed: number } }>(server.url, { path: '/api/v1/account', key: owner.apiKey })).body.user
      .storageUsed;

  it('is published at once, and has its preview a little later, which counts nothing against the quota', async () => {
    const bytes = await readFile(await image('png', 1_600, 900));
    const before = await storageUsed();
    const item = await publish(server, owner, { visibility: 'public' }, bytes);
    expect(item).toMatchObject({ mediaStatus: 'READY', previewUrl: null });
    const path = await previewed(item.id);
    const answer = await fetch(`${server.url}${path}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    });
    const picture = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 640, height: 360 });
    expect(await storageUsed()).toBe(before + bytes.length);
    const again = await fetch(`${server.url}${path}`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
  it('that is a video is PROCESSING until its poster is there, and then READY', async () => {
    const poster = Promise.withResolvers<void>();
    const slow = await startServer({ config: PLENTY, startInspector: makingPreviewsAfter(poster.promise) });
    onTestFinished(() => slow.stop());
    const user = await slow.user();
    const item = await publish(slow, user, { visibility: 'public' }, await readFile(await goodMp4()));
    expect(item).toMatchObject({ mediaStatus: 'PROCESSING', previewUrl: null });
    const path = `/api/media/${item.id}/preview`;
    expect((await browser(slow).send<{ code: string }>({ path })).body.code).toBe('MEDIA_PROCESSING');
    poster.resolve();
    const done = { mediaStatus: 'READY', mediaError: null, previewUrl: path };
    await eventually(async () => expect((await read(slow, user, item.id)).body).toMatchObject(done));
    const page = (await browser(slow).page(item.id)).body;
    expect(page).toContain(`poster="/api/media/${item.id}/preview"`);
    expect(page).toContain(`<meta property="og:image" content="${slow.url}/api/media/${item.id}/preview.jpg">`);
  });
  it('that is a video without one frame that decodes is FAILED, and its owner can still download it', async () => {
    const bytes = Buffer.from(await readFile(await goodMp4()));
    const start = bytes.indexOf('mdat') + 4;
    bytes.fill(0, start, start - 8 + bytes.readUInt32BE(start - 8));
    const item = await publish(server, owner, {}, bytes);
    await eventually(async () =>
      expect((await read(server, owner, item.id)).body).toMatchObject({
        mediaStatus: 'FAILED',
        mediaError: 'No frame of the video can be decoded.',
        previewUrl: null,
      }),
    );
    const answer = await ask<string>(server.url, { path: `/api/media/${item.id}?download=1`, key: owner.apiKey });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/octet-stream']);
  });
  it('is served only to requesters with access to the item', async () => {
    const item = await publish(server, owner, { visibility: 'public' });
    const path = await previewed(item.id);
    const status = async (key?: string) => (await ask(server.url, { path, ...(key !== undefined && { key }) })).status;
    const everyone = async () => [await status(owner.apiKey), await status(other.apiKey), await status()];
    expect(await everyone()).toEqual([200, 200, 200]);
    await change(server, owner, item.id, { visibility: 'private' });
    expect(await everyone()).toEqual([200, 404, 404]);
    await change(server, owner, item.id, { visibility: 'unlisted', password: 'correct horse battery' });
    expect(await everyone()).toEqual([200, 403, 403]);
    const viewer = browser(server);
    await viewer.open(item.id, 'correct horse battery');
    expect((await viewer.send({ path })).status).toBe(200);
    await change(server, owner, item.id, { password: '', oneTime: true });
    expect((await viewer.send({ path })).status).toBe(403);
    expect(await everyone()).toEqual([200, 403, 403]);
    await change(server, owner, item.id, { oneTime: false, viewLimit: 5 });
    expect(await everyone()).toEqual([200, 403, 403]);
    await editRow(server, "UPDATE content SET moderationHold = 'review' WHERE id = ?", item.id);
    expect(await everyone()).toEqual([200, 404, 404]);
    const weak = await server.key(owner, { scopes: ['content:write'] });
    expect((await ask(server.url, { path, key: weak.apiKey })).problem.code).toBe('SCOPE_MISSING');
    expect((await ask(server.url, { path, key: 'lsk_bad' })).problem.code).toBe('API_KEY_INVALID');
  });

  it('is no longer converted to JPEG when all who asked for it have closed their connections', async () => {
    const { held, start } = withoutJpegs();
    const stuck = await startServer({ config: PLENTY, startInspector: start });
    onTestFinished(() => stuck.stop());
    const user = await stuck.user();
    const items = [
      await publish(stuck, user, { visibility: 'public' }),
      await publish(stuck, user, { visibility: 'public' }),
    ];
    for (const { id } of items)
      await eventually(async () => expect((await read(stuck, user, id)).body.previewUrl).not.toBeNull());
    const clients = [...items, ...items].map(({ id }) => rawRequest(stuck.url, `GET /api/media/${id}/preview.jpg`, {}));
    await expect.poll(() => held).toEqual({ asked: 1, ended: 0 });
    for (const { socket } of clients) socket.destroy();
    // The other one has not begun.
    await expect.poll(() => held).toEqual({ asked: 1, ended: 1 });
    // What an S3 store has fetched is there; others have no such folder.
    const scratch = join(stuck.data, 'scratch');
    await expect.poll(async () => (existsSync(scratch) ? await readdir(scratch) : [])).toEqual([]);
    expect(stuck.logged).toEqual([]);
  });

  it('that has none answers 404', async () => {
    const note = await ask<{ id: string }>(server.url, {
      method: 'POST',
      path: '/api/v1/pastes',
      key: owner.apiKey,
      body: { text: 'Hello', format: 'plain' },
    });
    expect(
      (await ask(server.url, { path: `/api/media/${note.body.id}/preview`, key: owner.apiKey })).problem.code,
    ).toBe('NOT_FOUND');
    expect((await ask(server.url, { path: '/api/media/nothing/preview' })).problem.code).toBe('SHARE_UNAVAILABLE');
  });
  it('takes its preview with it when it is deleted and when it expires', async () => {
    const stored = async (): Promise<number> => (await objectFiles(server.data)).permanent.length;
    const before = await stored();
    const item = await publish(server, owner, {});
    await previewed(item.id);
    expect(await stored()).toBe(before + 2);
    await remove(server, owner, item.id);
    await eventually(async () => expect([await stored(), await deletions()]).toEqual([before, 0]));
    const brief = await publish(server, owner, { ttl: 'day' });
    const path = await previewed(brief.id);
    clock.advance(86_400_001);
    expect((await ask(server.url, { path, key: owner.apiKey })).status).toBe(404);
  });
  it('that is deleted while its preview is made is nothing to complain of', async () => {
    const complaints = server.logged.length;
    for (let round = 0; round < 30; round += 1) await remove(server, owner, (await publish(server, owner)).id);
    await previewed((await publish(server, owner)).id);
    expect(server.logged.slice(complaints)).toEqual([]);
  });
  it('appears with its preview in link previews only where the rules allow', async () => {
    const item = await publish(server, owner, { visibility: 'unlisted' });
    await previewed(item.id);
    const tells = async () => (await browser(server).page(item.id)).body.includes('og:image');
    await editRow(server, 'UPDATE accounts SET unlistedPreviews = 1 WHERE id = ?', owner.accountId);
    expect(await tells()).toBe(true);
    await editRow(server, 'UPDATE accounts SET unlistedPreviews = 0 WHERE id = ?', owner.accountId);
    expect(await tells()).toBe(false);
    await change(server, owner, item.id, { visibility: 'public' });
    expect(await tells()).toBe(true);
    await change(server, owner, item.id, { viewLimit: 9 });
    expect(await tells()).toBe(false);
    await change(server, owner, item.id, { viewLimit: null, password: 'correct horse battery' });
    expect(await tells()).toBe(false);
    await change(server, owner, item.id, { password: '', visibility: 'unlisted', oneTime: true });
    expect(await tells()).toBe(false);
  });
});

describe('Previews that are missing at a start', () => {
  it('are made for items that an older server has stored, and for those that a killed one has started', async () => {
    const data = temporaryFolder('previews');
    const first = await startServer({ data, config: PLENTY });
    const owner = await first.user();
    const picture = await publish(first, owner);
    const film = await publish(first, owner, {}, await readFile(await goodWebm()));
    await eventually(async () => expect((await read(first, owner, film.id)).body.previewUrl).not.toBeNull());
    await first.stop();
    // No item has them yet when the server is killed.
    await changeData(data, "UPDATE objects SET node = '' WHERE id IN (SELECT previewId FROM content)");
    await changeData(
      data,
      "UPDATE content SET previewId = NULL, previewWanted = 1, mediaStatus = CASE type WHEN 'VIDEO' THEN 'PROCESSING' ELSE 'READY' END",
    );
    const second = await startServer({ data, config: PLENTY });
    try {
      for (const { id } of [picture, film])
        await eventually(async () =>
          expect((await read(second, owner, id)).body).toMatchObject({
            mediaStatus: 'READY',
            previewUrl: `/api/media/${id}/preview`,
          }),
        );
      // The earlier previews belong to no item.
      await eventually(async () => expect((await objectFiles(data)).permanent).toHaveLength(4));
    } finally {
      await second.stop();
    }
  });
});
