/**
 * Copies the picture in the editor to the clipboard without finishing the capture. The page copies, except where only
 * the host writes the clipboard.
 */

import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { EngineStore } from '../engine-store.ts';
import type { PageClipboard } from '../page-clipboard.ts';
import { fetchPicture } from './copy-picture.ts';
import type { StoredDrawing, WaitingCapture } from './edited-capture-store.ts';

/** `refused`: by the browser, which may allow it at a click; `away`: the page is not focused, so it was not tried. */
export type CopyOutcome = 'copied' | 'refused' | 'away' | 'failed';

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly clipboard: PageClipboard;
}

/** Rejects where the image would leave out what another window has drawn. */
export const expectCurrent = async (draft: StoredDrawing): Promise<void> => {
  await draft.flush();
  if ((await draft.catchUp()) !== 'current') throw new Error('Another window has drawn on the capture.');
};

const NEVER = new AbortController().signal;

export const createEditedCopies = ({ transport, engine, clipboard }: Deps) => {
  const isByHost = (): boolean => engine.store.getState().app?.capabilities.clipboard === 'host';

  const copyByHost = async (
    { id, name }: WaitingCapture,
    picture: Promise<Blob> | null,
    draft: StoredDrawing,
  ): Promise<CopyOutcome> => {
    const png = picture && (await picture);
    await draft.flush();
    const offered = png && (await transport.offer(new File([png], name, { type: 'image/png' }), () => {}, NEVER));
    if (offered && !offered.ok) return 'failed';
    const picked = offered?.value ?? null;
    const copied = await engine.ask('capture.copy', { id, picture: picked, basis: draft.basis });
    if (!copied.ok && copied.error.code === 'DRAWING_NOT_APPLIED') await draft.catchUp();
    return copied.ok ? 'copied' : 'failed';
  };

  const copyByPage = async (png: Promise<Blob>): Promise<CopyOutcome> => {
    const isThere = png.then(
      () => true,
      () => false,
    );
    // Some browsers allow it only while a click is handled: nothing is awaited before.
    if (await clipboard.writePicture(png)) return 'copied';
    return (await isThere) ? 'refused' : 'failed';
  };

  return {
    /** Whether this page can do it at all: a browser may lack the clipboard, as without TLS. */
    canCopy: (): boolean => isByHost() || clipboard.canWritePictures,
    /** `picture`: starts to render the edited image; null: it is unedited, and the captured image is copied. */
    copy: async (
      capture: WaitingCapture,
      picture: (() => Promise<Blob>) | null,
      draft: StoredDrawing,
    ): Promise<CopyOutcome> => {
      if (isByHost()) return copyByHost(capture, picture?.() ?? null, draft);
      if (!clipboard.hasFocus()) return 'away';
      const png = picture ? picture() : fetchPicture(transport, capture.id, 'picture');
      return copyByPage(Promise.all([png, expectCurrent(draft)]).then(([blob]) => blob));
    },
  };
};

export type EditedCopies = ReturnType<typeof createEditedCopies>;
