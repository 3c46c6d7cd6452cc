/**
 * State machine of the active recording: starting, countdown, running, paused, ending. At most one recording is active;
 * whatever ends it, except a discard by the user, everything recorded so far is kept.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { RecordingId } from '../../api/ids.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { Recording, RecordingRequest } from '../../ipc/protocol/recording.ts';
import type { Clock, Random } from '../ports.ts';
import { createSequencer } from '../sequencer.ts';
import { bytesNeededFor } from './recording-disk-space.ts';
import { cancelled, interrupted, limitReached, noSpace } from './recording-errors.ts';
import type { PreparedRecording, RecordingSetup } from './recording-setup.ts';
import { type RecordingStore, recordingName, type StoredRecording } from './recording-store.ts';
import { captureFailed, type RunningSegment, type SegmentEnd } from './segment-encoder.ts';

export interface SessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly recordingSetup: Pick<RecordingSetup, 'setUp'>;
  readonly recordingStore: RecordingStore;
  /** Folder for encoder tests. */
  readonly spoolDir: string;
  /** Free bytes on the disk of the folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
  readonly onChange: () => void;
  readonly notify: (notice: Failure) => void;
  /** The recording ended by itself, and the user was notified. */
  readonly onEnded: (recording: StoredRecording) => void;
}

export interface Session {
  state(): Recording | null;
  start(request: RecordingRequest, signal: AbortSignal): Promise<Result<RecordingId>>;
  pause(): Promise<Result<void>>;
  resume(): Promise<Result<void>>;
  /** Ends the recording and returns it; null where none, or not the named one, is active. Cancels a countdown. */
  end(named?: RecordingId): Promise<Result<StoredRecording | null>>;
  /** Discards the active recording; false: none, or not the named one, is active. */
  discard(named?: RecordingId): Promise<boolean>;
  /** Ends the recording; it is recovered at the next start. */
  close(): Promise<void>;
}

interface Run {
  readonly setup: PreparedRecording;
  recording: StoredRecording;
  /** Of the finished segments. */
  recordedMs: number;
  bytes: number;
}

interface Running {
  readonly is: 'running';
  readonly run: Run;
  readonly segment: RunningSegment;
  /** Start of the segment, by the wall clock and by the monotonic clock. */
  readonly since: number;
  readonly from: number;
}

interface Paused {
  readonly is: 'paused';
  readonly run: Run;
}

type Phase =
  | { readonly is: 'idle' | 'starting' }
  | {
      readonly is: 'countdown';
      readonly id: RecordingId;
      readonly setup: PreparedRecording;
      readonly startsAt: number;
      readonly cancel: AbortController;
    }
  | Running
  | Paused
  | { readonly is: 'ending'; readonly id: RecordingId };

const NOTIFY_MS = 500;
const CHECK_MS = 1_000;
/** A segment that ends this long before its limit did not reach it. */
const EARLY_MS = 1_000;
/**
 * Frames carry the time of the wall clock. Where it and the monotonic clock, which may stand still in a suspend, differ
 * by more than this, a length does not say where the video was stopped.
 */
const JUMP_MS = 1_000;
/** A recording does not start with space for less than this. */
const MIN_SECONDS = 30;

/** Failed checks until the screen counts as lost; a busy screen may miss one. */
const MISSED_CHECKS = 2;

const NEVER = new AbortController().signal;
const nothing = () => err(failure('CAPTURE_GONE', 'Nothing is being recorded.'));
const busy = () => err(failure('CAPTURE_BUSY', 'A recording is already in progress. Stop it first.'));
const isMeant = (id: RecordingId, named?: RecordingId): boolean => named === undefined || named === id;

