/**
 * Implements the vision commands: reads the text and the codes of files, items, screenshots and the screen, and finds
 * and redacts secrets. Reports the progress of a reading, and cancels it on request. Copies text to the clipboard and
 * opens the address of a code only at the user's request.
 */

import { buffer } from 'node:stream/consumers';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { CaptureId, ItemId } from '../../api/ids.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { PictureContent, ReadingId } from '../../ipc/protocol/vision.ts';
import type { MediaReply } from '../api-client/media-download.ts';
import type { CaptureNow } from '../capture/capture-now.ts';
import { DONE, done } from '../empty-result.ts';
import type { EngineEvent } from '../engine-interface.ts';
import { detectFormat } from '../image/detect-format.ts';
import type { Clipboard, Opener, Pixels } from '../ports.ts';
import type { FindSecretsInCapture } from './cached-secret-search.ts';
import type { Redact } from './redact-picture.ts';
import type { VisionApi } from './vision-interface.ts';
import type { ReadOptions, VisionProcessClient } from './vision-process-client.ts';

export interface VisionCommandsDeps {
  readonly vision: Pick<VisionProcessClient, 'read' | 'readFile'>;
  readonly queued: (id: ItemId) => QueueItem | undefined;
  /** The bytes of a published item. */
  readonly media: (id: ItemId, signal: AbortSignal) => Promise<Result<MediaReply>>;
  /** Path of the screenshot in the editor; null: it is no longer there. */
  readonly edited: (id: CaptureId) => string | null;
  /** The same, as long as nothing is drawn on it. Errors: CAPTURE_GONE, DRAWING_NOT_APPLIED. */
  readonly undrawn: (id: CaptureId) => Promise<Result<string>>;
  /** Errors: those of `capture.take`. */
  readonly grab: CaptureNow['grab'];
  readonly redact: Redact;
  readonly findSecrets: FindSecretsInCapture;
  /** Called with what a published item shows. */
  readonly onItemRead: (id: ItemId, content: PictureContent) => void;
  readonly clipboard: Clipboard | null;
  readonly opener: Opener;
  readonly emit: (event: EngineEvent) => void;
}

export interface VisionCommands {
  readonly commands: VisionApi;
  /** Reads a selection on the frozen screen for the clipboard; `captureText` events tell what becomes of it. */
  readCaptured(id: CaptureId, pixels: Pixels): Promise<void>;
  close(): void;
}

/** More than a picture of the largest accepted size. */
const BYTES_MAX = 128 * 1024 * 1024;
/** Addresses that may be opened; those of older pictures are read again. */
const ADDRESSES_MAX = 500;

const NO_PICTURE = err(failure('IMAGE_UNREADABLE', 'The item is not an image.'));
const GONE = err(failure('CAPTURE_GONE', 'This capture has ended.'));
const TOO_LARGE = err(failure('TEXT_NOT_READ', 'The image file is too large.', { params: { reason: 'too-large' } }));
const NO_CLIPBOARD = err(failure('COMMAND_INVALID', 'The clipboard cannot be reached from here.'));
const UNKNOWN_ADDRESS = err(failure('ADDRESS_INVALID', 'Only web addresses from codes in the image can be opened.'));

const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');

const bytesOf = async ({ length, body }: MediaReply, signal: AbortSignal): Promise<Result<Uint8Array>> => {
  if ((length ?? 0) > BYTES_MAX) {
    body.destroy();
    return TOO_LARGE;
  }
  try {
    const bytes = await buffer(body);
    const format = await detectFormat(bytes);
    return format === null || format === 'svg' ? NO_PICTURE : ok(bytes);
  } catch {
    if (signal.aborted) return err(failure('CANCELLED', 'Reading the image was cancelled.'));
    return err(failure('NETWORK_FAILED', 'The connection was lost while the image was being read.'));
  }
};

