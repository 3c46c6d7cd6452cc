/**
 * Provides ports of the engine to hosts that run on Node: a clock, a random source, a screen capturer, and a notifier
 * that shows nothing. Also reads what a Wayland desktop supports, and re-exports the engine functions that hosts use,
 * such as the key store and the X11 hotkeys.
 */

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openScreenCapturer, programsIn } from './capture/open-screen-capturer.ts';
import { askDesktop, type DesktopAbilities } from './capture/wayland/desktop-abilities.ts';
import type { Clock, Notifier, Random, ScreenCapturer } from './ports.ts';
import { createFindFfmpeg } from './video/ffmpeg.ts';

export { crop } from './capture/crop.ts';
export { layOutDisplays } from './capture/display-layout.ts';
export { prefetchCapture as beginCapture } from './capture/prefetch-capture.ts';
export { contains, isInside, overlapOf } from './capture/resolve-capture-target.ts';
export { createRaiseWindow, type RaiseWindow } from './capture/x11/raise-window.ts';
export { openPortalHotkeys } from './hotkeys/portal-hotkeys.ts';
export { openX11Hotkeys } from './hotkeys/x11-hotkeys.ts';
export { browserOpener } from './open-browser.ts';
export { createMemoryKeyStore, openSystemKeyStore } from './profile/system-key-store.ts';
export { canShowInput } from './recording/input-display/open-input-display.ts';
export { reportToolchain as examineVideoTools } from './video/ffmpeg-capabilities.ts';
export { createLanguageData as openLanguageData } from './vision/ocr-language-data.ts';
export { showsTrayIcons } from './wayland/tray-icons.ts';
export { openX11Clipboard, type X11Clipboard } from './x11/x11-clipboard.ts';

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

/** What a Wayland desktop offers; null elsewhere. Rejects with the signal's reason. */
export const askSystemDesktop = (
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<DesktopAbilities | null> => askDesktop(environment, programsIn(environment), signal);

/** For hosts without notifications. */
export const silentNotifier: Notifier = { linked: () => {} };
