/**
 * Lets one app run per profile: a second start passes its request to the first and ends. Such requests, and files and
 * links that the system opens, are queued until the app is ready; those that arrive within a moment are merged.
 */
import { type App, app } from 'electron';
import type { Clock } from '../../engine/ports.ts';
import { parseStart, readStart, type Start } from './launch-args.ts';

export interface SingleInstance {
  /** Delivers what has arrived so far, then each as it arrives. */
  follow(onStart: (start: Start) => void): void;
}

const at = (app: Pick<App, 'isPackaged' | 'getAppPath'>): string | null => (app.isPackaged ? null : app.getAppPath());

/** The request of this start itself. */
export const ownStart = (): Start => readStart(process.argv.slice(1), { cwd: process.cwd(), appPath: at(app) });

/** Null if another start of this profile is running: it has received this start's request. */
export const becomeFirst = (own: Start): SingleInstance | null => {
  const waiting: Start[] = [];
  let onStart = (start: Start): void => void waiting.push(start);
  // The system reorders and adds to the arguments of another start; the start's own message is complete.
  app.on('second-instance', (_, __, ___, sent) =>
    onStart(parseStart(sent) ?? { paths: [], link: null, isHidden: false }),
  );
  // macOS sends an event instead of starting again.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    onStart({ paths: [path], link: null, isHidden: false });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    onStart({ paths: [], link, isHidden: false });
  });
  if (!app.requestSingleInstanceLock(own)) return null;
  return {
    follow(listener) {
      onStart = listener;
      for (const start of waiting.splice(0)) listener(start);
    },
  };
};

// Merges several starts within a moment: Windows starts the app once for each opened file. Files chosen together arrive
// together, in their order.

/** Quiet period before the starts are handled. */
const QUIET_MS = 200;

interface CoalescedLaunches {
  heard(start: Start): void;
}

interface CoalesceDeps {
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
