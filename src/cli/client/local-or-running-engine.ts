/**
 * Opens the engine for a command: in this process if no other process owns the profile, else through the socket of the
 * process that owns it.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { ConnectRequest } from '../../engine/engine.ts';
import type { ScreenCapturer, SecretStore, StartVisionProcess } from '../../engine/ports.ts';
import type { Transport } from '../../ipc/client/transport.ts';
import type { InstanceTransport } from '../../ipc/host/instance-socket.ts';
import { proveKey } from '../../ipc/host/peer-authentication.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../ipc/protocol/command-table.ts';

export type ServerAndKey = Omit<ConnectRequest, 'keep'>;

export interface LocalOrRunningEngine extends Transport {
  readonly kind: 'here' | 'running instance';
  /** Where new keys are kept; null: in the owner's store, whichever that is. */
  readonly keyStore: SecretStore['place'] | null;
  /** The last received state. */
  state(): AppState;
  /** False once the running instance has ended; its work then continues elsewhere. */
  isOpen(): boolean;
  /** Uses this service and key for the run. A running instance keeps its own: they must be the same. */
  connect(contact: ServerAndKey, signal: AbortSignal): Promise<Result<void>>;
  close(): Promise<void>;
}

export interface EngineRequest {
  readonly profileDir: string;
  /** As in `CreateEngineDeps`, if the work runs here. */
  readonly secrets: () => Promise<SecretStore>;
  readonly log: (line: string) => void;
  /** Connects to the process that owns the profile; null without one. */
  readonly instance: () => Promise<InstanceTransport | null>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As in `EngineDeps`, if the work runs here. */
  readonly queue?: 'resting' | undefined;
  /** As in `EngineDeps`, if the work runs here. */
  readonly leftRecordings?: 'review' | undefined;
  /** As in `EngineDeps`, if the work runs here. */
  readonly startVision?: StartVisionProcess | undefined;
  /**
   * Called where no owner has answered, before anything else is loaded. The profile may still be busy: it is then called
   * again.
   */
  readonly capturer?: (() => Promise<ScreenCapturer>) | undefined;
}

const CAPABILITIES = {
  hotkey: false,
  tray: false,
  overlay: 'none',
  windows: true,
  recording: true,
  inputDisplay: false,
  panels: false,
  pins: false,
  folders: false,
  fileManager: false,
  explorerMenu: false,
  terminalCommand: false,
  tryOut: false,
  clipboard: 'page',
} as const;

const NO_WINDOW = err(
  failure('PROFILE_BUSY', 'A command of Linkshot is using this profile. Start Linkshot again when it has ended.'),
);

/**
 * An owner that is just starting or ending does not answer yet; retry for this long. A locked key store alone delays a
 * start by 4.5 s.
 */
const OWNER_PATIENCE_MS = 8_000;
/** An owner that is just starting is not connected yet. */
const CONNECTION_PATIENCE_MS = 5_000;
const OWNER_RETRY_MS = 100;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const here = async (request: EngineRequest, signal: AbortSignal): Promise<Result<LocalOrRunningEngine>> => {
  const capturer = await request.capturer?.();
  const { startHostCore } = await import('../../host/start-host-core.ts');
  const { createClipboardReader: copiedByPrograms } = await import('../../host/read-clipboard-with-programs.ts');
  const { silentNotifier } = await import('../../engine/node-ports.ts');
  const { browserOpener } = await import('../../engine/open-browser.ts');
  let keyStore: SecretStore['place'] = 'session';
  const opened = await startHostCore({
    profileDir: request.profileDir,
    async secrets() {
      const secrets = await request.secrets();
      keyStore = secrets.place;
      return secrets;
    },
    clipboard: null,
    copied: copiedByPrograms(process.platform, request.environment),
    notifier: silentNotifier,
    opener: browserOpener(process.platform),
    environment: request.environment,
    ...(capturer && { capturer }),
    ...(request.startVision && { startVision: request.startVision }),
    ...(request.queue && { queue: request.queue }),
    ...(request.leftRecordings && { leftRecordings: request.leftRecordings }),
    delivery: 'by command',
    capabilities: CAPABILITIES,
    show: () => NO_WINDOW,
    log: request.log,
  });
  if (!opened.ok) return opened;
  const { engine, dispatcher, close } = opened.value;
  return ok({
    kind: 'here',
    keyStore,
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) =>
      (await dispatcher.dispatch('owner', command, input, signal)) as Result<CommandOutput<K>>,
    on: (listener) => dispatcher.on(listener),
    state: () => ({ ...engine.state(), capabilities: CAPABILITIES }),
    isOpen: () => true,
    connect: async (contact, connecting) => {
      const connected = await engine.connection.connect({ ...contact, keep: 'session' }, connecting);
      return connected.ok ? ok(undefined) : connected;
    },
    close,
  });
};

const isAt = ({ connection }: AppState, server: string): boolean =>
  connection.state !== 'none' && URL.parse(server)?.origin === URL.parse(connection.server)?.origin;

const elsewhere = async (
  reach: EngineRequest['instance'],
  signal: AbortSignal,
): Promise<LocalOrRunningEngine | null> => {
  const instance = await reach();
  const first = await instance?.call('app.state', {});
  if (!instance || !first?.ok) return null;
  let state = first.value;
  instance.on((event) => {
    if (event.type === 'state') state = event.state;
  });
  // Only then, so that what other listeners of this abort call is still sent.
  onAbort(signal, () => queueMicrotask(() => instance.close()));
  return {
    ...instance,
    kind: 'running instance',
    keyStore: null,
    state: () => state,
    isOpen: () => !instance.isLost(),
    connect: async (contact) => {
      const mayConnect = () => state.connection.state === 'none' && !instance.isLost();
      for (let waited = 0; mayConnect() && waited < CONNECTION_PATIENCE_MS; waited += OWNER_RETRY_MS)
        await sleep(OWNER_RETRY_MS);
      const same = await instance.call('connection.isSame', proveKey(contact));
      if (instance.isLost() || (same.ok && same.value.isSame)) return ok(undefined);
      const { connection } = state;
      const other =
        connection.state === 'none'
          ? 'not connected to a service'
          : `connected to ${connection.server}${isAt(state, contact.server) ? ' with another key' : ''}`;
      const detail = `Linkshot is running with this profile and is ${other}. Quit it, or use another --profile DIR.`;
      return err(failure('COMMAND_INVALID', detail));
    },
    close: async () => instance.close(),
  };
};

/** Fails with PROFILE_BUSY when the owner does not answer, and as `createEngine` does. */
export const openLocalOrRunningEngine = async (
  request: EngineRequest,
  signal: AbortSignal,
): Promise<Result<LocalOrRunningEngine>> => {
  for (let waited = 0; ; waited += OWNER_RETRY_MS) {
    const other = await elsewhere(request.instance, signal);
    if (other) return ok(other);
    const own = await here(request, signal);
    if (own.ok || own.error.code !== 'PROFILE_BUSY' || waited >= OWNER_PATIENCE_MS || signal.aborted) return own;
    await sleep(OWNER_RETRY_MS);
  }
};
