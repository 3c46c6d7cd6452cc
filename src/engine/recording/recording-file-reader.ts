/**
 * Reads the MP4 files of a screen recording (its segments and the assembled or trimmed file) packet by packet, and
 * checks whether a frame is intact. A file that a crash has truncated or damaged is read up to the damage.
 */

import type { FileHandle } from 'node:fs/promises';
import { EncodedPacketSink, type Input, type InputAudioTrack, type InputVideoTrack } from 'mediabunny';
import { open } from '../../base/node/retrying-fs.ts';
import { isSystemError } from '../../base/node/system-error.ts';
import type { ByteSource } from '../../common/video/byte-source.ts';
import { readBox } from '../../common/video/iso-boxes.ts';
import { openVideo } from '../../common/video/probe.ts';

export interface RecordingFile {
  readonly video: { readonly track: InputVideoTrack; readonly packets: EncodedPacketSink };
  readonly audio: { readonly track: InputAudioTrack; readonly packets: EncodedPacketSink } | null;
  /** Timestamp of the first frame in seconds: the start of the recording. */
  readonly start: number;
  /** Length of the video from `start`. */
  readonly seconds: number;
  readonly bytes: number;
  close(): Promise<void>;
}

/** Bytes of an MP4 up to the first damage; a fragment counts once its media are complete. */
const intactBytes = async (file: ByteSource): Promise<number> => {
  let complete = 0;
  for (let at = 0; at < file.size; ) {
    const box = await readBox(file, at, file.size);
    if (box === null || box.end > file.size || !/^[a-z0-9]{4}$/.test(box.type)) break;
    if (box.type !== 'moof') complete = box.end;
    at = box.end;
  }
  return complete;
};

const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code !== 'ENOENT') throw error;
  return null;
};

/**
 * Null: the file is missing or contains no intact frame. Throws every other error of the file system: a file that
 * cannot be opened now may be intact.
 */
export const openRecordingFile = async (path: string): Promise<RecordingFile | null> => {
  const file = await open(path, 'r').catch(nullIfMissing);
  if (!file) return null;
  let input: Input | null = null;
  const close = async () => {
    input?.dispose();
    await file.close();
  };
  try {
    const { size } = await file.stat();
    const bytes = await intactBytes(fileSource(file, size));
    input = openVideo(fileSource(file, bytes), 'mp4');
    const [video] = await input.getVideoTracks();
    const [audio] = await input.getAudioTracks();
    const packets = video && new EncodedPacketSink(video);
    const first = await packets?.getFirstPacket();
    if (!video || !packets || !first || !isFrameIntact(first.data)) {
      await close();
      return null;
    }
    return {
      video: { track: video, packets },
      audio: audio ? { track: audio, packets: new EncodedPacketSink(audio) } : null,
      start: first.timestamp,
      seconds: (await video.computeDuration()) - first.timestamp,
      bytes,
      close,
    };
  } catch (error) {
    await close();
    if (isSystemError(error)) throw error;
    // Errors of the demuxer in a damaged file: nothing can be read.
    return null;
  }
};

/** H.264 units never contain these three bytes or end with a zero; blocks lost in a power cut do. */
const LOST_BLOCK = Buffer.alloc(3);

/** Whether the frame is complete: its units fill it exactly and contain no lost blocks. */
export const isFrameIntact = (data: Uint8Array): boolean => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  while (at + 4 < bytes.length) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const part = bytes.subarray(at + 4, end);
    if (part.length === 0 || part.at(-1) === 0 || part.includes(LOST_BLOCK)) return false;
    at = end;
  }
  return at === bytes.length && at > 0;
};

// Adapts an open file to the interface of the video parsers.

const fileSource = (file: FileHandle, size: number): ByteSource => ({
  size,
  async read(position, length) {
    const wanted = Math.max(0, Math.min(length, size - position));
    const bytes = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await file.read(bytes, 0, wanted, position);
    return bytes.subarray(0, bytesRead);
  },
});
