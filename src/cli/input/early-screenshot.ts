/**
 * Takes the screenshot for `linkshot capture` and `linkshot text` before the engine is opened in this process, because
 * opening takes a while. Captures with a delay, of the last area or with scrolling are left to the engine. Also prints
 * in advance what a Wayland desktop will ask the user.
 */
import type { ScreenCapturer } from '../../engine/ports.ts';
import type { CaptureRequest } from '../../ipc/protocol/capture.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * Takes the screenshot first: the picture is encoded while the queue is opened. A delay and scrolling are left to the
 * engine.
 */
const screenshotStarter = (
  request: CaptureRequest,
  { environment }: Pick<CommandContext, 'environment'>,
  signal: AbortSignal,
): (() => Promise<ScreenCapturer>) | undefined => {
  if (request.delaySeconds > 0 || request.target.mode === 'last' || request.scroll) return undefined;
  let begun: Promise<ScreenCapturer> | null = null;
  return () => {
    begun ??= Promise.all([
      import('../../engine/capture/prefetch-capture.ts'),
      import('../../engine/node-ports.ts'),
    ]).then(([{ prefetchCapture }, { systemScreenCapturer }]) =>
      prefetchCapture(systemScreenCapturer(environment), request, signal),
    );
    return begun;
  };
};

/** The context of a command whose engine captures this first. */
export const withEarlyScreenshot = (
  request: CaptureRequest,
  context: CommandContext,
  signal: AbortSignal,
): CommandContext => {
  const capturer = screenshotStarter(request, context, signal);
  return { ...context, openClient: (keys, end, options) => context.openClient(keys, end, { ...options, capturer }) };
};

/** Tells what the desktop will ask, so that its question is no surprise. Only Wayland desktops ask. */
export const announceQuestion = async (
  { environment, report }: Pick<CommandContext, 'environment' | 'report'>,
  signal: AbortSignal,
): Promise<void> => {
  if (!environment['WAYLAND_DISPLAY']) return;
  const { systemScreenCapturer } = await import('../../engine/node-ports.ts');
  const question = await systemScreenCapturer(environment)
    .question?.(signal)
    .catch(() => null);
  if (question) report.note(question);
};
