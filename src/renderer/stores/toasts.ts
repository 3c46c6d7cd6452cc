/** Short messages to the person. A message is data; its words are chosen when it is shown, so it follows the language. */

import { createStore } from 'zustand/vanilla';
import type { Failure } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';

/** Sentences without a blank to fill in. */
export type PlainNote =
  | 'copyRefused'
  | 'pictureCopied'
  | 'pictureWaits'
  | 'addressDropped'
  | 'folderEmpty'
  | 'clipboardEmpty'
  | 'clipboardRefused';

export type Note =
  | { readonly kind: 'linkCopied' | 'linkReady'; readonly name: string }
  | { readonly kind: PlainNote }
  | { readonly kind: 'linksCopied'; readonly count: number }
  /** It can be taken back until `until` (milliseconds since 1970-01-01 UTC). */
  | { readonly kind: 'deleted'; readonly ids: readonly ItemId[]; readonly until: number }
  /** Stays until it is answered or dismissed. */
  | { readonly kind: 'textPasted'; readonly text: string }
  /** Stays until it is dismissed: an error is never lost. */
  | { readonly kind: 'failure'; readonly failure: Failure };

export interface Toast {
  readonly id: number;
  readonly note: Note;
}

/** What is only spoken, because the eye sees it happen. */
export interface Spoken {
  readonly kind: 'moved';
  readonly name: string;
  readonly position: number;
  readonly total: number;
}

interface ToastState {
  readonly toasts: readonly Toast[];
  readonly spoken: Spoken | null;
}

const keyOf = (note: Note): string => (note.kind === 'failure' ? note.failure.code : note.kind);

/** Holds at most one message of a kind; a newer one takes its place. */
export const createToasts = () => {
  const store = createStore<ToastState>(() => ({ toasts: [], spoken: null }));
  let lastId = 0;

  return {
    store,
    show: (note: Note): void => {
      lastId += 1;
      const toast: Toast = { id: lastId, note };
      store.setState(({ toasts }) => ({
        toasts: [...toasts.filter((other) => keyOf(other.note) !== keyOf(note)), toast],
      }));
    },
    dismiss: (id: number): void => {
      store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
    },
    speak: (spoken: Spoken): void => store.setState({ spoken }),
  };
};

export type Toasts = ReturnType<typeof createToasts>;
