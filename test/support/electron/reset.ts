/** Resets the desktop for the next test. */
import { app } from './app.ts';
import { forgetDesktop } from './desktop.ts';
import { screen } from './screen.ts';
import { Session } from './session.ts';
import { powerMonitor } from './shell-api.ts';

/** Resets everything between two tests. */
export const resetDesktop = (): void => {
  forgetDesktop();
  for (const emitter of [app, screen, powerMonitor]) emitter.removeAllListeners();
  Object.assign(Session.defaultSession, {
    requestHandler: null,
    checkHandler: null,
    deviceHandler: null,
    displayMediaHandler: null,
  });
};
