/**
 * Assembles the recording feature: the active recording, recordings in review, and recovery after a crash. A recording
 * is deleted only when it, a part of it or its animated image is queued, when the user discards it or when it has no
 * content; it is queued at most once.
 */

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { diskFull, diskFullOrThrow, failureOfThrown, isDiskFull } from '../../common/disk-full.ts';
import { Area } from '../../ipc/protocol/capture.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Recording, TrimRange } from '../../ipc/protocol/recording.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { DONE, done } from '../empty-result.ts';
import type { NewItem } from '../engine-interface.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { assembleRecording } from './concat-segments.ts';
import type { RecordingMetadata } from './probe-recording.ts';
import type { RecordingApi } from './recording-interface.ts';
import { createSession, type SessionDeps } from './recording-session.ts';
import { createRecordingSetup, defaultEncoding, type RecordingSetupDeps } from './recording-setup.ts';
import type { StoredRecording } from './recording-store.ts';
import { createScreenCastTokens } from './screen-cast.ts';
import { trimRecording } from './trim.ts';

export interface RecordingService {
  state(): Recording | null;
  /** Whether a recording is active, so that no other can start. */
  isRunning(): boolean;
  readonly commands: RecordingApi;
  /** Errors: CAPTURE_GONE, which says so where it is in the queue. */
  inReview(id: RecordingId): Result<{ readonly path: string; readonly name: string }>;
  /** Deletes a recording in whose place something else is published. */
  replaced(id: RecordingId): Promise<void>;
  /** Recovers the recordings of an earlier process. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface RecordingDeps
  extends Omit<SessionDeps, 'recordingSetup' | 'onEnded'>,
    Omit<RecordingSetupDeps, 'lastRegion' | 'tokens'> {
  readonly profile: Profile;
  readonly settings: () => Settings;
  readonly add: (items: readonly NewItem[]) => Promise<Result<readonly ItemId[]>>;
  /** Why the queue would refuse these link settings; null: it would not. */
  readonly refusalOf: (share: LinkSettings) => Failure | null;
  /** Whether an item of the queue has this file. */
  readonly isQueued: (path: string) => boolean;
  /** As in `EngineDeps`. */
  readonly leftRecordings?: 'review' | undefined;
}

interface PendingRecording {
  readonly recording: StoredRecording;
  readonly metadata: RecordingMetadata;
}

interface QueuedRecording {
  readonly item: ItemId;
  readonly cut: TrimRange;
  readonly share: LinkSettings;
}

const QUEUED_OTHERWISE = err(
  failure(
    'CAPTURE_GONE',
    'This recording is in the queue already, with other settings. They can be changed when it has a link.',
    { params: { place: 'queue' } },
  ),
);
const UNTRIMMED: TrimRange = { startMs: 0, endMs: null, form: 'video' };
/** Players round the end to milliseconds. */
const END_MS = 20;
/** How long `stop` still returns a recording that has ended by itself and is published already. */
const A_MOMENT_MS = 60_000;
/** A smaller file contains only headers. */
const CONTENT_BYTES = 32 * 1024;

