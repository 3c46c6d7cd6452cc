/**
 * Implements ports of the engine for hosts that run on Node: a clock, a random source, the screen capturer of this
 * system, and a notifier that shows nothing. Key store, clipboard and hotkeys are in modules of their own.
 */

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openScreenCapturer } from './capture/open-screen-capturer.ts';
import { openDesktopCalls } from './capture/win32/bindings.ts';
import { createWindowsList, type WindowsList } from './capture/win32/windows-and-monitors.ts';
import type { Clock, Notifier, Random, ScreenCapturer } from './ports.ts';
import { createFindFfmpeg } from './video/ffmpeg.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export const systemRandom: Random = { number: () => Math.random(), uuid: () => randomUUID() };

/** The engine's own screen capturer, for a host that replaces only parts of it. */
export const systemScreenCapturer = (environment: Readonly<Record<string, string | undefined>>): ScreenCapturer => {
  const ffmpeg = createFindFfmpeg({ configured: environment['LINKSHOT_FFMPEG'] ?? null, environment });
  const adapters = { platform: process.platform, environment, ffmpeg };
  return openScreenCapturer(adapters);
};

/** Lists the monitors in physical pixels. Errors: CAPTURE_UNAVAILABLE. */
export const monitorsOfWindows = (environment: Readonly<Record<string, string | undefined>>): WindowsList['displays'] =>
  createWindowsList(() => openDesktopCalls(environment)).displays;

/** For hosts without notifications. */
export const silentNotifier: Notifier = { linked: () => {} };
