/** Saves the drawing to the profile shortly after each change, so that a closed window loses nothing. */
import type { StoreApi } from 'zustand/vanilla';
import { type Failure, failure, type Result } from '../../api/errors.ts';
import type { CaptureDraft } from '../../ipc/protocol/drawing.ts';
import type { EditorSession } from './editor-session.ts';

/** Longer than a pen stroke, short enough that a crash loses little. */
const PAUSE_MS = 300;
/** Well below the host's maximum message size; real drawings are far smaller. */
const MAX_CHARACTERS = 2_000_000;

export interface DraftDeps {
  readonly session: EditorSession;
  readonly share: Pick<StoreApi<{ readonly share: CaptureDraft['share'] }>, 'getState' | 'subscribe'>;
  readonly save: (draft: CaptureDraft) => Promise<Result<unknown>>;
  /** Calls back when the host is reachable again. Returns the unsubscribe function. */
  readonly onReachable: (again: () => void) => () => void;
  readonly onError: (why: Failure) => void;
}

export interface Draft {
  /** Saves pending changes; resolves when the host has answered. */
  flush(): Promise<void>;
  end(): void;
}

export const autosaveDraft = ({ session, share, save, onReachable, onError }: DraftDeps): Draft => {
  const present = (): CaptureDraft => {
    const { share: link } = share.getState();
    return { drawing: session.documentToSave(), style: session.store.getState().style, share: link };
  };
  let known = present();
  let isTooLarge = false;
  let pause: ReturnType<typeof setTimeout> | null = null;

  const isKnown = ({ drawing, style, share: link }: CaptureDraft): boolean =>
    drawing === known.drawing && style === known.style && link === known.share;

  const flush = async (): Promise<void> => {
    if (pause !== null) clearTimeout(pause);
    pause = null;
    const draft = present();
    if (isKnown(draft)) return;
    const wasTooLarge = isTooLarge;
    isTooLarge = JSON.stringify(draft).length > MAX_CHARACTERS;
    if (isTooLarge) {
      // Reported once, not on every stroke: the previous draft is still saved.
      if (!wasTooLarge) onError(failure('DRAWING_TOO_LARGE', `More than ${MAX_CHARACTERS} characters are not kept.`));
      return;
    }
    const before = known;
    known = draft;
    const saved = await save(draft);
    if (saved.ok) return;
    // Retried with the next change, or when the host is reachable again.
    if (known === draft) known = before;
    if (saved.error.code === 'DISK_FULL') onError(saved.error);
  };

  const changed = (): void => {
    if (pause === null && !isKnown(present())) pause = setTimeout(() => void flush(), PAUSE_MS);
  };
  const hidden = (): void => void flush();

  const undo = [session.store.subscribe(changed), share.subscribe(changed), onReachable(hidden)];
  document.addEventListener('visibilitychange', hidden);
  window.addEventListener('pagehide', hidden);
  return {
    flush,
    end() {
      if (pause !== null) clearTimeout(pause);
      for (const stop of undo) stop();
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', hidden);
    },
  };
};
