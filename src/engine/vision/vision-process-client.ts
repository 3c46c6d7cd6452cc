/**
 * Has the vision process (`vision-process-entry.ts`) recognise text and codes in pictures and save copies with parts
 * covered by black boxes, one picture at a time. The process starts on first use and ends when it is idle, when a task
 * is cancelled or when a task takes too long.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort, orOnAbort } from '../../base/common/on-abort.ts';
import type { PictureContent, TextLanguage } from '../../ipc/protocol/vision.ts';
import type { EngineDeps } from '../engine-interface.ts';
import { openImageSource } from '../image/image-file.ts';
import type { StartVisionProcess, VisionProcess } from '../ports.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { ANIMATION } from './black-out-boxes.ts';
import { forkVision } from './fork-vision.ts';
import { createLanguageData } from './ocr-language-data.ts';
import type { Box, HideTask, Picture, ReadTask, Recognised, VisionAnswer, VisionTask } from './vision-protocol.ts';

export interface VisionProcessClientDeps
  extends Pick<EngineDeps, 'clock' | 'environment' | 'profileDir' | 'startVision'> {
  readonly openSource: OpenSourceAt;
  /** How long an unused process lives. */
  readonly idleMs?: number;
  /** The longest recognition. */
  readonly timeoutMs?: number;
}

/** How a picture is read. */
export interface ReadOptions {
  /** By default all whose data is installed. */
  readonly languages?: readonly TextLanguage[] | undefined;
  /** Called with how much is read, from 0 to 1. */
  readonly onPart?: (part: number) => void;
}

export interface VisionProcessClient {
  /** Errors: TEXT_DATA_MISSING, TEXT_NOT_READ, IMAGE_UNREADABLE, CANCELLED. */
  read(picture: Picture, options: ReadOptions, signal: AbortSignal): Promise<Result<PictureContent>>;
  /** The same of a file that may be anything. Errors: also IMAGE_VECTOR, SOURCE_*. */
  readFile(path: string, options: ReadOptions, signal: AbortSignal): Promise<Result<PictureContent>>;
  /** As `readFile`; where it has transparent parts, on white and on black. */
  readEverywhere(path: string, signal: AbortSignal): Promise<Result<ThoroughContent>>;
  /** The same in several ways, for what must not be missed. Errors: as `readFile`; COMMAND_INVALID for an animation. */
  readThoroughly(path: string, signal: AbortSignal): Promise<Result<ThoroughContent>>;
  /**
   * Saves a copy as a PNG in which the boxes are black. Errors: IMAGE_UNREADABLE, COMMAND_INVALID for an animation,
   * TEXT_NOT_READ, DISK_FULL, CANCELLED.
   */
  hide(path: string, target: string, boxes: readonly Box[], signal: AbortSignal): Promise<Result<null>>;
  close(): void;
}

type ThoroughContent = Recognised & Pick<PictureContent, 'missing'>;

const LANGUAGES: readonly TextLanguage[] = ['eng', 'rus'];
const IDLE_MS = 60_000;
const TIMEOUT_MS = 120_000;

const HOW_TO_GET: Record<TextLanguage, string> = {
  eng: 'Reinstall Linkshot.',
  rus: 'Install the package tesseract-ocr-rus (Debian, Ubuntu) or put rus.traineddata from Tesseract into the folder tessdata of the profile.',
};

const NAMES: Record<TextLanguage, string> = { eng: 'English', rus: 'Russian' };

const notRead = (detail: string, reason: string): Failure => failure('TEXT_NOT_READ', detail, { params: { reason } });
const CANCELLED = failure('CANCELLED', 'Reading the image was cancelled.');

interface Running {
  readonly process: VisionProcess;
  task: TaskInProgress | null;
}

interface TaskInProgress {
  readonly id: number;
  readonly onPart: (part: number) => void;
  readonly settle: (result: Result<Recognised | null>) => void;
}

const ignore = (): void => {};

