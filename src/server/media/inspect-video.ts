/**
 * Reads the metadata and the chapters of a stored video, and makes its poster (the still image shown before it plays).
 * Runs only in the inspector's child process.
 */

import {
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputVideoTrack,
  MkvOutputFormat,
  Output,
} from 'mediabunny';
import { type ProgramError, runProgram } from '../../base/node/run-program.ts';
import type { ByteSource } from '../../common/video/byte-source.ts';
import { type Chapter, readChapters } from '../../common/video/chapters.ts';
import { openVideo, type ProbeResult, readVideo, type VideoContainer } from '../../common/video/probe.ts';
import { openSealedFile, type SealedFile } from '../storage/sealed-reader.ts';
import { toPreview } from './inspect-image.ts';
import { PREVIEW_SIDE, type Preview } from './inspector-protocol.ts';

// Probes a stored video: decrypts the object and reads it as the app does (`common/video/probe.ts`).

/** Probes a file whose signature is `container`. Never throws for its content. */
export const probeVideo = (sealed: SealedFile, container: VideoContainer): Promise<ProbeResult> =>
  withSealedFile(sealed, (file) => readVideo(file, container));

/** The chapters of a file that has passed the probe. */
export const videoChapters = (sealed: SealedFile, container: VideoContainer): Promise<readonly Chapter[]> =>
  withSealedFile(sealed, (file) => readChapters(file, container));

const withSealedFile = async <T>(sealed: SealedFile, use: (file: ByteSource) => Promise<T>): Promise<T> => {
  const file = await openSealedFile(sealed);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** The most representative of the first frames is chosen: many videos begin in black. */
const FRAMES = 24;
/** No further frame is read once these have more bytes. */
const PACKETS_BYTES_MAX = 16 * 1024 ** 2;
/** A picture of 640 x 640 has 1.6 MB if it cannot be compressed. */
const PICTURE_BYTES_MAX = 8 * 1024 ** 2;

const SCALE = `scale=w='min(${PREVIEW_SIDE},iw)':h='min(${PREVIEW_SIDE},ih)':force_original_aspect_ratio=decrease`;

/** One thread each for decoding, every filter and encoding; the kernel ends it after `seconds` of processor time. */
const argumentsFor = (seconds: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-timelimit', String(seconds), '-filter_threads', '1'],
  ...['-protocol_whitelist', 'pipe', '-f', 'matroska', '-threads', '1', '-i', 'pipe:0'],
  ...['-map', '0:v:0', '-vf', `${SCALE},thumbnail=${FRAMES}`, '-frames:v', '1', '-threads', '1'],
  ...['-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
];

interface Opening {
  /** A Matroska file of the first frames. */
  readonly bytes: Uint8Array;
  /** Clockwise rotation of the frames in degrees. */
  readonly turn: number;
}

const firstPackets = async (track: InputVideoTrack): Promise<readonly EncodedPacket[]> => {
  const sink = new EncodedPacketSink(track);
  const packets: EncodedPacket[] = [];
  let weight = 0;
  let packet = await sink.getFirstKeyPacket();
  while (packet !== null && packets.length < FRAMES && (packets.length === 0 || weight <= PACKETS_BYTES_MAX)) {
    packets.push(packet);
    weight += packet.byteLength;
    packet = await sink.getNextPacket(packet);
  }
  return packets;
};

/** Null: the video has no key frame to start with. */
const cutOpening = async (track: InputVideoTrack): Promise<Opening | null> => {
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  const packets = await firstPackets(track);
  if (codec === null || decoderConfig === null || packets.length === 0) return null;
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat({ appendOnly: true }), target });
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source);
  await output.start();
  // A first frame may be before zero, which the container cannot express.
  const start = Math.min(...packets.map(({ timestamp }) => timestamp));
  for (const packet of packets) {
    await source.add(packet.clone({ timestamp: packet.timestamp - start }), { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) return null;
  return { bytes: new Uint8Array(target.buffer), turn: await track.getRotation() };
};

interface PosterProgram {
  /** ffmpeg, by name on the PATH or by path. */
  readonly ffmpeg: string;
  /** Allowed processor time. */
  readonly posterSeconds: number;
}

/** A busy machine gives a program a small share of its time. */
const WALL_FACTOR = 12;

type Frame =
  | { readonly kind: 'taken'; readonly png: Buffer }
  /** No ffmpeg, no suitable decoder, or over its limits: not the video's fault. */
  | { readonly kind: 'none' }
  | { readonly kind: 'undecodable' };

const decode = async ({ ffmpeg, posterSeconds }: PosterProgram, bytes: Uint8Array): Promise<Frame> => {
  const seconds = Math.ceil(posterSeconds);
  const run = runProgram(ffmpeg, argumentsFor(seconds), {
    timeout: WALL_FACTOR * seconds * 1_000,
    maxBuffer: PICTURE_BYTES_MAX,
    killSignal: 'SIGKILL',
  });
  // It may exit before it has read everything; its exit code says why.
  run.child.stdin?.on('error', () => {});
  run.child.stdin?.end(bytes);
  try {
    const { stdout, stderr } = await run;
    if (stdout.length > 0) return { kind: 'taken', png: stdout };
    return { kind: isBlameless(String(stderr)) ? 'none' : 'undecodable' };
  } catch (error) {
    const { code, signal, stderr } = error as ProgramError;
    // An ffmpeg that exited by itself without lacking a decoder has seen the frames and could not use them.
    const isUndecodable = typeof code !== 'string' && !signal && !isBlameless(String(stderr));
    return { kind: isUndecodable ? 'undecodable' : 'none' };
  }
};

const LACKS_DECODER = [
  /no decoder|not found|error while opening decoder(?! .*invalid data)/i,
  // What its own decoder of AV1 reports, which needs a graphics card.
  /hardware accelerated|failed to get pixel format|function not implemented/i,
];

/** Whether ffmpeg reports that it has no decoder for the video that works on this computer. */
const isBlameless = (complaints: string): boolean => LACKS_DECODER.some((words) => words.test(complaints));

const UNDECODABLE: Preview = { kind: 'damaged', reason: 'No frame of the video can be decoded.' };

/**
 * For a video that has been probed. ffmpeg gets its first frames through a pipe, in a container that was written here; it
 * may open no file and no address.
 */
export const videoPoster = async (
  program: PosterProgram,
  sealed: SealedFile,
  container: VideoContainer,
): Promise<Preview> => {
  const file = await openSealedFile(sealed);
  const input = openVideo(file, container);
  try {
    const track = await input.getPrimaryVideoTrack();
    const opening = track === null ? null : await cutOpening(track);
    if (opening === null) return UNDECODABLE;
    const frame = await decode(program, opening.bytes);
    switch (frame.kind) {
      case 'taken':
        return await toPreview(frame.png, { turn: opening.turn });
      case 'none':
        return frame;
      case 'undecodable':
        return UNDECODABLE;
    }
  } catch {
    // The untrusted file has passed the probe, so it is shown, without a poster.
    return { kind: 'none' };
  } finally {
    input.dispose();
    await file.close();
  }
};
