/** Animated images of a recording in review, with real ffmpeg: saved, published, stopped. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import type { ItemId, RecordingId } from '../../../src/api/ids.ts';
import { createAnimationCommands } from '../../../src/engine/animation/animation-commands.ts';
import type { EngineEvent, NewItem } from '../../../src/engine/engine-interface.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { createFindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { AnimationOptions } from '../../../src/ipc/protocol/animation.ts';
import { video } from '../../support/media/media.ts';
import { itWith } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('animation');
const never = new AbortController().signal;
const ID = 'recording-1' as RecordingId;
const OPTIONS: AnimationOptions = { format: 'webp', fps: 10, width: 160, startMs: 0, endMs: null, plays: 0 };
const GIF = { ...OPTIONS, format: 'gif' } as const;
const SHARE = { visibility: 'private' } as const;
const GONE = err(failure('CAPTURE_GONE', 'Gone.'));

const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' ');
let number = 0;
/** One that ran two seconds, in a spool of its own. */
const open = async ({
  isQueueOpen = true,
  configured = null as string | null,
  afterEncode = (): unknown => null,
} = {}) => {
  const spoolDir = join(root, `spool-${++number}`);
  mkdirSync(spoolDir);
  const path = join(root, `recording-${number}.mp4`);
  await copyFile(await video('animated.mp4', { seconds: 2, sounds: 0, args: H264 }), path);
  const events: EngineEvent[] = [];
  const items: NewItem[] = [];
  const replaced: { id: RecordingId | null } = { id: null };
  const replace = (id = ID): void => {
    replaced.id = id;
    rmSync(path);
  };
  const service = createAnimationCommands({
    ...{ random: systemRandom, spoolDir, openSource, emit: (event) => events.push(event) },
    async ffmpeg(signal) {
      const found = await createFindFfmpeg({ configured, environment: process.env })(signal);
      if (found === null) return null;
      return {
        ...found,
        async run(args, options, runSignal) {
          const ran = await found.run(args, options, runSignal);
          if (args.includes('libwebp_anim')) await afterEncode();
          return ran;
        },
      };
    },
    recordings: {
      inReview: (id) => (id === ID && replaced.id === null ? ok({ path, name: 'Recording 12.00.mp4' }) : GONE),
      replaced: async (id) => replace(id),
    },
    async save(from, name) {
      await copyFile(from, join(root, name));
      return ok(join(root, name));
    },
    async add(added) {
      if (!isQueueOpen) return err(failure('DISK_FULL', 'Full.'));
      items.push(...added);
      return ok(['item-1' as ItemId]);
    },
  });
  return { ...service.commands, events, items, spoolDir, replace, isReplaced: () => replaced.id === ID };
};

const partsIn = (events: readonly EngineEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'animating' ? [event.part] : []));

it('is saved beside screenshots, and the recording stays', async () => {
  const { save, events, spoolDir, isReplaced } = await open();
  const saved = await save({ id: ID, options: GIF }, never);
  expect(saved).toEqual({ ok: true, value: { savedTo: join(root, 'Recording 12.00.gif') } });
  const facts = await sharp(join(root, 'Recording 12.00.gif')).metadata();
  expect(facts).toMatchObject({ format: 'gif', width: 160, pages: 20 });
  const parts = partsIn(events);
  expect(parts.length).toBeGreaterThan(0);
  expect([parts.every((part, index) => part >= (parts[index - 1] ?? 0)), parts.at(-1)]).toEqual([true, 1]);
  expect(isReplaced()).toBe(false);
  expect(readdirSync(spoolDir)).toEqual([]);
});

itWith('ffmpeg with WebP on this machine')(
  'is published in place of the recording, from the spool and closed to others',
  async () => {
    const { publish, items, spoolDir, isReplaced } = await open();
    expect(await publish({ id: ID, options: OPTIONS, share: SHARE }, never)).toEqual(ok({ item: 'item-1' }));
    expect(items).toMatchObject([
      { name: 'Recording 12.00.webp', share: SHARE, origin: 'recording', source: { owner: 'spool' } },
    ]);
    const [{ source } = { source: null }] = items;
    const path = source !== null && 'path' in source ? source.path : '';
    expect(readdirSync(spoolDir).map((name) => join(spoolDir, name))).toEqual([path]);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await sharp(readFileSync(path)).metadata()).toMatchObject({ format: 'webp', width: 160, loop: 0 });
    expect(isReplaced()).toBe(true);
  },
);

itWith('ffmpeg with WebP on this machine')(
  'keeps the recording and leaves nothing where the queue takes nothing',
  async () => {
    const { publish, spoolDir, isReplaced } = await open({ isQueueOpen: false });
    expect(await publish({ id: ID, options: OPTIONS }, never)).toMatchObject({ error: { code: 'DISK_FULL' } });
    expect([readdirSync(spoolDir), isReplaced()]).toEqual([[], false]);
  },
);

