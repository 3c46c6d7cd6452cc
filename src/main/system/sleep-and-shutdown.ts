/**
 * Pauses a recording before the computer sleeps, refreshes the account and the hotkeys afterwards, and quits the app
 * when the computer shuts down.
 */
import type { App, BrowserWindow, PowerMonitor } from 'electron';
import type { Engine } from '../../engine/engine.ts';

export interface SleepAndShutdownDeps {
  readonly power: Pick<PowerMonitor, 'on' | 'off'>;
  readonly app: Pick<App, 'on' | 'off'>;
  /** Those that exist. */
  readonly windows: () => readonly BrowserWindow[];
  readonly engine: Pick<Engine, 'state' | 'recording' | 'connection' | 'hotkeys'>;
  readonly quit: () => void;
  readonly log: (line: string) => void;
}

/** The queue itself needs nothing: each of its steps is persisted before the next begins. Returns the undo. */
export const followSleepAndShutdown = (
  { power, app, windows, engine, quit, log }: SleepAndShutdownDeps,
  signal: AbortSignal,
): (() => void) => {
  const logError = (what: string) => (error: Error) => log(`${what}: ${error.message}`);
  const onSuspend = (): void => {
    // Closes the recording so far properly; the user continues it.
    if (engine.state().recording?.state === 'recording')
      engine.recording.pause().catch(logError('The recording was not paused before the sleep'));
  };
  const onResume = (): void => {
    // The engine detects a sleep by itself, but some seconds later.
    engine.connection.refresh({}, signal).catch(logError('The account was not read after the sleep'));
    // Some systems drop hotkeys meanwhile.
    engine.hotkeys.retry().catch(logError('The hotkeys were not asked for after the sleep'));
  };
  const onShutdown = (event?: { preventDefault(): void }): void => {
    // The computer waits until the app has quit.
    event?.preventDefault();
    if (!signal.aborted) quit();
  };
  // Windows tells only windows, each of them. In a hurry it does not ask, and Electron ends the process right after
  // `session-end`: what is unfinished then is continued or recovered at the next start, as after a crash.
  const followWindow = (window: BrowserWindow): void => {
    window.on('query-session-end', onShutdown);
    window.on('session-end', onShutdown);
  };
  const onCreated = (_: unknown, window: BrowserWindow): void => followWindow(window);
  power.on('suspend', onSuspend);
  power.on('resume', onResume);
  power.on('shutdown', onShutdown);
  for (const window of windows()) followWindow(window);
  app.on('browser-window-created', onCreated);
  return () => {
    power.off('suspend', onSuspend);
    power.off('resume', onResume);
    power.off('shutdown', onShutdown);
    app.off('browser-window-created', onCreated);
  };
};
