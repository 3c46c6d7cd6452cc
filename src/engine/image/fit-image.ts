/**
 * Fits an image to the account's limits: unchanged, with metadata stripped, or re-encoded with as little loss as
 * possible. An animation that the service accepts only as a video is left to the caller. The result, or what a failure
 * leaves, is the file `draft`, which the caller renames or deletes.
 */

import { open } from 'node:fs/promises';
import type { Account } from '../../api/account.ts';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { diskFull, isDiskFull } from '../../common/disk-full.ts';
import type { ImageMetadata, MadeImage } from '../../ipc/protocol/image-conversion.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { findSourceLoss } from '../upload/find-source-loss.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import type { FindFfmpeg } from '../video/ffmpeg.ts';
import type { AcceptedFormat, ImageFormat } from './detect-format.ts';
import { encode, sync } from './encode-image.ts';
import { changesOf, nextEncoding, type Tried } from './encoding-plan.ts';
import { decodeWithFfmpeg, unreadable } from './ffmpeg-decode.ts';
import { decodeHeic } from './heif/decode-heic.ts';
import { type ImageSource, openImageSource } from './image-file.ts';
import { type Picture, probeImage, SERVICE_PIXELS_MAX } from './probe-image.ts';
import { type Decode, openDecoder } from './sharp-decoder.ts';
import { STRIPPERS } from './strip/strip-metadata.ts';
import type { Stripped } from './strip/stripped-file.ts';

export interface FitDeps {
  readonly stripMetadata: () => boolean;
  /** Resolves to null where ffmpeg is missing: fewer formats can be decoded. */
  readonly ffmpeg: FindFfmpeg;
  readonly openSource: OpenSourceAt;
}

export interface FitJob {
  readonly path: string;
  /** A file of the app, which other programs do not change. */
  readonly isOwn: boolean;
  /** Path of the result; temporary files use it as a prefix. */
  readonly draft: string;
  readonly account: Account;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
}

export type Fitted =
  | { readonly way: 'pass'; readonly before: ImageMetadata }
  /** An animation that the service accepts only as a video. */
  | { readonly way: 'video' }
  /** The draft is complete. */
  | { readonly way: 'change'; readonly before: ImageMetadata; readonly made: MadeImage };

export const cancelled = (): Result<never> => err(failure('CANCELLED', 'Preparing the image was cancelled.'));

/** Errors: IMAGE_UNREADABLE, IMAGE_VECTOR, IMAGE_TOO_LARGE, SOURCE_*, DISK_FULL, CANCELLED. */
export const fitImage = async (job: FitJob, deps: FitDeps, signal: AbortSignal): Promise<Result<Fitted>> => {
  const fitted = await fitAt(job, deps, signal);
  if (fitted.ok || job.isOwn || fitted.error.code !== 'IMAGE_UNREADABLE') return fitted;
  // The decoders do not distinguish a drive that goes away from a damaged image.
  const loss = await findSourceLoss(job.path, deps.openSource);
  return loss ? err(loss) : fitted;
};

const fitAt = async (job: FitJob, deps: FitDeps, signal: AbortSignal): Promise<Result<Fitted>> => {
  const opened = await openImageSource(job.path, deps.openSource);
  if (!opened.ok) return opened;
  const source = opened.value;
  try {
    const { format } = source;
    if (format === null) return unreadable();
    if (format === 'svg') return err(vector());
    const decode = await openDecoder();
    const read = () => fitOpen(source, format, { ...job, ...deps, decode }, signal);
    return await (job.isOwn ? read() : source.failOnFileChange(read, signal, ({ way }) => way === 'change'));
  } catch (error) {
    return err(failureOf(error));
  } finally {
    await source.close();
  }
};

const fitOpen = async (
  source: ImageSource,
  format: Exclude<ImageFormat, 'svg'>,
  context: Context,
  signal: AbortSignal,
): Promise<Result<Fitted>> => {
  if (isAccepted(format)) {
    const unchanged = await keepPixels(source, format, context, signal);
    if (!unchanged.ok || unchanged.value) return unchanged as Result<Fitted>;
  }
  return convert(source, format, context, signal);
};

type Context = FitJob & FitDeps & { readonly decode: Decode };

const isAccepted = (format: ImageFormat): format is AcceptedFormat => Object.hasOwn(STRIPPERS, format);
const limitOf = ({ account }: Context): number => account.limits.maxImageBytes;
const metadataOf = ({ format, bytes, width, height }: ImageMetadata): ImageMetadata => ({
  format,
  bytes,
  width,
  height,
});

/** The file unchanged or without its metadata. Null: that does not fit, so it must be encoded. */
const keepPixels = async (
  source: ImageSource,
  format: AcceptedFormat,
  context: Context,
  signal: AbortSignal,
): Promise<Result<Fitted | null>> => {
  const { draft, decode } = context;
  const content = await source.content(signal);
  if (!content.ok) return content;
  if (content.value === null) return ok(null);
  const { path, bytes } = source;
  const before = await probeImage(decode, { path, format, bytes, content: content.value });
  if (before.width * before.height > SERVICE_PIXELS_MAX) return ok(null);
  const stripped = context.stripMetadata()
    ? STRIPPERS[format](content.value)
    : { pieces: [content.value], changed: false };
  if (!stripped || sizeOf(stripped) > limitOf(context)) return ok(null);
  if (!stripped.changed) return ok({ way: 'pass', before: metadataOf(before) });

  await write(draft, stripped);
  const after = await probeImage(decode, { path: draft, format, bytes: sizeOf(stripped) });
  // An orientation in an unknown format was lost: re-encoding applies it.
  if (after.width !== before.width || after.height !== before.height) return ok(null);
  const change = { before: metadataOf(before), after: metadataOf(after) };
  return ok({ way: 'change', before: change.before, made: { kind: 'image', ...change, done: ['metadata-removed'] } });
};

