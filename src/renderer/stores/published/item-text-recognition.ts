/**
 * Store of the recognised text of the published picture that the user is viewing. Recognition starts when the user asks
 * for it; the latest texts are kept and shown at once.
 */
import { createStore } from 'zustand/vanilla';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { setBounded } from '../../../base/common/bounded-map.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { PictureContent, ReadingId } from '../../../ipc/protocol/vision.ts';
import type { EngineStore } from '../engine-store.ts';
import { newRandomId } from '../new-random-id.ts';

/** `part`: how much of the picture is read, from 0 to 1; null: not begun. */
export type ItemTextState =
  | { readonly state: 'off' }
  | { readonly state: 'reading'; readonly id: ItemId; readonly part: number | null }
  | { readonly state: 'read'; readonly id: ItemId; readonly content: PictureContent }
  | { readonly state: 'failed'; readonly id: ItemId; readonly failure: Failure };

interface Deps {
  readonly transport: Pick<PageTransport, 'on'>;
  readonly engine: Pick<EngineStore, 'ask'>;
}

/** Texts that are kept; those of older pictures are read again. */
const KEPT_MAX = 20;

export const createItemText = ({ transport, engine }: Deps) => {
  const store = createStore<ItemTextState>(() => ({ state: 'off' }));
  const kept = new Map<ItemId, PictureContent>();
  let current: ReadingId | null = null;

  const set = (next: ItemTextState): void => store.setState(next, true);

  const stop = (): void => {
    if (current !== null) void engine.ask('vision.stop', { reading: current });
    current = null;
  };

  transport.on((event) => {
    const shown = store.getState();
    if (event.type !== 'reading' || event.reading !== current || shown.state !== 'reading') return;
    set({ ...shown, part: event.part });
  });

  return {
    store,
    show: async (id: ItemId): Promise<void> => {
      stop();
      const before = kept.get(id);
      if (before) {
        set({ state: 'read', id, content: before });
        return;
      }
      const reading = newRandomId();
      current = reading;
      set({ state: 'reading', id, part: null });
      const read = await engine.ask('vision.readItem', { id, reading });
      if (read.ok) setBounded(kept, id, read.value, KEPT_MAX);
      if (current !== reading) return;
      current = null;
      set(read.ok ? { state: 'read', id, content: read.value } : { state: 'failed', id, failure: read.error });
    },
    /** Also cancels the reading. */
    hide: (): void => {
      stop();
      set({ state: 'off' });
    },
  };
};

export type ItemText = ReturnType<typeof createItemText>;
