/**
 * Captures a Wayland desktop: each output by itself where programs may read the screen, else the whole desktop through
 * xdg-desktop-portal. Lists windows on Sway only. Asks the compositor for its outputs each time, because they come and
 * go.
 */
import { err, failure, ok, type Result } from '../../../api/errors.ts';
import type { Area, Display } from '../../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice, ScreenCapturer } from '../../ports.ts';
import type { RunProgram } from '../../run-helper-program.ts';
import { askCompositor, type Compositor, type Output } from '../../wayland/compositor.ts';
import { askKWin, isKWin } from '../../wayland/kwin-outputs.ts';
import { desktopName, type Environment } from '../../wayland/session-environment.ts';
import { desktopOf, overlapOf } from '../areas.ts';
import { crop, type Frame } from '../crop.ts';
import { layOutDisplays } from '../lay-out-physical-displays.ts';
import { SCREENCOPY, takeWithGrim } from './grim.ts';
import { portalQuestion, takeThroughPortal } from './portal-screenshot.ts';
import { readSwayTree, windowsOf } from './sway-windows.ts';

export interface WaylandCapturerDeps {
  readonly environment: Environment;
  /** With the environment of the desktop. */
  readonly run: RunProgram;
}

interface Desktop extends Compositor {
  readonly displays: readonly Display[];
}

export const createWaylandCapturer = ({ environment, run }: WaylandCapturerDeps): ScreenCapturer => {
  const unavailable = (detail: string) => err(failure('CAPTURE_UNAVAILABLE', detail));

  const ask = async (signal: AbortSignal): Promise<Result<Desktop>> => {
    const asked = await (isKWin(environment) ? askKWin : askCompositor)(environment, signal);
    if (!asked.ok) return unavailable(asked.error);
    const { outputs, protocols } = asked.value;
    return ok({ outputs, protocols, displays: displaysOf(outputs, canReadOutputs(asked.value)) });
  };

  /** Of the displays for which `isWanted` holds. */
  const takeOutputs = async (
    desktop: Desktop,
    isWanted: (display: Display) => boolean,
    pointer: PointerChoice,
    signal: AbortSignal,
  ): Promise<Result<readonly Frame[]>> => {
    const wanted = desktop.displays.flatMap((display, index) =>
      isWanted(display) ? [{ display, output: desktop.outputs[index] as Output }] : [],
    );
    const shots = await Promise.all(wanted.map(({ output }) => takeWithGrim(run, output, pointer, signal)));
    const frames: Frame[] = [];
    for (const [index, shot] of shots.entries()) {
      if (!shot.ok) return unavailable(refusalText(shot.error, environment));
      const { display } = wanted[index] as (typeof wanted)[number];
      const { width, height } = shot.value;
      frames.push({ display: { ...display, width, height }, pixels: shot.value });
    }
    return ok(frames);
  };

  const cancellable = async <T>(signal: AbortSignal, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const cancelled = err(failure('CANCELLED', 'The capture was cancelled.'));
    try {
      const done = await work();
      return signal.aborted ? cancelled : done;
    } catch (error) {
      if (signal.aborted) return cancelled;
      throw error;
    }
  };

  return {
    displays: (signal) =>
      cancellable(signal, async () => {
        const desktop = await ask(signal);
        return desktop.ok ? ok(desktop.value.displays) : desktop;
      }),
    windows: (signal) =>
      cancellable(signal, async () => {
        const path = environment['SWAYSOCK'];
        if (!path)
          return unavailable(
            `${desktopName(environment)} tells no program which windows are open. Capture a screen (--screen N) or a region (--region X,Y,W,H) instead.`,
          );
        const [desktop, tree] = await Promise.all([ask(signal), readSwayTree(path, signal)]);
        if (!desktop.ok) return desktop;
        return tree.ok ? ok(windowsOf(tree.value, desktop.value.outputs, desktop.value.displays)) : tree;
      }),
    freeze: (pointer, signal) =>
      cancellable(signal, async () => {
        const desktop = await ask(signal);
        if (!desktop.ok) return desktop;
        if (canReadOutputs(desktop.value)) return takeOutputs(desktop.value, () => true, pointer, signal);
        // The setting asks for the pointer; a picture without it is better than none.
        const whole = await takeThroughPortal(environment, signal);
        return whole.ok ? ok(inDisplays(whole.value, desktop.value.displays)) : whole;
      }),
    grab: (area, pointer, signal) =>
      cancellable(signal, async () => {
        const desktop = await ask(signal);
        if (!desktop.ok) return desktop;
        if (canReadOutputs(desktop.value)) {
          const isWanted = (display: Display) => overlapOf(display, area) !== null;
          const frames = await takeOutputs(desktop.value, isWanted, pointer, signal);
          return frames.ok ? ok(crop(frames.value, area)) : frames;
        }
        // KDE's portal shows it in any case.
        if (pointer === 'show' && !isKWin(environment)) return unavailable(noPointer(environment));
        const whole = await takeThroughPortal(environment, signal);
        if (!whole.ok) return whole;
        return ok(cropWhole(whole.value, scaled(area, ratioOf(whole.value, desktop.value.displays))));
      }),
    question: async (signal) => {
      const desktop = await ask(signal);
      return desktop.ok && !canReadOutputs(desktop.value) ? portalQuestion(environment, signal) : null;
    },
  };
};

