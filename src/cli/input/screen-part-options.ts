/** The options that select a part of the screen, and the capture target that results from them. */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Area, CaptureTarget } from '../../ipc/protocol/capture.ts';
import { flag, parsed, type Values } from '../command-definition.ts';

const readRegion = (text: string): Result<Area, string> => {
  const [, x, y, width, height] = /^(-?\d{1,5}),(-?\d{1,5}),(\d{1,5}),(\d{1,5})$/.exec(text) ?? [];
  const area = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
  return area.width > 0 && area.height > 0
    ? ok(area)
    : err('must be X,Y,WIDTH,HEIGHT in pixels, such as 100,100,800,600');
};

export const SCREEN_OPTIONS = {
  region: parsed('X,Y,W,H', 'only this part of the desktop, in pixels', readRegion),
  screen: flag('one screen: the first, or number N'),
  window: flag('the focused window'),
  last: flag('the region that was last selected on the frozen screen'),
} as const;

const WAYS = ['region', 'screen', 'window', 'last'] as const;

const wrong = (detail: string) => err(failure('COMMAND_INVALID', detail));

/**
 * `name` is the command's, `others` are other targets that were given. Without any of the options: all screens. Errors:
 * COMMAND_INVALID.
 */
export const screenPart = (
  name: string,
  [number]: readonly string[],
  options: Values<typeof SCREEN_OPTIONS>,
  others: readonly string[] = [],
): Result<CaptureTarget> => {
  const { region, screen, window, last } = options;
  const given = [...WAYS.filter((way) => options[way] !== undefined), ...others].map((way) => `--${way}`);
  if (number !== undefined && !screen) return wrong(`A number requires --screen: linkshot ${name} --screen N.`);
  if (given.length > 1) return wrong(`Choose one of ${given.join(' and ')}.`);
  if (region) return ok({ mode: 'region', area: region });
  if (window) return ok({ mode: 'window' });
  if (last) return ok({ mode: 'last' });
  if (!screen) return ok({ mode: 'all' });
  if (number === undefined) return ok({ mode: 'screen', number: 1 });
  return /^[1-9]\d?$/.test(number)
    ? ok({ mode: 'screen', number: Number(number) })
    : wrong(`"${number}" is not a screen number; screens count from 1.`);
};
