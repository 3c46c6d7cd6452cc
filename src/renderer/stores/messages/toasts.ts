/**
 * Toast store with at most one message of a kind, and at most one failure per error code. A message is data; its text
 * is looked up when it is rendered, so that it follows the language. Also holds the latest announcement for screen
 * readers.
 */

import { createStore } from 'zustand/vanilla';
import type { Failure } from '../../../api/errors.ts';
import type { CaptureId, ItemId } from '../../../api/ids.ts';
import type { PictureContent, ReadingId } from '../../../ipc/protocol/vision.ts';

/** Messages without parameters. */
export type PlainNote =
  | 'copyRefused'
  | 'linksRefused'
  | 'pictureCopied'
  | 'pasteStays'
  | 'editedElsewhere'
  | 'addressDropped'
  | 'fileWithheld'
  | 'folderEmpty'
  | 'clipboardEmpty'
  | 'clipboardRefused';

export type Note =
  | { readonly kind: 'linkCopied'; readonly id: ItemId; readonly name: string }
  /** Copying is off. */
  | { readonly kind: 'linkReady'; readonly id: ItemId; readonly name: string; readonly url: string }
  /**
   * The browser has not allowed copying it yet. Stays until it is copied: at the next click or, once the user has left
   * the window, only by its button.
   */
  | {
      readonly kind: 'linkWaits';
      readonly id: ItemId;
      readonly name: string;
      readonly url: string;
      readonly isLeft: boolean;
    }
  /** Likewise. */
  | { readonly kind: 'pictureWaits'; readonly id: CaptureId; readonly isLeft: boolean }
  /**
   * The edited image could not be copied while it is edited. `isOlder`: an earlier state of it is on the clipboard; `retry`:
   * what is the next attempt. Stays until one succeeds.
   */
  | { readonly kind: 'copyOutdated'; readonly isOlder: boolean; readonly retry: 'click' | 'button' | 'change' }
  | { readonly kind: PlainNote }
  | { readonly kind: 'linksCopied'; readonly count: number }
  /** Can be undone until `until` (milliseconds since 1970-01-01 UTC). */
  | { readonly kind: 'deleted'; readonly ids: readonly ItemId[]; readonly until: number }
  | { readonly kind: 'captureDiscarded'; readonly id: CaptureId; readonly until: number }
  /** Stays until it is answered or dismissed. */
  | { readonly kind: 'wordsMissing' }
  | { readonly kind: 'textPasted'; readonly text: string }
  /** `part`: how much of the picture is read, from 0 to 1; null: not begun. Stays until it is read or stopped. */
  | { readonly kind: 'textReading'; readonly reading: ReadingId; readonly part: number | null }
  /** `copied` waits and left: as above; yes also where there is no text. */
  | { readonly kind: 'textRead'; readonly content: PictureContent; readonly copied: 'yes' | 'waits' | 'left' | 'no' }
  /** Stays until it is dismissed, so that no error is missed. */
  | { readonly kind: 'failure'; readonly failure: Failure };

export interface Toast {
  readonly id: number;
  readonly note: Note;
}

/** Announced to screen readers only, because the change is visible. */
export interface Announcement {
  readonly kind: 'moved';
  readonly name: string;
  readonly position: number;
  readonly total: number;
}

interface ToastState {
  readonly toasts: readonly Toast[];
  readonly announcement: Announcement | null;
}

const keyOf = (note: Note): string => (note.kind === 'failure' ? note.failure.code : note.kind);

/** Keeps at most one message of a kind; a newer one replaces it. Failures are also passed to `onFailure`. */
export const createToasts = ({ onFailure }: { readonly onFailure: (failure: Failure) => void }) => {
  const store = createStore<ToastState>(() => ({ toasts: [], announcement: null }));
  let lastId = 0;

  return {
    store,
    show: (note: Note): void => {
      lastId += 1;
      const toast: Toast = { id: lastId, note };
      store.setState(({ toasts }) => ({
        toasts: [...toasts.filter((other) => keyOf(other.note) !== keyOf(note)), toast],
      }));
      if (note.kind === 'failure') onFailure(note.failure);
    },
    /** Replaces the content of a message. */
    update: (id: number, note: Note): void => {
      store.setState(({ toasts }) => ({ toasts: toasts.map((toast) => (toast.id === id ? { id, note } : toast)) }));
    },
    dismiss: (id: number): void => {
      store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
    },
    /** Removes restored items from the messages about their deletion. */
    removeRestored: (ids: readonly ItemId[]): void => {
      store.setState(({ toasts }) => ({
        toasts: toasts.flatMap((toast): Toast[] => {
          if (toast.note.kind !== 'deleted') return [toast];
          const left = toast.note.ids.filter((id) => !ids.includes(id));
          return left.length === 0 ? [] : [{ ...toast, note: { ...toast.note, ids: left } }];
        }),
      }));
    },
    /** Removes messages that no longer apply. */
    withdraw: (kind: Note['kind']): void => {
      store.setState(({ toasts }) => ({ toasts: toasts.filter(({ note }) => note.kind !== kind) }));
    },
    announce: (announcement: Announcement): void => store.setState({ announcement }),
  };
};

export type Toasts = ReturnType<typeof createToasts>;
