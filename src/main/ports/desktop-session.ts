/**
 * Detects the desktop session: whether it is Wayland, and whether the screen can be captured through X11 instead of
 * Electron. Also wraps a screen capturer so that the app's own panels are hidden during captures.
 */
import type { ScreenCapturer } from '../../engine/ports.ts';
import type { Panels } from '../windows/panels.ts';

export interface SessionEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const isWayland = ({ platform, environment }: SessionEnvironment): boolean =>
  platform === 'linux' && (environment['XDG_SESSION_TYPE'] === 'wayland' || Boolean(environment['WAYLAND_DISPLAY']));

export const canCaptureThroughX11 = (session: SessionEnvironment): boolean =>
  session.platform === 'linux' && !isWayland(session) && Boolean(session.environment['DISPLAY']);

/** The same capturer, with our own toast hidden during captures. */
export const withoutToast = (recorder: ScreenCapturer, panels: Pick<Panels, 'withoutPanels'>): ScreenCapturer => ({
  ...recorder,
  freeze: (pointer, signal) => panels.withoutPanels(() => recorder.freeze(pointer, signal)),
  grab: (area, pointer, signal) => panels.withoutPanels(() => recorder.grab(area, pointer, signal)),
});
