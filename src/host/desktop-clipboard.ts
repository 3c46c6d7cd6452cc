/**
 * Opens the desktop's clipboard for the browser host: through X11, or through the clipboard programs of Windows and
 * macOS. Where the desktop is not the user's, only the page has a clipboard.
 */

import { err, failure, ok } from '../api/errors.ts';
import { openX11Clipboard, type X11Clipboard } from '../engine/node-adapters.ts';
import type { Clipboard, ClipboardReader } from '../engine/ports.ts';
import { copyToClipboard } from './clipboard-writer.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Writer = Pick<Clipboard, 'writeText'> & Partial<Pick<X11Clipboard, 'owned'>>;

const openWriter = async (platform: NodeJS.Platform, environment: Environment): Promise<Writer | null> => {
  // The page is on another computer, which reaches this one through a tunnel.
  if (environment['LINKSHOT_CLIPBOARD'] === 'page') return null;
  if (platform !== 'darwin' && platform !== 'win32') return openX11Clipboard(environment);
  // The user sits at another computer.
  if (environment['SSH_CONNECTION']) return null;
  return {
    writeText: async (text) =>
      (await copyToClipboard(text, platform, environment))
        ? ok(undefined)
        : err(failure('APP_FAILED', 'No clipboard program on this system accepted the text.')),
  };
};

/**
 * Null where only a page can write it: under Wayland, without a desktop, over ssh, and with `LINKSHOT_CLIPBOARD=page`.
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
