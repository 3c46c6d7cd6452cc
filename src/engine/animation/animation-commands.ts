/**
 * Implements the animation commands: makes animated images from videos and from the recording in review, one at a time,
 * saves or publishes them, predicts their size, and stops the work on request.
 */
import { chmod } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { AnimationOptions, MadeAnimation } from '../../ipc/protocol/animation.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE } from '../empty-result.ts';
import type { EngineEvent, NewItem } from '../engine-interface.ts';
import type { Random } from '../ports.ts';
import { checkNewFile, saveNewFile } from '../save-new-file.ts';
import { createEncodingTurns } from '../sequencer.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import type { Ffmpeg, FindFfmpeg } from '../video/ffmpeg.ts';
import { inWorkFolder } from '../video/video-toolchain.ts';
import { makeAnimation, predictAnimation } from './make-animation.ts';

export interface AnimationDeps {
  readonly random: Random;
  readonly spoolDir: string;
  readonly ffmpeg: FindFfmpeg;
  readonly openSource: OpenSourceAt;
  readonly recordings: {
    /** Errors: CAPTURE_GONE. */
    inReview(id: RecordingId): Result<{ readonly path: string; readonly name: string }>;
    /** Deletes a recording in whose place something else is published. */
    replaced(id: RecordingId): Promise<void>;
  };
  /** Saves a copy where screenshots are saved, and returns its path. Errors: SAVE_FAILED. */
  readonly save: (path: string, name: string) => Promise<Result<string>>;
  readonly add: (items: readonly NewItem[]) => Promise<Result<readonly ItemId[]>>;
  readonly emit: (event: EngineEvent) => void;
}

export interface AnimationCommands {
  readonly commands: CommandsOf<'animation'>;
  close(): void;
}

/** Its name in the work folder. */
const IMAGE = 'animation';

const CANCELLED = err(failure('CANCELLED', 'The animated image was cancelled.'));
const NO_FFMPEG = err(
  failure('VIDEO_TOOL_MISSING', 'An animated image needs ffmpeg, which was not found. Install it.'),
);
const NOT_PUBLISHED = err(
  failure('COMMAND_INVALID', 'The service does not accept GIF. Choose WebP to share a link, or save the GIF.'),
);

export const createAnimationCommands = (deps: AnimationDeps): AnimationCommands => {
  const { random, spoolDir, openSource, recordings, emit } = deps;
  const turns = createEncodingTurns(CANCELLED);
  let making = new AbortController();
  let predicting = new AbortController();

  /** Runs the work with ffmpeg and an empty folder. */
  const run = <T>(
    work: (ffmpeg: Ffmpeg, folder: string) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>> =>
    turns.run(async () => {
      if (signal.aborted) return CANCELLED;
      const ffmpeg = await deps.ffmpeg(signal);
      if (signal.aborted) return CANCELLED;
      if (ffmpeg === null) return NO_FFMPEG;
      // The preparation of videos deletes what a crash leaves of it.
      return inWorkFolder(spoolDir, random.uuid(), (folder) => work(ffmpeg, folder));
    }, signal);

  const onProgress = (part: number): void => emit({ type: 'animating', part });

  const predict = (path: string, options: AnimationOptions, signal: AbortSignal) =>
    run((ffmpeg, folder) => predictAnimation({ path, openSource, options, folder }, ffmpeg, signal), signal);

  /** `use` takes over the image. */
  const make = <T>(
    { path, options }: { readonly path: string; readonly options: AnimationOptions },
    use: (path: string, made: MadeAnimation) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>> =>
    run(async (ffmpeg, folder) => {
      const target = join(folder, IMAGE);
      const request = { path, openSource, options, folder, onProgress };
      const made = await makeAnimation(request, target, ffmpeg, signal);
      if (!made.ok) return made;
      return signal.aborted ? CANCELLED : use(target, made.value);
    }, signal);

  /** Of the recording in review, under a name with the ending of the format; `animation.stop` ends it. */
  const makeOfRecording = async <T>(
    { id, options }: Pick<CommandInput<'animation.save'>, 'id' | 'options'>,
    use: (path: string, name: string) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>> => {
    const recording = recordings.inReview(id);
    if (!recording.ok) return recording;
    const { path } = recording.value;
    const name = `${parse(recording.value.name).name}.${options.format}`;
    if (making.signal.aborted) making = new AbortController();
    const either = AbortSignal.any([signal, making.signal]);
    const made = await make({ path, options }, (image) => use(image, name), either);
    if (made.ok || made.error.code === 'CANCELLED') return made;
    // Whoever has published it meanwhile took its file away.
    const still = recordings.inReview(id);
    return still.ok ? made : still;
  };

  /** Moves the image into the queue. */
  const queue = async (path: string, name: string, share: LinkSettings): Promise<Result<ItemId>> => {
    const inSpool = join(spoolDir, `${random.uuid()}${parse(name).ext}`);
    await chmod(path, 0o600);
    await rename(path, inSpool);
    const source = { owner: 'spool', path: inSpool } as const;
    const added = await deps.add([{ source, name, share, origin: 'recording' }]);
    const item = added.ok ? added.value[0] : undefined;
    if (item !== undefined) return ok(item);
    await rm(inSpool, { force: true });
    return added.ok ? err(failure('APP_FAILED', 'The image could not be added to the queue. Try again.')) : added;
  };

  return {
    commands: {
      async make({ path, out, options }, signal) {
        const free = await checkNewFile(out);
        if (!free.ok) return free;
        return make(
          { path, options },
          async (draft, made) => {
            const saved = await saveNewFile(draft, out);
            return saved.ok ? ok(made) : saved;
          },
          signal,
        );
      },
      predictPath: ({ path, options }, signal) => predict(path, options, signal),
      predict({ id, options }, signal) {
        predicting.abort();
        predicting = new AbortController();
        const recording = recordings.inReview(id);
        if (!recording.ok) return Promise.resolve(recording);
        return predict(recording.value.path, options, AbortSignal.any([signal, predicting.signal]));
      },
      save: (request, signal) =>
        makeOfRecording(
          request,
          async (path, name) => {
            const saved = await deps.save(path, name);
            return saved.ok ? ok({ savedTo: saved.value }) : saved;
          },
          signal,
        ),
      publish({ share = {}, ...request }, signal) {
        if (request.options.format === 'gif') return Promise.resolve(NOT_PUBLISHED);
        return makeOfRecording(
          request,
          async (path, name) => {
            const recording = recordings.inReview(request.id);
            if (!recording.ok) return recording;
            const item = await queue(path, name, share);
            if (!item.ok) return item;
            await recordings.replaced(request.id);
            return ok({ item: item.value });
          },
          signal,
        );
      },
      async stop() {
        making.abort();
        return DONE;
      },
    },
    close() {
      making.abort();
      predicting.abort();
    },
  };
};
