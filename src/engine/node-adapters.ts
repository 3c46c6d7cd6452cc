/** Ports made of plain Node: what a host gives the engine when it has nothing better of its own. */

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openRecorder } from './capture/screen-capturer.ts';
import type { Clock, Notifier, Random, Recorder } from './ports.ts';
import { createFindFfmpeg } from './video/find-ffmpeg.ts';

export { cut } from './capture/crop.ts';
export { beginCapture } from './capture/prefetch-capture.ts';
export { openX11Hotkeys } from './hotkeys/x11-hotkeys.ts';
export { browserOpener } from './profile/open-browser.ts';
export { openSecrets, sessionSecrets } from './profile/key-store.ts';
export { examineVideoTools } from './video/toolchain-report.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export const systemRandom: Random = { number: () => Math.random(), uuid: () => randomUUID() };

/** The engine's own way to the screen, for a host that has a better one for some of it. */
export const systemRecorder = (environment: Readonly<Record<string, string | undefined>>): Recorder => {
  const ffmpeg = createFindFfmpeg({ configured: environment['LINKSHOT_FFMPEG'] ?? null, environment });
  const surroundings = { platform: process.platform, environment, ffmpeg };
  return openRecorder(surroundings);
};

/** For hosts that have no notices. */
export const silentNotifier: Notifier = { linked: () => {} };
