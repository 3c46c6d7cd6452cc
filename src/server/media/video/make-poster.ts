/**
 * Takes the poster of a video with ffmpeg, which is given the first frames through a pipe, in a container of our own
 * making. It may open no file and no address, reads no stranger's container, and ends at limits of its own besides those
 * of the child process that starts it.
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
import { type ProgramError, runProgram } from '../../../base/node/run-program.ts';
import { openVideo, type VideoContainer } from '../../../common/video/probe.ts';
import { openSealedFile, type SealedFile } from '../../storage/sealed-file.ts';
import { toPreview } from '../inspect-image.ts';
import { PREVIEW_SIDE, type Preview } from '../inspection-result.ts';

/** Of the first frames the most telling one is taken: many videos begin in black. */
const FRAMES = 24;
/** What these frames may weigh; where they are heavier, fewer are looked at. */
const PACKETS_BYTES_MAX = 16 * 1024 ** 2;
/** A picture of 640 x 640 has 1.6 MB when nothing in it can be compressed. */
const PICTURE_BYTES_MAX = 8 * 1024 ** 2;

const SCALE = `scale=w='min(${PREVIEW_SIDE},iw)':h='min(${PREVIEW_SIDE},ih)':force_original_aspect_ratio=decrease`;

/** One thread for decoding, one for each filter and one for encoding; the kernel ends it after `seconds` of its own time. */
const argumentsFor = (seconds: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-timelimit', String(seconds), '-filter_threads', '1'],
  ...['-protocol_whitelist', 'pipe', '-f', 'matroska', '-threads', '1', '-i', 'pipe:0'],
  ...['-map', '0:v:0', '-vf', `${SCALE},thumbnail=${FRAMES}`, '-frames:v', '1', '-threads', '1'],
  ...['-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
];

interface Opening {
  /** A Matroska file of the first frames. */
  readonly bytes: Uint8Array;
  /** Degrees clockwise by which the frames are to be turned. */
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

/** Null: the video holds no frame to begin with. */
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
  // A first frame may lie before zero, which the container cannot say.
  const start = Math.min(...packets.map(({ timestamp }) => timestamp));
  for (const packet of packets) {
    await source.add(packet.clone({ timestamp: packet.timestamp - start }), { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) return null;
  return { bytes: new Uint8Array(target.buffer), turn: await track.getRotation() };
};

export interface PosterProgram {
  /** ffmpeg, by its name on the PATH or by its path. */
  readonly ffmpeg: string;
  /** Processor time that it may take. */
  readonly posterSeconds: number;
}

/** A busy machine gives a program a small share of its time. */
const WALL_FACTOR = 12;

type Frame =
  | { readonly kind: 'taken'; readonly png: Buffer }
  /** No ffmpeg, none that knows the codec, or one that took too much: not the video's fault. */
  | { readonly kind: 'none' }
  | { readonly kind: 'undecodable' };

const decode = async ({ ffmpeg, posterSeconds }: PosterProgram, bytes: Uint8Array): Promise<Frame> => {
  const seconds = Math.ceil(posterSeconds);
  const run = runProgram(ffmpeg, argumentsFor(seconds), {
    timeout: WALL_FACTOR * seconds * 1_000,
    maxBuffer: PICTURE_BYTES_MAX,
    killSignal: 'SIGKILL',
  });
  // It may end before it has read all; its answer says why.
  run.child.stdin?.on('error', () => {});
  run.child.stdin?.end(bytes);
  try {
    const { stdout, stderr } = await run;
    if (stdout.length > 0) return { kind: 'taken', png: stdout };
    return { kind: isBlameless(String(stderr)) ? 'none' : 'undecodable' };
  } catch (error) {
    const { code, signal, stderr } = error as ProgramError;
    // What ended by itself and did not blame its own equipment has looked at the frames and could not use them.
    const isUndecodable = typeof code !== 'string' && !signal && !isBlameless(String(stderr));
    return { kind: isUndecodable ? 'undecodable' : 'none' };
  }
};

/** Whether ffmpeg says that it is not equipped for the video. */
const isBlameless = (complaints: string): boolean => /no decoder|not found/i.test(complaints);

const UNDECODABLE: Preview = { kind: 'damaged', reason: 'No frame of the video can be decoded.' };

/** Of a video that has been probed. */
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
    // A stranger's file has passed the probe, so it is shown; only its picture is missing.
    return { kind: 'none' };
  } finally {
    input.dispose();
    await file.close();
  }
};
