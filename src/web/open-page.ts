/** Tracks whether a page is open, and opens one when a capture must be shown without one. */

import type { Engine } from '../engine/engine.ts';
import type { AppState } from '../ipc/protocol/state.ts';

export interface PagePresence {
  /** Registers an open page; returns the function to call when it closes. */
  join(): () => void;
  isAnyone(): boolean;
}

export const createPagePresence = (): PagePresence => {
  let pages = 0;
  return {
    join() {
      let isHere = true;
      pages += 1;
      return () => {
        if (isHere) pages -= 1;
        isHere = false;
      };
    },
    isAnyone: () => pages > 0,
  };
};

/** The part of a capture session that needs a page; null: nothing. Each is shown once. */
const wanting = ({ capture }: Pick<AppState, 'capture'>): string | null =>
  capture === null || capture.state === 'waiting' ? null : `${capture.state} ${capture.id}`;

/** Returns a function that undoes it. */
export const openPageForCaptures = (engine: Pick<Engine, 'on' | 'state'>, presence: PagePresence, open: () => void) => {
  let shown = wanting(engine.state());
  return engine.on((event) => {
    if (event.type === 'recalled' && !presence.isAnyone()) return open();
    if (event.type !== 'state') return;
    const wants = wanting(event.state);
    if (wants !== null && wants !== shown && !presence.isAnyone()) open();
    shown = wants;
  });
};
