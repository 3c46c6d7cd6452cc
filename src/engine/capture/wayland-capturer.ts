/** Captures with `grim` on wlroots compositors; on others returns an error that says what to do. */
import { err, failure, ok } from '../../api/errors.ts';
import type { PointerChoice } from '../ports.ts';
import { lastStderrLine, type RunProgram, readPpm, type TakeShot } from './tool-capturer.ts';

export const grimArguments = (pointer: PointerChoice): readonly string[] => [
  ...(pointer === 'show' ? ['-c'] : []),
  // Uncompressed, to stdout.
  ...['-t', 'ppm', '-'],
];

export const createGrim =
  (run: RunProgram): TakeShot =>
  async (pointer, signal) => {
    const result = await run('grim', grimArguments(pointer), signal);
    const pixels = result.end === 'good' ? readPpm(result.output) : null;
    if (pixels) return ok([{ name: 'Wayland', x: 0, y: 0, pixels }]);
    const advice =
      result.end === 'missing'
        ? 'Install grim, if this desktop is one of wlroots (Sway, Hyprland, river)'
        : `grim was refused (${lastStderrLine(result)})`;
    return err(
      failure(
        'CAPTURE_UNAVAILABLE',
        `Wayland lets no program read the screen by itself. ${advice}, or open Linkshot and capture from there.`,
      ),
    );
  };
