/**
 * Lets the user add files, folders and text to the window: by dropping them anywhere, by pasting, in file dialogs, and
 * with the camera of a phone. Also opens the dialog for a picture whose text is copied.
 */
import { Upload } from 'lucide-react';
import { type ChangeEvent, createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { chosenFolder, droppedFolder } from '../folders/dropped-or-chosen-folder.ts';
import { isInDialog, isTyping } from '../keyboard/key-events.ts';
import { useLocale } from '../locales/locale.tsx';
import type { AppStores } from '../stores/app-stores.ts';
import type { Navigation } from '../stores/router-store.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';
import { carriesFiles, type DroppedItems, isTextForField, namePasted, readTransfer } from './data-transfer.ts';
import styles from './file-input.module.css';

/** Covers the window while files are dragged over it. */
const DropOverlay = () => {
  const { t } = useLocale();
  const isEditing = useAppStores().editing.isOpen();
  return (
    <div className={styles.overlay} role="presentation">
      <div className={styles.frame}>
        <span className={styles.icon}>
          <Upload size={28} strokeWidth={1.6} aria-hidden />
        </span>
        <p className={styles.title}>{t.intake.dropTitle}</p>
        <p className={styles.hint}>{isEditing ? t.editor.dropHint : t.intake.dropHint}</p>
      </div>
    </div>
  );
};

/** Only filters the file dialog; the server decides by the bytes. */
const ACCEPTED =
  'image/*,.heic,.heif,video/*,.mov,text/*,application/json,.md,.log,.yaml,.yml,.toml,.sql,.sh,.ts,.tsx,.jsx,.rs,.go';

/** Every browser supports this attribute, but React's types lack it. */
const WHOLE_FOLDER = { webkitdirectory: '' };

export interface FileInput {
  readonly choose: () => void;
  readonly chooseFolder: () => void;
  /** Opens the camera on phones and tablets; elsewhere a dialog for pictures. */
  readonly photograph: () => void;
  /** Opens a dialog for one picture and copies its text; nothing is uploaded. */
  readonly chooseForText: () => void;
  /** Shares what was dropped on a field that does not take it. */
  readonly takeDropped: (dropped: DroppedItems) => void;
  /** Reads the clipboard; the browser may ask the user for permission. */
  readonly paste: () => Promise<void>;
}

const FileInputContext = createContext<FileInput | null>(null);

export const useFileInput = (): FileInput => {
  const fileInput = use(FileInputContext);
  if (fileInput === null) throw new Error('useFileInput outside of FileInputProvider');
  return fileInput;
};

/** Whether the host can resolve a folder to a path; otherwise the page reads it. */
const hostTakesFolders = ({ engine }: AppStores): boolean => engine.store.getState().app?.capabilities.folders ?? false;

const takeFolders = (stores: AppStores, carried: DroppedItems['folders']): void => {
  if (hostTakesFolders(stores)) void stores.folders.addNamed(carried.flatMap(({ named }) => named ?? []));
  else stores.folders.addOfPage(carried.map(({ entry }) => droppedFolder(entry)));
};

const takeDropped = (stores: AppStores, { files, folders, text, refused }: DroppedItems): void => {
  const { editing, engine, pendingFiles, toasts, view } = stores;
  // An open editor stays in front and shows a banner about these uploads.
  if ((files.length > 0 || text !== null) && !editing.isOpen()) view.show('home');
  if (files.length > 0) pendingFiles.add(files);
  if (folders.length > 0) takeFolders(stores, folders);
  if (text !== null) void engine.run('note.add', { text });
  if (refused !== null) toasts.show({ kind: refused });
};

/** Listens on the whole window; returns whether files are being dragged over it. */
const useDropped = (): boolean => {
  const stores = useAppStores();
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    /** The start of a drag of words or a picture of this page, which may be private: dropped here, they are not shared. */
    let start: DragEvent | null = null;
    let source: EventTarget | null = null;
    // Where its default is prevented, another drag takes its place.
    const isOwn = (): boolean => start !== null && !start.defaultPrevented;
    const begin = (event: DragEvent) => {
      start = event;
      source = event.composedPath()[0] ?? null;
    };
    const end = () => {
      start = null;
    };
    // A source that is removed during its drag reports no end: what comes back into the window may be another drag.
    const endRemoved = () => {
      if (source instanceof Node && !source.isConnected) end();
    };
    const endUnpressed = ({ buttons }: PointerEvent) => {
      if (buttons === 0) end();
    };
    const over = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || isOwn()) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget !== null) return;
      setOver(false);
      endRemoved();
    };
    // Before the text of a note takes it.
    const keepOwn = (event: DragEvent) => {
      const isForField = isTyping(event.target) && !carriesFiles(event.dataTransfer);
      if (isOwn() && !isForField) event.preventDefault();
    };
    // Without this the browser would navigate to the dropped file.
    const allowDrop = (event: DragEvent) => {
      if (!isTyping(event.target)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || event.defaultPrevented) return;
      if (isTyping(event.target) && !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      takeDropped(stores, readTransfer(event.dataTransfer));
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('dragstart', begin, { capture: true, signal });
    window.addEventListener('dragend', end, { capture: true, signal });
    window.addEventListener('pointermove', endUnpressed, { capture: true, signal });
    window.addEventListener('drop', keepOwn, { capture: true, signal });
    window.addEventListener('dragenter', over, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragover', allowDrop, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, [stores]);

  return isOver;
};

const usePasted = (takePictures: (pictures: readonly Blob[], to: Navigation) => void): void => {
  const stores = useAppStores();
  useEffect(() => {
    const { toasts, view } = stores;
    let isRepeated = false;
    const followKeys = ({ type, repeat }: KeyboardEvent) => {
      isRepeated = type === 'keydown' && repeat;
    };
    const paste = (event: ClipboardEvent) => {
      if (!event.clipboardData || isInDialog(document.activeElement)) return;
      if (isTyping(event.target) && isTextForField(event.clipboardData)) return;
      const { files, folders, text, refused } = readTransfer(event.clipboardData);
      if (files.length + folders.length > 0) {
        event.preventDefault();
        // Keys that are held would upload them many times.
        if (isRepeated) return;
        if (files.length > 0) takePictures(files, view);
        if (folders.length > 0) takeFolders(stores, folders);
      } else if (!isTyping(event.target)) {
        // A clipboard may contain private text, so text is uploaded only after confirmation.
        if (text !== null) toasts.show({ kind: 'textPasted', text });
        else if (refused !== null) toasts.show({ kind: refused });
      }
    };
    const listening = new AbortController();
    const { signal } = listening;
    // In the capture phase, before a component can stop the key.
    for (const name of ['keydown', 'keyup'] as const)
      window.addEventListener(name, followKeys, { capture: true, signal });
    window.addEventListener('paste', paste, { signal });
    return () => listening.abort();
  }, [stores, takePictures]);
};

export const FileInputProvider = ({ children }: { readonly children: ReactNode }) => {
  const stores = useAppStores();
  const { pendingFiles, folders, pictureText, toasts, view, clipboard, now } = stores;
  const { t } = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const readable = useRef<HTMLInputElement>(null);
  const isOver = useDropped();

  const takePictures = useMemo(
    () => (pictures: readonly Blob[], to: Navigation) => {
      to.show('home');
      pendingFiles.add(pictures.map((picture) => namePasted(picture, new Date(now()), t.intake.pastedName)));
    },
    [pendingFiles, now, t],
  );
  usePasted(takePictures);

  const fileInput = useMemo<FileInput>(
    () => ({
      choose: () => input.current?.click(),
      chooseFolder: () => {
        if (hostTakesFolders(stores)) void folders.choose();
        else folderInput.current?.click();
      },
      photograph: () => camera.current?.click(),
      chooseForText: () => readable.current?.click(),
      takeDropped: (dropped) => takeDropped(stores, dropped),
      paste: async () => {
        const here = view.whileHere();
        const copied = await clipboard.read();
        if (copied === null) toasts.show({ kind: 'clipboardRefused' });
        else if (copied.pictures.length > 0) takePictures(copied.pictures, here);
        else toasts.show(copied.text === null ? { kind: 'clipboardEmpty' } : { kind: 'textPasted', text: copied.text });
      },
    }),
    [stores, folders, view, clipboard, toasts, takePictures],
  );

  const takeChosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    view.show('home');
    pendingFiles.add([...(currentTarget.files ?? [])]);
    // Allows choosing the same file again.
    currentTarget.value = '';
  };

  return (
    <FileInputContext value={fileInput}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t.intake.choose}
        onChange={takeChosen}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        aria-label={t.intake.photograph}
        onChange={takeChosen}
      />
      <input
        ref={readable}
        type="file"
        hidden
        accept="image/*,.heic,.heif"
        aria-label={t.pictureText.copyText}
        onChange={({ currentTarget }) => {
          const [picture] = currentTarget.files ?? [];
          if (picture) void pictureText.copyFrom({ from: 'file', file: async () => picture });
          currentTarget.value = '';
        }}
      />
      <input
        ref={folderInput}
        type="file"
        {...WHOLE_FOLDER}
        hidden
        aria-label={t.folder.choose}
        onChange={({ currentTarget }) => {
          const folder = chosenFolder([...(currentTarget.files ?? [])]);
          if (folder) folders.addOfPage([folder]);
          else toasts.show({ kind: 'folderEmpty' });
          currentTarget.value = '';
        }}
      />
      {children}
      {isOver && <DropOverlay />}
    </FileInputContext>
  );
};