export const createVisionCommands = (deps: VisionCommandsDeps): VisionCommands => {
  const { vision, clipboard, opener, emit } = deps;
  const readings = new Map<ReadingId, AbortController>();
  const addresses = new Set<string>();

  const remember = ({ codes }: PictureContent): void => {
    for (const { text } of codes) if (isWebAddress(text)) addresses.add(text);
    for (const address of addresses) {
      if (addresses.size <= ADDRESSES_MAX) break;
      addresses.delete(address);
    }
  };

  /** Runs a reading under its name. */
  const follow = async <T>(
    reading: ReadingId,
    signal: AbortSignal,
    read: (options: ReadOptions, signal: AbortSignal) => Promise<Result<T>>,
    onRead: (value: T) => void,
  ): Promise<Result<T>> => {
    const stopped = new AbortController();
    readings.set(reading, stopped);
    const onPart = (part: number): void => emit({ type: 'reading', reading, part });
    try {
      const result = await read({ onPart }, AbortSignal.any([signal, stopped.signal]));
      if (result.ok) onRead(result.value);
      return result;
    } finally {
      if (readings.get(reading) === stopped) readings.delete(reading);
    }
  };

  const readItem = async (id: ItemId, options: ReadOptions, signal: AbortSignal): Promise<Result<PictureContent>> => {
    const item = deps.queued(id);
    if (item && item.state !== 'linked') {
      if (item.job.kind !== 'file') return NO_PICTURE;
      return vision.readFile(item.source.path, options, signal);
    }
    const reply = await deps.media(id, signal);
    if (!reply.ok) return reply;
    const bytes = await bytesOf(reply.value, signal);
    if (!bytes.ok) return bytes;
    const read = await vision.read(bytes.value, options, signal);
    if (read.ok) deps.onItemRead(id, read.value);
    return read;
  };

  return {
    commands: {
      readPath: ({ path, languages }, signal) => vision.readFile(path, { languages }, signal),
      redact: deps.redact,
      async readScreen({ languages, ...request }, signal) {
        const grabbed = await deps.grab(request, signal);
        if (!grabbed.ok) return grabbed;
        const { pixels, scrolled } = grabbed.value;
        const read = await vision.read(pixels, { languages }, signal);
        return read.ok && scrolled ? ok({ ...read.value, scrolled }) : read;
      },
      readItem: ({ id, reading }, signal) =>
        follow(reading, signal, (options, stopped) => readItem(id, options, stopped), remember),
      async readCapture({ id, reading }, signal) {
        const path = await deps.undrawn(id);
        if (!path.ok) return path;
        return follow(reading, signal, (options, stopped) => vision.readFile(path.value, options, stopped), remember);
      },
      async findSecrets({ id, reading }, signal) {
        const path = deps.edited(id);
        if (path === null) return GONE;
        return follow(
          reading,
          signal,
          (_, stopped) => deps.findSecrets(path, stopped),
          () => {},
        );
      },
      readFile: (path, reading, signal) =>
        follow(reading, signal, (options, stopped) => vision.readFile(path, options, stopped), remember),
      stop({ reading }) {
        readings.get(reading)?.abort();
        return DONE;
      },
      copy: async ({ text }) => (clipboard ? done(await clipboard.writeText(text)) : NO_CLIPBOARD),
      async open({ address }) {
        if (!opener.openAny || !addresses.has(address)) return UNKNOWN_ADDRESS;
        return done(await opener.openAny(address));
      },
    },
    async readCaptured(id, pixels) {
      const { signal } = new AbortController();
      emit({ type: 'captureText', id, found: { state: 'reading' } });
      const result = await follow(
        id,
        signal,
        (options, stopped) => vision.read(pixels, options, stopped),
        remember,
      ).catch((error: unknown) => err(failureOfThrown(error, String(error))));
      if (!result.ok) return emit({ type: 'captureText', id, found: { state: 'failed', failure: result.error } });
      const content = result.value;
      const written = content.text === '' ? null : await clipboard?.writeText(content.text);
      const copied = written?.ok === true;
      emit({ type: 'captureText', id, found: { state: 'read', content, copied } });
    },
    close() {
      for (const stopped of readings.values()) stopped.abort();
    },
  };
};
