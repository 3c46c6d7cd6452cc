/** Leftovers of a crash at unlucky moments, constructed by the test: no recording is lost, queued twice, or deleted. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { RecordingId } from '../../../src/api/ids.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import type { Cameras, ScreenCapturer } from '../../../src/engine/ports.ts';
import { openProfile } from '../../../src/engine/profile/open-profile.ts';
import { assembleRecording } from '../../../src/engine/recording/concat-segments.ts';
import { createRecordingService } from '../../../src/engine/recording/recording-service.ts';
import { openRecordingStore, type RecordingStore } from '../../../src/engine/recording/recording-store.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { until } from '../../support/engine.ts';
import { goodMp4, video } from '../../support/media/media.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { inState, never, openRecordingEngine, recordingsOf, untilIn } from '../../support/screen/recording-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('recording-leftovers');
const environment = { PATH: process.env['PATH'] };
const WHOLE = { startMs: 0, endMs: null, form: 'video' } as const;
const TWO_DAYS_S = 2 * 24 * 3_600;

/** A profile with a recording that was never put together; nothing tells of it but its folder. */
const leave = async (name: string, pieces = 1) => {
  const profileDir = join(root, name);
  const id = randomUUID() as string as RecordingId;
  const folder = join(recordingsOf(profileDir), id);
  mkdirSync(folder, { recursive: true });
  for (let piece = 0; piece < pieces; piece++) copyFileSync(await goodMp4(), join(folder, `${piece}.mp4`));
  return { profileDir, id, folder, inSpool: join(profileDir, 'spool', `${id}.mp4`) };
};

it('a crash between the file in the spool and the row in the queue shows it again, however long ago', async () => {
  const { profileDir, id, folder, inSpool } = await leave('between');
  const first = await openRecordingEngine(profileDir, { environment });
  await untilIn(first, 'review');
  await first.close();
  renameSync(join(folder, 'whole.mp4'), inSpool);
  const long = Date.now() / 1_000 - TWO_DAYS_S;
  utimesSync(inSpool, long, long);
  const engine = await openRecordingEngine(profileDir, { environment });
  expect((await untilIn(engine, 'review')).id).toBe(id);
  expect(readdirSync(engine.spoolDir)).toEqual([]);
  // The trimmed file of an earlier attempt is not mistaken for the whole recording.
  await engine.close();
  writeFileSync(inSpool, 'a cut');
  const again = await openRecordingEngine(profileDir, { environment });
  expect((await untilIn(again, 'review')).durationMs).toBeGreaterThan(1_900);
  expect(existsSync(inSpool)).toBe(false);
});

it('a crash between the row in the queue and deleting the folder queues nothing twice', async () => {
  const { profileDir, id, folder } = await leave('behind');
  const first = await openRecordingEngine(profileDir, { environment });
  await untilIn(first, 'review');
  expect((await first.recording.publish({ id, cut: WHOLE, share: {} })).ok).toBe(true);
  await first.close();
  mkdirSync(folder);
  const engine = await openRecordingEngine(profileDir, { environment });
  await until(() => !existsSync(folder) && engine.state().recording === null);
  expect(engine.state().queue.items).toHaveLength(1);
});

itWith('ffmpeg with WebP on this machine').each(['video', 'animation'] as const)(
  'one that is published as %s says so to whoever publishes it differently',
  async (form) => {
    const { profileDir, id } = await leave(`published-${form}`);
    const engine = await openRecordingEngine(profileDir, { environment });
    await untilIn(engine, 'review');
    const options = { format: 'webp', fps: 5, width: 64, startMs: 0, endMs: null, plays: 0 } as const;
    const asVideo = (title: string) => engine.recording.publish({ id, cut: WHOLE, share: { title } });
    const asAnimation = () => engine.animation.publish({ id, options }, never);
    expect(await (form === 'video' ? asVideo('first') : asAnimation())).toMatchObject({ ok: true });
    const queued = { ok: false, error: { code: 'CAPTURE_GONE', params: { place: 'queue' } } };
    expect(await Promise.all([asVideo('second'), asAnimation()])).toMatchObject([queued, queued]);
    expect(engine.state().queue.items).toHaveLength(1);
  },
);

it('several wait one after the other, the newest first', async () => {
  const { profileDir } = await leave('several');
  const other = await leave('several', 2);
  const engine = await openRecordingEngine(profileDir, { environment });
  await until(() => engine.state().recording?.state === 'review' && !existsSync(join(other.folder, '0.mp4')));
  const shown: string[] = [];
  for (let left = 2; left > 0; left--) {
    await untilIn(engine, 'review');
    shown.push(inState(engine, 'review').id);
    await engine.recording.discard({});
  }
  expect(new Set(shown).size).toBe(2);
  expect(engine.state().recording).toBeNull();
  expect(engine.state().notices).toEqual([]);
  expect(readdirSync(recordingsOf(profileDir))).toEqual([]);
});

