/**
 * Converts videos before the upload, one at a time, if the service would not accept them, if they may contain a
 * location, or if the user chose a smaller version or a clip. Others are sent unchanged. Also predicts the result for
 * the user. The source is only read; leftovers of a crash are deleted at the next start.
 */
import { chmod } from 'node:fs/promises';
import { parse } from 'node:path';
import type { Account } from '../../api/account.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { open, rename, rm } from '../../base/node/retrying-fs.ts';
import { validateVideo } from '../../common/video/validate-video.ts';
import type { PreparedFile } from '../../ipc/protocol/prepared-file.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import type { FitLoss, FitPreview, FitReason, MadeVideo, VideoSummary } from '../../ipc/protocol/video-conversion.ts';
import type { Clock, Random } from '../ports.ts';
import { preparedPath } from '../profile/spool.ts';
import { createEncodingTurns } from '../sequencer.ts';
import { failOnFileChange } from '../upload/detect-file-change.ts';
import type { Prepare } from '../upload/preparation-types.ts';
import type { OpenSourceAt, SourceIdentity } from '../upload/upload-source.ts';
import { sampleVideo } from './encode-sample.ts';
import type { FitLimits } from './encoder-params.ts';
import { isSuitable, planVideo, summaryOf } from './encoding-plan.ts';
import { type FindFfmpeg, withReadErrors } from './ffmpeg.ts';
import { checkDisk, type FitDeps, type FitRequest, type Fitted, fitVideo, jobOf } from './fit-video.ts';
import { rateValue } from './frame-rate.ts';
import { metadataOfService, probeVideo, type ServiceView, viewAsService } from './probe-video.ts';
import type { VideoMetadata } from './video-metadata.ts';
import { openToolchain, type VideoToolchain } from './video-toolchain.ts';
import { withLossCheck } from './with-loss-check.ts';

export interface VideoDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The spool, which only this process uses. */
  readonly spoolDir: string;
  readonly ffmpeg: FindFfmpeg;
  readonly openSource: OpenSourceAt;
  /** The fit for videos where the user made no choice. */
  readonly usualFit: () => FitChoice;
}

export interface VideoPreparation {
  /**
   * Null where the video is suitable unchanged, or the file is not a video. Errors: SOURCE_MISSING, SOURCE_UNREADABLE,
   * SOURCE_CHANGED, VIDEO_TOOL_MISSING, VIDEO_UNREADABLE, VIDEO_NOT_SUITABLE and VIDEO_TOO_LARGE where no plan fits,
   * VIDEO_FIT_FAILED, DISK_FULL, CANCELLED.
   */
  readonly prepare: Prepare;
  /**
   * Previews `prepare` within some seconds. Errors: as `prepare`, and UPLOAD_FORMAT_UNSUPPORTED where the file is not a
   * video; a refusal by the limits is a result.
   */
  preview(path: string, choice: FitChoice | null, account: Account, signal: AbortSignal): Promise<Result<FitPreview>>;
}

/** The account's limits for videos. */
export const limitsOf = ({ limits }: Account): FitLimits => ({
  video: limits.video,
  maxBytes: Math.min(limits.maxVideoBytes, limits.maxUploadBytes),
});

/** Without ffmpeg the error lists at least what is wrong with the video. */
const withProblems = (view: ServiceView, { video }: FitLimits) =>
  failure('VIDEO_TOOL_MISSING', 'This video must be converted, and ffmpeg was not found on this computer.', {
    params: { problems: view.probe ? [...validateVideo(view.probe, video)] : [] },
  });

const afterOf = ({ probe, size, plan }: Fitted): VideoSummary => {
  const [{ fps, ...encoded }] = probe.streams;
  const { width, height } = plan.way === 'encode' ? encoded : plan.after;
  const hasAudio = probe.audioCodecs.length > 0;
  return { size, width, height, fps: Math.round(fps * 100) / 100, seconds: probe.seconds, hasAudio };
};

/** Of a source: ffmpeg ends at a place that it cannot read as at the end of the file. */
interface Reading {
  hasError: boolean;
}

interface Why {
  readonly reasons: readonly FitReason[];
  readonly losses: readonly FitLoss[];
}

/** The reasons and losses of a plan, and that what is behind an unreadable place is lost. */
const whyOf = ({ reasons, losses }: Why, { hasError }: Reading): Pick<MadeVideo, keyof Why> => ({
  reasons: hasError ? [...new Set([...reasons, 'DAMAGED' as const])] : [...reasons],
  losses: hasError ? [...new Set([...losses, 'end' as const])] : [...losses],
});

