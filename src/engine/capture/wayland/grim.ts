/** Takes a screenshot of one output with `grim`, on compositors that let programs read the screen (wlr-screencopy). */
import { err, ok, type Result } from '../../../api/errors.ts';
import type { Pixels, PointerChoice } from '../../ports.ts';
import { lastStderrLine, type RunProgram } from '../../run-helper-program.ts';
import type { Output } from '../../wayland/compositor.ts';
import { readPpm } from '../read-ppm.ts';

/** The protocol that grim needs. */
export const SCREENCOPY = 'zwlr_screencopy_manager_v1';

const grimArguments = ({ name }: Pick<Output, 'name'>, pointer: PointerChoice): readonly string[] => [
  ...(pointer === 'show' ? ['-c'] : []),
  // One output in its own physical pixels, uncompressed, to stdout.
  ...['-o', name, '-t', 'ppm', '-'],
];

/** `missing`: grim is not installed. Other errors are its own last words. */
export const takeWithGrim = async (
  run: RunProgram,
  output: Pick<Output, 'name'>,
  pointer: PointerChoice,
  signal: AbortSignal,
): Promise<Result<Pixels, { readonly why: 'missing' | 'failed'; readonly detail: string }>> => {
  const result = await run('grim', grimArguments(output, pointer), signal);
  const pixels = result.end === 'good' ? readPpm(result.output) : null;
  if (pixels) return ok(pixels);
  const why = result.end === 'missing' ? 'missing' : 'failed';
  return err({ why, detail: lastStderrLine(result) });
};
