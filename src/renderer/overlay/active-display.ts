/**
 * Which display has the person's attention. Every display's window knows it, so that the keyboard works wherever the
 * pointer is, and there is one selection at most.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaptureId } from '../../api/ids.ts';
import type { Area } from '../../ipc/protocol/capture.ts';
import type { Order } from './selection/keys.ts';

interface AttentionState {
  /** Number of the display that keys are for. */
  readonly display: number;
  /** Whether something is drawn or chosen on it, which a passing pointer does not take away. */
  readonly isHeld: boolean;
  /** What is chosen on it from the beginning. */
  readonly wish: Area | null;
}

type Message =
  | { readonly session: CaptureId; readonly state: AttentionState }
  | { readonly session: CaptureId; readonly to: number; readonly order: Order };

export interface ActiveDisplay {
  readonly store: StoreApi<AttentionState>;
  set(state: AttentionState): void;
  /** Hands an order to the display that has the attention, in whichever window it is. */
  send(order: Order): void;
  /** Answers the undo. */
  onOrder(listener: (display: number, order: Order) => void): () => void;
  /** Listens to the other windows. Answers the undo. */
  open(): () => void;
}

interface AttentionDeps {
  readonly session: CaptureId;
  /** The display that has it first. */
  readonly first: number;
  /** Opens the way to the other windows; null: this page shows every display. */
  readonly channel: () => BroadcastChannel | null;
}

export const createActiveDisplay = ({ session, first, channel }: AttentionDeps): ActiveDisplay => {
  const store = createStore<AttentionState>(() => ({ display: first, isHeld: false, wish: null }));
  const listeners = new Set<(display: number, order: Order) => void>();
  let others: BroadcastChannel | null = null;
  const post = (message: Message): void => others?.postMessage(message);
  const hear = (to: number, order: Order): void => {
    for (const listener of listeners) listener(to, order);
  };

  const receive = ({ data }: MessageEvent): void => {
    // Only windows of this very app share its origin, and with it the channel.
    const message = data as Message;
    if (message.session !== session) return;
    if ('state' in message) store.setState(message.state);
    else hear(message.to, message.order);
  };
  return {
    store,
    set: (state) => {
      const before = store.getState();
      if (before.display === state.display && before.isHeld === state.isHeld && before.wish === state.wish) return;
      store.setState(state);
      post({ session, state });
    },
    send: (order) => {
      const to = store.getState().display;
      hear(to, order);
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
