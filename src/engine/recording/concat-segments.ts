/**
 * Concatenates segments of recordings by copying their packets: no frame is encoded, and audio stays in sync. The
 * result gets its final name only when it is complete and flushed to disk; only then are the segments of a finished
 * recording deleted.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny';
import { open, rename, rm } from '../../base/node/retrying-fs.ts';
import { syncFolder } from '../../base/node/sync-to-disk.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { type RecordingMetadata, readRecordingMetadata } from './probe-recording.ts';
import { isFrameIntact, openRecordingFile, type RecordingFile } from './recording-file-reader.ts';
import type { RecordingStore, StoredRecording } from './recording-store.ts';
import { STOP_MS } from './segment-encoder.ts';

/** A range of a segment file; seconds count from its first frame. */
export interface Segment {
  readonly file: RecordingFile;
  /** Start of the first frame; it must be a key frame. */
  readonly from: number;
  /** Null: to its end. Where the frames end a little before, the last one is extended. */
  readonly to: number | null;
  /** Another segment file whose audio is used, starting at `from` in its time; null: its own audio. */
  readonly audio: { readonly file: RecordingFile; readonly from: number } | null;
}

/** Packets between two yields to the event loop. */
const PACKETS_PER_YIELD = 500;
/** Maximum duration of a frame: a longer gap means lost frames. */
const FRAME_SECONDS_MAX = 1;
const RESERVE = 1.02;
const SPARE_PACKETS = 40;
/** Tolerance for rounded timestamps. */
const TOLERANCE = 0.002;

const hasSound = (segments: readonly Segment[]): boolean =>
  segments.some(({ file, audio }) => (audio?.file ?? file).audio !== null);

const lengthOf = ({ file, from, to }: Segment): number => (to ?? file.seconds) - from;

/** AAC of 48 kHz has 47 packets per second. */
const AUDIO_RATE_MAX = 50;
const RATE_SAMPLE = 200;

/** Maximum number of packets: their index is reserved at the start of the file. */
const reserve = (seconds: number, rate: number) => ({
  maximumPacketCount: Math.ceil(seconds * rate * RESERVE) + SPARE_PACKETS,
});

const rateOf = async (segments: readonly Segment[]): Promise<number> => {
  const track = segments[0]?.file.video.track;
  return (await track?.computePacketStats(RATE_SAMPLE))?.averagePacketRate ?? 0;
};

/** The packets of one segment in the time of the result, video and audio in order of time. */
async function* packetsOf(
  segment: Segment,
  offset: number,
): AsyncGenerator<{ of: 'video' | 'audio'; packet: EncodedPacket }> {
  const { file, from, to, audio } = segment;
  const first = await file.video.packets.getKeyPacket(file.start + from + TOLERANCE);
  if (!first) return;
  // Even the shortest segment keeps its first frame.
  const end = to === null ? Number.POSITIVE_INFINITY : Math.max(from + TOLERANCE, to - TOLERANCE);
  const audioFile = audio?.file ?? file;
  const audioStart = audioFile.start + (audio?.from ?? from);
  const sound = audioFile.audio;
  const startSound = await sound?.packets.getPacket(audioStart);
  const audioPackets = sound ? sound.packets.packets(startSound ?? undefined) : null;
  let audioPacket = (await audioPackets?.next())?.value ?? null;
  let last: EncodedPacket | null = null;

  async function* audioUntil(time: number): AsyncGenerator<{ of: 'audio'; packet: EncodedPacket }> {
    while (audioPacket && audioPacket.timestamp - audioStart + audioPacket.duration / 2 < time) {
      const timestamp = audioPacket.timestamp - audioStart;
      // Audio up to half a packet before the start is included; packets of zeros come from a power cut.
      if (timestamp > -audioPacket.duration / 2 && audioPacket.data.some((byte) => byte !== 0))
        yield { of: 'audio', packet: audioPacket.clone({ timestamp: offset + Math.max(0, timestamp) }) };
      audioPacket = (await audioPackets?.next())?.value ?? null;
    }
  }

  for await (const packet of file.video.packets.packets(first)) {
    const timestamp = packet.timestamp - file.start;
    if (timestamp >= end || !isFrameIntact(packet.data)) break;
    if (last) yield { of: 'video', packet: last };
    yield* audioUntil(timestamp - from);
    last = packet.clone({ timestamp: offset + timestamp - from });
  }
  if (!last) return;
  const shown = to === null ? 0 : offset + lengthOf(segment) - last.timestamp;
  // Never shorter than before: the frame rate would exceed the plan.
  const duration = shown > last.duration && shown <= FRAME_SECONDS_MAX ? shown : last.duration;
  yield { of: 'video', packet: last.clone({ duration }) };
  yield* audioUntil(last.timestamp + duration - offset);
  await audioPackets?.return();
}