export const createVisionProcessClient = ({
  clock,
  openSource,
  startVision = forkVision,
  idleMs = IDLE_MS,
  timeoutMs = TIMEOUT_MS,
  ...deps
}: VisionProcessClientDeps): VisionProcessClient => {
  const data = createLanguageData(deps);
  let running: Running | null = null;
  let idle = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  const stop = (reason: Failure): void => {
    const stopped = running;
    running = null;
    stopped?.process.kill();
    stopped?.task?.settle(err(reason));
  };

  const start = (start: StartVisionProcess): Running => {
    const begun: Running = {
      process: start(
        (message) => {
          const answer = message as VisionAnswer;
          if (begun.task?.id !== answer.id) return;
          const { onPart, settle } = begun.task;
          if ('part' in answer) return onPart(answer.part);
          begun.task = null;
          settle(answer.ok ? ok(answer.value) : err(answer.error));
        },
        () => {
          if (running === begun) stop(notRead('The program that reads text ended unexpectedly.', 'failed'));
        },
      ),
      task: null,
    };
    return begun;
  };

  const endWhenIdle = (): void => {
    idle = new AbortController();
    clock.sleep(idleMs, idle.signal).then(
      () => stop(CANCELLED),
      () => {},
    );
  };

  /** Waits for its turn. */
  const perform = async (
    task: Omit<ReadTask, 'id'> | Omit<HideTask, 'id'>,
    onPart: (part: number) => void,
    signal: AbortSignal,
  ): Promise<Result<Recognised | null>> => {
    const turn = last;
    const { promise, resolve } = Promise.withResolvers<Result<Recognised | null>>();
    last = Promise.all([turn, promise]);
    await orOnAbort(turn, signal, ignore);
    if (signal.aborted) {
      resolve(err(CANCELLED));
      return promise;
    }
    idle.abort();
    running ??= start(startVision);
    const id = nextId++;
    running.task = { id, onPart, settle: resolve };
    running.process.send({ id, ...task } satisfies VisionTask);
    const done = new AbortController();
    const unfollow = onAbort(signal, () => stop(CANCELLED));
    clock.sleep(timeoutMs, done.signal).then(
      () => stop(notRead('Reading the text took too long.', 'timeout')),
      () => {},
    );
    const result = await promise;
    unfollow();
    done.abort();
    if (running) endWhenIdle();
    return result;
  };

  /** Errors: TEXT_DATA_MISSING. */
  const chosen = (asked: readonly TextLanguage[] | undefined) => {
    const found = (asked ?? LANGUAGES).map((name) => ({ name, path: data.find(name) }));
    const missing = found.filter(({ path }) => path === null).map(({ name }) => name);
    const [first] = missing;
    if (asked && first) {
      const detail = `The data for reading ${NAMES[first]} text is not installed. ${HOW_TO_GET[first]}`;
      return err(failure('TEXT_DATA_MISSING', detail, { params: { language: first } }));
    }
    return ok({ missing, languages: found.flatMap(({ name, path }) => (path === null ? [] : [{ name, path }])) });
  };

  const recognise = async (
    picture: Picture,
    { languages: asked, onPart = ignore }: ReadOptions,
    way: ReadTask['way'],
    signal: AbortSignal,
  ): Promise<Result<ThoroughContent>> => {
    const choice = chosen(asked);
    if (!choice.ok) return choice;
    const { languages, missing } = choice.value;
    const result = await perform({ picture, languages, way }, onPart, signal);
    if (!result.ok) return result;
    return result.value ? ok({ ...result.value, missing }) : err(notRead('The picture was not read.', 'failed'));
  };

  const read: VisionProcessClient['read'] = async (picture, options, signal) => {
    const result = await recognise(picture, options, 'once', signal);
    if (!result.ok) return result;
    const { text, words, codes, missing } = result.value;
    return ok({ text, words, codes, missing });
  };

  /** Errors: IMAGE_UNREADABLE, IMAGE_VECTOR, SOURCE_*. */
  const check = async (path: string): Promise<Result<{ readonly isAnimated: boolean }>> => {
    const source = await openImageSource(path, openSource);
    if (!source.ok) return source;
    const { format, isAnimatedPng } = source.value;
    await source.value.close();
    if (format === null) return err(failure('IMAGE_UNREADABLE', 'The file is not an image.'));
    if (format === 'svg') return err(failure('IMAGE_VECTOR', 'The file is an SVG drawing.'));
    return ok({ isAnimated: isAnimatedPng });
  };

  return {
    read,
    async readFile(path, options, signal) {
      const checked = await check(path);
      return checked.ok ? read(path, options, signal) : checked;
    },
    async readEverywhere(path, signal) {
      const checked = await check(path);
      return checked.ok ? recognise(path, {}, 'everywhere', signal) : checked;
    },
    async readThoroughly(path, signal) {
      const checked = await check(path);
      if (!checked.ok) return checked;
      if (checked.value.isAnimated) return err(ANIMATION);
      return recognise(path, {}, 'thoroughly', signal);
    },
    async hide(path, target, boxes, signal) {
      const result = await perform({ path, target, boxes }, ignore, signal);
      return result.ok ? ok(null) : result;
    },
    close() {
      idle.abort();
      stop(CANCELLED);
    },
  };
};
