/**
 * Lets one app run per profile: a second start passes its request to the first and ends. Such requests, and files and
 * links that the system opens, are queued until the app is ready.
 */
import { type App, app } from 'electron';
import { folderOfProcess } from '../../host/working-directory.ts';
import { parseStart, readStart, type Start } from './launch-args.ts';

export interface SingleInstance {
  /** Delivers what has arrived so far, then each as it arrives. */
  follow(onStart: (start: Start) => void): void;
}

const at = (app: Pick<App, 'isPackaged' | 'getAppPath'>): string | null => (app.isPackaged ? null : app.getAppPath());

/** The request of this start itself. */
export const ownStart = (): Start =>
  readStart(process.argv.slice(1), { cwd: folderOfProcess(process.env), appPath: at(app) });

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