describe('one that is recovered and published without a review', () => {
  /** An engine that publishes what it finds, and moves its monotonic clock ahead. */
  const open = async (name: string) => {
    // Its settings are made before there is a recording: a start looks for those on its own time.
    const empty = await openRecordingEngine(join(root, name), { environment });
    empty.settings.update({ reviewRecordings: false });
    await empty.close();
    const { profileDir, id } = await leave(name);
    let ahead = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
    const engine = await openRecordingEngine(profileDir, { environment }, { ports: { clock } });
    await until(() => engine.state().queue.items.length === 1 && engine.state().recording === null);
    const advance = (ms: number) => {
      ahead += ms;
    };
    return { engine, id, advance };
  };

  it('is returned once to a stop that comes soon after', async () => {
    const { engine, id } = await open('asked');
    expect(await engine.recording.stop({})).toEqual(ok({ id }));
    expect(await engine.recording.stop({})).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  });

  it('is not mistaken for one that waits an hour later', async () => {
    const { engine, advance } = await open('an-hour');
    advance(3_600_000);
    expect(await engine.recording.stop({})).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  });
});

it('one that cannot be recovered is reported, and does not keep the others from the user', async () => {
  const { profileDir, id, folder } = await leave('among-others');
  const startedAt = Date.now() + 60_000;
  const state = { after: 'review', state: 'recording', isRecovered: false, lengths: [], encoding: null };
  writeFileSync(join(folder, 'info.json'), JSON.stringify({ name: 'Recording.mp4', startedAt, ...state }));
  // No folder: it is older, and reading it fails.
  writeFileSync(join(recordingsOf(profileDir), randomUUID()), '');
  const engine = await openRecordingEngine(profileDir, { environment });
  expect((await untilIn(engine, 'review')).id).toBe(id);
  await until(() => engine.state().notices.some(({ code }) => code === 'APP_FAILED'));
});

it('a folder of recordings that cannot be read is reported', async () => {
  const profileDir = join(root, 'no-folder');
  mkdirSync(profileDir);
  writeFileSync(recordingsOf(profileDir), 'not a folder');
  const engine = await openRecordingEngine(profileDir, { environment });
  await until(() => engine.state().notices.some(({ detail }) => detail.startsWith('Saved recordings')));
});

it('unreadable recordings are kept and reported; empty ones are deleted', async () => {
  const { profileDir, folder } = await leave('unreadable', 0);
  writeFileSync(join(folder, '0.mp4'), Buffer.alloc(100_000, 7));
  const empty = await leave('unreadable', 0);
  writeFileSync(join(empty.folder, '0.mp4'), '');
  const engine = await openRecordingEngine(profileDir, { environment });
  await until(() => !existsSync(folder) && !existsSync(empty.folder));
  expect(existsSync(join(`${folder}.damaged`, '0.mp4'))).toBe(true);
  await until(() => engine.state().notices.length > 0);
  expect(engine.state().notices).toMatchObject([{ code: 'VIDEO_UNREADABLE' }]);
  expect(engine.state().notices[0]?.detail).toContain(`${folder}.damaged`);
});

