/**
 * Runs the desktop app for `npm start`, and connects it to the given service. If the caller asks for the try-out and
 * the profile has no service, starts the try-out server and connects the app to that server.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { shutDownOnSignals } from '../src/host/shutdown.ts';
import { startTryOutServer, type TryOutServer } from '../src/host/try-out-server.ts';
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

const whenRunning = async (profileDir: string): Promise<InstanceTransport | null> => {
  for (let waited = 0; waited < START_MS; waited += ASK_MS) {
    const instance = await connectToInstance(profileDir);
    if (instance) return instance;
    await sleep(ASK_MS);
  }
  return null;
};

/** The key is sent over the profile's own socket: other users can read arguments and environment. */
const connectApp = async ({ profileDir, service }: DesktopRun): Promise<TryOutServer | null> => {
  const instance = service === 'profile' ? null : await whenRunning(profileDir);
  if (!instance || service === 'profile') return null;
  try {
    if (typeof service === 'object') {
      const connected = await instance.call('connection.connect', service);
      if (!connected.ok) console.error(`${service.server}: ${connected.error.detail}`);
      return null;
    }
    const state = await instance.call('app.state', {});
    if (!state.ok || state.value.connection.state !== 'none') return null;
    const embedded = await startTryOutServer(profileDir);
    await instance.call('connection.embed', { server: embedded.server, key: embedded.key });
    return embedded;
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
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      console.error(`Electron did not start: ${error.message}`);
      resolve(1);
    });
  });
  const connecting = connectApp(run);
  const close = async (): Promise<void> => {
    // On Windows `kill` would terminate it immediately.
    const instance = process.platform === 'win32' ? await connectToInstance(run.profileDir) : null;
    if (!(await instance?.call('app.quit', {}))?.ok) child.kill();
    instance?.close();
    await ended;
    await (await connecting)?.close();
  };
  shutDownOnSignals(close);
  console.log('Linkshot is running on the desktop. Press Ctrl+C to stop.');
  process.exitCode = await ended;
  await (await connecting)?.close();
};
