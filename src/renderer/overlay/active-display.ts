/**
 * Tracks which display is active, and sends the commands of the keyboard to it. All overlay windows share this state,
 * so that the keyboard works wherever the pointer is and there is only one selection.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import type { CaptureId } from '../../api/ids.ts';
import type { Area } from '../../ipc/protocol/capture.ts';
import type { SelectionCommand } from './selection/selection-keys.ts';

interface ActiveDisplayState {
  /** Number of the display that receives keys. */
  readonly display: number;
  /** Whether it has a drawn or confirmed selection, which a passing pointer does not take away. */
  readonly hasSelection: boolean;
  /** Its initial selection. */
  readonly initialSelection: Area | null;
  /** Whether the ruler is on, which stays as it is on the next display. */
  readonly isMeasuring: boolean;
  /** Whether the host has the selection: nothing changes it unless the host refuses it. */
  readonly isSubmitted: boolean;
}

type Message =
  | { readonly session: CaptureId; readonly change: Partial<ActiveDisplayState> }
  | { readonly session: CaptureId; readonly to: number; readonly order: SelectionCommand };

export interface ActiveDisplay {
  readonly store: StoreApi<ActiveDisplayState>;
  set(change: Partial<ActiveDisplayState>): void;
  /** Sends an order to the active display, in whichever window it is. */
  send(order: SelectionCommand): void;
  /** Returns the unsubscribe function. */
  onOrder(listener: (display: number, order: SelectionCommand) => void): () => void;
  /** Listens to the other windows. Returns the unsubscribe function. */
  open(): () => void;
}

interface ActiveDisplayDeps {
  readonly session: CaptureId;
  /** The display that is active first. */
  readonly first: number;
  /** Opens the channel to the other windows; null: this page shows every display. */
  readonly channel: () => BroadcastChannel | null;
}

export const createActiveDisplay = ({ session, first, channel }: ActiveDisplayDeps): ActiveDisplay => {
  const store = createStore<ActiveDisplayState>(() => ({
    display: first,
    hasSelection: false,
    initialSelection: null,
    isMeasuring: false,
    isSubmitted: false,
  }));
  const listeners = new Set<(display: number, order: SelectionCommand) => void>();
  let others: BroadcastChannel | null = null;
  const post = (message: Message): void => others?.postMessage(message);
  const onMessage = (to: number, order: SelectionCommand): void => {
    for (const listener of listeners) listener(to, order);
  };

  const receive = ({ data }: MessageEvent): void => {
    // Only windows of this app share its origin and thereby the channel.
    const message = data as Message;
    if (message.session !== session) return;
    if ('change' in message) store.setState(message.change);
    else onMessage(message.to, message.order);
  };
  return {
    store,
    set: (change) => {
      const before = store.getState();
      const state = { ...before, ...change };
      if (shallow(before, state)) return;
      store.setState(state);
      // Only what changes: the rest may be older than what another window is just sending.
      post({ session, change });
    },
    send: (order) => {
      const to = store.getState().display;
      onMessage(to, order);
      post({ session, to, order });
    },
    onOrder: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: () => {
      const opened = channel();
      opened?.addEventListener('message', receive);
      others = opened;
      return () => {
        opened?.close();
        others = null;
      };
    },
  };
};
