/**
 * Starts what the desktop app, the browser host and the command line share: the engine of a profile, the command
 * dispatcher, the tokens that name files, the receiver of files from pages, and the socket through which later starts
 * of the app and command lines use this process. On Linux the two apps also serve the launcher (`bin/linkshot`). Until
 * it is closed, this process alone uses the profile.
 */

import { hostname } from 'node:os';
import { err, failure, ok, type Result } from '../api/errors.ts';
import { type CreateEngineDeps, createEngine, type Engine } from '../engine/engine.ts';
import { systemClock, systemRandom } from '../engine/node-ports.ts';
import { type CommandCall, serveCommandLines } from '../ipc/host/command-line-socket.ts';
import { createDispatcher, type Dispatcher } from '../ipc/host/dispatcher.ts';
import { createFileReceiver, type FileReceiver } from '../ipc/host/file-receiver.ts';
import { createFileTokens, type FileTokens } from '../ipc/host/file-tokens.ts';
import type { DispatcherDeps } from '../ipc/host/handlers/handler-types.ts';
import { serveInstance } from '../ipc/host/instance-socket.ts';
import type { Capabilities } from '../ipc/protocol/app-state.ts';
import { forgetSecrets } from './secret-variables.ts';
import { VERSION } from './version.ts';

export interface HostCoreRequest
  extends Pick<
      CreateEngineDeps,
      | 'profileDir'
      | 'secrets'
      | 'clipboard'
      | 'copied'
      | 'notifier'
      | 'opener'
      | 'environment'
      | 'launcher'
      | 'pictures'
      | 'capturer'
      | 'startVision'
      | 'hotkeys'
      | 'pin'
      | 'queue'
      | 'leftRecordings'
      | 'delivery'
    >,
    Pick<DispatcherDeps, 'show' | 'panel' | 'folders' | 'pins' | 'quit' | 'tryOut' | 'updates' | 'isTrayShown'> {
  readonly capabilities: Capabilities;
  /** Loaded at the launcher's first call; absent: this host executes no command lines of others. */
  readonly commandLine?: () => Promise<RunForLauncher>;
  readonly log: (line: string) => void;
}

/** Executes one command line in this process. Null: the command line uses another profile. */
type RunForLauncher = (
  call: CommandCall,
  app: { readonly profileDir: string; readonly dispatcher: Dispatcher },
  disconnected: AbortSignal,
) => Promise<number | null>;

export interface HostCore {
  readonly engine: Engine;
  readonly dispatcher: Dispatcher;
  readonly sources: FileTokens;
  readonly intake: FileReceiver;
  close(): Promise<void>;
}

/** As long as the countdown of a recording. */
const SCROLL_LEAD_MS = 3_000;

/** Fails with PROFILE_BUSY where another process owns the profile: `connectToInstance` reaches it. */
export const startHostCore = async (request: HostCoreRequest): Promise<Result<HostCore>> => {
  const { profileDir, commandLine, log } = request;
  const runtimeDir = request.environment['XDG_RUNTIME_DIR'];
  forgetSecrets(process.env);
  const device = { name: hostname() || 'Linkshot', platform: process.platform };
  const opened = await createEngine({
    ...request,
    ...(request.capabilities.overlay === 'page' && { scrollLeadMs: SCROLL_LEAD_MS }),
    clock: systemClock,
    random: systemRandom,
    device,
    version: VERSION,
  }).catch((error: NodeJS.ErrnoException) => {
    // An unwritable or missing folder is for the user to fix. Anything else is a bug.
    if (error.syscall === undefined) throw error;
    return err(failure('PROFILE_DAMAGED', `The profile cannot be opened: ${error.message}.`));
  });
  if (!opened.ok) return opened;
  const engine = opened.value;
  const sources = createFileTokens({ random: systemRandom });
  const intake = await createFileReceiver({
    clock: systemClock,
    random: systemRandom,
    spoolDir: engine.spoolDir,
    sources,
  });
  const dispatcher = createDispatcher({ ...request, engine, sources, intake });
  const unserved = (error: Error): null => {
    log(`Other starts cannot hand their work over to this one: ${error.message}`);
    return null;
  };
  const instance = await serveInstance(profileDir, dispatcher, { runtimeDir }).catch(unserved);
  const run = async (call: CommandCall, disconnected: AbortSignal) => {
    const runForLauncher = await commandLine?.();
    return runForLauncher ? runForLauncher(call, { profileDir, dispatcher }, disconnected) : null;
  };
  // The launcher reads the caller's environment from /proc, which only Linux has.
  const commands =
    commandLine && process.platform === 'linux' ? await serveCommandLines(profileDir, run, log).catch(unserved) : null;
  return ok({
    engine,
    dispatcher,
    sources,
    intake,
    close: async () => {
      await commands?.close();
      await instance?.close();
      await intake.close();
      await sources.close();
      await engine.close();
    },
  });
};