/**
 * `isOwn`: each output has a picture of its own, in its physical pixels. Otherwise one picture shows them all, scaled
 * to the sharpest.
 */
const displaysOf = (outputs: readonly Output[], isOwn: boolean): readonly Display[] => {
  const desktop = desktopOf(outputs.map(({ logical }) => logical));
  const factor = Math.max(...outputs.map(({ scale }) => scale));
  const places = isOwn
    ? layOutDisplays(outputs)
    : outputs.map(({ logical: { x, y, width, height } }) => ({
        x: Math.round((x - desktop.x) * factor),
        y: Math.round((y - desktop.y) * factor),
        width: Math.round(width * factor),
        height: Math.round(height * factor),
      }));
  return outputs.map(({ name, scale }, index) => ({
    ...(places[index] as (typeof places)[number]),
    number: index + 1,
    name,
    scale: isOwn ? scale : factor,
  }));
};

/** Cuts the picture of the whole desktop into its displays. */
const inDisplays = (pixels: Pixels, displays: readonly Display[]): readonly Frame[] => {
  const ratio = ratioOf(pixels, displays);
  return displays.map((display) => {
    const area = scaled(display, ratio);
    return { display: { ...display, ...area, scale: display.scale * ratio }, pixels: cropWhole(pixels, area) };
  });
};

/** Not 1 where a desktop scales its pictures in a way of its own. */
const ratioOf = ({ width }: Pixels, displays: readonly Display[]): number => width / desktopOf(displays).width;

const scaled = ({ x, y, width, height }: Area, ratio: number): Area => ({
  x: Math.round(x * ratio),
  y: Math.round(y * ratio),
  width: Math.round(width * ratio),
  height: Math.round(height * ratio),
});

const cropWhole = (pixels: Pixels, area: Area): Pixels => {
  const { width, height } = pixels;
  return crop([{ display: { x: 0, y: 0, width, height, number: 0, name: '', scale: 1 }, pixels }], area);
};

const canReadOutputs = ({ protocols }: Compositor): boolean => protocols.has(SCREENCOPY);

const refusalText = (
  { why, detail }: { why: 'missing' | 'failed'; detail: string },
  environment: Environment,
): string =>
  why === 'missing'
    ? `Capturing ${desktopName(environment)} needs grim, which is not installed. Install grim, and try again.`
    : `grim took no screenshot of ${desktopName(environment)} (${detail}). Try again.`;

const noPointer = (environment: Environment): string =>
  `${desktopName(environment)} takes screenshots without the mouse pointer only. Capture without --pointer.`;
