/**
 * Copies a captured image to the clipboard where only the page has access to it, at the latest when the page gets
 * focus.
 */

import type { CaptureId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { PageClipboard } from '../file-input/clipboard.ts';
import type { Toasts } from '../messages/toasts.ts';

interface Deps {
  readonly transport: PageTransport;
  readonly clipboard: PageClipboard;
  readonly toasts: Toasts;
}

export const followPictures = ({ transport, clipboard, toasts }: Deps): void => {
  let waiting: CaptureId | null = null;

  const fetchPicture = async (id: CaptureId): Promise<Blob> => {
    const reply = await fetch(transport.captureUrl(id, 'picture'));
    if (!reply.ok) throw new Error(`The picture is gone: ${reply.status}.`);
    return reply.blob();
  };

  /** Browsers allow a page to write only while it has focus. */
  const put = async (id: CaptureId): Promise<void> => {
    const isCopied = await clipboard.writePicture(fetchPicture(id));
    waiting = isCopied ? null : id;
    toasts.show({ kind: isCopied ? 'pictureCopied' : 'pictureWaits' });
  };

  transport.on((event) => {
    if (event.type === 'picture') void put(event.id);
  });
  clipboard.onFocus(() => {
    if (waiting !== null) void put(waiting);
  });
};
