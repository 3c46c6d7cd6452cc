/**
 * Reads an image file, its first bytes or all of it, and detects whether it has changed since it was opened. Also
 * checks whether a file is an image.
 */
import { fileTypeFromBuffer } from 'file-type';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { failOnFileChange } from '../upload/detect-file-change.ts';
import { type OpenSource, type OpenSourceAt, openSource } from '../upload/upload-source.ts';
import { detectFormat, HEAD_BYTES, type ImageFormat } from './detect-format.ts';

/** Larger files are not read into memory; an image among them is re-encoded. */
const CONTENT_BYTES_MAX = 128 * 1024 * 1024;
const SLICE_BYTES = 4 * 1024 * 1024;

export interface ImageSource {
  readonly path: string;
  readonly bytes: number;
  /** The first bytes. */
  readonly head: Buffer;
  /** Null: not an image. */
  readonly format: ImageFormat | null;
  readonly isAnimatedPng: boolean;
  /** Null: the file is too large for memory. Errors: SOURCE_CHANGED, SOURCE_UNREADABLE, CANCELLED. */
  content(signal: AbortSignal): Promise<Result<Buffer | null>>;
  /** `failOnFileChange` of this file. */
  failOnFileChange<T>(
    use: () => Promise<Result<T>>,
    signal: AbortSignal,
    isMade: (used: T) => boolean,
  ): Promise<Result<T>>;
  close(): Promise<void>;
}

/** Errors: SOURCE_*. */
export const openImageSource = async (
  path: string,
  openAt: OpenSourceAt = openSource,
): Promise<Result<ImageSource>> => {
  const opened = await openAt(path);
  if (!opened.ok) return opened;
  const source = opened.value;
  const head = await source.read(Buffer.alloc(Math.min(HEAD_BYTES, source.size)), 0);
  if (!head.ok) {
    await source.close();
    return head;
  }
  const format = await detectFormat(head.value);
  return ok({
    path,
    bytes: source.size,
    head: head.value,
    format,
    isAnimatedPng: (await fileTypeFromBuffer(head.value))?.mime === 'image/apng',
    content: (signal) => contentOf(source, signal),
    failOnFileChange: (use, signal, isMade) => failOnFileChange(source, use, signal, isMade),
    close: () => source.close(),
  });
};

/** Whether the file is an image by its first bytes. Errors: SOURCE_*. */
export const isImageAt = async (path: string, openAt: OpenSourceAt): Promise<Result<boolean>> => {
  const opened = await openImageSource(path, openAt);
  if (!opened.ok) return opened;
  await opened.value.close();
  return ok(opened.value.format !== null);
};

const contentOf = async (source: OpenSource, signal: AbortSignal): Promise<Result<Buffer | null>> => {
  if (source.size > CONTENT_BYTES_MAX) return ok(null);
  const content = Buffer.allocUnsafe(source.size);
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    if (signal.aborted) return err(failure('CANCELLED', 'Preparing the image was cancelled.'));
    const read = await source.read(content.subarray(at, at + SLICE_BYTES), at);
    if (!read.ok) return read;
  }
  return ok(content);
};