export const createSession = (deps: SessionDeps): Session => {
  const { clock, random, recordingSetup, recordingStore, onChange, notify } = deps;
  const closing = new AbortController();
  const turns = createSequencer();
  let phase: Phase = { is: 'idle' };
  let notifiedAt = Number.NEGATIVE_INFINITY;

  const enter = (next: Phase) => {
    phase = next;
    onChange();
  };
  const inTurn = <T>(work: () => Promise<Result<T>>) => turns.run(work);

  const hasSpace = async (recorded: number, more: number): Promise<boolean> =>
    (await deps.freeBytes(deps.spoolDir)) >= bytesNeededFor(recorded, more);

  /** Errors, such as that of a full disk, are ignored: the video is on disk and this process has the rest in memory. */
  const note = async (run: Run, change: Partial<StoredRecording['info']>): Promise<void> => {
    const { recording } = run;
    run.recording = { ...recording, info: { ...recording.info, ...change } };
    await recordingStore.note(recording, change).catch(() => {});
  };

  /** Ends the current segment and records its length. `next`: the phase shown from now on. */
  const endSegment = async ({ run, segment, since, from }: Running, next: Phase): Promise<void> => {
    const length = clock.monotonic() - from;
    const jumped = Math.abs(clock.now() - since - length);
    const bytes = segment.bytes();
    run.recordedMs += length;
    run.bytes += bytes;
    enter(next);
    const end = await segment.stop();
    run.bytes += segment.bytes() - bytes;
    const isExact = end.by === 'asked' && jumped <= JUMP_MS;
    await note(run, { lengths: [...run.recording.info.lengths, isExact ? length : null] });
  };

  /** Ends the active or paused recording and returns it with its final state persisted. */
  const endRecording = async (active: Running | Paused): Promise<StoredRecording> => {
    const { run } = active;
    const ending = { is: 'ending', id: run.recording.id } as const;
    if (active.is === 'running') await endSegment(active, ending);
    else enter(ending);
    await note(run, { state: 'ended' });
    enter({ is: 'idle' });
    return run.recording;
  };

  /** The segment ended without a request: notifies the user and keeps what was recorded. */
  const endByItself = (segment: RunningSegment, why: Failure): void => {
    inTurn(async () => {
      if (phase.is !== 'running' || phase.segment !== segment) return ok(undefined);
      notify(why);
      deps.onEnded(await endRecording(phase));
      return ok(undefined);
    }).catch(() => {});
  };

  /** Checks what ffmpeg does not: free disk space, and whether the screen still exists. */
  const watch = async (segment: RunningSegment, { setup, bytes }: Run): Promise<void> => {
    const bytesPerCheck = ((setup.params.maxBits + setup.params.audioBits) / 8) * (CHECK_MS / 1_000);
    let missedChecks = 0;
    for (;;) {
      await clock.sleep(CHECK_MS, closing.signal);
      if (phase.is !== 'running' || phase.segment !== segment) return;
      // A check that fails says nothing, and the next one follows.
      if (!(await hasSpace(bytes + segment.bytes(), bytesPerCheck).catch(() => true)))
        return endByItself(segment, interrupted('disk', 'The disk is almost full.'));
      missedChecks = (await setup.isThere(closing.signal).catch(() => true)) ? 0 : missedChecks + 1;
      if (missedChecks === MISSED_CHECKS)
        return endByItself(segment, interrupted('screen', 'The screen is no longer available.'));
    }
  };

  /** Starts the next segment. */
  const record = async (run: Run, signal: AbortSignal): Promise<Result<void>> => {
    const { bounds } = run.setup;
    const onBytes = () => {
      if (phase.is !== 'running' || phase.run !== run) return;
      const { segment } = phase;
      if (run.bytes + segment.bytes() >= bounds.bytes) endByItself(segment, limitReached('size'));
      if (clock.monotonic() - notifiedAt < NOTIFY_MS) return;
      notifiedAt = clock.monotonic();
      onChange();
    };
    const path = recordingStore.segmentPath(run.recording, run.recording.info.lengths.length);
    const milliseconds = Math.max(1, bounds.milliseconds - run.recordedMs);
    const until = AbortSignal.any([signal, closing.signal]);
    // The encoder may have recorded for long when a busy machine notices its start.
    const launched = clock.monotonic();
    const started = await run.setup.start({ path, milliseconds, onBytes }, until);
    if (!started.ok) return started;
    const segment = started.value;
    enter({ is: 'running', run, segment, since: clock.now(), from: clock.monotonic() });
    const onSegmentEnd = (end: SegmentEnd) => {
      if (end.by === 'asked') return;
      const reachedLimit = clock.monotonic() - launched > milliseconds - EARLY_MS;
      if (end.by === 'itself' && reachedLimit) return endByItself(segment, limitReached('length'));
      const fault = end.by === 'fault' ? end.failure : captureFailed(end.stderr);
      endByItself(segment, interrupted(fault.code === 'DISK_FULL' ? 'disk' : 'screen', fault.detail));
    };
    segment.ended.then(onSegmentEnd).catch(() => {});
    watch(segment, run).catch(() => {});
    return ok(undefined);
  };

  const begin = async (
    id: RecordingId,
    setup: PreparedRecording,
    after: 'settings' | 'review',
    signal: AbortSignal,
  ): Promise<Result<void>> => {
    const startedAt = clock.now();
    const { encoding } = setup;
    const info = {
      ...({ name: recordingName(startedAt), startedAt, after, state: 'recording', isRecovered: false } as const),
      ...{ lengths: [], encoding },
    };
    const recording = await recordingStore.begin(id, info);
    const begun = await record({ setup, recording, recordedMs: 0, bytes: 0 }, signal);
    if (begun.ok) return begun;
    await recordingStore.remove(recording);
    enter({ is: 'idle' });
    return begun;
  };

  const countDown = async (waiting: Extract<Phase, { is: 'countdown' }>, after: 'settings' | 'review') => {
    const until = AbortSignal.any([waiting.cancel.signal, closing.signal]);
    waiting.setup.warmUp(until);
    await clock.sleep(waiting.startsAt - clock.now(), until);
    const begun = await inTurn(async () => {
      if (phase !== waiting) return ok(undefined);
      enter({ is: 'starting' });
      return begin(waiting.id, waiting.setup, after, waiting.cancel.signal).catch((error: Error) => {
        enter({ is: 'idle' });
        if (until.aborted) return err(cancelled());
        return err(failureOfThrown(error, `The recording could not be started: ${error.message}`));
      });
    });
    if (begun.ok) return;
    // Turns off the camera, which no segment has taken.
    waiting.cancel.abort();
    if (begun.error.code !== 'CANCELLED') notify(begun.error);
  };

  const start = async (request: RecordingRequest, signal: AbortSignal): Promise<Result<RecordingId>> => {
    if (phase.is !== 'idle') return busy();
    phase = { is: 'starting' };
    const setup = await recordingSetup.setUp(request, deps.spoolDir, AbortSignal.any([signal, closing.signal]));
    const space = setup.ok && (await hasSpace(0, (setup.value.params.maxBits / 8) * MIN_SECONDS));
    if (!setup.ok || !space) {
      enter({ is: 'idle' });
      return setup.ok ? err(noSpace()) : setup;
    }
    const after = request.after ?? 'settings';
    const id = random.uuid() as RecordingId;
    if (request.countdownSeconds === 0) {
      const begun = await begin(id, setup.value, after, signal);
      return begun.ok ? ok(id) : begun;
    }
    const startsAt = clock.now() + request.countdownSeconds * 1_000;
    const waiting = { is: 'countdown', id, setup: setup.value, startsAt, cancel: new AbortController() } as const;
    enter(waiting);
    countDown(waiting, after).catch(() => {});
    return ok(id);
  };

  const cancelCountdown = (named?: RecordingId): boolean => {
    if (phase.is !== 'countdown' || !isMeant(phase.id, named)) return false;
    phase.cancel.abort();
    enter({ is: 'idle' });
    return true;
  };

  /** The recording that runs or is paused; null where none, or not the named one, does. */
  const active = (named?: RecordingId): Running | Paused | null =>
    (phase.is === 'running' || phase.is === 'paused') && isMeant(phase.run.recording.id, named) ? phase : null;

  return {
    state() {
      switch (phase.is) {
        case 'countdown':
          return { state: 'countdown', id: phase.id, area: phase.setup.area, startsAt: phase.startsAt };
        case 'running':
        case 'paused': {
          const { setup, recording, recordedMs, bytes } = phase.run;
          const fields = { id: recording.id, area: setup.area, sound: setup.sound, bounds: { ...setup.bounds } };
          const past = { ...fields, recordedMs: Math.round(recordedMs) };
          return phase.is === 'paused'
            ? { state: 'paused', ...past, bytes }
            : { state: 'recording', ...past, bytes: bytes + phase.segment.bytes(), since: phase.since };
        }
        case 'ending':
          return { state: 'finishing', id: phase.id };
        default:
          return null;
      }
    },
    start: (request, signal) =>
      inTurn(() =>
        start(request, signal).catch((error: unknown) => {
          phase = { is: 'idle' };
          // What waits for the desktop rejects with the reason of the abort.
          if (signal.aborted || closing.signal.aborted) return err(cancelled());
          throw error;
        }),
      ),
    pause: () =>
      inTurn(async () => {
        if (phase.is === 'paused') return ok(undefined);
        if (phase.is !== 'running') return nothing();
        await endSegment(phase, { is: 'paused', run: phase.run });
        return ok(undefined);
      }),
    resume: () =>
      inTurn(async () => {
        if (phase.is === 'running') return ok(undefined);
        if (phase.is !== 'paused') return nothing();
        return record(phase.run, NEVER);
      }),
    async end(named) {
      if (cancelCountdown(named)) return err(failure('CANCELLED', 'The recording was cancelled before it started.'));
      return inTurn(async () => {
        const ended = active(named);
        return ok(ended && (await endRecording(ended)));
      });
    },
    async discard(named) {
      if (cancelCountdown(named)) return true;
      const done = await inTurn(async () => {
        const ended = active(named);
        if (!ended) return ok(false);
        // The encoder takes seconds to end, and whoever dies meanwhile must not publish it at the next start.
        await note(ended.run, { isDiscarded: true });
        await recordingStore.remove(await endRecording(ended));
        return ok(true);
      });
      return done.ok && done.value;
    },
    async close() {
      cancelCountdown();
      closing.abort();
      await inTurn(async () => {
        const ended = active();
        if (ended) await endRecording(ended);
        return ok(undefined);
      });
    },
  };
};
