/** Parsing ffmpeg's description of a file in the format of each version. */
import { expect, it } from 'vitest';
import { streamsIn } from '../../../src/engine/video/probe-with-ffmpeg.ts';

/** `indent`: two blanks since 5.0, four before. */
const said = (indent: string): string =>
  [
    "Input #0, matroska,webm, from 'file:x.mkv':",
    '  Metadata:',
    '    Stream #0:0: Video: forged by a tag, yuv420p, 9x9: yes',
    '  Duration: 00:00:01.00, start: 0.000000, bitrate: 78 kb/s',
    `${indent}Stream #0:0(und): Video: h264 (High), yuv420p(progressive), 320x180, 25 fps, 25 tbr, 1k tbn (default)`,
    '    Metadata:',
    '      rotate          : 90',
    `${indent}Stream #0:1: Audio: aac (LC), 44100 Hz, mono, fltp`,
    'Output #0, framecrc, to pipe:',
    `${indent}Stream #0:0: Video: rawvideo, yuv420p, 320x180`,
  ].join('\n');

it.each([
  ['4.x', '    '],
  ['5.0 and later', '  '],
])('ffmpeg %s lists the streams of the input, and no tag of the file adds one', (_, indent) => {
  expect(streamsIn(said(indent))).toEqual([
    { kind: 'Video', text: expect.stringMatching(/^h264 .*320x180/), rotation: 90 },
    { kind: 'Audio', text: expect.stringMatching(/^aac /), rotation: 0 },
  ]);
});
