import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/common/video/byte-source.ts';
import { checkBoxes } from '../../../src/common/video/iso-boxes.ts';
import { readVideo, type VideoProbe } from '../../../src/common/video/probe.ts';
import { describeVideoLimits, validateVideo } from '../../../src/common/video/validate-video.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { probeVideo } from '../../../src/server/media/inspect-video.ts';
import { cpuMsUntil } from '../../support/cpu-time.ts';
import { ffmpegFile, goodMp4, goodWebm, rawFile, truncated, video } from '../../support/media/media.ts';
import { NEWER_FFMPEG, needsNewerFfmpeg } from '../../support/media/old-ffmpeg.ts';
import { EXPECTED_PROBLEMS, VIDEO_CORPUS } from '../../support/media/video-corpus.ts';
import { sealFile } from '../../support/server/sealed-file.ts';

const run = promisify(execFile);

interface Stream {
  codec_type: string;
  codec_name: string;
  pix_fmt?: string;
  width?: number;
  height?: number;
  nb_read_packets?: string;
  side_data_list?: { rotation?: number }[];
}

const ffprobe = async (path: string) => {
  const args = ['-v', 'error', '-print_format', 'json', '-count_packets', '-show_format', '-show_streams', path];
  const { stdout } = await run('ffprobe', args);
  const { streams, format } = JSON.parse(stdout) as { streams: Stream[]; format: { duration?: string } };
  const picture = streams.find(({ codec_type }) => codec_type === 'video');
  const turn = picture?.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
  return {
    video: picture,
    audio: streams.filter(({ codec_type }) => codec_type === 'audio').map(({ codec_name }) => codec_name),
    // ffprobe counts against the clock, mediabunny with it.
    rotation: (360 - turn) % 360,
    frames: Number(picture?.nb_read_packets),
    seconds: Number(format.duration ?? Number.NaN),
  };
};

const probe = async (path: string): Promise<VideoProbe> => {
  const result = await probeVideo(await sealFile(path), path.endsWith('webm') ? 'webm' : 'mp4');
  if (!result.ok) throw new Error(result.reason);
  return result.probe;
};

const reasonOf = async (path: string, container: 'mp4' | 'webm'): Promise<string> => {
  const result = await probeVideo(await sealFile(path), container);
  return result.ok ? 'readable' : result.reason;
};

describe('A video is read as ffprobe reads it', () => {
  it.for(Object.keys(VIDEO_CORPUS))('%s', async (name, { skip }) => {
    skip(needsNewerFfmpeg(name), NEWER_FFMPEG);
    const path = (await VIDEO_CORPUS[name]?.()) ?? '';
    const [ours, theirs, { size }] = [await probe(path), await ffprobe(path), await stat(path)];
    const [stream] = ours.streams;
    expect(stream.codec).toBe(theirs.video?.codec_name);
    // VP9 alpha and HEVC formats need no names: their codec is refused first.
    if (stream.codec !== 'hevc') expect(stream.pixelFormat).toBe(theirs.video?.pix_fmt);
    expect([stream.width, stream.height]).toEqual([theirs.video?.width, theirs.video?.height]);
    expect(stream.rotation).toBe(theirs.rotation);
    expect(ours.audioCodecs).toEqual(theirs.audio);
    const seconds = Number.isNaN(theirs.seconds) ? ours.seconds : theirs.seconds;
    expect(Math.abs(ours.seconds - seconds)).toBeLessThan(0.03);
    expect(Math.abs(ours.bitrate - (size * 8) / seconds) / ours.bitrate).toBeLessThan(0.02);
    // A stream may end before its container, by a frame or by the length of an audio packet.
    expect(Math.abs(theirs.frames / stream.fps - seconds)).toBeLessThan(0.05);
  });
});

it.each(['mp4', 'webm'] as const)(
  'A sound track without any sound in it is none, and no cut: %s',
  async (container) => {
    const tiny = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5:duration=1', '-f', 'lavfi', '-i', 'anullsrc'];
    const silence = ['-filter_complex', '[1:a]atrim=end_sample=0[none]', '-map', '0:v', '-map', '[none]', '-t', '1'];
    const codecs = { mp4: ['libx264', 'aac'], webm: ['libvpx-vp9', 'libopus'] }[container];
    const coding = ['-c:v', codecs[0] ?? '', '-pix_fmt', 'yuv420p', '-c:a', codecs[1] ?? ''];
    const parts = container === 'mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : [];
    const path = await ffmpegFile(`no-sound.${container}`, [...tiny, ...silence, ...coding, ...parts]);
    expect(await probe(path)).toMatchObject({ container, audioCodecs: [], streams: [{ width: 64, height: 48 }] });
    expect(await reasonOf(await truncated(path, 0.9), container)).toMatch(/cut off|missing|read/);
  },
);

