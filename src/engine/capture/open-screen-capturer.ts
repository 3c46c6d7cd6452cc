/**
 * Opens the screen capturer for the current operating system and desktop session. If there is no screen, it returns a
 * capturer whose calls all fail with CAPTURE_UNAVAILABLE.
 */

import { err, failure } from '../../api/errors.ts';
import type { ScreenCapturer } from '../ports.ts';
import { programsIn } from '../run-helper-program.ts';
import type { FindFfmpeg } from '../video/ffmpeg.ts';
import { isWaylandSession } from '../wayland/session-environment.ts';
import { createMacScreen, createWindowsScreen } from './ffmpeg-capturer.ts';
import { createToolCapturer } from './tool-capturer.ts';
import { createWaylandCapturer } from './wayland/wayland-capturer.ts';
import { openDesktopCalls } from './win32/bindings.ts';
import { createWindowsList } from './win32/windows-and-monitors.ts';
import { createX11Capturer } from './x11/x11-capturer.ts';

export interface CapturerEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ffmpeg: FindFfmpeg;
}

export const openScreenCapturer = ({ platform, environment, ffmpeg }: CapturerEnvironment): ScreenCapturer => {
  const run = programsIn(environment);
  if (platform === 'win32') {
    const windowsList = createWindowsList(() => openDesktopCalls(environment));
    return createToolCapturer(createWindowsScreen({ ffmpeg, run, displays: windowsList.displays }), windowsList);
  }
  if (platform === 'darwin') return createToolCapturer(createMacScreen({ ffmpeg, run }));
  if (isWaylandSession(environment)) return createWaylandCapturer({ environment, run });
  const { DISPLAY: display } = environment;
  if (display) return createX11Capturer({ display, environment });
  return unreachableScreen('There is no screen here: DISPLAY is not set. Run it inside a desktop session.');
};

const unreachableScreen = (detail: string): ScreenCapturer => {
  const no = err(failure('CAPTURE_UNAVAILABLE', detail));
  const refuse = () => Promise.resolve(no);
  return { displays: refuse, windows: refuse, freeze: refuse, grab: refuse };
};
