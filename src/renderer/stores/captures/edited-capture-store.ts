/**
 * Store of the capture that is open in the editor: its drawing, its link settings and its export. Keeps the drawing
 * while the capture is pending, even if another screen is shown. A discarded capture can be restored for a while.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaptureId, ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { AfterCapture, CaptureSessionIn } from '../../../ipc/protocol/capture.ts';
import type { CaptureDraft, DraftBasis } from '../../../ipc/protocol/drawing.ts';
import type { EditorSession, EditorState } from '../../drawing/editor-session.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { RouterStore } from '../router-store.ts';

export type WaitingCapture = CaptureSessionIn<'editing'>;

/** `outdated`: the last attempt failed; the next change, click or press of the button is another one. */
export type SyncStatus = 'off' | 'pending' | 'current' | 'outdated';

/** Keeps the edited image on the clipboard. */
export interface ClipboardSync {
  readonly store: StoreApi<{ readonly status: SyncStatus }>;
  /** Resolves to whether the clipboard has the present image, or need not have it. */
  copyNow(): Promise<boolean>;
  /** Nothing is copied any more once this resolves, until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  end(): void;
}

/**
 * `loaded`: another window has stored a newer drawing, which this window opens in place of its own. `unread`: it has, or
 * may have, and this window cannot read it.
 */
export type CatchUp = 'current' | 'loaded' | 'unread';

/** The drawing in the profile. */
export interface StoredDrawing {
  /** What this window knows of it. */
  readonly basis: DraftBasis;
  /** Saves pending changes; resolves when the host has answered. */
  flush(): Promise<void>;
  /** Before the image leaves the window: it must not leave out what another window has drawn. */
  catchUp(): Promise<CatchUp>;
  end(): void;
}

/** A capture open in the editor. */
export interface OpenDrawing {
  readonly id: CaptureId;
  readonly session: EditorSession;
  /** The captured image. */
  readonly original: ImageBitmap;
  readonly draft: StoredDrawing;
  readonly copies: ClipboardSync;
}

interface EditingState {
  /** The pending capture that the user navigated away from. */
  readonly aside: CaptureId | null;
  /** Whether the image is being exported. */
  readonly leaving: 'no' | 'making' | 'sending';
  /** Link settings of the pending capture: only values that differ from the settings. */
  readonly share: DraftShare;
  /** How often a capture was to be opened again. */
  readonly attempt: number;
}

type DraftShare = CaptureDraft['share'];

/** How the image is exported. */
export interface ExportRequest {
  readonly after: AfterCapture;
  /** Renders the edited image; null: the captured one. */
  readonly picture: (() => Promise<Blob>) | null;
  /** The user was asked, and leaves out what is drawn and not in the picture. */
  readonly isUnedited?: true;
  /** The user has decided about what looks secret. */
  readonly isReviewed: boolean;
}

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly view: RouterStore;
  readonly now: () => number;
}

/** `drawn`: nothing was exported, because the capture has a drawing that this window could not read. */
export type ExportOutcome = 'finished' | 'not' | 'drawn';

/** How long the undo is shown; the engine keeps the capture longer. */
const UNDO_SHOWN_MS = 10_000;