/** Writes the segments one after the other. Returns whether there was any frame. Throws file system errors. */
export const concatSegments = async (
  segments: readonly Segment[],
  target: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const unfinished = `${target}${UNFINISHED}`;
  await rm(unfinished, { force: true });
  const seconds = segments.reduce((sum, segment) => sum + lengthOf(segment) + FRAME_SECONDS_MAX, 0);
  const rate = await rateOf(segments);
  const file = await open(unfinished, 'wx', 0o600);
  const writable = new WritableStream<StreamTargetChunk>({
    async write({ data, position }) {
      for (let at = 0; at < data.length; )
        at += (await file.write(data, at, data.length - at, position + at)).bytesWritten;
    },
  });
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    // Not mediabunny's own target of a path, which leaves the file open after a failed write.
    target: new StreamTarget(writable, { chunked: true, chunkSize: 1024 ** 2 }),
  });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, reserve(seconds, rate));
  const audio = hasSound(segments) ? new EncodedAudioPacketSource('aac') : null;
  if (audio) output.addAudioTrack(audio, reserve(seconds, AUDIO_RATE_MAX));
  try {
    await output.start();
    let count = 0;
    let offset = 0;
    let audioEnd = 0;
    for (const segment of segments) {
      const videoConfig = await segment.file.video.track.getDecoderConfig();
      const audioConfig = await (segment.audio?.file ?? segment.file).audio?.track.getDecoderConfig();
      let end = offset;
      for await (const { of, packet } of packetsOf(segment, offset)) {
        signal.throwIfAborted();
        if (of === 'video') {
          await video.add(packet, videoConfig ? { decoderConfig: videoConfig } : undefined);
          end = packet.timestamp + packet.duration;
        } else if (packet.timestamp >= audioEnd - TOLERANCE) {
          await audio?.add(packet, audioConfig ? { decoderConfig: audioConfig } : undefined);
          audioEnd = packet.timestamp + packet.duration;
        }
        count += 1;
        if (count % PACKETS_PER_YIELD === 0) await breathe();
      }
      offset = end;
    }
    if (count === 0) {
      await output.cancel();
      return false;
    }
    await output.finalize();
    await file.sync();
    await file.close();
    await rename(unfinished, target);
    await syncFolder(dirname(target));
    return true;
  } catch (error) {
    await output.cancel().catch(() => {});
    throw error;
  } finally {
    await file.close();
    await rm(unfinished, { force: true });
  }
};

/** The end of a segment in seconds; null: of its file, which cannot exceed its noted length by more than the stop takes. */
const endOf = ({ seconds }: RecordingFile, lengthMs: number | null | undefined): number | null =>
  lengthMs == null || seconds * 1_000 - lengthMs > STOP_MS ? null : lengthMs / 1_000;

/**
 * Concatenates the segments of a recording and deletes them once the result is synced to disk. Returns the metadata of
 * the complete file; null where no frame was recorded or can be read. A segment without an intact frame stays. Throws
 * file system errors, and then deletes nothing.
 */
export const assembleRecording = async (
  recording: StoredRecording,
  recordingStore: RecordingStore,
  signal: AbortSignal,
): Promise<RecordingMetadata | null> => {
  let metadata: RecordingMetadata | null;
  const readable = new Map<string, Segment>();
  try {
    for (const [index, path] of (await recordingStore.segmentPaths(recording)).entries()) {
      const file = await openRecordingFile(path);
      if (file) readable.set(path, { file, from: 0, to: endOf(file, recording.info.lengths[index]), audio: null });
    }
    const segments = [...readable.values()];
    // A damaged file is not replaced: the segments may be fewer than those it was made of.
    const isThere =
      existsSync(recording.file) || (segments.length > 0 && (await concatSegments(segments, recording.file, signal)));
    metadata = isThere ? await readRecordingMetadata(recording.file) : null;
    if (!metadata) return null;
  } finally {
    for (const { file } of readable.values()) await file.close();
  }
  for (const path of readable.keys()) await rm(path, { force: true });
  return metadata;
};
