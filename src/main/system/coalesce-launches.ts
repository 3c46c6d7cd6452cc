/**
 * Gathers what several starts ask for within a moment: Windows starts the app once for each file that is sent to it.
 * Promise: files that were chosen together arrive together, in their order.
 */
import type { Clock } from '../../engine/ports.ts';
import type { Start } from './launch-args.ts';

/** So long nothing more comes before all of it is acted on. */
const QUIET_MS = 200;

export interface CoalescedLaunches {
  heard(start: Start): void;
}

export interface CoalesceDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly act: (starts: readonly Start[]) => void;
}

export const coalesceLaunches = ({ clock, act }: CoalesceDeps, signal: AbortSignal): CoalescedLaunches => {
  let gathered: Start[] = [];
  let last: AbortController | null = null;
  return {
    heard(start) {
      gathered.push(start);
      last?.abort();
      last = new AbortController();
      clock.sleep(QUIET_MS, AbortSignal.any([last.signal, signal])).then(
        () => {
          const all = gathered;
          gathered = [];
          act(all);
        },
        () => {},
      );
    },
  };
};
