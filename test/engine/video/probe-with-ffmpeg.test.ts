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

const saidOf = (...lines: readonly string[]): string =>
  ["Input #0, mov, from 'file:x.mov':", '  Duration: 00:00:01.00, start: 0.000000, bitrate: 78 kb/s', ...lines].join(
    '\n',
  );
const VIDEO = 'Video: hevc (Main), yuv420p(tv), 320x180, 25 fps';

it.each([
  ['up to 7.0', '      displaymatrix: rotation of -90.00 degrees'],
  ['since 7.1', '      Display Matrix: rotation of -90.00 degrees'],
  ['since 7.1, in a group of streams', '        Display Matrix: rotation of -90.00 degrees'],
])('ffmpeg %s says that a picture is turned, and no tag of the file does', (_, line) => {
  const forged = [
    '      Display Matrix: rotation of 180.00 degrees: 1',
    '      displaymatrix   : rotation of 180.00 degrees',
  ];
  expect(streamsIn(saidOf(`  Stream #0:0[0x1](und): ${VIDEO} (default)`, line, ...forged))).toMatchObject([
    { kind: 'Video', rotation: 90 },
  ]);
});

it('streams that ffmpeg lists in groups, twice and in another order are those of the file, in its order', () => {
  const said = saidOf(
    '  Stream group #0:0[0x3]: Track Reference:',
    '    Stream #0:2[0x3](und): Audio: aac (LC), 48000 Hz, stereo, fltp',
    `    Stream #0:0[0x1](und): ${VIDEO} (default)`,
    '      Side data:',
    '        Display Matrix: rotation of 90.00 degrees',
    '  Stream group #0:1[0x4]: Tile Grid: hevc',
    '    Side data:',
    '      Display Matrix: rotation of 180.00 degrees',
    `  Stream #0:0[0x1](und): ${VIDEO} (default)`,
    '  Stream #0:1[0x2](und): Audio: pcm_s16le, 44100 Hz, mono, s16',
  );
  expect(streamsIn(said)).toEqual([
    { kind: 'Video', text: expect.stringMatching(/^hevc/), rotation: -90 },
    { kind: 'Audio', text: expect.stringMatching(/^pcm/), rotation: 0 },
    { kind: 'Audio', text: expect.stringMatching(/^aac/), rotation: 0 },
  ]);
});
