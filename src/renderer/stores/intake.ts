/** Files on their way from the person's hands into the queue. Each is handed over alone and can be cancelled alone. */

import { createStore } from 'zustand/vanilla';
import type { PageTransport } from '../../bridge/transport.ts';
import type { Failure } from '../../contract/errors.ts';

/** Handing over reads the disk twice; more than two at once only makes each slower. */
const AT_ONCE = 2;

export interface Offer {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly sentBytes: number;
  readonly state: 'waiting' | 'sending' | 'failed';
  readonly failure: Failure | null;
}

interface IntakeState {
  readonly offers: readonly Offer[];
}

export const createIntake = ({ transport }: { transport: PageTransport }) => {
  const store = createStore<IntakeState>(() => ({ offers: [] }));
  const files = new Map<number, File>();
  const running = new Map<number, AbortController>();
  let lastId = 0;

  const patch = (id: number, change: Partial<Offer>): void =>
    store.setState(({ offers }) => ({
      offers: offers.map((offer) => (offer.id === id ? { ...offer, ...change } : offer)),
    }));

  const forget = (id: number): void => {
    files.delete(id);
    store.setState(({ offers }) => ({ offers: offers.filter((offer) => offer.id !== id) }));
  };

  /** Gives one file to the host and queues it; answers what stood in the way. */
  const handOver = async (id: number, file: File, signal: AbortSignal): Promise<Failure | null> => {
    const offered = await transport.offer(file, (sentBytes) => patch(id, { sentBytes }), signal);
    if (!offered.ok) return offered.error;
    if (signal.aborted) return null;
    const added = await transport.call('queue.add', { tokens: [offered.value] });
    return added.ok ? null : added.error;
  };

  const take = async (id: number, file: File): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    patch(id, { state: 'sending', sentBytes: 0, failure: null });
    const failure = await handOver(id, file, controller.signal);
    running.delete(id);
    if (failure === null || controller.signal.aborted) forget(id);
    else patch(id, { state: 'failed', failure });
    takeNext();
  };

  const takeNext = (): void => {
    for (const { id, state } of store.getState().offers) {
      if (running.size >= AT_ONCE) return;
      const file = files.get(id);
      if (state === 'waiting' && file) void take(id, file);
    }
  };

  return {
    store,
    add: (chosen: readonly File[]): void => {
      const offers = chosen.map((file): Offer => {
        lastId += 1;
        files.set(lastId, file);
        const { name, size, type: mime } = file;
        return { id: lastId, name, size, mime, sentBytes: 0, state: 'waiting', failure: null };
      });
      store.setState((state) => ({ offers: [...state.offers, ...offers] }));
      takeNext();
    },
    cancel: (id: number): void => {
      running.get(id)?.abort();
      forget(id);
    },
    retry: (id: number): void => {
      patch(id, { state: 'waiting', failure: null });
      takeNext();
    },
  };
};

export type Intake = ReturnType<typeof createIntake>;