/** Syncs the file and restricts it to its owner before it gets its final name. */
const publish = async (path: string, target: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
  await chmod(path, 0o600);
  await rename(path, target);
};

const CANCELLED = err(failure('CANCELLED', 'Preparing the video was cancelled.'));

export const createVideoPreparation = (deps: VideoDeps): VideoPreparation => {
  const { clock, random, spoolDir, ffmpeg, usualFit } = deps;
  const toolchain = openToolchain(spoolDir, ffmpeg);
  const turns = createEncodingTurns(CANCELLED);

  interface Unsuitable {
    readonly suits: false;
    readonly metadata: VideoMetadata;
    readonly tools: VideoToolchain & { readonly reading: Reading };
  }
  type Inspected = Unsuitable | { readonly suits: true; readonly metadata: VideoMetadata };
  type Converted = Fitted & { readonly metadata: VideoMetadata; readonly reading: Reading };

  const inspect = async (
    path: string,
    limits: FitLimits,
    choice: FitChoice,
    signal: AbortSignal,
    onReadError: () => void,
  ): Promise<Result<Inspected>> => {
    const view = await viewAsService(path, deps.openSource);
    if (!view.ok) return view;
    const { probe, isVideo } = view.value;
    if (!isVideo) return err(failure('UPLOAD_FORMAT_UNSUPPORTED', 'The file is not a video in a known format.'));
    const known = probe && metadataOfService(view.value, probe);
    if (known && isSuitable(known, limits, choice)) return ok({ suits: true, metadata: known });
    const tools = await toolchain.open(signal);
    if (!tools.ok) return tools.error.code === 'VIDEO_TOOL_MISSING' ? err(withProblems(view.value, limits)) : tools;
    const reading: Reading = { hasError: false };
    const ffmpeg = withReadErrors(tools.value.ffmpeg, () => {
      reading.hasError = true;
      onReadError();
    });
    const metadata = await probeVideo(path, view.value, ffmpeg, signal);
    if (!metadata.ok) return metadata;
    return ok({ suits: false, metadata: metadata.value, tools: { ...tools.value, ffmpeg, reading } });
  };

  /** Null where a change of the file's bytes need not change its identity. */
  const identityAt = async (path: string): Promise<Result<SourceIdentity | null>> => {
    const source = await deps.openSource(path);
    if (!source.ok) return source;
    await source.value.close();
    return ok(source.value.isMtimeReliable ? source.value.identity : null);
  };

  const prepareOnce = async (
    item: Parameters<Prepare>[0],
    { account, onProgress }: Parameters<Prepare>[1],
    onReadError: () => void,
    signal: AbortSignal,
  ): Promise<Result<PreparedFile | null>> => {
    const source = item.source.path;
    const limits = limitsOf(account);
    const choice = (item.job.kind === 'file' ? item.job.fit : null) ?? usualFit();
    /** Null: it is sent unchanged. */
    const look = async (): Promise<Result<Unsuitable | null>> => {
      const inspected = await inspect(source, limits, choice, signal, onReadError);
      // Other files are sent unchanged; the service refuses them with its own message.
      if (!inspected.ok) return inspected.error.code === 'UPLOAD_FORMAT_UNSUPPORTED' ? ok(null) : inspected;
      return ok(inspected.value.suits ? null : inspected.value);
    };
    const before = await identityAt(source);
    if (!before.ok) return before;
    const first = await look();
    if (!first.ok) return first;
    const unsuitable = first.value;
    if (unsuitable === null) return ok(null);

    const convert = async (folder: string, { metadata, tools }: Unsuitable): Promise<Result<Converted>> => {
      const request = { source, metadata, limits, choice };
      const fitted = await fitVideo(request, { ...tools, clock, folder }, onProgress, signal);
      return fitted.ok ? ok({ ...fitted.value, metadata, reading: tools.reading }) : fitted;
    };
    // ffmpeg reads for minutes, so the file is checked for changes; it may also have changed while it waited.
    const convertUnchanged = async (folder: string): Promise<Result<Converted | null>> => {
      const opened = await deps.openSource(source);
      if (!opened.ok) return opened;
      const read = async (): Promise<Result<Converted | null>> => {
        const now = opened.value.identity === before.value ? ok(unsuitable) : await look();
        if (!now.ok) return now;
        return now.value ? convert(folder, now.value) : ok(null);
      };
      return failOnFileChange(opened.value, read, signal).finally(() => opened.value.close());
    };

    const fit = async (folder: string): Promise<Result<PreparedFile | null>> => {
      const fitted = await (item.source.owner === 'spool' ? convert(folder, unsuitable) : convertUnchanged(folder));
      if (!fitted.ok) return fitted;
      if (fitted.value === null) return ok(null);
      const { path, size, plan, metadata, reading } = fitted.value;
      // A "smaller" result that is larger is dropped.
      if (choice === 'smaller' && size >= metadata.size && isSuitable(metadata, limits, 'balanced')) return ok(null);
      const target = preparedPath(spoolDir, item.id, `.${plan.container}`);
      await publish(path, target);
      const made: MadeVideo = {
        kind: 'video',
        way: plan.way,
        before: summaryOf(metadata),
        after: afterOf(fitted.value),
        ...whyOf(plan, reading),
      };
      return ok({ path: target, name: `${parse(item.name).name}.${plan.container}`, size, made });
    };
    return turns.run(() => toolchain.inFolder(random.uuid(), fit), signal);
  };

  const prepare: Prepare = (item, how, signal) => {
    if (item.source.owner === 'spool') return prepareOnce(item, how, () => {}, signal);
    return withLossCheck(
      { path: item.source.path, openSource: deps.openSource },
      (onReadError) => prepareOnce(item, how, onReadError, signal),
      async (prepared) => {
        if (prepared) await rm(prepared.path, { force: true });
      },
    );
  };

  return {
    prepare,
    preview(path, choice, account, signal) {
      const limits = limitsOf(account);
      const wanted = choice ?? usualFit();
      return withLossCheck<FitPreview>({ path, openSource: deps.openSource }, async (onReadError) => {
        const inspected = await inspect(path, limits, wanted, signal, onReadError);
        if (!inspected.ok) return inspected;
        const { metadata } = inspected.value;
        if (inspected.value.suits) return ok({ way: 'pass', before: summaryOf(metadata) });
        const { tools } = inspected.value;
        const request = { source: path, metadata, limits, choice: wanted };
        return toolchain.inFolder(`preview-${random.uuid()}`, (folder) =>
          previewFit(request, { ...tools, clock, folder }, signal),
        );
      });
    },
  };
};

