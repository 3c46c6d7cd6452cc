/**
 * Where a command's work is done: in this process when nobody else owns the profile, else in the process that does.
 * Promise: should that process end first, the next one to ask takes the profile over and finishes the work.
 */
import { connectToInstance } from '../bridge/instance.ts';
import type { Transport } from '../bridge/transport.ts';
import { err, failure, ok, type Result } from '../contract/errors.ts';
import type { AppState, CommandInput, CommandName, CommandOutput } from '../contract/ipc.ts';
import type { ConnectRequest } from '../engine/engine.ts';
import type { SecretStore } from '../engine/ports.ts';

export interface Desk extends Transport {
  readonly place: 'here' | 'running instance';
  /** The last state that was told. */
  state(): AppState;
  /** False once the running instance has ended; then another desk must be opened. */
  isOpen(): boolean;
  /** Uses another connection for this run only. A running instance keeps the one it has. */
  connect(request: Omit<ConnectRequest, 'keep'>, signal: AbortSignal): Promise<Result<void>>;
  close(): Promise<void>;
}

export interface DeskRequest {
  readonly profileDir: string;
  readonly secrets: () => Promise<SecretStore>;
  readonly log: (line: string) => void;
}

const CAPABILITIES = { hotkey: false, tray: false, overlay: false, recorder: false, clipboard: 'page' } as const;

/** An owner that is just starting or ending does not answer yet; it is asked again for this long. */
const OWNER_PATIENCE_MS = 5_000;
const OWNER_RETRY_MS = 100;

const BUSY_ELSEWHERE = (server: string): string =>
  `Linkshot is running with this profile and is connected to ${server}. Quit it, or use another --profile DIR.`;

const ownDesk = async (request: DeskRequest, signal: AbortSignal): Promise<Result<Desk>> => {
  const { openHost } = await import('../bridge/host.ts');
  const { browserOpener, silentNotifier } = await import('../engine/defaults.ts');
  const opened = await openHost({
    profileDir: request.profileDir,
    secrets: await request.secrets(),
    clipboard: null,
    notifier: silentNotifier,
    opener: browserOpener(process.platform),
    capabilities: CAPABILITIES,
    show: () => {},
    log: request.log,
  });
  if (!opened.ok) return opened;
  const { engine, dispatcher, close } = opened.value;
  return ok({
    place: 'here',
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) =>
      (await dispatcher.dispatch('owner', command, input, signal)) as Result<CommandOutput<K>>,
    on: (listener) => dispatcher.on(listener),
    state: () => ({ ...engine.state(), capabilities: CAPABILITIES }),
    isOpen: () => true,
    connect: async (connection, connecting) => {
      const connected = await engine.connect({ ...connection, keep: 'session' }, connecting);
      return connected.ok ? ok(undefined) : connected;
    },
    close,
  });
};

const otherDesk = async (profileDir: string, signal: AbortSignal): Promise<Desk | null> => {
  const instance = await connectToInstance(profileDir);
  if (!instance) return null;
  const first = await instance.call('app.state', {});
  if (!first.ok) return null;
  let state = first.value;
  instance.on((event) => {
    if (event.type === 'state') state = event.state;
  });
  signal.addEventListener('abort', () => instance.close());
  return {
    ...instance,
    place: 'running instance',
    state: () => state,
    isOpen: () => !instance.isLost(),
    connect: ({ server }) => {
      const { connection } = state;
      const isSame = connection.state !== 'none' && URL.parse(server)?.origin === URL.parse(connection.server)?.origin;
      const current = connection.state === 'none' ? 'no service' : connection.server;
      return Promise.resolve(isSame ? ok(undefined) : err(failure('COMMAND_INVALID', BUSY_ELSEWHERE(current))));
    },
    close: async () => instance.close(),
  };
};

/** Fails with PROFILE_BUSY when the owner does not answer, and as `createEngine` does. */
export const openDesk = async (request: DeskRequest, signal: AbortSignal): Promise<Result<Desk>> => {
  const tries = OWNER_PATIENCE_MS / OWNER_RETRY_MS;
  for (let left = tries; ; left -= 1) {
    const other = await otherDesk(request.profileDir, signal);
    if (other) return ok(other);
    const own = await ownDesk(request, signal);
    if (own.ok || own.error.code !== 'PROFILE_BUSY' || left === 0 || signal.aborted) return own;
    await new Promise((resolve) => setTimeout(resolve, OWNER_RETRY_MS));
  }
};