it('refuses to publish a GIF, and what is not in review', async () => {
  const { publish, save, predict } = await open();
  const gif = await publish({ id: ID, options: GIF }, never);
  expect(gif).toMatchObject({ error: { code: 'COMMAND_INVALID', detail: expect.stringContaining('Choose WebP') } });
  const other = { id: 'recording-2' as RecordingId, options: OPTIONS };
  for (const command of [publish, save, predict])
    expect(await command(other, never)).toMatchObject({ error: { code: 'CAPTURE_GONE' } });
});

it.each(['exists', 'is in no folder'])('is not made for a new file that cannot be saved: it %s', async (what) => {
  const { make, events } = await open();
  const [kept, missing] = [join(root, 'kept.gif'), join(root, 'none', 'new.gif')];
  writeFileSync(kept, 'kept');
  const path = await video('animated.mp4', { seconds: 2, sounds: 0, args: H264 });
  const made = await make({ path, out: what === 'exists' ? kept : missing, options: GIF }, never);
  expect(made).toMatchObject({ ok: false, error: { code: 'SAVE_FAILED' } });
  expect(partsIn(events)).toEqual([]);
  expect(readFileSync(kept, 'utf8')).toBe('kept');
});

it('stops, and leaves nothing', async () => {
  const { save, stop, spoolDir } = await open();
  const saving = save({ id: ID, options: { ...OPTIONS, fps: 30, width: null } }, never);
  await stop();
  expect(await saving).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(readdirSync(spoolDir)).toEqual([]);
});

it('that is stopped when its last frame is written is not published, and the recording stays', async () => {
  const opened: Awaited<ReturnType<typeof open>> = await open({ afterEncode: () => opened.stop() });
  expect(await opened.publish({ id: ID, options: OPTIONS }, never)).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(opened.items).toEqual([]);
  expect(opened.isReplaced()).toBe(false);
  expect(readdirSync(opened.spoolDir)).toEqual([]);
});

itWith('ffmpeg with WebP on this machine')('is published once where two pages do so at the same time', async () => {
  const { publish, items, spoolDir } = await open();
  const share = { visibility: 'public' } as const;
  const published = await Promise.all([
    publish({ id: ID, options: OPTIONS, share: SHARE }, never),
    publish({ id: ID, options: OPTIONS, share }, never),
  ]);
  expect(published).toEqual([ok({ item: 'item-1' }), GONE]);
  expect(items).toMatchObject([{ share: SHARE }]);
  expect(readdirSync(spoolDir)).toHaveLength(1);
});

itWith('ffmpeg with WebP on this machine')(
  'is not published beside a video that another page has published',
  async () => {
    const opened: Awaited<ReturnType<typeof open>> = await open({ afterEncode: () => opened.replace() });
    expect(await opened.publish({ id: ID, options: OPTIONS }, never)).toEqual(GONE);
    expect([opened.items, readdirSync(opened.spoolDir)]).toEqual([[], []]);
  },
);

itWith('programs of Linux')('says what to choose where ffmpeg writes no WebP', async () => {
  const configured = join(root, 'ffmpeg-without-webp');
  const refuses = 'case "$*" in *libwebp_anim*) echo "Unknown encoder \'libwebp_anim\'" >&2; exit 1;; esac';
  writeFileSync(configured, `#!/bin/sh\n${refuses}\nexec ffmpeg "$@"\n`, { mode: 0o755 });
  const { publish, save, isReplaced } = await open({ configured });
  expect(await publish({ id: ID, options: OPTIONS }, never)).toMatchObject({
    error: { code: 'VIDEO_FIT_FAILED', detail: expect.stringContaining('Choose GIF') },
  });
  expect(isReplaced()).toBe(false);
  expect((await save({ id: ID, options: GIF }, never)).ok).toBe(true);
});

it('names the animated image where it is cancelled before its turn', async () => {
  const { save, stop } = await open();
  const waiting = [1, 2].map(() => save({ id: ID, options: OPTIONS }, never));
  await stop();
  for (const saved of await Promise.all(waiting))
    expect(saved).toMatchObject({ error: { code: 'CANCELLED', detail: 'The animated image was cancelled.' } });
});

it('predicts the newest choice; an older prediction ends', async () => {
  const { predict, spoolDir } = await open();
  const [older, newer] = await Promise.all([
    predict({ id: ID, options: GIF }, never),
    predict({ id: ID, options: { ...GIF, fps: 5 } }, never),
  ]);
  expect(older).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(newer).toMatchObject({ value: { format: 'gif', width: 160, frames: 10 } });
  expect(existsSync(join(spoolDir, 'animation'))).toBe(false);
});
