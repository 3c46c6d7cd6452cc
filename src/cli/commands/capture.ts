/**
 * `linkshot capture`: publishes a screenshot as a link, or with --text prints its text and codes. With --select it lets
 * the user select an area in the running app, and exits.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { connectToInstance } from '../../ipc/host/instance-socket.ts';
import type { CaptureTarget } from '../../ipc/protocol/capture.ts';
import type { ScrollOutcome } from '../../ipc/protocol/scroll.ts';
import type { CommandContext } from '../command-context.ts';
import { command, flag, type Given, parsed, type Values } from '../command-definition.ts';
import { announceQuestion, withEarlyScreenshot } from '../input/early-screenshot.ts';
import { SCREEN_OPTIONS, screenPart } from '../input/screen-part-options.ts';
import { otherService } from '../key-of-environment.ts';
import { expiryOf, PUBLISH_OPTIONS } from '../link-options.ts';
import { PICTURE_TEXT_JSON } from '../output/picture-text.ts';
import { noteScrolled } from '../output/scroll-outcome.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-link-settings.ts';
import { printScreenText } from './print-screen-text.ts';

const LONGEST_DELAY_SECONDS = 60;
const readDelay = (text: string): Result<number, string> =>
  /^\d{1,2}$/.test(text) && Number(text) <= LONGEST_DELAY_SECONDS
    ? ok(Number(text))
    : err(`must be a number of seconds up to ${LONGEST_DELAY_SECONDS}`);

const OPTIONS = {
  ...SCREEN_OPTIONS,
  select: flag('select on the frozen screen, in the running Linkshot'),
  scroll: flag('with --region or --window: scrolls down and captures it all'),
  sideways: flag('with --scroll: scrolls to the right instead'),
  delay: parsed('SECONDS', 'wait before the capture', readDelay),
  pointer: flag('with the mouse pointer'),
  text: flag('print its text and codes instead of publishing it; see linkshot help text'),
  ...PUBLISH_OPTIONS,
} as const;

const wrong = (detail: string) => err(failure('COMMAND_INVALID', detail));

/** Options that the app's settings decide, or that belong to another mode. */
const isForeign = (name: string): boolean => !['select', 'delay', 'text'].includes(name);

/** With --text nothing is published. */
const ofLinks = (typed: ReadonlySet<string>): string | undefined =>
  Object.keys(PUBLISH_OPTIONS).find((name) => name !== 'copy' && typed.has(name));

/** Null: the user selects on the screen. A password in the environment is for new links, and in the way of nothing. */
const targetOf = ({ words, options, typed }: Given<typeof OPTIONS>): Result<CaptureTarget | null> => {
  const link = options.text && ofLinks(typed);
  if (link) return wrong(`--${link} cannot be used with --text: no link is created.`);
  if (options.sideways && !options.scroll) return wrong('--sideways requires --scroll.');
  if (options.scroll && !options.region && !options.window)
    return wrong('--scroll requires what to scroll: --region X,Y,W,H or --window.');
  if (options.scroll && options.pointer)
    return wrong('--pointer cannot be used with --scroll: the pointer would be in every frame.');
  const part = screenPart('capture', words, options, options.select ? ['select'] : []);
  if (!part.ok || !options.select) return part;
  const foreign = Object.keys(OPTIONS).find((name) => typed.has(name) && isForeign(name));
  return foreign
    ? wrong(`--${foreign} cannot be used with --select: the settings of the running Linkshot apply.`)
    : ok(null);
};

/**
 * Delegates to the app and does not wait. Errors: CAPTURE_UNAVAILABLE without an app that can show the screen,
 * COMMAND_INVALID where the app publishes at another service than that of the run, and the app's own.
 */
const select = async (
  { delay, text }: Pick<Values<typeof OPTIONS>, 'delay' | 'text'>,
  { profileDir, server, errorStream }: Pick<CommandContext, 'profileDir' | 'server' | 'errorStream'>,
): Promise<Result<'waiting' | 'choosing'>> => {
  const app = await connectToInstance(profileDir, (text) => void errorStream.write(`${text}\n`));
  const state = await app?.call('app.state', {});
  try {
    if (!app || !state?.ok || state.value.capabilities.overlay === 'none') return err(NO_APP);
    const other = text ? null : otherService(state.value.connection, server);
    if (other !== null)
      return wrong(
        `The running Linkshot is connected to ${other}, and --select publishes there, not at ${server}. Quit it, or use another --profile DIR.`,
      );
    const delaySeconds = delay ?? state.value.settings.captureDelaySeconds;
    const purpose = text ? 'text' : 'picture';
    const begun = await app.call('capture.start', { mode: 'region', purpose, delaySeconds });
    return begun.ok ? ok(delaySeconds > 0 ? 'waiting' : 'choosing') : begun;
  } finally {
    app?.close();
  }
};

