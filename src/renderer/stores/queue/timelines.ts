/** Loads the histories of items (timelines of events) from the engine and reloads them when they may have changed. */

import type { Result } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { TimelineEvent } from '../../../ipc/protocol/timeline.ts';

/** The parts of an item's snapshot that can add timeline events, as a comparable string; progress cannot. */
const markOf = ({ queue }: Pick<AppState, 'queue'>, id: ItemId): string => {
  const item = queue.items.find((one) => one.id === id);
  if (!item) return '';
  const { state, intent, error, share, postPublish } = item;
  const delivered = item.state === 'linked' && item.deliveredAt !== null;
  return JSON.stringify([state, intent, error, share, postPublish, delivered, queue.paused]);
};

export const createTimelines = ({ transport }: { readonly transport: Pick<PageTransport, 'call' | 'on'> }) => ({
  /** Calls back with the timeline now and after every change. Returns the unsubscribe function. */
  follow: (id: ItemId, onChange: (timeline: Result<readonly TimelineEvent[]>) => void): (() => void) => {
    let isUnsubscribed = false;
    let newest = 0;
    let mark: string | null = null;
    const read = async (): Promise<void> => {
      newest += 1;
      const turn = newest;
      const answer = await transport.call('queue.timeline', { id });
      // Ignores a response overtaken by a later one.
      if (!isUnsubscribed && turn === newest) onChange(answer.ok ? { ok: true, value: answer.value.events } : answer);
    };
    const undo = transport.on((event) => {
      if (event.type === 'state') {
        const now = markOf(event.state, id);
        if (now === mark) return;
        mark = now;
        void read();
      } else if (event.type === 'library') void read();
    });
    void read();
    return () => {
      isUnsubscribed = true;
      undo();
    };
  },
});

export type Timelines = ReturnType<typeof createTimelines>;
