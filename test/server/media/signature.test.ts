import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { detectMedia } from '../../../src/api/detect-media-kind.ts';
import { ffmpegFile, goodMp4, goodWebm, image, video } from '../../support/media/media.ts';
import { NEWER_FFMPEG, needsNewerFfmpeg } from '../../support/media/old-ffmpeg.ts';
import { VIDEO_CORPUS } from '../../support/media/video-corpus.ts';

const PART_BYTES = 2 * 1024 * 1024;
const detectFile = async (path: string) => detectMedia((await readFile(path)).subarray(0, PART_BYTES));
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

describe('The first part reveals the type', () => {
  it.each(['png', 'jpeg', 'webp', 'avif'] as const)('of a %s image', async (format) => {
    expect(await detectFile(await image(format))).toEqual({
      type: 'IMAGE',
      mime: `image/${format}`,
      container: format,
    });
  });
  it('of an image of one pixel', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const)
      expect((await detectFile(await image(format, 1, 1)))?.container).toBe(format);
  });
  it('of MP4 and WebM', async () => {
    expect(await detectFile(await goodMp4())).toEqual({ type: 'VIDEO', mime: 'video/mp4', container: 'mp4' });
    expect(await detectFile(await goodWebm())).toEqual({ type: 'VIDEO', mime: 'video/webm', container: 'webm' });
  });
  it.for(['fragmented.mp4', 'm4v.m4v', 'av1.mp4'])('of %s, which is an MP4 too', async (name, { skip }) => {
    skip(needsNewerFfmpeg(name), NEWER_FFMPEG);
    expect((await detectFile((await VIDEO_CORPUS[name]?.()) ?? ''))?.container).toBe('mp4');
  });
  it('of an animated PNG, which is a PNG', async () => {
    const frames = ['-f', 'lavfi', '-i', 'testsrc2=size=16x16:rate=2:duration=1', '-f', 'apng'];
    expect((await detectFile(await ffmpegFile('moving.png', frames)))?.mime).toBe('image/png');
  });
});

describe('Everything else is refused by its bytes', () => {
  it.each([
    ['QuickTime', 'a.mov', ['-f', 'mov']],
    ['Matroska', 'a.mkv', ['-f', 'matroska']],
    ['AVI', 'a.avi', ['-f', 'avi']],
    ['MPEG-TS', 'a.ts', ['-f', 'mpegts']],
    ['FLV', 'a.flv', ['-f', 'flv']],
  ])('%s', async (_, name, args) => {
    expect(await detectFile(await video(name, { seconds: 1, sounds: 0, args: [...h264, ...args] }))).toBeNull();
  });
  it.each([
    ['M4A', 'a.m4a', ['-c:a', 'aac', '-f', 'ipod']],
    ['MP3', 'a.mp3', ['-c:a', 'libmp3lame']],
    ['GIF', 'a.gif', ['-filter_complex', 'color=size=16x16:duration=1']],
  ])('%s', async (name, file, args) => {
    const found = await detectFile(await ffmpegFile(file, [...tone, ...args]));
    // ffmpeg writes audio in MP4 with the brand of a video; the inspector detects that it has no video track.
    if (name !== 'M4A') expect(found).toBeNull();
    else expect(found?.type).not.toBe('IMAGE');
  });
  const text = (value: string) => new TextEncoder().encode(value);
  it.each([
    ['nothing', text('')],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['SVG with a prologue', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', text('<!doctype html><script>alert(1)</script>')],
    ['a playlist', text('#EXTM3U\n#EXT-X-VERSION:3\nhttp://example.org/a.ts')],
    ['a PDF', text('%PDF-1.7\n')],
    ['a ZIP', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['HTML in front of a PNG', text('<html>\u0089PNG\r\n')],
    ['HEIC', text('\0\0\0\u0018ftypheic\0\0\0\0mif1heic')],
    ['HEIF without AVIF', text('\0\0\0\u0018ftypmif1\0\0\0\0mif1heic')],
    ['an ftyp box that never ends', text('\u00ff\u00ff\u00ff\u00ffftypisom\0\0\0\0isom')],
    ['four bytes', text('ftyp')],
  ])('%s', async (_, bytes) => {
    expect(await detectMedia(bytes)).toBeNull();
  });
  it('AVIF under the general brand of HEIF is AVIF', async () => {
    const bytes = text('\0\0\0\u001cftypmif1\0\0\0\0mif1avifmiaf');
    expect((await detectMedia(bytes))?.container).toBe('avif');
  });
});
