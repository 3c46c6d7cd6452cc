/**
 * Trims a recording to exact frames. Re-encodes only the frames before the first key frame of the cut and copies the
 * rest; if the encoder parameters of both parts differ, it re-encodes all frames. Fails if the result has the wrong
 * length or its re-encoded frames cannot be decoded.
 */
import { join } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { Ffmpeg } from '../video/ffmpeg.ts';
import { concatSegments, type Segment } from './concat-segments.ts';
import { type Encoding, partArguments } from './ffmpeg-arguments.ts';
import { readRecordingMetadata } from './probe-recording.ts';
import { openRecordingFile, type RecordingFile } from './recording-file-reader.ts';

export interface TrimRequest {
  readonly source: string;
  readonly startMs: number;
  /** Null: to its end. */
  readonly endMs: number | null;
  readonly encoding: Encoding;
  /** For temporary files. */
  readonly folder: string;
  readonly target: string;
}

export interface TrimTools {
  /** Errors: VIDEO_TOOL_MISSING, VIDEO_FIT_FAILED. Called only where something must be encoded. */
  ffmpeg(): Promise<Result<{ readonly ffmpeg: Ffmpeg; readonly everyFrame: readonly string[] }>>;
}

/** Tolerance for rounded timestamps, in seconds. */
const TOLERANCE = 0.002;
/** Seconds after the seam that are decoded as a test; the copied rest is known to decode. */
const SEAM_SECONDS = 2;

const viewOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

const sameParameters = async (one: RecordingFile, other: RecordingFile): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map(({ video }) => video.track.getDecoderConfig()));
  const bytes = (description: ArrayBufferView | ArrayBufferLike | undefined) =>
    description === undefined
      ? null
      : Buffer.from(ArrayBuffer.isView(description) ? viewOf(description) : new Uint8Array(description)).toString(
          'hex',
        );
  return bytes(a?.description) === bytes(b?.description);
};

const failed = (detail: string): Result<never> => err(failure('VIDEO_FIT_FAILED', detail));

/** Errors: VIDEO_TOOL_MISSING, VIDEO_FIT_FAILED, DISK_FULL, CANCELLED. */
export const trimRecording = async (
  request: TrimRequest,
  tools: TrimTools,
  signal: AbortSignal,
): Promise<Result<void>> => {
  const file = await openRecordingFile(request.source);
  if (!file) return failed('The recording cannot be read.');
  try {
    return await cutPiece(file, request, tools, signal);
  } finally {
    await file.close();
  }
};

const cutPiece = async (
  file: RecordingFile,
  request: TrimRequest,
  tools: TrimTools,
  signal: AbortSignal,
): Promise<Result<void>> => {
  const { packets } = file.video;
  const metadataOnly = true;
  const first = await packets.getPacket(file.start + request.startMs / 1_000 + TOLERANCE, { metadataOnly });
  const key = first && (await packets.getKeyPacket(first.timestamp + TOLERANCE, { metadataOnly }));
  if (!first || !key) return failed('There is no frame where the cut starts.');
  const from = first.timestamp - file.start;
  const end = request.endMs === null ? file.seconds : Math.min(file.seconds, request.endMs / 1_000);
  const to = end >= file.seconds - TOLERANCE ? null : end;
  if (end <= from + TOLERANCE) return failed('The cut has no length.');

  const write = async (segments: readonly Segment[]): Promise<Result<void>> => {
    await concatSegments(segments, request.target, signal);
    const result = await readRecordingMetadata(request.target);
    const length = (to ?? file.seconds) - from;
    const frame = 1 / Math.max(1, request.encoding.params.fps);
    if (result && Math.abs(result.durationMs / 1_000 - length) <= frame + TOLERANCE) return ok(undefined);
    return failed(`The cut lasts ${result?.durationMs ?? 0} ms instead of ${Math.round(length * 1_000)} ms.`);
  };
  if (key.timestamp >= first.timestamp - TOLERANCE) return write([{ file, from, to, audio: null }]);

  const found = await tools.ffmpeg();
  if (!found.ok) return found;
  const { ffmpeg, everyFrame } = found.value;
  const part = join(request.folder, 'part.mp4');

  /** Encodes the frames from the first wanted one up to `end`, starting with a key frame. */
  const encoded = async (end: number): Promise<Result<RecordingFile>> => {
    let frames = 0;
    for await (const packet of packets.packets(first, undefined, { metadataOnly })) {
      if (packet.timestamp - file.start >= end - TOLERANCE) break;
      frames += 1;
    }
    const margin = first.duration / 4;
    const start = Math.max(0, first.timestamp - margin);
    const run = await ffmpeg.run(
      partArguments(request.source, { start, frames }, request.encoding, everyFrame, part),
      {},
      signal,
    );
    if (!run.ok) return run;
    const result = await openRecordingFile(part);
    return result ? ok(result) : failed('The first frames could not be re-encoded.');
  };

  const next = await packets.getNextKeyPacket(key, { metadataOnly });
  const seam = next ? next.timestamp - file.start : Number.POSITIVE_INFINITY;
  const audio = { file, from };
  const opened: RecordingFile[] = [];
  try {
    const head = await encoded(Math.min(seam, end));
    if (!head.ok) return head;
    opened.push(head.value);
    let written: Result<void>;
    if (seam >= end - TOLERANCE) written = await write([{ file: head.value, from: 0, to: end - from, audio }]);
    else if (await sameParameters(head.value, file))
      written = await write([
        { file: head.value, from: 0, to: seam - from, audio },
        { file, from: seam, to, audio: null },
      ]);
    else {
      // The encoder differs from that of the recording and the two cannot be concatenated, so everything is encoded.
      const all = await encoded(end);
      if (!all.ok) return all;
      opened.push(all.value);
      written = await write([{ file: all.value, from: 0, to: end - from, audio }]);
    }
    if (!written.ok) return written;
    const seconds = String(Math.min(seam, end) - from + SEAM_SECONDS);
    const decoded = ['-loglevel', 'error', '-xerror', '-i', `file:${request.target}`, '-t', seconds, '-f', 'null', '-'];
    const run = await ffmpeg.run(decoded, {}, signal);
    return run.ok ? ok(undefined) : run;
  } finally {
    for (const one of opened) await one.close();
    await rm(part, { force: true });
  }
};
