/**
 * Merges starts of the app that follow each other within 200 ms into one batch, in the order of their arrival: Windows
 * starts the app once for each opened file.
 */
import type { Clock } from '../../engine/ports.ts';
import type { Start } from './launch-args.ts';

/** Quiet period before the starts are handled. */
const QUIET_MS = 200;

interface CoalescedLaunches {
  heard(start: Start): void;
}

interface CoalesceDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Called at once where the signal is aborted. */
  readonly act: (starts: readonly Start[]) => void;
}

/** Resolves once no more starts have been added for a while. */
export const untilQuiet = async (starts: readonly Start[], clock: CoalesceDeps['clock']): Promise<void> => {
  const never = new AbortController().signal;
  for (let known = -1; known < starts.length; ) {
    known = starts.length;
    await clock.sleep(QUIET_MS, never);
  }
};

export const coalesceLaunches = ({ clock, act }: CoalesceDeps, signal: AbortSignal): CoalescedLaunches => {
  let gathered: Start[] = [];
  let last: AbortController | null = null;
  const actOnAll = (): void => {
    const all = gathered;
    gathered = [];
    if (all.length > 0) act(all);
  };
  return {
    heard(start) {
      gathered.push(start);
      last?.abort();
      last = new AbortController();
      clock.sleep(QUIET_MS, AbortSignal.any([last.signal, signal])).then(actOnAll, () => {
        if (signal.aborted) actOnAll();
      });
    },
  };
};
