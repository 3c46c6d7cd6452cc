/**
 * Opens a browser page of the app for a capture that needs one. If a page is open already, brings it to the front for
 * the selection of an area, where the desktop allows it, and opens another if that one stays hidden.
 */

import type { Engine } from '../engine/engine.ts';
import type { AppState } from '../ipc/protocol/app-state.ts';
import type { PagePresence } from './page-presence.ts';

/** The part of a capture session that needs a page; null: nothing. Each is shown once. */
const wanting = ({ capture }: Pick<AppState, 'capture'>): string | null =>
  capture === null || capture.state === 'waiting' ? null : `${capture.state} ${capture.id}`;

export interface CapturePage {
  readonly engine: Pick<Engine, 'on' | 'state'>;
  readonly presence: PagePresence;
  /** Opens another page. */
  readonly open: () => void;
  /**
   * Brings the window with the frozen screen to the front, because its hotkey is pressed in other programs; resolves to
   * whether it is visible. Null: the desktop allows no program to do so.
   */
  readonly raise: (() => Promise<boolean>) | null;
}

/** Returns a function that undoes it. */
export const openPageForCaptures = ({ engine, presence, open, raise }: CapturePage): (() => void) => {
  let shown = wanting(engine.state());
  /** A page in a tab that is not selected is invisible, whatever its window does. */
  const raiseOrOpen = async (wants: string): Promise<void> => {
    if (raise !== null && !(await raise()) && shown === wants) open();
  };
  return engine.on((event) => {
    if (event.type === 'recalled' && !presence.isAnyone()) return open();
    if (event.type !== 'state') return;
    const wants = wanting(event.state);
    if (wants !== null && wants !== shown) {
      if (!presence.isAnyone()) open();
      else if (event.state.capture?.state === 'choosing') void raiseOrOpen(wants).catch(() => {});
    }
    shown = wants;
  });
};
