/** Finds out what a page has missed: events that the host emits while it is out of reach are not sent again. */

import type { PageTransport } from '../../ipc/client/transport.ts';

/**
 * Calls `onLost` whenever the connection is lost, and what that returns when the host answers again. The new state has
 * arrived by then.
 */
export const afterOutage = ({ onLink }: Pick<PageTransport, 'onLink'>, onLost: () => () => void): void => {
  let wasUp = false;
  let onBack: (() => void) | null = null;
  onLink((link) => {
    if (link === 'up') {
      wasUp = true;
      onBack?.();
      onBack = null;
    } else if (wasUp) onBack ??= onLost();
  });
};
