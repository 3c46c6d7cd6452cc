/**
 * Tells the other pages of this browser what this one has put on the clipboard, and hears what they have: a page that
 * waits to copy must not replace something newer later.
 */

const CHANNEL = 'linkshot:copied';

export interface CopiesOfPages {
  /** `id`: the item or capture that is on the clipboard now; null: something else is. */
  tell(id: string | null): void;
  /** Whether another page has copied the item or capture since this one was opened. */
  hasHeardOf(id: string): boolean;
  /** Calls back when another page has copied something. */
  onHeard(listener: () => void): void;
}

export const createCopiesOfPages = (
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> = new BroadcastChannel(CHANNEL),
): CopiesOfPages => {
  const heardOf = new Set<unknown>();
  let onHeard = (): void => {};
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    heardOf.add(data);
    onHeard();
  };
  return {
    tell: (id) => channel.postMessage(id),
    hasHeardOf: (id) => heardOf.has(id),
    onHeard: (listener) => {
      onHeard = listener;
    },
  };
};