describe('one that was discarded', () => {
  it.each([
    ['while it was recorded', 'recording', '0.mp4'],
    ['in its review', 'ended', 'whole.mp4'],
  ])('%s is deleted by the next start, and is neither shown nor published', async (_, state, file) => {
    const { profileDir, folder } = await leave(`discarded-${state}`, 0);
    copyFileSync(await goodMp4(), join(folder, file));
    const info = { after: 'settings', state, isRecovered: false, lengths: [], encoding: null, isDiscarded: true };
    writeFileSync(join(folder, 'info.json'), JSON.stringify({ name: 'Recording.mp4', startedAt: 1, ...info }));
    const engine = await openRecordingEngine(profileDir, { environment });
    const shown: unknown[] = [];
    engine.on((event) => void (event.type === 'state' && shown.push(event.state.recording?.state)));
    await until(() => !existsSync(folder) && engine.state().recording === null);
    expect(shown).not.toContain('review');
    expect(engine.state().queue.items).toEqual([]);
    expect(engine.state().notices).toEqual([]);
  });

  it.each([
    ['while it is assembled', 1],
    ['just after it was assembled', 2],
  ])('%s is deleted, and not published though no review is wanted', async (_, look) => {
    const { profileDir, id, folder } = await leave(`discarded-at-${look}`);
    const store = openRecordingStore(profileDir);
    const [begun, discarded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looks = 0;
    const segmentPaths: RecordingStore['segmentPaths'] = async (recording) => {
      looks += 1;
      if (looks === look) begun.resolve();
      if (looks === look) await discarded.promise;
      return store.segmentPaths(recording);
    };
    const opened = openProfile(profileDir, systemClock);
    if (!opened.ok) throw new Error(opened.error.detail);
    const added: unknown[] = [];
    const service = createRecordingService({
      ...({ platform: 'linux', environment, clock: systemClock, random: systemRandom } as const),
      ...{ spoolDir: join(profileDir, 'spool'), freeBytes: async () => 1e12, limits: () => null },
      ...{ capturer: {} as ScreenCapturer, cameras: {} as Cameras, inputDisplay: null, ffmpeg: async () => null },
      recordingStore: { ...store, segmentPaths },
      profile: opened.value,
      settings: () => ({ ...DEFAULT_SETTINGS, reviewRecordings: false }),
      async add(items) {
        added.push(...items);
        return ok([]);
      },
      refusalOf: () => null,
      isQueued: () => false,
      ...{ onChange() {}, notify() {}, withdraw() {} },
    });
    const recovered = service.resume();
    await begun.promise;
    const answer = service.commands.discard({ id });
    // It is noted before anything else happens: a crash here publishes nothing at the next start.
    await until(() => existsSync(join(folder, 'info.json')));
    expect((await store.list(() => {})).map(({ info }) => info.isDiscarded)).toEqual([true]);
    discarded.resolve();
    expect(await answer).toEqual(ok({}));
    await recovered;
    expect(added).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    await service.close();
    opened.value.close();
  });
});

it('a segment keeps its end where its noted length was measured by a clock that stood still', async () => {
  const { profileDir, folder } = await leave('clock-stood-still', 0);
  const small = { size: '96x54', rate: 5, sounds: 0, args: ['-c:v', 'libx264', '-bf', '0', '-pix_fmt', 'yuv420p'] };
  for (const [index, seconds] of [12, 2].entries())
    copyFileSync(await video('small.mp4', { ...small, seconds }), join(folder, `${index}.mp4`));
  const state = { after: 'review', state: 'ended', isRecovered: false, lengths: [3_000, 1_000], encoding: null };
  writeFileSync(join(folder, 'info.json'), JSON.stringify({ name: 'Recording.mp4', startedAt: 1, ...state }));
  const recordingStore = openRecordingStore(profileDir);
  const [found] = await recordingStore.list(() => {});
  const assembled = found && (await assembleRecording(found, recordingStore, soon()));
  expect(assembled?.durationMs).toBe(13_000);
});

/** Bytes of which no frame can be read; too many to be headers alone. */
const DAMAGED = Buffer.alloc(100_000, 7);

it('a damaged whole recording is kept and reported, also where its segments are gone', async () => {
  const { profileDir, folder } = await leave('unreadable-whole', 0);
  writeFileSync(join(folder, 'whole.mp4'), DAMAGED);
  const engine = await openRecordingEngine(profileDir, { environment });
  await until(() => !existsSync(folder) && engine.state().notices.length > 0);
  expect(readdirSync(`${folder}.damaged`)).toEqual(['whole.mp4']);
  expect(engine.state().notices).toMatchObject([{ code: 'VIDEO_UNREADABLE' }]);
});

it('the segments of a damaged whole recording are kept with it', async () => {
  const { profileDir, folder } = await leave('unreadable-with-segments');
  writeFileSync(join(folder, 'whole.mp4'), DAMAGED);
  await openRecordingEngine(profileDir, { environment });
  await until(() => !existsSync(folder));
  expect(readdirSync(`${folder}.damaged`).sort()).toEqual(['0.mp4', 'whole.mp4']);
});

it('an unreadable segment among others is kept and reported; an empty one is not', async () => {
  const { profileDir, folder } = await leave('unreadable-segment');
  writeFileSync(join(folder, '1.mp4'), DAMAGED);
  // Its boxes are intact, but a power cut has lost its frames.
  const frameless = readFileSync(await goodMp4());
  const media = frameless.indexOf('mdat');
  frameless.fill(0, media + 4, media - 4 + frameless.readUInt32BE(media - 4));
  writeFileSync(join(folder, '2.mp4'), frameless);
  writeFileSync(join(folder, '3.mp4'), '');
  const engine = await openRecordingEngine(profileDir, { environment });
  const { durationMs } = await untilIn(engine, 'review');
  expect(durationMs).toBeGreaterThan(1_900);
  const aside = `${folder}.segments.damaged`;
  expect(readdirSync(aside).sort()).toEqual(['1.mp4', '2.mp4']);
  expect(existsSync(join(folder, '0.mp4'))).toBe(false);
  const damaged = engine.state().notices.find(({ code }) => code === 'VIDEO_UNREADABLE');
  expect(damaged?.detail).toContain(aside);
  await engine.recording.discard({});
  expect(readdirSync(recordingsOf(profileDir))).toEqual([`${basename(folder)}.segments.damaged`]);
});

itWith('folder that fails to be read as a file').each(['1.mp4', 'whole.mp4'])(
  'where %s cannot be read now, nothing is deleted and the next start tries again',
  async (name) => {
    const { profileDir, id, folder } = await leave(`refused-${name}`);
    // Like a file that the system refuses: a folder cannot be read.
    mkdirSync(join(folder, name));
    const first = await openRecordingEngine(profileDir, { environment });
    await until(() => first.state().notices.length > 0);
    expect(first.state().notices).toMatchObject([{ code: 'APP_FAILED' }]);
    await first.close();
    expect(readdirSync(folder).sort()).toEqual(['0.mp4', name]);
    rmdirSync(join(folder, name));
    copyFileSync(await goodMp4(), join(folder, name));
    const engine = await openRecordingEngine(profileDir, { environment });
    expect((await untilIn(engine, 'review')).id).toBe(id);
  },
);
