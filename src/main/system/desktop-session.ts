/**
 * Detects the desktop session: whether it is Wayland, and whether the screen can be captured through X11 instead of
 * Electron.
 */
export interface SessionEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const isWayland = ({ platform, environment }: SessionEnvironment): boolean =>
  platform === 'linux' && (environment['XDG_SESSION_TYPE'] === 'wayland' || Boolean(environment['WAYLAND_DISPLAY']));

export const canCaptureThroughX11 = (session: SessionEnvironment): boolean =>
  session.platform === 'linux' && !isWayland(session) && Boolean(session.environment['DISPLAY']);