// Predicts the result and duration of fitting a video, before anything is encoded.

/** Few samples, because the user waits for the preview. */
const SAMPLES = 2;
/** Encoding speed of two cores, used without a measurement. */
const USUAL_PIXELS_PER_SECOND = 60e6;
/** Copying runs at disk speed. */
const COPY_BYTES_PER_SECOND = 100e6;
const START_SECONDS = 1;
const SECOND_PASS = 0.7;

/** Errors: CANCELLED, and DISK_FULL where there is not enough space. */
const previewFit = async (
  request: FitRequest,
  deps: FitDeps & { readonly reading: Reading },
  signal: AbortSignal,
): Promise<Result<FitPreview>> => {
  const before = summaryOf(request.metadata);
  const first = planVideo({ ...request, need: null, ways: 'any' });
  if (first.way === 'pass') return ok({ way: 'pass', before });
  if (first.way === 'refuse') return ok({ way: 'refuse', before, failure: first.failure });
  const { software } = deps.tools;
  let plan = first;
  let speed: number | null = null;
  if (plan.way === 'encode' && software?.kind === 'x264') {
    const sampled = await sampleVideo(jobOf(request, plan, software, deps.tools), SAMPLES, deps, signal);
    if (!sampled.ok) return err(sampled.error);
    speed = sampled.value.speed;
    const pixels = plan.params.width * plan.params.height;
    const measured = planVideo({ ...request, need: sampled.value.need, ways: 'any' });
    // A measurement applies to the measured size only; a plan of another size keeps its estimate.
    if (measured.way === 'encode' && measured.params.width * measured.params.height === pixels) plan = measured;
  }
  const space = await checkDisk(deps.folder, plan.after.size);
  if (!space.ok) return space;
  const { way, after } = plan;
  return ok({ way, before, after, secondsNeeded: secondsOf(plan, speed), ...whyOf(plan, deps.reading) });
};

const secondsOf = (plan: Extract<ReturnType<typeof planVideo>, { after: unknown }>, speed: number | null): number => {
  if (plan.way !== 'encode') return Math.ceil(START_SECONDS + plan.after.size / COPY_BYTES_PER_SECOND);
  const { width, height, rate, seconds, passes } = plan.params;
  const onePass =
    speed === null ? (width * height * rateValue(rate) * seconds) / USUAL_PIXELS_PER_SECOND : seconds / speed;
  return Math.round(START_SECONDS + onePass * (passes === 2 ? 1 + SECOND_PASS : 1));
};
