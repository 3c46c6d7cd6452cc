/** Runs the desktop app, which starts its built-in server where no service is configured. */
import { spawn } from 'node:child_process';
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
}

const whenRunning = async (profileDir: string, ended: AbortSignal): Promise<InstanceTransport | null> => {
  for (let waited = 0; waited < START_MS && !ended.aborted; waited += ASK_MS) {
    const instance = await connectToInstance(profileDir);
    if (instance) return instance;
    await sleep(ASK_MS, null, { signal: ended }).catch(() => {});
  }
  return null;
};

/**
 * Connects the app once it runs. The key is sent over the profile's own socket: other users can read arguments and
 * environment. Only the app starts the built-in server: two on the same folder would damage its data.
 */
export const connectApp = async (
  { profileDir, service }: Pick<DesktopRun, 'profileDir' | 'service'>,
  ended: AbortSignal,
): Promise<void> => {
  const instance = service === 'profile' ? null : await whenRunning(profileDir, ended);
  if (!instance || service === 'profile') return;
  try {
    if (typeof service === 'object') {
      const connected = await instance.call('connection.connect', service);
      if (!connected.ok) console.error(`${service.server}: ${connected.error.detail}`);
      return;
    }
    const state = await instance.call('app.state', {});
    if (!state.ok || state.value.connection.state !== 'none') return;
    const connected = await instance.call('connection.tryOut', {});
    if (!connected.ok) console.error(`The built-in server does not respond: ${connected.error.detail}`);
  } finally {
    if (service === 'try-out') await instance.call('app.show', {});
    instance.close();
  }
};

/** Runs until the app quits or a signal arrives. */
export const runDesktop = async (run: DesktopRun): Promise<void> => {
  // The window of a try-out opens once its account exists, so that the welcome screen is not shown.
  const hidden = run.service === 'try-out' ? ['--hidden'] : [];
  const child = spawn(run.binary, [run.root, '--profile', run.profileDir, ...hidden, ...run.args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const over = new AbortController();
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      console.error(`Electron did not start: ${error.message}`);
      resolve(1);
    });
  }).finally(() => over.abort());
  connectApp(run, over.signal).catch((error: Error) => {
    // An app that quits meanwhile needs no connection.
    if (!over.signal.aborted) console.error(`Linkshot could not be connected: ${error.message}`);
  });
  shutDownOnSignals(async () => {
    // On Windows `kill` would terminate it immediately.
    const instance = process.platform === 'win32' ? await connectToInstance(run.profileDir) : null;
    if (!(await instance?.call('app.quit', {}))?.ok) child.kill();
    instance?.close();
    await ended;
  });
  console.log('Linkshot is running on the desktop. Press Ctrl+C to stop.');
  process.exitCode = await ended;
};