const sizeOf = ({ pieces }: Stripped): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

const write = async (path: string, { pieces }: Stripped): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(pieces);
    await file.sync();
  } finally {
    await file.close();
  }
};

const convert = async (
  source: ImageSource,
  format: Exclude<ImageFormat, 'svg'>,
  context: Context,
  signal: AbortSignal,
): Promise<Result<Fitted>> => {
  const { draft, decode } = context;
  const decoded = `${draft}.decoded${UNFINISHED}`;
  try {
    const found = await pictureOf(source, format, decoded, context, signal);
    if (!found.ok) return found;
    let picture = found.value;
    if (isVideo(source, picture)) return ok({ way: 'video' });
    if (!picture.canBeOpened) return tooLarge();
    if (picture.hasAlpha && picture.frames === 1)
      picture = { ...picture, hasAlpha: !(await isOpaque(decode, picture)) };
    const encoded = await search(picture, context, signal);
    if (!encoded.ok) return encoded;
    await sync(draft);
    const { encoding, size } = encoded.value;
    const after = await probeImage(decode, { path: draft, format: encoding.format, bytes: size });
    const isStripped = context.stripMetadata() || picture.path !== source.path;
    const done = changesOf(picture, encoding, isStripped ? 'stripped' : 'kept');
    const change = { before: metadataOf(picture), after: metadataOf(after) };
    return ok({ way: 'change', before: change.before, made: { kind: 'image', ...change, done } });
  } finally {
    await rm(decoded, { force: true });
  }
};

/** Opens the picture; formats that the image library does not support are decoded into the file `decoded` first. */
const pictureOf = async (
  source: ImageSource,
  format: Exclude<ImageFormat, 'svg'>,
  decoded: string,
  { decode, ffmpeg }: Context,
  signal: AbortSignal,
): Promise<Result<Picture>> => {
  const { bytes } = source;
  switch (format) {
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'avif':
    case 'gif':
    case 'tiff':
      return ok(await probeImage(decode, { path: source.path, format, bytes }));
    case 'heic': {
      const content = await source.content(signal);
      if (!content.ok) return content;
      if (content.value === null) return tooLarge();
      const made = await decodeHeic(await ffmpeg(signal), { content: content.value, target: decoded }, signal);
      if (!made.ok) return made;
      return ok({ ...(await probeImage(decode, { path: decoded, format, bytes })), ...made.value });
    }
    default: {
      const made = await decodeWithFfmpeg(
        await ffmpeg(signal),
        { format, source: source.path, target: decoded },
        signal,
      );
      if (!made.ok) return made;
      return ok(await probeImage(decode, { path: decoded, format, bytes }));
    }
  }
};

const isVideo = ({ isAnimatedPng }: ImageSource, { format, frames }: Picture): boolean =>
  (format === 'gif' && frames > 1) || isAnimatedPng;

const isOpaque = async (decode: Decode, { path }: Picture): Promise<boolean> =>
  (await decode(path, { limitInputPixels: false }).stats()).isOpaque;

/** Tries encodings until one fits. */
const search = async (picture: Picture, context: Context, signal: AbortSignal) => {
  const { decode, draft } = context;
  const limit = limitOf(context);
  const tried: Tried[] = [];
  for (;;) {
    if (signal.aborted) return cancelled();
    const encoding = nextEncoding(picture, limit, tried);
    if (!encoding) return tooLarge(limit);
    const size = await encode(decode, picture, encoding, draft, context.stripMetadata() ? 'strip' : 'keep');
    if (size !== null && size <= limit) return ok({ encoding, size });
    tried.push({ encoding, size });
    // The number of attempts is unknown: each advances the progress by a share of the rest.
    context.onProgress(1 - 0.7 ** tried.length);
  }
};

const vector = (): Failure =>
  failure(
    'IMAGE_VECTOR',
    'SVG drawings can contain scripts and links and are not accepted. Export the drawing as PNG, and add that.',
  );

const tooLarge = (limitBytes?: number): Result<never> =>
  err(
    failure('IMAGE_TOO_LARGE', 'The image cannot be made small enough without ruining it.', {
      ...(limitBytes !== undefined && { params: { limitBytes } }),
    }),
  );

/** The image library reports all errors as message text. */
const failureOf = (error: unknown): Failure => {
  const isFull = isDiskFull(error) || (error instanceof Error && /No space left|not enough space/i.test(error.message));
  if (isFull) return diskFull();
  const refused = unreadable();
  if (refused.ok || !(error instanceof Error)) throw error;
  return { ...refused.error, detail: `${refused.error.detail} (${error.message.split('\n')[0]})` };
};
