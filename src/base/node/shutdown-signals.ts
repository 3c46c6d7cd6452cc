/** When a process is asked to end: by a signal, by a closed console, or because whoever started it is gone. */

/** Windows sends SIGBREAK for Ctrl+Break and SIGHUP for a console that is closed; other systems know no SIGBREAK. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
const LOOK_MS = 250;

/** Whether a process with this id runs, also one that may not be signalled. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Calls `end` with a word for the reason at each request. npm passes a signal on to its shell only, which ends and leaves
 * this process behind: under npm, a parent that is gone counts as a request too. Windows keeps the id of a parent that has
 * ended, so there the process of that id is looked for.
 */
export const onShutdownSignal = (end: (reason: string) => void, signals: readonly NodeJS.Signals[] = SIGNALS): void => {
  for (const signal of signals) process.on(signal, () => end(signal));
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(timer);
    end('npm has ended');
  }, LOOK_MS);
  timer.unref();
};