const NO_APP = failure(
  'CAPTURE_UNAVAILABLE',
  'Linkshot is not running with this profile, so there is no screen to select on. Open Linkshot, or specify what to capture: --region X,Y,W,H, --screen or --window.',
);

export const capture = command({
  name: 'capture',
  summary: 'capture the screen and print the link',
  group: 'Share',
  arguments: [{ name: 'N', summary: 'the number of the screen, with --screen', count: 'at most one' }],
  options: OPTIONS,
  description: [
    'Without --region, --screen, --window, --last and --select, captures all screens as one image, at full resolution.',
    '--select is meant for a desktop shortcut: it freezes the screen in the running Linkshot and exits; the settings there decide what happens next.',
    '--text prints what linkshot text would, and --copy then copies the text; with --select the app copies it. Nothing is uploaded or kept.',
    '--scroll turns the mouse wheel until the end of the page and joins what appears, on X11. Where parts cannot be joined with certainty it stops, keeps the certain part and says so. Do not use the mouse meanwhile.',
    'The screenshot is saved in the queue: after any interruption, linkshot resume publishes it.',
  ],
  json: [
    '{"id","url","name","size","type"}, or {"error":{"code","message"}}. With --select: {"state"}, "choosing" or "waiting".',
    `With --text: ${PICTURE_TEXT_JSON}`,
    'With --scroll, "scrolled": {"ended","reason","length","isExact"} is added; "ended" is "end", "full" or "uncertain".',
  ],
  examples: [
    { words: 'capture --region 100,100,800,600', does: 'a part of the desktop' },
    { words: 'capture --screen 2 --delay 3', does: 'the second screen, in three seconds' },
    { words: 'capture --window --copy', does: 'the focused window, link on the clipboard' },
    { words: 'capture --window --text', does: 'the words in the focused window; nothing is uploaded' },
    { words: 'capture --window --scroll', does: 'all of the page in the focused window' },
    { words: 'capture --select', does: 'for a desktop shortcut' },
  ],
  run: async (given, context, signal) => {
    const { report } = context;
    const { options } = given;
    const target = targetOf(given);
    if (!target.ok) return report.usageError(target.error);
    if (target.value === null) {
      const begun = await select(options, context);
      return begun.ok ? report.say({ state: begun.value }, null) : report.failed(null, begun.error);
    }
    const request = {
      target: target.value,
      pointer: options.pointer ? 'show' : 'hide',
      delaySeconds: options.delay ?? 0,
      ...(options.scroll && { scroll: options.sideways ? ('right' as const) : ('down' as const) }),
    } as const;
    if (request.scroll) report.note('Scrolling. Do not use the mouse until it is done; Ctrl+C cancels.');
    if (options.text) return printScreenText(request, { copy: options.copy }, context, signal);
    const requested = await requestedShare(options, context, signal);
    if (!requested.ok) return report.failed(null, requested.error);
    let scrolled: ScrollOutcome | undefined;
    const entry: Entry = {
      name: null,
      // The screenshot is taken before the first contact; a delay or scrolling ends with the command.
      entersWhenStopped: true,
      more: () => (scrolled ? { scrolled } : {}),
      enter: async (client) => {
        const link = requested.value(client);
        if (!link.ok) return link;
        // A duration counts from the picture; how long scrolling takes is not known before.
        const takenAt = new Date(Date.now() + request.delaySeconds * 1_000);
        const share = { ...link.value, ...expiryOf(options, takenAt) };
        const captured = await client.call('capture.take', { ...request, share });
        if (!captured.ok) return captured;
        scrolled = captured.value.scrolled;
        noteScrolled(scrolled, report);
        return ok(captured.value.id);
      },
    };
    await announceQuestion(context, signal);
    await publish([entry], options, withEarlyScreenshot(request, context, signal), signal);
  },
});
