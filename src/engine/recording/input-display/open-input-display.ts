/** Opens the display of clicks and keys for the current platform and session. Only X11 has one. */
import type { Clock, InputDisplay } from '../../ports.ts';
import { isWaylandSession } from '../../wayland/session-environment.ts';
import { createX11InputDisplay } from './x11-input-display.ts';

export interface InputDisplayEnvironment {
  /** As Node reports it. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The X server whose input can be shown; null: this session has none, or one that sees its own windows only. */
const xDisplay = ({ platform, environment }: InputDisplayEnvironment): string | null =>
  (platform === 'linux' && !isWaylandSession(environment) && environment['DISPLAY']) || null;

/** Whether clicks and keys can be shown in recordings here. */
export const canShowInput = (session: InputDisplayEnvironment): boolean => xDisplay(session) !== null;

/** Null: clicks and keys cannot be shown here. */
export const openInputDisplay = (
  session: InputDisplayEnvironment,
  clock: Pick<Clock, 'sleep'>,
): InputDisplay | null => {
  const display = xDisplay(session);
  return display === null ? null : createX11InputDisplay({ display, environment: session.environment }, clock);
};
