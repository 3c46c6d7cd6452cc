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

/** A capture as PNG: the `picture` that is in the editor, or the `copy` for the clipboard. Rejects if it is gone. */
export const fetchPicture = async (
  transport: PageTransport,
  id: CaptureId,
  what: 'picture' | 'copy',
): Promise<Blob> => {
  const reply = await fetch(transport.captureUrl(id, what));
  if (!reply.ok) throw new Error(`The picture is gone: ${reply.status}.`);
  return reply.blob();
};

export const createPictureCopies = ({ transport, clipboard, toasts }: Deps) => {
  const write = async (id: CaptureId): Promise<boolean> => {
    const isCopied = await clipboard.writePicture(fetchPicture(transport, id, 'copy'));
    if (isCopied) {
      toasts.withdraw('pictureWaits');
      toasts.show({ kind: 'pictureCopied' });
    }
    return isCopied;
  };

  const copy = async (id: CaptureId): Promise<void> => {
    if (await write(id)) return;
    const waits = { kind: 'pictureWaits', id } as const;
    clipboard.writeLater(() => write(id), {
      onLeft: () => toasts.show({ ...waits, isLeft: true }),
      onDropped: () => toasts.withdraw('pictureWaits'),
    });
    toasts.show({ ...waits, isLeft: false });
  };

  transport.on((event) => {
    if (event.type === 'picture') void copy(event.id);
  });

  return { copy };
};

export type PictureCopies = ReturnType<typeof createPictureCopies>;
