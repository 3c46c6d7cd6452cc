/** `linkshot capture`: publishes a screenshot as a link. */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ScreenCapturer } from '../../engine/ports.ts';
import { connectToInstance } from '../../ipc/host/instance-socket.ts';
import type { CaptureRequest, CaptureTarget } from '../../ipc/protocol/capture.ts';
import { command, flag, parsed, type Values } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { SCREEN_OPTIONS, screenPart } from '../input/capture-options.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-settings.ts';

const LONGEST_DELAY_SECONDS = 60;
const readDelay = (text: string): Result<number, string> =>
  /^\d{1,2}$/.test(text) && Number(text) <= LONGEST_DELAY_SECONDS
    ? ok(Number(text))
    : err(`is a number of seconds up to ${LONGEST_DELAY_SECONDS}`);

const OPTIONS = {
  ...SCREEN_OPTIONS,
  select: flag('select on the frozen screen, in the running Linkshot'),
  delay: parsed('SECONDS', 'wait before the capture', readDelay),
  pointer: flag('with the mouse pointer'),
  ...PUBLISH_OPTIONS,
} as const;

const wrong = (detail: string) => err(failure('COMMAND_INVALID', detail));

/** Options that the app's settings decide, or that belong to another mode. */
const isForeign = (name: string): boolean => name !== 'select' && name !== 'delay';

/** Null: the user selects on the screen. */
const targetOf = (words: readonly string[], options: Values<typeof OPTIONS>): Result<CaptureTarget | null> => {
  const part = screenPart('capture', words, options, options.select ? ['select'] : []);
  if (!part.ok || !options.select) return part;
  const foreign = Object.entries(options).find(([name, value]) => value !== undefined && isForeign(name));
  return foreign
    ? wrong(`--${foreign[0]} cannot be used with --select: the settings of the running Linkshot apply.`)
    : ok(null);
};

/** Takes the screenshot first: the picture is encoded while the queue is opened. A delay is left to the engine. */
const beginner = (
  request: CaptureRequest,
  { environment }: Pick<CommandContext, 'environment'>,
  signal: AbortSignal,
): (() => Promise<ScreenCapturer>) | undefined => {
  if (request.delaySeconds > 0 || request.target.mode === 'last') return undefined;
  let begun: Promise<ScreenCapturer> | null = null;
  return () => {
    begun ??= import('../../engine/node-adapters.ts').then(({ beginCapture, systemScreenCapturer }) =>
      beginCapture(systemScreenCapturer(environment), request, signal),
    );
    return begun;
  };
};

/** Tells what the desktop will ask, so that its question is no surprise. Only Wayland desktops ask. */
const announceQuestion = async (
  { environment, report }: Pick<CommandContext, 'environment' | 'report'>,
  signal: AbortSignal,
): Promise<void> => {
  if (!environment['WAYLAND_DISPLAY']) return;
  const { systemScreenCapturer } = await import('../../engine/node-adapters.ts');
  const question = await systemScreenCapturer(environment)
    .question?.(signal)
    .catch(() => null);
  if (question) report.note(question);
};

/**
 * Delegates to the app and does not wait. Errors: CAPTURE_UNAVAILABLE without an app that can show the screen, and the
 * app's own.
 */
const select = async (
  delay: number | undefined,
  { profileDir, errorStream }: Pick<CommandContext, 'profileDir' | 'errorStream'>,
): Promise<Result<'waiting' | 'choosing'>> => {
  const app = await connectToInstance(profileDir, (text) => void errorStream.write(`${text}\n`));
  const state = await app?.call('app.state', {});
  try {
    if (!app || !state?.ok || state.value.capabilities.overlay === 'none') return err(NO_APP);
    const delaySeconds = delay ?? state.value.settings.captureDelaySeconds;
    const begun = await app.call('capture.start', { mode: 'region', delaySeconds });
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
    'The screenshot is saved in the queue: after any interruption, linkshot resume publishes it.',
  ],
  json: [
    '{"id","url","name","size","type"}, or {"error":{"code","message"}}. With --select: {"state"}, "choosing" or "waiting".',
  ],
  examples: [
    { words: 'capture --region 100,100,800,600', does: 'a part of the desktop' },
    { words: 'capture --screen 2 --delay 3', does: 'the second screen, in three seconds' },
    { words: 'capture --window --copy', does: 'the focused window, link on the clipboard' },
    { words: 'capture --select', does: 'for a desktop shortcut' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report } = context;
    const target = targetOf(words, options);
    if (!target.ok) return report.usageError(target.error);
    if (target.value === null) {
      const begun = await select(options.delay, context);
      return begun.ok ? report.say({ state: begun.value }, null) : report.failed(null, begun.error);
    }
    const share = await requestedShare(options, context, signal);
    if (!share.ok) return report.failed(null, share.error);
    const request = {
      target: target.value,
      pointer: options.pointer ? 'show' : 'hide',
      delaySeconds: options.delay ?? 0,
    } as const;
    const entry: Entry = {
      name: null,
      enter: async (client) => {
        const link = share.value(client);
        if (!link.ok) return link;
        const captured = await client.call('capture.take', { ...request, share: link.value });
        return captured.ok ? ok(captured.value.id) : captured;
      },
    };
    await announceQuestion(context, signal);
    const begun = beginner(request, context, signal);
    const openClient: CommandContext['openClient'] = (keys, end) => context.openClient(keys, end, begun);
    await publish([entry], options, { ...context, openClient }, signal);
  },
});
