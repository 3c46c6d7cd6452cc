/** `linkshot capture`: what is on the screen becomes a link. */
import type { Area, CaptureTarget } from '../../contract/capture.ts';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import { command, flag, parsed, type Values } from '../command.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { askedShare } from '../publishing/settings.ts';

const readRegion = (text: string): Result<Area, string> => {
  const [, x, y, width, height] = /^(-?\d{1,5}),(-?\d{1,5}),(\d{1,5}),(\d{1,5})$/.exec(text) ?? [];
  const area = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
  return area.width > 0 && area.height > 0 ? ok(area) : err('is X,Y,WIDTH,HEIGHT in pixels, such as 100,100,800,600');
};

const LONGEST_DELAY_SECONDS = 60;
const readDelay = (text: string): Result<number, string> =>
  /^\d{1,2}$/.test(text) && Number(text) <= LONGEST_DELAY_SECONDS
    ? ok(Number(text))
    : err(`is a number of seconds up to ${LONGEST_DELAY_SECONDS}`);

const OPTIONS = {
  region: parsed('X,Y,W,H', 'only this part of the desktop, in pixels', readRegion),
  screen: flag('one screen: the first, or the one with the number N'),
  delay: parsed('SECONDS', 'wait so long before', readDelay),
  pointer: flag('with the mouse pointer'),
  ...PUBLISH_OPTIONS,
} as const;

const targetOf = ([number]: readonly string[], { region, screen }: Values<typeof OPTIONS>): Result<CaptureTarget> => {
  const wrong = (detail: string) => err(failure('COMMAND_INVALID', detail));
  if (number !== undefined && !screen) return wrong('A number belongs to a screen: linkshot capture --screen N.');
  if (region && screen) return wrong('Choose --region or --screen, not both.');
  if (region) return ok({ mode: 'region', area: region });
  if (!screen) return ok({ mode: 'all' });
  if (number === undefined) return ok({ mode: 'screen', number: 1 });
  return /^[1-9]\d?$/.test(number)
    ? ok({ mode: 'screen', number: Number(number) })
    : wrong(`Screens are counted from 1; "${number}" is not the number of one.`);
};

export const capture = command({
  name: 'capture',
  summary: 'capture the screen and print the link',
  group: 'Share',
  arguments: [{ name: 'N', summary: 'the number of the screen, with --screen', count: 'at most one' }],
  options: OPTIONS,
  description: [
    'Without --region and --screen, all screens become one picture. Every pixel is as it is on the screen.',
    'Once it is taken, the picture is safe in the queue: whatever happens then, linkshot resume publishes it.',
  ],
  json: ['{"id","url","name","size","type"}, or {"error":{"code","message"}}.'],
  examples: [
    { words: 'capture --region 100,100,800,600', does: 'a part of the desktop' },
    { words: 'capture --screen 2 --delay 3', does: 'the second screen, in three seconds' },
  ],
  run: async ({ words, options }, surroundings, signal) => {
    const { report } = surroundings;
    const target = targetOf(words, options);
    if (!target.ok) return report.failed(null, target.error);
    const share = await askedShare(options, surroundings, signal);
    if (!share.ok) return report.failed(null, share.error);
    const request = {
      target: target.value,
      pointer: options.pointer ? 'show' : 'hide',
      delaySeconds: options.delay ?? 0,
    } as const;
    const entry: Entry = {
      name: 'capture',
      enter: async (desk) => {
        const link = share.value(desk);
        if (!link.ok) return link;
        const taken = await desk.call('capture.take', { ...request, share: link.value });
        return taken.ok ? ok(taken.value.id) : taken;
      },
    };
    await publish([entry], options, surroundings, signal);
  },
});
