/**
 * The recording feature: the active recording, recordings in review, and recovery after a crash. Recorded video is lost
 * only by an explicit discard, and is queued at most once.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShareFields } from '../../api/content.ts';
import { type ErrorCode, err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { Area } from '../../ipc/protocol/capture.ts';
import type { Recording, TrimRange } from '../../ipc/protocol/recording.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { NewItem } from '../api.ts';
import { diskFull, isDiskFull, type Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { assemble } from './assemble-recording.ts';
import type { RecordingApi } from './recording-api.ts';
import { type RecordingMetadata, readRecordingMetadata } from './recording-metadata.ts';
import { createSession, type SessionDeps } from './recording-session.ts';
import { createRecordingSetup, type RecordingSetupDeps, usualMaking } from './recording-setup.ts';
import type { StoredRecording } from './recording-store.ts';
import { trimRecording } from './trim.ts';

export interface RecordingService {
  state(): Recording | null;
  /** Whether a recording is active, so that no other can start. */
  isRunning(): boolean;
  readonly commands: RecordingApi;
  /** Recovers the recordings of an earlier process. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface RecordingDeps
  extends Omit<SessionDeps, 'recordingSetup' | 'onEnded'>,
    Omit<RecordingSetupDeps, 'lastRegion'> {
  readonly profile: Profile;
  readonly settings: () => Settings;
  readonly add: (items: readonly NewItem[]) => Promise<Result<readonly ItemId[]>>;
  /** Whether an item of the queue has this file. */
  readonly isQueued: (path: string) => boolean;
  readonly withdraw: (code: ErrorCode) => void;
}

interface Waiting {
  readonly recording: StoredRecording;
  readonly facts: RecordingMetadata;
}

const WHOLE_CUT: TrimRange = { startMs: 0, endMs: null, form: 'video' };
/** Players round the end to milliseconds. */
const END_MS = 20;
/** A smaller file contains only headers. */
const WORTH_BYTES = 32 * 1024;

