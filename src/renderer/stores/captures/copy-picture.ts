/**
 * Copies captured images to the clipboard where only the page has access to it. If the browser refuses, retries at the
 * next click, key press or focus, until the user leaves the window or copies something else.
 */

import type { CaptureId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { PageClipboard } from '../page-clipboard.ts';

interface Deps {
  readonly transport: PageTransport;
  readonly clipboard: PageClipboard;
  readonly toasts: Toasts;
}

/** The host has withdrawn the picture. */
class PictureGone extends Error {}

/** A capture as PNG: the `picture` that is in the editor, or the `copy` for the clipboard. Rejects if it is gone. */
export const fetchPicture = async (
  transport: PageTransport,
  id: CaptureId,
  what: 'picture' | 'copy',
): Promise<Blob> => {
  const reply = await fetch(transport.captureUrl(id, what));
  if (reply.status === 404) throw new PictureGone();
  if (!reply.ok) throw new Error(`The picture could not be fetched: ${reply.status}.`);
  return reply.blob();
};

export const createPictureCopies = ({ transport, clipboard, toasts }: Deps) => {
  /** Resolves to whether nothing is left to do: it is copied, or the host has withdrawn it. */
  const write = async (id: CaptureId): Promise<boolean> => {
    const png = fetchPicture(transport, id, 'copy');
    const isGone = png.then(
      () => false,
      (error: unknown) => error instanceof PictureGone,
    );
    const isCopied = await clipboard.writePicture(png);
    if (!isCopied && !(await isGone)) return false;
    toasts.withdraw('pictureWaits');
    if (isCopied) {
      toasts.show({ kind: 'pictureCopied' });
      clipboard.tellCopied(id);
      void transport.call('capture.copied', { id });
    }
    return true;
  };

  const copy = async (id: CaptureId): Promise<void> => {
    if (await write(id)) return;
    const waits = { kind: 'pictureWaits', id } as const;
    const ends = {
      onLeft: () => toasts.show({ ...waits, isLeft: true }),
      onDropped: () => toasts.withdraw('pictureWaits'),
    };
    if (clipboard.writeLater(() => write(id), ends, id)) toasts.show({ ...waits, isLeft: false });
  };

  transport.on((event) => {
    if (event.type === 'picture') void copy(event.id);
  });

  return { copy };
};

export type PictureCopies = ReturnType<typeof createPictureCopies>;
