/**
 * Detects what Linkshot can do on a Wayland desktop: take screenshots, record, list windows, write the clipboard and
 * use portals. Also names the packages to install where something is missing.
 */

import { SCREENCOPY } from './capture/wayland/grim.ts';
import { portalPackages } from './capture/wayland/portal-screenshot.ts';
import { NOT_ON_KDE } from './recording/recording-errors.ts';
import { programsIn, type RunProgram } from './run-helper-program.ts';
import { askCompositor } from './wayland/compositor.ts';
import { type PortalName, portalVersion } from './wayland/desktop-portal.ts';
import { askKWin, isKWin } from './wayland/kwin-outputs.ts';
import { openSessionBus } from './wayland/session-bus.ts';
import { desktopName, type Environment, isWaylandSession } from './wayland/session-environment.ts';

export interface DesktopAbilities {
  /** Such as `GNOME`. */
  readonly name: string;
  /** How screenshots are taken; `none`: not at all, see `missing`. */
  readonly screenshots: 'grim' | 'portal' | 'none';
  /** How the screen is recorded; `none`: not at all, see `missing`. */
  readonly recordings: 'wf-recorder' | 'portal' | 'none';
  /** Whether the desktop lists its windows. */
  readonly windows: boolean;
  /** `wl-copy`: it writes the clipboard without a window. `page`: only a page with the focus does. */
  readonly clipboard: 'wl-copy' | 'page';
  /** The versions of the portals that matter to Linkshot; null: the desktop does not have this one. */
  readonly portals: Readonly<Record<PortalName, number | null>>;
  /** Sentences that say what does not work, and what to install. */
  readonly missing: readonly string[];
}

const PORTALS = [
  'Screenshot',
  'ScreenCast',
  'GlobalShortcuts',
  'Notification',
] as const satisfies readonly PortalName[];

/** They write the clipboard without the focus. */
const CLIPBOARDS = ['ext_data_control_manager_v1', 'zwlr_data_control_manager_v1'];

/** Null: not a Wayland session. Rejects with the signal's reason. */
export const askDesktop = async (
  environment: Environment,
  run: RunProgram,
  signal: AbortSignal,
): Promise<DesktopAbilities | null> => {
  if (!isWaylandSession(environment)) return null;
  const name = desktopName(environment);
  const [compositor, portals, hasGrim, hasCopy, hasRecorder, hasPlayer] = await Promise.all([
    (isKWin(environment) ? askKWin : askCompositor)(environment, signal),
    askPortals(environment, signal),
    isInstalled(run, 'grim', '-h', signal),
    isInstalled(run, 'wl-copy', '--version', signal),
    isInstalled(run, 'wf-recorder', '-h', signal),
    isInstalled(run, 'gst-launch-1.0', '--version', signal),
  ]);
  const canRead = compositor.ok && compositor.value.protocols.has(SCREENCOPY);
  const hasPortal = portals.Screenshot !== null;
  const byProgram = canRead && hasGrim ? 'grim' : 'none';
  const screenshots = compositor.ok && !canRead && hasPortal ? 'portal' : byProgram;
  const canCopy =
    isKWin(environment) || (compositor.ok && CLIPBOARDS.some((name) => compositor.value.protocols.has(name)));
  const canShare = compositor.ok && !canRead && !isKWin(environment) && portals.ScreenCast !== null;
  const recordings = canRead && hasRecorder ? 'wf-recorder' : canShare && hasPlayer ? 'portal' : 'none';
  const needPortal =
    compositor.ok && !canRead
      ? [
          ...(hasPortal ? [] : ['screenshots']),
          ...(portals.ScreenCast !== null || isKWin(environment) ? [] : ['recordings']),
        ].join(' and ')
      : '';
  const missing = [
    ...(compositor.ok ? [] : [compositor.error]),
    ...(canRead && !hasGrim ? ['Screenshots need grim: install grim.'] : []),
    ...(needPortal === '' ? [] : [`For ${needPortal}, install ${portalPackages(environment)}, and sign in again.`]),
    ...(isKWin(environment) ? [NOT_ON_KDE] : []),
    ...(canRead && !hasRecorder ? ['Recordings need wf-recorder: install wf-recorder.'] : []),
    ...(canShare && !hasPlayer
      ? ['Recordings need GStreamer: install gstreamer1.0-tools, gstreamer1.0-plugins-base and gstreamer1.0-pipewire.']
      : []),
    ...(hasCopy || !canCopy ? [] : ['Links are only copied while a page is open: install wl-clipboard.']),
  ];
  return {
    ...{ name, screenshots, recordings, portals, missing },
    windows: canRead && Boolean(environment['SWAYSOCK']),
    clipboard: canCopy && hasCopy ? 'wl-copy' : 'page',
  };
};

const askPortals = async (environment: Environment, signal: AbortSignal): Promise<DesktopAbilities['portals']> => {
  const bus = await openSessionBus(environment, signal);
  const versions = await Promise.all(
    PORTALS.map(async (portal) => [portal, bus && (await portalVersion(bus, portal, signal))] as const),
  ).finally(() => bus?.close());
  return Object.fromEntries(versions) as Record<PortalName, number | null>;
};

const isInstalled = async (run: RunProgram, program: string, word: string, signal: AbortSignal): Promise<boolean> =>
  (await run(program, [word], signal)).end !== 'missing';

/** What a Wayland desktop offers; null elsewhere. Rejects with the signal's reason. */
export const askSystemDesktop = (
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<DesktopAbilities | null> => askDesktop(environment, programsIn(environment), signal);
