/** Real videos, valid and invalid for `limits.video`, each made by ffmpeg within a second or two. */
import { ffmpegFile, goodMp4, goodWebm, type VideoRecipe, video } from './media.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
const YUV420 = [...H264, '-pix_fmt', 'yuv420p'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
const AV1 = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8'];
const AAC = ['-c:a', 'aac'];
const OPUS = ['-c:a', 'libopus'];

const RECIPES: Readonly<Record<string, VideoRecipe>> = {
  'faststart.mp4': { args: [...YUV420, ...AAC, '-movflags', '+faststart'] },
  'main-b-frames.mp4': {
    args: ['-c:v', 'libx264', '-preset', 'medium', '-profile:v', 'main', '-pix_fmt', 'yuv420p', ...AAC],
  },
  'high10.mp4': { args: [...H264, '-pix_fmt', 'yuv420p10le', ...AAC] },
  '444.mp4': { args: [...H264, '-pix_fmt', 'yuv444p', ...AAC] },
  '422.mp4': { args: [...H264, '-pix_fmt', 'yuv422p', ...AAC] },
  'lossless-444.mp4': { args: [...H264, '-pix_fmt', 'yuv444p', '-qp', '0', ...AAC] },
  'full-range.mp4': { args: [...H264, '-pix_fmt', 'yuvj420p', ...AAC] },
  'gray.mp4': { args: [...H264, '-pix_fmt', 'gray', ...AAC] },
  'rgb.mp4': { args: ['-c:v', 'libx264rgb', '-preset', 'ultrafast', ...AAC] },
  'interlaced.mp4': { args: [...YUV420, '-flags', '+ildct+ilme', '-x264opts', 'tff=1', ...AAC] },
  'mp3.mp4': { args: [...YUV420, '-c:a', 'libmp3lame'] },
  'ac3.mp4': { args: [...YUV420, '-c:a', 'ac3'] },
  'opus.mp4': { args: [...YUV420, ...OPUS, '-strict', '-2'] },
  'flac.mp4': { args: [...YUV420, '-c:a', 'flac', '-strict', '-2'] },
  'two-sounds.mp4': { sounds: 2, args: [...YUV420, ...AAC] },
  'silent.mp4': { sounds: 0, args: YUV420 },
  'hevc.mp4': { args: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', ...AAC] },
  'vp9.mp4': { args: [...VP9, ...OPUS, '-strict', '-2'] },
  'av1.mp4': { seconds: 1, args: [...AV1, ...AAC] },
  'odd-444.mp4': {
    size: '321x181',
    sounds: 0,
    seconds: 1,
    args: [...H264, '-pix_fmt', 'yuv444p', '-vf', 'scale=321:181'],
  },
  'cropped.mp4': { size: '322x182', sounds: 0, seconds: 1, args: YUV420 },
  'fragmented.mp4': { args: [...YUV420, ...AAC, '-movflags', '+frag_keyframe+empty_moov+default_base_moof'] },
  'anamorphic.mp4': { args: [...YUV420, '-vf', 'setsar=2/1', ...AAC] },
  '120fps.mp4': { rate: 120, sounds: 0, args: YUV420 },
  '61fps.mp4': { rate: 61, sounds: 0, args: [...YUV420, '-crf', '45'] },
  '60fps.mp4': { rate: 60, sounds: 0, args: [...YUV420, '-crf', '45'] },
  'variable-rate.mp4': { sounds: 0, args: ['-vf', "select='not(mod(n,3))+lt(n,20)'", '-vsync', 'vfr', ...YUV420] },
  'one-frame.mp4': { sounds: 0, args: ['-frames:v', '1', ...YUV420] },
  'over-bitrate.mp4': { args: [...YUV420, '-qp', '0', '-vf', 'noise=alls=60:allf=t', ...AAC] },
  'tall.mp4': { size: '144x4000', seconds: 0.2, rate: 10, sounds: 0, args: [...YUV420, '-crf', '45'] },
  'm4v.m4v': { args: [...YUV420, ...AAC, '-f', 'ipod'] },
  'vp8.webm': { args: ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis'] },
  'vp9-10.webm': { args: [...VP9, '-pix_fmt', 'yuv420p10le', ...OPUS] },
  'vp9-422.webm': { args: [...VP9, '-pix_fmt', 'yuv422p', ...OPUS] },
  'vp9-444.webm': { args: [...VP9, '-pix_fmt', 'yuv444p', ...OPUS] },
  'vp9-60fps.webm': { rate: 60, seconds: 1, args: [...VP9, ...OPUS] },
  'vp9-live.webm': { args: [...VP9, ...OPUS, '-f', 'webm', '-live', '1'] },
  'av1.webm': { seconds: 1, args: [...AV1, ...OPUS] },
  'av1-10.webm': { seconds: 1, args: [...AV1, '-pix_fmt', 'yuv420p10le', ...OPUS] },
  'av1-gray.webm': { seconds: 0.3, sounds: 0, args: [...AV1, '-pix_fmt', 'gray'] },
};

/** From a valid MP4 without encoding. */
const rotated = async (): Promise<string> =>
  ffmpegFile('rotated.mp4', ['-i', await goodMp4(), '-c', 'copy', '-metadata:s:v:0', 'rotate=90']);

/** Every video of the corpus by name. */
export const VIDEO_CORPUS: Readonly<Record<string, () => Promise<string>>> = {
  'good.mp4': goodMp4,
  'good.webm': goodWebm,
  'rotated.mp4': rotated,
  ...Object.fromEntries(Object.entries(RECIPES).map(([name, recipe]) => [name, () => video(name, recipe)])),
};

/** The violations of `limits.video` of each; empty: it fits. */
export const EXPECTED_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  'high10.mp4': ['PIXEL_FORMAT'],
  '444.mp4': ['PIXEL_FORMAT'],
  '422.mp4': ['PIXEL_FORMAT'],
  'lossless-444.mp4': ['PIXEL_FORMAT', 'BITRATE'],
  'full-range.mp4': ['PIXEL_FORMAT'],
  'gray.mp4': ['PIXEL_FORMAT'],
  'rgb.mp4': ['PIXEL_FORMAT', 'BITRATE'],
  'interlaced.mp4': ['BITRATE'],
  'mp3.mp4': ['AUDIO_CODEC'],
  'ac3.mp4': ['AUDIO_CODEC'],
  'opus.mp4': ['AUDIO_CODEC'],
  'flac.mp4': ['AUDIO_CODEC'],
  'two-sounds.mp4': ['AUDIO_STREAMS'],
  'hevc.mp4': ['VIDEO_CODEC'],
  'vp9.mp4': ['VIDEO_CODEC', 'AUDIO_CODEC'],
  'av1.mp4': ['VIDEO_CODEC'],
  'odd-444.mp4': ['PIXEL_FORMAT'],
  '120fps.mp4': ['FPS', 'BITRATE'],
  '61fps.mp4': ['FPS'],
  'one-frame.mp4': ['BITRATE'],
  'over-bitrate.mp4': ['BITRATE'],
  'tall.mp4': ['LONG_SIDE'],
  'vp8.webm': ['VIDEO_CODEC', 'AUDIO_CODEC'],
  'vp9-10.webm': ['PIXEL_FORMAT'],
  'vp9-422.webm': ['PIXEL_FORMAT'],
  'vp9-444.webm': ['PIXEL_FORMAT'],
  'av1-10.webm': ['PIXEL_FORMAT'],
  'av1-gray.webm': ['PIXEL_FORMAT'],
};
