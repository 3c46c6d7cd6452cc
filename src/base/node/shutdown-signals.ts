/**
 * Detects that this process is asked to end: by a signal, by a closed console, or under npm because its parent has
 * exited.
 */

/** Windows sends SIGBREAK for Ctrl+Break and SIGHUP for a closed console; other systems have no SIGBREAK. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
const LOOK_MS = 250;
/** It may exit before anything listens. */
const PARENT = process.ppid;

/** Whether a process with this id runs, including one that this process may not signal. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Calls `end` with the reason at each request. npm passes a signal only to its shell, which exits and leaves this
 * process behind, so under npm an exited parent counts as a request too. Windows keeps the id of a parent that has
 * exited, so there the process of that id is looked up. Returns the function that ends it.
 */
export const onShutdownSignal = (
  end: (reason: string) => void,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): (() => void) => {
  const hear = (signal: NodeJS.Signals): void => end(signal);
  for (const signal of signals) process.on(signal, hear);
  const mute = (): void => {
    for (const signal of signals) process.off(signal, hear);
  };
  if (process.env['npm_lifecycle_event'] === undefined) return mute;
  const timer = setInterval(() => {
    if (process.ppid === PARENT && isRunning(PARENT)) return;
    clearInterval(timer);
    end('npm has ended');
  }, LOOK_MS);
  timer.unref();
  return () => {
    mute();
    clearInterval(timer);
  };
};
