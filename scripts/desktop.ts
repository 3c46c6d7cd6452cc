/** Runs the desktop app, which starts its built-in server where no service is configured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { shutDownOnSignals } from '../src/host/shutdown.ts';
import { connectToInstance, type InstanceTransport } from '../src/ipc/host/instance-socket.ts';

const START_MS = 30_000;
const ASK_MS = 200;

export interface DesktopRun {
  readonly binary: string;
  readonly root: string;
  readonly profileDir: string;
  /** More arguments of the app. */
  readonly args: readonly string[];
  readonly service: { readonly server: string; readonly key: string } | 'try-out' | 'profile';
  /** How long the app may take to answer; 30 seconds by default. */
  readonly patienceMs?: number;
}

const whenRunning = async (
  profileDir: string,
  patienceMs: number,
  ended: AbortSignal,
): Promise<InstanceTransport | null> => {
  for (let waited = 0; waited < patienceMs && !ended.aborted; waited += ASK_MS) {
    const instance = await connectToInstance(profileDir);
    if (instance) return instance;
    await sleep(ASK_MS, null, { signal: ended }).catch(() => {});
  }
  return null;
};

/**
 * Connects the app once it runs, and calls `onReached` before. The key is sent over the profile's own socket: other users
 * can read arguments and environment. Only the app starts the built-in server: two on the same folder would damage its
 * data. Returns whether the app was reached.
 */
export const connectApp = async (
  { profileDir, service, patienceMs = START_MS }: Pick<DesktopRun, 'profileDir' | 'service' | 'patienceMs'>,
  ended: AbortSignal,
  onReached: () => void = () => {},
): Promise<boolean> => {
  const instance = await whenRunning(profileDir, patienceMs, ended);
  if (!instance) return false;
  onReached();
  try {
    if (service === 'profile') return true;
    if (typeof service === 'object') {
      const connected = await instance.call('connection.connect', service);
      if (!connected.ok) console.error(`${service.server}: ${connected.error.detail}`);
      return true;
    }
    const state = await instance.call('app.state', {});
    if (!state.ok || state.value.accounts.length > 0) return true;
    const connected = await instance.call('connection.tryOut', {});
    if (!connected.ok) console.error(`The built-in server does not respond: ${connected.error.detail}`);
    return true;
  } finally {
    if (service === 'try-out') await instance.call('app.show', {});
    instance.close();
  }
};

export interface DesktopEnd {
  /** False where Electron failed before the app was reached: it cannot run here. */
  readonly hasRun: boolean;
  readonly code: number | string;
}

const endOf = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

/** Runs until the app quits or a signal arrives. */
export const runDesktop = async (run: DesktopRun): Promise<DesktopEnd> => {
  const children: ChildProcess[] = [];
  const ends: Promise<number | string>[] = [];
  const launch = (...args: string[]): Promise<number | string> => {
    const words = [run.root, '--profile', run.profileDir, ...args, ...run.args];
    const child = spawn(run.binary, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    children.push(child);
    const end = endOf(child);
    ends.push(end);
    return end;
  };
  const over = new AbortController();
  let hasRun = false;
  // The window of a try-out opens once its account exists, so that the welcome screen is not shown.
  const ended = (run.service === 'try-out' ? launch('--hidden') : launch()).finally(() => over.abort());
  const onReached = (): void => {
    hasRun = true;
    console.log('Linkshot is running on the desktop. Press Ctrl+C to stop.');
  };
  const showAnyway = (): void => {
    hasRun = true;
    console.log('Linkshot runs, but does not answer. Connect a service in its window. Press Ctrl+C to stop.');
    // The instance that runs shows its window to a start that does not ask for a hidden one.
    if (run.service === 'try-out') void launch();
  };
  connectApp(run, over.signal, onReached).then(
    (isReached) => {
      if (!isReached && !over.signal.aborted) showAnyway();
    },
    (error: Error) => {
      // An app that quits meanwhile needs no connection.
      if (!over.signal.aborted) console.error(`Linkshot could not be connected: ${error.message}`);
    },
  );
  const stopListening = shutDownOnSignals(async () => {
    hasRun = true;
    // On Windows `kill` would terminate it immediately.
    const instance = process.platform === 'win32' ? await connectToInstance(run.profileDir) : null;
    if (!(await instance?.call('app.quit', {}))?.ok) for (const child of children) child.kill();
    instance?.close();
    await Promise.all(ends);
  });
  const code = await ended;
  await Promise.all(ends);
  stopListening();
  return { hasRun: hasRun || code === 0, code };
};
