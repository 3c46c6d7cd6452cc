/** Hears of other starts, and of files and links that the system brings, from before the app is ready. Promise: none is lost. */
import { type App, app } from 'electron';
import { readStart, type Start, toldStart } from './launch-args.ts';

export interface SingleInstance {
  /** What has come so far, then each as it comes. */
  follow(hear: (start: Start) => void): void;
}

const at = (app: Pick<App, 'isPackaged' | 'getAppPath'>): string | null => (app.isPackaged ? null : app.getAppPath());

/** What this start itself was asked for. */
export const ownStart = (): Start => readStart(process.argv.slice(1), { cwd: process.cwd(), appPath: at(app) });

/** Null where another start of this profile runs already: it has been told what this one was asked for. */
export const becomeFirst = (own: Start): SingleInstance | null => {
  const waiting: Start[] = [];
  let hear = (start: Start): void => void waiting.push(start);
  // The system sorts and adds to the arguments of another start; what it said itself is whole.
  app.on('second-instance', (_, __, ___, told) => hear(toldStart(told) ?? { paths: [], link: null, isHidden: false }));
  // macOS tells instead of starting again.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    hear({ paths: [path], link: null, isHidden: false });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    hear({ paths: [], link, isHidden: false });
  });
  if (!app.requestSingleInstanceLock(own)) return null;
  return {
    follow(listener) {
      hear = listener;
      for (const start of waiting.splice(0)) listener(start);
    },
  };
};
