/** All the ways in which a person hands over files: dropping them anywhere, pasting them, choosing them. */

import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { useLocale } from '../locales/locale.tsx';
import type { EngineStore } from '../stores/engine.ts';
import { usePage } from '../stores/use-page.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import { carriesFiles, namePasted, readTransfer } from './transfer.ts';
import { isTyping } from './typing.ts';

/** Only a help in the file dialog: what counts are the bytes, and the server judges them. */
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/avif,video/mp4,video/webm';

export interface Hands {
  readonly choose: () => void;
  /** Reads the clipboard; the browser may ask the person first. */
  readonly paste: () => Promise<void>;
}

const HandsContext = createContext<Hands | null>(null);

export const useHands = (): Hands => {
  const hands = use(HandsContext);
  if (hands === null) throw new Error('useHands outside of HandsProvider');
  return hands;
};

/** Whether this host can name a folder of the disk. */
const foldersAre = ({ store }: EngineStore) =>
  store.getState().app?.capabilities.folders ? ('taken' as const) : ('refused' as const);

/** Listens on the whole window; answers whether files are being dragged over it. */
const useDropped = (): boolean => {
  const { engine, intake, toasts, view } = usePage();
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    // Without this the browser would leave the page and show what was dropped.
    const allowDrop = (event: DragEvent) => {
      if (!isTyping(event.target)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || event.defaultPrevented) return;
      if (isTyping(event.target) && !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const { files, text, refused } = readTransfer(event.dataTransfer, foldersAre(engine));
      if (files.length > 0 || text !== null) view.show('home');
      if (files.length > 0) intake.add(files);
      if (text !== null) void engine.run('note.add', { text });
      if (refused !== null) toasts.show({ kind: refused });
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('dragenter', over, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragover', allowDrop, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, [engine, intake, toasts, view]);

  return isOver;
};

const usePasted = (takePictures: (pictures: readonly Blob[]) => void): void => {
  const { engine, toasts } = usePage();
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (!event.clipboardData) return;
      const { files, text, refused } = readTransfer(event.clipboardData, foldersAre(engine));
      if (files.length > 0) {
        event.preventDefault();
        takePictures(files);
      } else if (!isTyping(event.target)) {
        // A clipboard may hold what nobody wants to publish: text waits for a word of the person.
        if (text !== null) toasts.show({ kind: 'textPasted', text });
        else if (refused !== null) toasts.show({ kind: refused });
      }
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [engine, toasts, takePictures]);
};

export const HandsProvider = ({ children }: { readonly children: ReactNode }) => {
  const { intake, toasts, view, clipboard, now } = usePage();
  const { t } = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const isOver = useDropped();

  const takePictures = useMemo(
    () => (pictures: readonly Blob[]) => {
      view.show('home');
      intake.add(pictures.map((picture) => namePasted(picture, new Date(now()), t.intake.pastedName)));
    },
    [intake, view, now, t],
  );
  usePasted(takePictures);

  const hands = useMemo<Hands>(
    () => ({
      choose: () => input.current?.click(),
      paste: async () => {
        const pictures = await clipboard.readPictures();
        if (pictures === null) toasts.show({ kind: 'clipboardRefused' });
        else if (pictures.length === 0) toasts.show({ kind: 'clipboardEmpty' });
        else takePictures(pictures);
      },
    }),
    [clipboard, toasts, takePictures],
  );

  return (
    <HandsContext value={hands}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t.intake.choose}
        onChange={({ currentTarget }) => {
          view.show('home');
          intake.add([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {children}
      {isOver && <DropOverlay />}
    </HandsContext>
  );
};
