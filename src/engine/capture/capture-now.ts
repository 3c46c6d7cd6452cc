/**
 * Takes a screenshot of a given target without a selection by the user: publishes it, or returns its pixels. Also lists
 * the displays.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Area, CaptureRequest, OpenWindow } from '../../ipc/protocol/capture.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { ScrollOutcome } from '../../ipc/protocol/scroll.ts';
import type { Clock, Pixels, ScreenCapturer } from '../ports.ts';
import type { CaptureApi } from './capture-interface.ts';
import { type DesktopLayout, resolveCaptureTarget, titleAt } from './resolve-capture-target.ts';
import type { Subject } from './save-to-spool.ts';
import { captureScrolling } from './scroll/scroll-to-end.ts';

export interface CaptureDeps {
  readonly clock: Clock;
  readonly capturer: ScreenCapturer;
  /** Why the queue would refuse these link settings; null: it would not. */
  readonly refusalOf: (share: LinkSettings) => Failure | null;
  /** Keeps the screenshot and adds it to the queue. Errors: DISK_FULL, CANCELLED, those of `queue.add`. */
  readonly publish: (subject: Subject, share: LinkSettings) => Promise<Result<ItemId>>;
  /** The last selected region. */
  readonly last: () => Area | null;
}

/** `scrolled`: how a scrolling capture ended. */
interface Grabbed {
  readonly pixels: Pixels;
  readonly scrolled?: ScrollOutcome;
}

export interface CaptureNow extends Pick<CaptureApi, 'take' | 'displays'> {
  /** The pixels of a target, which are stored nowhere. Errors: CAPTURE_UNAVAILABLE, CAPTURE_AREA_INVALID, CANCELLED. */
  grab(request: CaptureRequest, signal: AbortSignal): Promise<Result<Grabbed>>;
}

export const createCapture = (deps: CaptureDeps): CaptureNow => {
  const { clock, capturer } = deps;

  /** Lists windows only for targets that need them. */
  const readLayout = async ({ target }: CaptureRequest, signal: AbortSignal): Promise<Result<DesktopLayout>> => {
    const none: readonly OpenWindow[] = [];
    const [displays, windows] = await Promise.all([
      capturer.displays(signal),
      target.mode === 'window' ? capturer.windows(signal) : ok(none),
    ]);
    if (!displays.ok) return displays;
    return windows.ok ? ok({ displays: displays.value, windows: windows.value, last: deps.last() }) : windows;
  };

  const grabArea = async (
    { pointer, scroll }: CaptureRequest,
    area: Area,
    signal: AbortSignal,
  ): Promise<Result<Grabbed>> => {
    if (!scroll) {
      const pixels = await capturer.grab(area, pointer, signal);
      return pixels.ok ? ok({ pixels: pixels.value }) : pixels;
    }
    const scrolled = await captureScrolling({ clock, capturer }, { area, direction: scroll }, signal);
    return scrolled.ok ? ok({ pixels: scrolled.value.pixels, scrolled: scrolled.value.outcome }) : scrolled;
  };

  /** After the delay. */
  const grab = async (request: CaptureRequest, signal: AbortSignal): Promise<Result<Subject & Grabbed>> => {
    if (request.delaySeconds > 0) await clock.sleep(request.delaySeconds * 1000, signal);
    const layout = await readLayout(request, signal);
    if (!layout.ok) return layout;
    const area = resolveCaptureTarget(request.target, layout.value);
    if (!area.ok) return area;
    const grabbed = await grabArea(request, area.value, signal);
    if (!grabbed.ok) return grabbed;
    return ok({ ...grabbed.value, mode: request.target.mode, title: titleAt(area.value, layout.value) });
  };

  const capture = async (
    { share = {}, ...request }: CommandInput<'capture.take'>,
    signal: AbortSignal,
  ): Promise<Result<CommandOutput<'capture.take'>>> => {
    // A screenshot cannot always be taken again.
    const refusal = deps.refusalOf(share);
    if (refusal) return err(refusal);
    const subject = await grab(request, signal);
    if (!subject.ok) return subject;
    // A stop that comes this late loses no picture: it waits in the queue.
    const id = await deps.publish(subject.value, share);
    if (!id.ok) return id;
    const { scrolled } = subject.value;
    return ok({ id: id.value, ...(scrolled && { scrolled }) });
  };

  const cancellable = async <T>(signal: AbortSignal, run: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted) return err(failure('CANCELLED', 'The capture was cancelled.'));
      throw error;
    }
  };

  return {
    take: (request, signal) => cancellable(signal, () => capture(request, signal)),
    grab: (request, signal) => cancellable(signal, () => grab(request, signal)),
    async displays(_, signal) {
      const found = await capturer.displays(signal);
      return found.ok ? ok({ displays: [...found.value] }) : found;
    },
  };
};
