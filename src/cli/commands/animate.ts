/** `linkshot animate`: makes an animated image from a video. */
import { extname, resolve } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import {
  ANIMATION_FORMATS,
  ANIMATION_FPS_MAX,
  ANIMATION_FRAMES_MAX,
  ANIMATION_PLAYS_MAX,
  ANIMATION_WIDTH,
  type AnimationFormat,
} from '../../ipc/protocol/animation.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag, parsed, text } from '../command-definition.ts';
import { readWholeNumber } from '../input/read-whole-number.ts';
import { formatBytes, printable } from '../output/format.ts';
import { CLEAR_LINE } from '../output/progress-line.ts';

const USUAL_FPS = 15;

/** Milliseconds of `12`, `2.5` or `1:05`. */
const readTime = (given: string): Result<number, string> => {
  const [, minutes = '0', seconds] = /^(?:(\d{1,4}):(?=\d\d))?(\d{1,6}(?:\.\d{1,3})?)$/.exec(given) ?? [];
  return seconds === undefined
    ? err('must be seconds, such as 2.5, or minutes and seconds, such as 1:05')
    : ok(Math.round((Number(minutes) * 60 + Number(seconds)) * 1_000));
};

const OPTIONS = {
  out: text('OUT', 'the new file, which must not exist; its name ends with .webp or .gif', { offers: 'files' }),
  fps: parsed('N', `frames per second; ${USUAL_FPS} by default`, readWholeNumber(1, ANIMATION_FPS_MAX)),
  width: parsed(
    'PIXELS',
    'the width, if the video is wider; the height follows',
    readWholeNumber(ANIMATION_WIDTH.min, ANIMATION_WIDTH.max),
  ),
  from: parsed('TIME', 'where it starts, such as 2.5 or 1:05', readTime),
  to: parsed('TIME', 'where it ends', readTime),
  plays: parsed('N', 'how often it plays; for ever by default', readWholeNumber(1, ANIMATION_PLAYS_MAX)),
  'dry-run': flag('only predict its size; nothing is saved'),
} as const;

const formatOf = (path: string): AnimationFormat | undefined =>
  ANIMATION_FORMATS.find((format) => extname(path).toLowerCase() === `.${format}`);

export const animate = command({
  name: 'animate',
  summary: 'make an animated image from a video',
  group: 'Share',
  arguments: [{ name: 'VIDEO', summary: 'a video, such as a recording', count: 'one', offers: 'files' }],
  options: OPTIONS,
  description: [
    `Makes an animated WebP or GIF of at most ${ANIMATION_FRAMES_MAX} frames, without sound. A WebP is smaller, and linkshot upload shares it; the service does not accept GIF.`,
    'Needs ffmpeg. The video is not changed.',
  ],
  json: [
    '{"out","format","width","height","frames","size"}; with --dry-run "out" is null and "size" approximate. Or {"error":{"code","message","file"}}.',
  ],
  examples: [
    { words: 'animate demo.mp4 --out demo.gif', does: 'the whole video' },
    { words: 'animate demo.mp4 --out demo.webp --from 2.5 --to 8 --width 640', does: 'a part of it, smaller' },
    { words: 'animate demo.mp4 --out demo.gif --fps 10 --dry-run', does: 'how large it would become' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report, cwd, terminal } = context;
    const [file = ''] = words;
    const { out, fps = USUAL_FPS, width = null, from: startMs = 0, to: endMs = null, plays = 0 } = options;
    const isDry = options['dry-run'] === true;
    const format = out === undefined ? undefined : formatOf(out);
    if (out === undefined || format === undefined)
      return report.usageError(failure('COMMAND_INVALID', 'Specify the new file: --out FILE.webp or --out FILE.gif.'));
    await withEngine(context, 'none', signal, async (client) => {
      client.on((event) => {
        if (event.type === 'animating') terminal?.write(`${CLEAR_LINE}Animating: ${Math.floor(event.part * 100)} %`);
      });
      const path = resolve(cwd, file);
      const wished = { format, fps, width, startMs, endMs, plays };
      const made = isDry
        ? await client.call('animation.predictPath', { path, options: wished })
        : await client.call('animation.make', { path, out: resolve(cwd, out), options: wished });
      terminal?.write(CLEAR_LINE);
      if (!made.ok) {
        report.failed(made.error.code === 'SAVE_FAILED' ? out : file, made.error);
        return DONE;
      }
      const { bytes, ...facts } = made.value;
      const told = `${facts.width} x ${facts.height}, ${facts.frames} frames, ${isDry ? 'about ' : ''}${formatBytes(bytes)}`;
      report.say(
        { out: isDry ? null : out, ...facts, size: bytes },
        isDry ? `${told}.` : `Saved as ${printable(out)}: ${told}.`,
      );
      return DONE;
    });
  },
});
