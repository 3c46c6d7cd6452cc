/**
 * Opens the desktop's clipboard for the browser host: through X11, or through the clipboard programs of Wayland
 * desktops, Windows and macOS. Null where only the page can write a clipboard.
 */

import { err, failure, ok } from '../api/errors.ts';
import type { Clipboard, ClipboardReader } from '../engine/ports.ts';
import { askSystemDesktop } from '../engine/wayland-desktop-abilities.ts';
import { openX11Clipboard, type X11Clipboard } from '../engine/x11/x11-clipboard.ts';
import { copyToClipboard } from './copy-text-with-programs.ts';

/** A desktop that does not answer must not hold up the start. */
const DESKTOP_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;
type Writer = Pick<Clipboard, 'writeText'> & Partial<Pick<X11Clipboard, 'owned'>>;

const openWriter = async (platform: NodeJS.Platform, environment: Environment): Promise<Writer | null> => {
  // The page is on another computer, which reaches this one through a tunnel.
  if (environment['LINKSHOT_CLIPBOARD'] === 'page') return null;
  const isLinux = platform !== 'darwin' && platform !== 'win32';
  const mayWrite = isLinux ? await canCopyOnWayland(environment) : !environment['SSH_CONNECTION'];
  if (isLinux && !mayWrite) return openX11Clipboard(environment);
  // Over ssh the user sits at another computer.
  if (!mayWrite) return null;
  return {
    writeText: async (text) =>
      (await copyToClipboard(text, platform, environment))
        ? ok(undefined)
        : err(failure('APP_FAILED', 'No clipboard program on this system accepted the text.')),
  };
};

/** Where it needs no focus: elsewhere a window of wl-copy would take it from the page. */
const canCopyOnWayland = async (environment: Environment): Promise<boolean> => {
  if (!environment['WAYLAND_DISPLAY']) return false;
  const desktop = await askSystemDesktop(environment, AbortSignal.timeout(DESKTOP_MS)).catch(() => null);
  return desktop?.clipboard === 'wl-copy';
};

/**
 * Null where only a page can write it: on Wayland without wl-copy or where it needs the focus (GNOME), on Linux without a
 * desktop, on Windows and macOS over ssh, and with `LINKSHOT_CLIPBOARD=page`.
 */
export const openDesktopClipboard = async (
  platform: NodeJS.Platform,
  environment: Environment,
  reader: Pick<ClipboardReader, 'readText'>,
): Promise<Clipboard | null> => {
  const writer = await openWriter(platform, environment);
  if (writer === null) return null;
  const readText = async () => {
    const owned = writer.owned?.() ?? null;
    return owned === null ? reader.readText() : ok(owned);
  };
  return { writeText: writer.writeText, readText };
};