export const createRecordingService = (deps: RecordingDeps): RecordingService => {
  const { spoolDir, recordingStore, onChange, notify } = deps;
  const lastRegion = createPersistedValue(deps.profile, 'lastRegion', Area);
  const recordingSetup = createRecordingSetup({ ...deps, lastRegion: lastRegion.read });
  const closing = new AbortController();
  /** The newest last. */
  const waiting = new Map<RecordingId, Waiting>();
  /** Recordings that are being assembled or trimmed. */
  const working = new Map<RecordingId, Promise<unknown>>();
  const queued = new Map<RecordingId, ItemId>();

  const session = createSession({
    ...deps,
    recordingSetup,
    onEnded(recording) {
      finish(recording).catch((error: Error) =>
        notify(failure('APP_FAILED', `A recording is kept, and put together at the next start: ${error.message}`)),
      );
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

  const spooled = (id: RecordingId) => join(spoolDir, `${id}.mp4`);

  const forget = async ({ id }: StoredRecording): Promise<void> => {
    const recording = waiting.get(id)?.recording;
    waiting.delete(id);
    onChange();
    if (recording) await recordingStore.remove(recording);
    if (![...waiting.values()].some(({ recording: { about } }) => about.isRecovered))
      deps.withdraw('RECORDING_RECOVERED');
  };

  /** Moves a finished file into the queue. Errors: those of `add`. */
  const queue = async (
    { recording }: Waiting,
    path: string,
    { form }: TrimRange,
    share: ShareFields,
  ): Promise<Result<ItemId>> => {
    const { id, about, whole } = recording;
    const inSpool = spooled(id);
    await rename(path, inSpool);
    const source = { owner: 'spool', path: inSpool } as const;
    const job = form === 'loop' ? ({ kind: 'file', fit: 'clip' } as const) : undefined;
    const added = await deps.add([{ source, name: about.name, share, origin: 'recording', ...(job && { job }) }]);
    const item = added.ok ? added.value[0] : undefined;
    if (item === undefined) {
      if (path === whole) await rename(inSpool, whole);
      else await rm(inSpool, { force: true });
      return added.ok ? err(failure('APP_FAILED', 'The recording got no place in the queue. Try again.')) : added;
    }
    queued.set(id, item);
    await forget(recording);
    return ok(item);
  };

  const cutTools = {
    async ffmpeg() {
      const found = await recordingSetup.tools(closing.signal);
      return found.ok ? ok({ ffmpeg: found.value.ffmpeg, everyFrame: found.value.tools.everyFrame }) : found;
    },
  };

  const publish = async (one: Waiting, cut: TrimRange, share: ShareFields): Promise<Result<ItemId>> => {
    const { recording, facts } = one;
    const isWhole = cut.startMs === 0 && (cut.endMs === null || cut.endMs >= facts.durationMs - END_MS);
    if (isWhole) return queue(one, recording.whole, cut, share);
    if ((await deps.freeBytes(spoolDir)) < 2 * facts.bytes) return err(diskFull());
    const target = join(recording.folder, 'cut.mp4');
    const making = recording.about.making ?? usualMaking(facts);
    const request = { ...cut, whole: recording.whole, making, folder: recording.folder, target };
    const done = await trimRecording(request, cutTools, closing.signal);
    if (done.ok) return queue(one, target, cut, share);
    await rm(target, { force: true });
    return done;
  };

  /** Handles a recording without a readable frame: deletes it, or moves it aside if it has content. */
  const giveUp = async (recording: StoredRecording): Promise<Result<never>> => {
    const nothing = failure('CAPTURE_GONE', 'It ended before anything was recorded.');
    const sizes = await Promise.all(
      (await recordingStore.pieces(recording)).map(async (path) => (await stat(path)).size),
    );
    if (Math.max(0, ...sizes) < WORTH_BYTES) {
      await recordingStore.remove(recording);
      return err(nothing);
    }
    const aside = await recordingStore.setAside(recording);
    const damaged = failure(
      'VIDEO_UNREADABLE',
      `No picture of a recording can be read. Its files are kept in ${aside}.`,
    );
    notify(damaged);
    return err(damaged);
  };

  /** Assembles the recording; then the settings decide between review and publishing. */
  const deliver = async (recording: StoredRecording): Promise<Result<RecordingId>> => {
    try {
      const isThere = await assemble(recording, recordingStore, closing.signal);
      const facts = isThere ? await readRecordingMetadata(recording.whole) : null;
      if (!facts) return await giveUp(recording);
      const one: Waiting = { recording, facts };
      waiting.set(recording.id, one);
      if (recording.about.after === 'review' || deps.settings().reviewRecordings) return ok(recording.id);
      const added = await queue(one, recording.whole, WHOLE_CUT, {});
      if (!added.ok) notify(added.error);
      return ok(recording.id);
    } catch (error) {
      if (closing.signal.aborted) return err(failure('CANCELLED', 'It is put together at the next start.'));
      if (!isDiskFull(error)) throw error;
      const detail =
        'There is not enough room to put the recording together. Free some space and start Linkshot again.';
      notify(failure('RECORDING_INTERRUPTED', detail, { params: { by: 'disk' } }));
      return err(diskFull());
    }
  };

  const finish = (recording: StoredRecording) => work(recording.id, () => deliver(recording));

  const newest = (): Waiting | undefined =>
    [...waiting.values()].findLast(({ recording }) => !working.has(recording.id));

  /** A process that died after moving the file and before writing the queue row left it in the spool. */
  const takeBack = async ({ id, whole }: StoredRecording): Promise<'queued' | 'ours'> => {
    const path = spooled(id);
    if (deps.isQueued(path)) return 'queued';
    if (!existsSync(path)) return 'ours';
    if (existsSync(whole)) await rm(path, { force: true });
    else await rename(path, whole);
    return 'ours';
  };

  const recover = async (found: StoredRecording): Promise<void> => {
    if ((await takeBack(found)) === 'queued') return recordingStore.remove(found);
    const isCrashed = found.about.state === 'recording';
    // An open review stays one; for the rest the settings decide.
    const after = existsSync(found.whole) ? 'review' : found.about.after;
    const isRecovered = found.about.isRecovered || isCrashed;
    const recording = { ...found, about: { ...found.about, after, isRecovered } };
    const delivered = await deliver(recording);
    if (!delivered.ok) return;
    if (waiting.has(recording.id)) await recordingStore.note(recording, { state: 'ended' });
    if (!isCrashed) return;
    const detail = 'A recording was interrupted. What was recorded until then is kept.';
    notify(failure('RECORDING_RECOVERED', detail, { params: { name: recording.about.name } }));
  };

  const recoverAll = async (): Promise<void> => {
    for (const found of await recordingStore.list()) await work(found.id, () => recover(found));
  };
  let resumed: Promise<void> = Promise.resolve();

  const commands: RecordingApi = {
    startRecording: session.start,
    pauseRecording: session.pause,
    resumeRecording: session.resume,
    async stopRecording() {
      const ended = await session.end();
      if (!ended.ok) return ended;
      if (ended.value) return finish(ended.value);
      // It ended by itself a moment ago, or is in review since an earlier start.
      await Promise.allSettled([resumed, ...working.values()]);
      const id = newest()?.recording.id ?? [...queued.keys()].at(-1);
      return id ? ok(id) : err(failure('CAPTURE_GONE', 'Nothing is being recorded.'));
    },
    async publishRecording({ id, cut, share }) {
      for (let busy = working.get(id); busy; busy = working.get(id)) await busy.catch(() => {});
      const before = queued.get(id);
      if (before) return ok(before);
      const one = waiting.get(id);
      if (!one) return err(failure('CAPTURE_GONE', 'This recording is no longer there.'));
      return work(id, () =>
        publish(one, cut, share).catch((error: unknown) => {
          if (isDiskFull(error)) return err(diskFull());
          throw error;
        }),
      );
    },
    async discardRecording() {
      if (await session.discard()) return;
      await Promise.allSettled(working.values());
      const one = newest();
      if (one) await forget(one.recording);
    },
    recordingSounds: recordingSetup.sounds,
    recordingFile: (id) => waiting.get(id)?.recording.whole ?? null,
  };

  return {
    commands,
    isRunning: () => session.state() !== null,
    state() {
      const active = session.state();
      if (active) return active;
      const [id] = working.keys();
      if (id) return { state: 'finishing', id };
      const one = newest();
      if (!one) return null;
      const { id: waitingId, about } = one.recording;
      const { keyFramesMs, ...facts } = one.facts;
      return {
        ...{ state: 'review', id: waitingId, name: about.name, isRecovered: about.isRecovered },
        ...{ ...facts, keyFramesMs: [...keyFramesMs] },
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