export const createRecordingService = (deps: RecordingDeps): RecordingService => {
  const { spoolDir, recordingStore, onChange, notify } = deps;
  const lastRegion = createPersistedValue(deps.profile, 'lastRegion', Area);
  const recordingSetup = createRecordingSetup({
    ...deps,
    tokens: createScreenCastTokens(deps.profile),
    lastRegion: lastRegion.read,
  });
  const closing = new AbortController();
  /** The newest last. */
  const pending = new Map<RecordingId, PendingRecording>();
  /** Recordings that are being assembled or trimmed. */
  const working = new Map<RecordingId, Promise<unknown>>();
  /** Recordings that are being assembled. */
  const assembling = new Map<RecordingId, StoredRecording>();
  /** Those of them that the user has discarded: they are not queued. */
  const unwanted = new Set<RecordingId>();
  const queued = new Map<RecordingId, QueuedRecording>();
  /** Recordings whose animated image was queued in their place. */
  const replaced = new Set<RecordingId>();
  /** Recordings that ended and could not be finished. */
  const unfinished = new Map<RecordingId, Failure>();
  /** The latest that ended by itself, or by a crash, and that no `stop` has returned. */
  let unclaimed: { readonly id: RecordingId; readonly since: number } | null = null;
  const leaveUnclaimed = ({ id }: StoredRecording): void => {
    unclaimed = { id, since: deps.clock.monotonic() };
  };

  const notifyUnfinished = (id: RecordingId, error: Error): void => {
    const detail = `A recording is saved and will be finished at the next start: ${error.message}`;
    const reported = failureOfThrown(error, detail);
    unfinished.set(id, reported);
    notify(reported);
  };

  const session = createSession({
    ...deps,
    recordingSetup,
    onEnded(recording) {
      leaveUnclaimed(recording);
      finish(recording).catch((error: Error) => notifyUnfinished(recording.id, error));
    },
  });

  const work = <T>(id: RecordingId, job: () => Promise<T>): Promise<T> => {
    const done = job().finally(() => {
      working.delete(id);
      onChange();
    });
    working.set(id, done);
    onChange();
    return done;
  };

  /** Waits until it is neither being assembled nor trimmed, whatever the outcome. */
  const untilIdle = async (id: RecordingId): Promise<void> => {
    for (let busy = working.get(id); busy; busy = working.get(id)) await busy.catch(() => {});
  };

  const spooled = (id: RecordingId) => join(spoolDir, `${id}.mp4`);

  const remove = async ({ id }: StoredRecording): Promise<void> => {
    const recording = pending.get(id)?.recording;
    pending.delete(id);
    onChange();
    if (recording) await recordingStore.remove(recording);
    if (![...pending.values()].some(({ recording: { info } }) => info.isRecovered))
      deps.withdraw('RECORDING_RECOVERED');
  };

  /** Moves a finished file into the queue. Errors: those of `add`. */
  const queue = async (
    { recording }: PendingRecording,
    path: string,
    cut: TrimRange,
    share: LinkSettings,
  ): Promise<Result<ItemId>> => {
    const { id, info, file } = recording;
    const inSpool = spooled(id);
    await rename(path, inSpool);
    const source = { owner: 'spool', path: inSpool } as const;
    const job = cut.form === 'loop' ? ({ kind: 'file', fit: 'clip' } as const) : undefined;
    const added = await deps.add([{ source, name: info.name, share, origin: 'recording', ...(job && { job }) }]);
    const item = added.ok ? added.value[0] : undefined;
    if (item === undefined) {
      if (path === file) await rename(inSpool, file);
      else await rm(inSpool, { force: true });
      return added.ok ? err(failure('APP_FAILED', 'The recording could not be added to the queue. Try again.')) : added;
    }
    queued.set(id, { item, cut, share });
    await remove(recording);
    return ok(item);
  };

  const cutTools = {
    async ffmpeg() {
      const found = await recordingSetup.tools(closing.signal);
      return found.ok ? ok({ ffmpeg: found.value.ffmpeg, everyFrame: found.value.tools.everyFrame }) : found;
    },
  };

  const publish = async (one: PendingRecording, cut: TrimRange, share: LinkSettings): Promise<Result<ItemId>> => {
    const { recording, metadata } = one;
    const isUntrimmed = cut.startMs === 0 && (cut.endMs === null || cut.endMs >= metadata.durationMs - END_MS);
    if (isUntrimmed) return queue(one, recording.file, cut, share);
    if ((await deps.freeBytes(spoolDir)) < 2 * metadata.bytes) return err(diskFull());
    const target = join(recording.folder, 'cut.mp4');
    const encoding = recording.info.encoding ?? defaultEncoding(metadata);
    const request = { ...cut, source: recording.file, encoding, folder: recording.folder, target };
    const done = await trimRecording(request, cutTools, closing.signal);
    if (done.ok) return queue(one, target, cut, share);
    await rm(target, { force: true });
    return done;
  };

  /** Handles a recording without a readable frame: deletes it, or moves it aside if it has content. */
  const handleUnreadable = async (recording: StoredRecording): Promise<Result<never>> => {
    const nothing = failure('CAPTURE_GONE', 'The recording ended before anything was recorded.');
    const whole = existsSync(recording.file) ? [recording.file] : [];
    const kept = await withContent([...whole, ...(await recordingStore.segmentPaths(recording))]);
    if (kept.length === 0) {
      await recordingStore.remove(recording);
      return err(nothing);
    }
    const path = await recordingStore.setAside(recording);
    const damaged = failure(
      'VIDEO_UNREADABLE',
      `A recording contains no readable frame. Its files are kept in ${path}.`,
    );
    notify(damaged);
    return err(damaged);
  };

  /** The folder is deleted with the recording, but segments without a readable frame are in no other file. */
  const keepUnreadableSegments = async (recording: StoredRecording): Promise<void> => {
    const kept = await withContent(await recordingStore.segmentPaths(recording));
    if (kept.length === 0) return;
    const path = await recordingStore.setSegmentsAside(recording, kept);
    const detail = `A part of a recording contains no readable frame. Its files are kept in ${path}.`;
    notify(failure('VIDEO_UNREADABLE', detail));
  };

  const removeUnwanted = async (recording: StoredRecording): Promise<Result<RecordingId>> => {
    await recordingStore.remove(recording);
    return ok(recording.id);
  };

  /** Assembles the recording; then the settings decide between review and publishing. */
  const assemble = async (recording: StoredRecording): Promise<Result<RecordingId>> => {
    try {
      const metadata = await assembleRecording(recording, recordingStore, closing.signal);
      if (unwanted.has(recording.id)) return await removeUnwanted(recording);
      if (!metadata) return await handleUnreadable(recording);
      await keepUnreadableSegments(recording);
      if (unwanted.has(recording.id)) return await removeUnwanted(recording);
      const one: PendingRecording = { recording, metadata };
      pending.set(recording.id, one);
      if (recording.info.after === 'review' || deps.settings().reviewRecordings) return ok(recording.id);
      const added = await queue(one, recording.file, UNTRIMMED, {});
      if (!added.ok) notify(added.error);
      return ok(recording.id);
    } catch (error) {
      if (closing.signal.aborted) return err(failure('CANCELLED', 'The recording will be finished at the next start.'));
      if (!isDiskFull(error)) throw error;
      if (unwanted.has(recording.id)) return await removeUnwanted(recording);
      const detail =
        'There is not enough disk space to finish the recording. Free some space and start Linkshot again.';
      notify(failure('RECORDING_INTERRUPTED', detail, { params: { by: 'disk' } }));
      return err(diskFull());
    }
  };

  const deliver = async (recording: StoredRecording): Promise<Result<RecordingId>> => {
    assembling.set(recording.id, recording);
    const delivered = await assemble(recording).finally(() => assembling.delete(recording.id));
    if (!delivered.ok) unfinished.set(recording.id, delivered.error);
    return delivered;
  };

  const finish = (recording: StoredRecording) => work(recording.id, () => deliver(recording));

  /** Takes the recording that ended by itself, if that was a moment before this time. */
  const claim = (askedAt: number): RecordingId | undefined => {
    const claimed = unclaimed;
    unclaimed = null;
    return claimed && askedAt - claimed.since < A_MOMENT_MS ? claimed.id : undefined;
  };

  /** The named recording, which is no longer active; waits until it is finished. */
  const ended = async (id: RecordingId): Promise<Result<{ id: RecordingId }>> => {
    // Where another process has recorded it, this one recovers it first.
    await resumed;
    await untilIdle(id);
    if (unclaimed?.id === id) unclaimed = null;
    if (pending.has(id) || queued.has(id)) return ok({ id });
    return err(unfinished.get(id) ?? failure('CAPTURE_GONE', 'The recording was discarded.'));
  };

  const newest = (): PendingRecording | undefined =>
    [...pending.values()].findLast(({ recording }) => !working.has(recording.id));

  /** A process that died after moving the file and before writing the queue row left it in the spool. */
  const reclaim = async ({ id, file }: StoredRecording): Promise<'queued' | 'ours'> => {
    const path = spooled(id);
    if (deps.isQueued(path)) return 'queued';
    if (!existsSync(path)) return 'ours';
    if (existsSync(file)) await rm(path, { force: true });
    else await rename(path, file);
    return 'ours';
  };

  const recover = async (found: StoredRecording): Promise<void> => {
    // Where it is still locked, the next start tries again.
    if (found.info.isDiscarded) return recordingStore.remove(found).catch(() => {});
    if ((await reclaim(found)) === 'queued') return recordingStore.remove(found);
    const isCrashed = found.info.state === 'recording';
    // An open review stays one; for the rest the settings decide.
    const after = existsSync(found.file) ? 'review' : (deps.leftRecordings ?? found.info.after);
    const isRecovered = found.info.isRecovered || isCrashed;
    const recording: StoredRecording = { ...found, info: { ...found.info, after, isRecovered } };
    leaveUnclaimed(recording);
    const delivered = await deliver(recording);
    if (!delivered.ok || unwanted.has(recording.id)) return;
    if (pending.has(recording.id)) await recordingStore.note(recording, { state: 'ended' });
    if (!isCrashed) return;
    const detail = 'A recording was interrupted. Everything recorded until then is saved.';
    notify(failure('RECORDING_RECOVERED', detail, { params: { name: recording.info.name } }));
  };

  const notifyUnlisted = (error: Error): void => {
    const detail = `Saved recordings could not be read; the next start tries again: ${error.message}`;
    notify(failureOfThrown(error, detail));
  };

  const recoverAll = async (): Promise<void> => {
    const left = await recordingStore.list(notifyUnlisted).catch((error: Error) => {
      notifyUnlisted(error);
      return [];
    });
    // One that fails does not keep the others from the user.
    for (const found of left)
      await work(found.id, () => recover(found)).catch((error: Error) => notifyUnfinished(found.id, error));
  };
  let resumed: Promise<void> = Promise.resolve();

  const goneOf = (id: RecordingId): Result<never> =>
    queued.has(id) || replaced.has(id)
      ? QUEUED_OTHERWISE
      : err(failure('CAPTURE_GONE', 'This recording no longer exists.'));

  const inReview: RecordingService['inReview'] = (id) => {
    const recording = pending.get(id)?.recording;
    return recording ? ok({ path: recording.file, name: recording.info.name }) : goneOf(id);
  };

  const commands: RecordingApi = {
    async start({ share = {}, ...request }, signal) {
      const refusal = deps.refusalOf(share);
      return refusal ? err(refusal) : withId(await session.start(request, signal));
    },
    pause: async () => done(await session.pause()),
    resume: async () => done(await session.resume()),
    async stop({ id: named }) {
      const active = await session.end(named);
      if (!active.ok) return active;
      if (active.value) return withId(await finish(active.value));
      if (named !== undefined) return ended(named);
      // It ended by itself a moment ago, is being finished, or is in review since an earlier start.
      const askedAt = deps.clock.monotonic();
      const finishing = [...working.keys()].at(-1);
      await Promise.allSettled([resumed, ...working.values()]);
      const latest = claim(askedAt) ?? finishing;
      const id = newest()?.recording.id ?? (latest && queued.has(latest) ? latest : undefined);
      return id ? ok({ id }) : err(failure('CAPTURE_GONE', 'Nothing is being recorded.'));
    },
    async publish({ id, cut, share = {} }) {
      // An idle one is taken in the same turn: a second request finds it at work.
      while (working.has(id)) await untilIdle(id);
      const before = queued.get(id);
      if (before) return isAnsweredBy(before, cut, share) ? ok({ item: before.item }) : QUEUED_OTHERWISE;
      const one = pending.get(id);
      if (!one) return goneOf(id);
      const published = await work(id, () => publish(one, cut, share).catch(diskFullOrThrow));
      return published.ok ? ok({ item: published.value }) : published;
    },
    async discard({ id: named }) {
      if (await session.discard(named)) return DONE;
      const ending = named && assembling.get(named);
      if (ending) {
        unwanted.add(ending.id);
        // Whoever dies before it is assembled must not publish it at the next start.
        await recordingStore.note(ending, { isDiscarded: true }).catch(() => {});
      }
      await (named === undefined ? Promise.allSettled(working.values()) : untilIdle(named));
      const one = named === undefined ? newest() : pending.get(named);
      if (one) await remove(one.recording);
      return DONE;
    },
    async sounds(_, signal) {
      const found = await recordingSetup.sounds(signal);
      return found.ok ? ok({ sounds: [...found.value] }) : found;
    },
    async cameras(_, signal) {
      const found = await recordingSetup.cameras(signal);
      return found.ok ? ok({ cameras: [...found.value] }) : found;
    },
    file: (id) => pending.get(id)?.recording.file ?? null,
  };

  return {
    commands,
    inReview,
    async replaced(id) {
      const one = pending.get(id);
      if (!one) return;
      replaced.add(id);
      await remove(one.recording);
    },
    isRunning: () => session.state() !== null,
    state() {
      const active = session.state();
      if (active) return active;
      const [id] = working.keys();
      if (id) return { state: 'finishing', id };
      const one = newest();
      if (!one) return null;
      const { id: waitingId, info } = one.recording;
      const { keyFramesMs, ...metadata } = one.metadata;
      return {
        ...{ state: 'review', id: waitingId, name: info.name, isRecovered: info.isRecovered },
        ...{ ...metadata, keyFramesMs: [...keyFramesMs] },
      };
    },
    resume() {
      resumed = recoverAll();
      return resumed;
    },
    async close() {
      await session.close();
      closing.abort();
      await Promise.allSettled(working.values());
    },
  };
};

/** A repeated request, or one that sets nothing. */
const isAnsweredBy = (before: QueuedRecording, cut: TrimRange, share: LinkSettings): boolean =>
  (isDeepStrictEqual(cut, before.cut) && isDeepStrictEqual(share, before.share)) ||
  (isDeepStrictEqual(cut, UNTRIMMED) && isDeepStrictEqual(share, {}));

const withId = (result: Result<RecordingId>): Result<{ id: RecordingId }> =>
  result.ok ? ok({ id: result.value }) : result;

/** The files that are more than headers. */
const withContent = async (paths: readonly string[]): Promise<readonly string[]> => {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return paths.filter((_, index) => (sizes[index] ?? 0) >= CONTENT_BYTES);
};
