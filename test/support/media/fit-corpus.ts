/**
 * The test corpus for fitting: every container and codec that ffmpeg here can write, odd sizes and rates, broken files
 * and awkward names. Each is small and made once. Used together with the corpus of the service.
 */
import { readFile } from 'node:fs/promises';
import { isWindows } from '../only-on.ts';
import { ffmpegFile, goodMp4, goodWebm, rawFile, truncated, type VideoRecipe, video } from './media.ts';
import { VIDEO_CORPUS } from './video-corpus.ts';

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
const H264 = [...X264, '-pix_fmt', 'yuv420p'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
const AAC = ['-c:a', 'aac'];
const HDR = ['-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'];

/** With every character that is special to ffmpeg or a shell; Windows allows no quotes. */
export const HARD_NAME = `it's a ${isWindows ? '' : '"test" '}(1) [x] %d 100 %.mkv`;

const RECIPES: Readonly<Record<string, VideoRecipe>> = {
  'h264.mkv': { args: [...H264, ...AAC] },
  'h264-pcm.mov': { args: [...H264, '-c:a', 'pcm_s16le'] },
  'h264.ts': { args: [...H264, ...AAC] },
  'h264.flv': { args: [...H264, ...AAC] },
  'h264-mp3.avi': { args: [...H264, '-bf', '0', '-c:a', 'libmp3lame'] },
  'prores.mov': { args: ['-c:v', 'prores_ks', '-c:a', 'pcm_s16le'] },
  'prores-4444.mov': { args: ['-c:v', 'prores_ks', '-profile:v', '4', '-pix_fmt', 'yuva444p10le', ...AAC] },
  'animation.mov': { seconds: 1, args: ['-c:v', 'qtrle', '-pix_fmt', 'argb', '-an'], sounds: 0 },
  'motion-jpeg.avi': { args: ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le'] },
  'mpeg4.avi': { args: ['-c:v', 'mpeg4', '-bf', '2', '-c:a', 'libmp3lame'] },
  'wmv2.wmv': { args: ['-c:v', 'wmv2', '-c:a', 'wmav2'] },
  'flv1.flv': { args: ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'] },
  'theora.ogv': { args: ['-c:v', 'libtheora', '-c:a', 'libvorbis'] },
  'h263.3gp': { size: '352x288', args: ['-c:v', 'h263', ...AAC] },
  'mpeg2-interlaced.mpg': {
    size: '720x576',
    rate: 25,
    args: ['-c:v', 'mpeg2video', '-flags', '+ildct+ilme', '-top', '1', '-c:a', 'mp2'],
  },
  'anamorphic-pal.mpg': {
    size: '720x576',
    rate: 25,
    seconds: 1,
    args: ['-vf', 'setsar=64/45', '-c:v', 'mpeg2video', '-c:a', 'mp2'],
  },
  'dv.avi': {
    size: '720x576',
    rate: 25,
    seconds: 1,
    args: ['-c:v', 'dvvideo', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2'],
  },
  'hevc.mkv': { args: [...X265, '-c:a', 'ac3'] },
  'hevc-10.mov': { args: [...X265, '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1', ...AAC] },
  'hdr-pq.mkv': { args: [...X265, ...HDR, '-color_trc', 'smpte2084', ...AAC] },
  'hdr-hlg.mov': { args: [...X265, ...HDR, '-color_trc', 'arib-std-b67', '-tag:v', 'hvc1', ...AAC] },
  'ntsc.mkv': { rate: 29.97, args: [...X265, '-r', '30000/1001', ...AAC] },
  '4k60.mp4': { size: '3840x2160', rate: 60, seconds: 0.5, sounds: 0, args: [...X264, '-pix_fmt', 'yuv420p10le'] },
  '5k.mp4': { size: '5120x2880', rate: 30, seconds: 0.3, sounds: 0, args: H264 },
  '144fps.mkv': { rate: 144, seconds: 1, args: [...H264, ...AAC] },
  'surround.mkv': { args: [...H264, '-c:a', 'ac3', '-ac', '6'] },
  'telephone.mkv': { args: [...H264, '-c:a', 'pcm_mulaw', '-ar', '8000'] },
  'three-sounds.mkv': { sounds: 3, args: [...X265, ...AAC] },
  'pauses.mkv': { seconds: 4, sounds: 0, args: ['-vf', "select='lt(n,20)+gt(n,100)'", '-vsync', 'vfr', ...X265] },
  'screen-rgb.mkv': { sounds: 0, args: ['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0'] },
  'ffv1.mkv': { seconds: 1, args: ['-c:v', 'ffv1', '-c:a', 'flac'] },
  'odd.mkv': { size: '333x187', args: ['-c:v', 'ffv1', '-vf', 'scale=333:187', '-pix_fmt', 'yuv444p', ...AAC] },
  'tiny.mkv': { size: '34x18', args: ['-c:v', 'ffv1', ...AAC] },
  'slideshow.avi': { rate: 1, seconds: 4, sounds: 0, args: ['-c:v', 'mjpeg'] },
  'moves.gif': { size: '160x90', rate: 10, sounds: 0, args: [] },
  [HARD_NAME]: { seconds: 1, args: [...X265, ...AAC] },
  'Запись экрана №1 — копия.avi': { seconds: 1, args: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'] },
  '屏幕录制 🎬.mov': { seconds: 1, args: ['-c:v', 'prores_ks', '-c:a', 'pcm_s16le'] },
};

const copyOf = async (name: string, args: readonly string[]): Promise<string> =>
  ffmpegFile(name, ['-i', await goodMp4(), ...args]);

/** Like an HEVC video of a phone in portrait orientation. */
const rotatedHevc = async (): Promise<string> => {
  const path = await video('upright-base.mp4', { args: [...X265, '-tag:v', 'hvc1', ...AAC] });
  return ffmpegFile('upright.mov', ['-i', path, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']);
};

const withPlace = (): Promise<string> =>
  copyOf('place.mp4', ['-c', 'copy', '-metadata', 'location=+55.7522+037.6156/', '-metadata', 'title=At home']);

const withCover = async (): Promise<string> => {
  const cover = await ffmpegFile('cover.png', ['-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1']);
  return ffmpegFile('cover.mov', [
    ...['-i', await goodMp4(), '-i', cover, '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v:1', 'attached_pic'],
  ]);
};

const withSubtitles = async (): Promise<string> => {
  const text = await rawFile('words.srt', '1\n00:00:00,000 --> 00:00:01,000\nStream #0:0: Video: fake, yuv420p, 9x9\n');
  return ffmpegFile('subtitles.mkv', ['-i', await goodMp4(), '-i', text, '-c', 'copy', '-c:s', 'srt']);
};

const TELLING = 'HOME (14.4378,50.0755) GPS (14.4379, 50.0756, 120)';

const withCaptions = async (container: 'mp4' | 'webm'): Promise<string> => {
  const text = await rawFile('places.srt', `1\n00:00:00,000 --> 00:00:01,000\n${TELLING}\n`);
  const [base, codec] = container === 'mp4' ? [await goodMp4(), 'mov_text'] : [await goodWebm(), 'webvtt'];
  return ffmpegFile(`captions.${container}`, ['-i', base, '-i', text, '-c', 'copy', '-c:s', codec]);
};

/** Like the track of a drone or a camera, of a kind that only its maker knows. */
const withCameraData = async (): Promise<string> => {
  const bytes = await readFile(await withCaptions('mp4'));
  const [handler, entry] = [bytes.indexOf('sbtl'), bytes.indexOf('tx3g')];
  bytes.write('meta', handler, 'latin1');
  bytes.write('djmd', entry, 'latin1');
  return rawFile('camera-data.mp4', bytes);
};

/** Like the boxes of a dashcam between those of the standard. */
const withDashcamBox = async (): Promise<string> => {
  const words = Buffer.from(`\0\0\0\0freeGPS ${TELLING}`, 'latin1');
  words.writeUInt32BE(words.length);
  return rawFile('dashcam.mp4', Buffer.concat([await readFile(await goodMp4()), words]));
};

const cutOf = (name: string, share: number) => async (): Promise<string> =>
  truncated((await VIDEO_CORPUS[name]?.()) ?? '', share);

/** Undecodable files, for which users get an error. */
export const UNDECODABLE: Readonly<Record<string, () => Promise<string>>> = {
  'cut before its index.mp4': async () => truncated(await goodMp4(), 0.6),
  'sound only.mp4': () =>
    ffmpegFile('sound.mp4', ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', '-c:a', 'aac']),
  'noise.mp4': async () => {
    const bytes = await readFile(await goodMp4());
    return rawFile('noise.mp4', Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(50_000, 0x5a)]));
  },
  'noise.avi': () =>
    rawFile('noise.avi', Buffer.concat([Buffer.from('RIFF\xff\xff\0\0AVI LIST', 'latin1'), Buffer.alloc(9_000, 0x11)])),
};

/** Every input that can be decoded, fully or partly, by name. */
export const FIT_CORPUS: Readonly<Record<string, () => Promise<string>>> = {
  ...VIDEO_CORPUS,
  ...Object.fromEntries(Object.entries(RECIPES).map(([name, recipe]) => [name, () => video(name, recipe)])),
  'upright.mov': rotatedHevc,
  'place.mp4': withPlace,
  'captions.mp4': () => withCaptions('mp4'),
  'captions.webm': () => withCaptions('webm'),
  'camera-data.mp4': withCameraData,
  'dashcam.mp4': withDashcamBox,
  'cover.mov': withCover,
  'subtitles.mkv': withSubtitles,
  'cut.mp4': cutOf('faststart.mp4', 0.6),
  'cut-fragments.mp4': cutOf('fragmented.mp4', 0.7),
  'cut.webm': cutOf('good.webm', 0.6),
};