describe('limits.video', () => {
  it.for(Object.keys(VIDEO_CORPUS))('names every problem of %s and no other', async (name, { skip }) => {
    skip(needsNewerFfmpeg(name), NEWER_FFMPEG);
    const problems = validateVideo(await probe((await VIDEO_CORPUS[name]?.()) ?? ''), DEFAULT_CONFIG.video);
    expect(problems.map(({ code }) => code)).toEqual(EXPECTED_PROBLEMS[name] ?? []);
    for (const { message } of problems) expect(message).toMatch(/^The .+(allowed: .+|at most .+)\.$/);
  });

  const good: VideoProbe = {
    container: 'mp4',
    streams: [
      { codec: 'h264', pixelFormat: 'yuv420p', width: 1920, height: 1080, rotation: 0, fps: 30, fpsAtLeast: 30 },
    ],
    audioCodecs: ['aac'],
    seconds: 10,
    bitrate: 6_220_800,
  };
  const codes = (change: Partial<VideoProbe>) =>
    validateVideo({ ...good, ...change }, DEFAULT_CONFIG.video).map(({ code }) => code);

  it('lets the average bitrate reach the ceiling of size and rate, and no more', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ bitrate: 6_220_801 })).toEqual(['BITRATE']);
  });
  it('lets a video last exactly an hour', () => {
    expect(codes({ seconds: 3_600 })).toEqual([]);
    expect(codes({ seconds: 3_600.01 })).toEqual(['DURATION']);
  });
  it('takes 3840 x 2160 in either orientation and nothing larger', () => {
    const sized = (width: number, height: number) => codes({ streams: [{ ...good.streams[0], width, height }] });
    expect(sized(3_840, 2_160)).toEqual([]);
    expect(sized(2_160, 3_840)).toEqual([]);
    expect(sized(3_842, 2_160)).toEqual(['LONG_SIDE']);
    expect(sized(2_162, 2_162)).toEqual(['SHORT_SIDE']);
  });
  it('refuses a container that the operator took out', () => {
    const webmOnly = { ...DEFAULT_CONFIG.video, formats: DEFAULT_CONFIG.video.formats.slice(1) };
    expect(validateVideo(good, webmOnly).map(({ code }) => code)).toEqual(['CONTAINER']);
  });
  it('is returned in the terms of the API document', () => {
    expect(describeVideoLimits(DEFAULT_CONFIG.video)).toBe(
      'H.264 with AAC (MP4) or VP9/AV1 with Opus (WebM), up to 3840 x 2160',
    );
  });
});

describe('An unreadable video', () => {
  it.each([0.2, 0.6, 0.9, 0.999])('is refused when only %f of it arrived', async (share) => {
    const faststart = await VIDEO_CORPUS['faststart.mp4']?.();
    const fragmented = await VIDEO_CORPUS['fragmented.mp4']?.();
    for (const path of [await goodMp4(), faststart ?? '', fragmented ?? ''])
      expect(await reasonOf(await truncated(path, share), 'mp4')).toMatch(/cut off|missing|read/);
    expect(await reasonOf(await truncated(await goodWebm(), share), 'webm')).toMatch(/cut off|missing|read/);
  });

  it('is refused when it holds sound only', async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
    const mp4 = await ffmpegFile('sound.mp4', [...tone, '-c:a', 'aac']);
    const webm = await ffmpegFile('sound.webm', [...tone, '-c:a', 'libopus']);
    expect(await reasonOf(mp4, 'mp4')).toBe('The file holds no video.');
    expect(await reasonOf(webm, 'webm')).toBe('The file holds no video.');
  });

  it('is refused when it points to media outside the file', async () => {
    const bytes = await readFile(await goodMp4());
    // The flag "in this file" of the data reference is its last byte.
    const at = bytes.indexOf('url \0\0\0\u0001', 0, 'latin1');
    expect(at).toBeGreaterThan(0);
    bytes[at + 7] = 0;
    expect(await reasonOf(await rawFile('external.mp4', bytes), 'mp4')).toBe(
      'The video refers to media outside the file.',
    );
  });

  it('is refused when it is a playlist or a picture under another name', async () => {
    const playlist = await rawFile('list.mp4', '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/secret.ts\n#EXT-X-ENDLIST\n');
    expect(await reasonOf(playlist, 'mp4')).not.toBe('readable');
    expect(await reasonOf(await goodWebm(), 'mp4')).not.toBe('readable');
    expect(await reasonOf(await goodMp4(), 'webm')).not.toBe('readable');
  });

  it('is read quickly however long it is', async () => {
    const path = await video('long.mp4', {
      size: '64x64',
      rate: 2,
      seconds: 3_600,
      sounds: 0,
      args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    });
    const spent = await cpuMsUntil(async () =>
      expect(validateVideo(await probe(path), DEFAULT_CONFIG.video)).toEqual([]),
    );
    expect(spent).toBeLessThan(2_000);
  });
});

describe('An MP4 of many boxes', () => {
  const box = (type: string, size = 8): Buffer => {
    const header = Buffer.from(`\0\0\0\0${type}`, 'latin1');
    header.writeUInt32BE(size);
    return header;
  };
  const many = (count: number, ...types: readonly string[]): Buffer =>
    Buffer.alloc(8 * count, Buffer.concat(types.map((type) => box(type))));
  const inMemory = (bytes: Buffer) => {
    const read = { times: 0 };
    const file: ByteSource = {
      size: bytes.length,
      read: async (position, length) => {
        read.times += 1;
        return bytes.subarray(position, position + length);
      },
    };
    return { file, read };
  };

  it('is whole with a fragment for each picture and each sound of an hour at 60 frames, and takes few reads', async () => {
    const { file, read } = inMemory(many(2 * 3_600 * (60 + 48), 'moof', 'mdat'));
    expect(await checkBoxes(file)).toBe('whole');
    expect(read.times).toBeLessThan(200);
  });

  it('is refused as that, not as cut off, beyond two million, or inside others 100,000 or six levels', async () => {
    const inside = (count: number) => Buffer.concat([box('moov', 8 + 8 * count), many(count, 'free')]);
    const nested = (levels: number) =>
      Buffer.concat(Array.from({ length: levels }, (_, level) => box('moov', 8 * (levels - level))));
    for (const most of [inside(100_000), nested(5)]) expect(await checkBoxes(inMemory(most).file)).toBe('whole');
    for (const more of [many(2_000_001, 'free'), inside(100_001), nested(6)])
      expect(await readVideo(inMemory(more).file, 'mp4')).toEqual({
        ok: false,
        reason: 'The video has too many parts to be read.',
      });
  });
});
