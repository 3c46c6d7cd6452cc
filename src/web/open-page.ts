/** Knows whether a page is there, and opens one when a capture wants to be seen and none is. */

import type { Engine } from '../engine/engine.ts';
import type { AppState } from '../ipc/protocol/state.ts';

export interface PagePresence {
  /** A page has come; answers what to call when it goes. */
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

/** What of a session wants a person in front of a page; null: nothing. Each is shown once. */
const wanting = ({ capture }: Pick<AppState, 'capture'>): string | null =>
  capture === null || capture.state === 'waiting' ? null : `${capture.state} ${capture.id}`;

/** Answers its own undo. */
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