export const createEditedCaptureStore = ({ transport, engine, toasts, view, now }: Deps) => {
  const store = createStore<EditingState>(() => ({ aside: null, leaving: 'no', share: {}, attempt: 0 }));
  let openDrawing: OpenDrawing | null = null;
  let last: EditorSession | null = null;

  const waiting = (): WaitingCapture | null => {
    const capture = engine.store.getState().app?.capture ?? null;
    return capture?.state === 'editing' ? capture : null;
  };

  const close = (): void => {
    if (openDrawing === null) return;
    openDrawing.draft.end();
    openDrawing.copies.end();
    openDrawing.original.close();
    last = openDrawing.session;
    openDrawing = null;
  };

  /** The link settings of an item that waits in the queue. */
  const shareOfItem = (item: ItemId): DraftShare => {
    const { visibility, ttl, oneTime } =
      engine.store.getState().app?.queue.items.find(({ id }) => id === item)?.share ?? {};
    return {
      ...(visibility !== undefined && { visibility }),
      ...(ttl !== undefined && { ttl }),
      ...(oneTime !== undefined && { oneTime }),
    };
  };

  engine.store.subscribe((state, before) => {
    const now = waiting();
    const id = now?.id;
    const { capture } = before.app ?? {};
    const known = capture?.state === 'editing' ? capture.id : undefined;
    if (known !== undefined && known !== id) store.setState({ share: {}, aside: null });
    if (now?.item !== undefined && known !== id) store.setState({ share: shareOfItem(now.item) });
    if (openDrawing?.id !== id) close();
    if (state.app && before.app) offerBack(state.app, before.app);
  });

  /** Offers to restore a capture discarded in any window. Not while another capture is open. */
  const offerBack = ({ discarded, capture }: AppState, before: AppState): void => {
    if (discarded === before.discarded && capture === before.capture) return;
    const [newest] = discarded;
    const isNew = newest && !before.discarded.some(({ id }) => id === newest.id);
    if (!newest || capture !== null) toasts.withdraw('captureDiscarded');
    else if (isNew) toasts.show({ kind: 'captureDiscarded', id: newest.id, until: now() + UNDO_SHOWN_MS });
  };

  // Navigating to another screen by address, key or a dropped file hides the editor for a while.
  view.store.subscribe(({ shown }, before) => {
    const capture = waiting();
    if (capture && shown !== before.shown) store.setState({ aside: capture.id });
  });

  const send = async (
    id: CaptureId,
    name: string,
    { after, picture, isUnedited, isReviewed }: ExportRequest,
  ): Promise<ExportOutcome> => {
    const png = picture && (await picture());
    store.setState({ leaving: 'sending' });
    const file = png && new File([png], name, { type: 'image/png' });
    const offered = file && (await transport.offer(file, () => {}, new AbortController().signal));
    if (offered && !offered.ok) {
      toasts.show({ kind: 'failure', failure: offered.error });
      return 'not';
    }
    const { share } = store.getState();
    const said = {
      ...(openDrawing && { basis: openDrawing.draft.basis }),
      ...(isUnedited && { isUnedited }),
      ...(isReviewed && ({ isReviewed } as const)),
    };
    const finished = await engine.ask('capture.finish', { id, picture: offered?.value ?? null, after, share, ...said });
    if (finished.ok) return 'finished';
    if (finished.error.code === 'DRAWING_NOT_APPLIED')
      return (await openDrawing?.draft.catchUp()) === 'loaded' ? 'not' : 'drawn';
    toasts.show({ kind: 'failure', failure: finished.error });
    return 'not';
  };

  return {
    store,
    drawingOf: (id: CaptureId): OpenDrawing | null => (openDrawing?.id === id ? openDrawing : null),
    setDrawing: (next: OpenDrawing): void => {
      openDrawing = next;
    },
    /** Opens the capture again, with the drawing that is stored now: what was decided about the one before is over. */
    reopen: (): void => {
      close();
      store.setState(({ attempt }) => ({ attempt: attempt + 1 }));
    },
    /** Tool settings of the previous capture since the window was opened. */
    tools: (): Partial<Pick<EditorState, 'tool' | 'style'>> => last?.store.getState() ?? {},
    /** Link settings of the pending capture. */
    setShare: (share: DraftShare): void => store.setState({ share }),
    /** Whether the editor replaces the window's content. */
    isOpen: (): boolean => {
      const id = waiting()?.id;
      return id !== undefined && id !== store.getState().aside;
    },
    leave: (id: CaptureId): void => store.setState({ aside: id }),
    resume: (): void => store.setState({ aside: null }),
    /**
     * Shows why the capture could not be finished, except for `drawn`. Rejects if the image could not be rendered;
     * nothing is exported then.
     */
    finish: async ({ id, name }: WaitingCapture, leaving: ExportRequest): Promise<ExportOutcome> => {
      if (store.getState().leaving !== 'no') return 'not';
      const before = openDrawing;
      store.setState({ leaving: 'making' });
      let outcome: ExportOutcome = 'not';
      try {
        // The host decides by the stored drawing.
        await before?.draft.flush();
        if (openDrawing !== before) return 'not';
        // Nothing may follow what is copied now: the image or its link.
        await before?.copies.pause();
        outcome = await send(id, name, leaving);
        return outcome;
      } finally {
        if (outcome !== 'finished') before?.copies.resume();
        store.setState({ leaving: 'no' });
      }
    },
    /** Another attempt to keep the image on the clipboard. */
    copyNow: (): void => void openDrawing?.copies.copyNow(),
    discard: async (): Promise<void> => {
      await openDrawing?.draft.flush();
      await engine.run('capture.cancel', {});
    },
    /** Restores the capture discarded last. */
    bringBack: async (): Promise<void> => {
      const [newest] = engine.store.getState().app?.discarded ?? [];
      if (newest) await engine.run('capture.restore', { id: newest.id });
    },
  };
};

export type EditedCaptureStore = ReturnType<typeof createEditedCaptureStore>;
