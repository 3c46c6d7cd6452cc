/**
 * Copies the picture in the editor to the clipboard without finishing the capture. The page copies, except where only
 * the host writes the clipboard.
 */

import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { EngineStore } from '../engine-store.ts';
import type { PageClipboard } from '../page-clipboard.ts';
import { fetchPicture } from './copy-picture.ts';
import type { WaitingCapture } from './edited-capture-store.ts';

/** `refused`: by the browser, which may allow it at a click; `away`: the page is not focused, so it was not tried. */
export type CopyOutcome = 'copied' | 'refused' | 'away' | 'failed';

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly clipboard: PageClipboard;
}

const NEVER = new AbortController().signal;

export const createEditedCopies = ({ transport, engine, clipboard }: Deps) => {
  const isByHost = (): boolean => engine.store.getState().app?.capabilities.clipboard === 'host';

  const copyByHost = async ({ id, name }: WaitingCapture, picture: Promise<Blob> | null): Promise<CopyOutcome> => {
    const png = picture && (await picture);
    const offered = png && (await transport.offer(new File([png], name, { type: 'image/png' }), () => {}, NEVER));
    if (offered && !offered.ok) return 'failed';
    const request = offered ? { id, picture: offered.value } : ({ id, picture: null, isUnedited: true } as const);
    const copied = await engine.ask('capture.copy', request);
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
    copy: async (capture: WaitingCapture, picture: (() => Promise<Blob>) | null): Promise<CopyOutcome> => {
      if (isByHost()) return copyByHost(capture, picture?.() ?? null);
      if (!clipboard.hasFocus()) return 'away';
      return copyByPage(picture ? picture() : fetchPicture(transport, capture.id, 'picture'));
    },
  };
};

export type EditedCopies = ReturnType<typeof createEditedCopies>;
