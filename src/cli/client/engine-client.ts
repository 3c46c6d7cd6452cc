/**
 * A command's access to the engine, in this process or in the process that owns the profile, such as a running app.
 * When the process that owns the profile ends, the client opens the profile itself or connects to the next owner, and
 * repeats the interrupted call.
 */

import { ok, type Result } from '../../api/errors.ts';
import { guarded } from '../../base/common/event-channel.ts';
import type { Transport } from '../../ipc/client/transport.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { AppEvent, CommandInput, CommandName, ExactInput } from '../../ipc/protocol/command-table.ts';

export type { ServerAndKey } from './local-or-running-engine.ts';

import {
  type EngineRequest,
  type LocalOrRunningEngine,
  openLocalOrRunningEngine,
  type ServerAndKey,
} from './local-or-running-engine.ts';

export interface EngineClient extends Transport {
  kind(): LocalOrRunningEngine['kind'];
  keyStore(): LocalOrRunningEngine['keyStore'];
  state(): AppState;
  /** Whether the service has answered in this run. */
  hasContact(): boolean;
  connect(contact: ServerAndKey, signal: AbortSignal): Promise<Result<void>>;
  close(): Promise<void>;
}

/** Fails as `openLocalOrRunningEngine` does. */
export const openEngineClient = async (request: EngineRequest, signal: AbortSignal): Promise<Result<EngineClient>> => {
  const opened = await openLocalOrRunningEngine(request, signal);
  if (!opened.ok) return opened;
  const listeners = new Set<(event: AppEvent) => void>();
  let current = opened.value;
  let used: ServerAndKey | null = null;
  let hasContact = false;
  let moving: Promise<Result<void>> | null = null;

  const follow = (): void => {
    current.on((event) => {
      if (event.type === 'state' && event.state.connection.state === 'connected') hasContact = true;
      for (const listener of listeners) listener(event);
    });
  };
  follow();

  const move = async (): Promise<Result<void>> => {
    const next = await openLocalOrRunningEngine(request, signal);
    if (!next.ok) return next;
    current = next.value;
    follow();
    return used ? current.connect(used, signal) : ok(undefined);
  };

  return ok({
    call: async <K extends CommandName, I extends CommandInput<K>>(command: K, input: ExactInput<K, I>) => {
      for (;;) {
        const host = current;
        const answer = await host.call<K, I>(command, input);
        if (answer.ok || host.isOpen() || signal.aborted) return answer;
        if (host !== current) continue;
        moving ??= move().finally(() => {
          moving = null;
        });
        const moved = await moving;
        if (!moved.ok) return moved;
      }
    },
    on: (listener) => {
      const emit = guarded(listener, (error) => request.log(`The progress cannot be shown: ${error}`));
      listeners.add(emit);
      emit({ type: 'state', state: current.state() });
      return () => listeners.delete(emit);
    },
    kind: () => current.kind,
    keyStore: () => current.keyStore,
    state: () => current.state(),
    hasContact: () => hasContact,
    connect: (contact, connecting) => {
      used = contact;
      return current.connect(contact, connecting);
    },
    close: () => current.close(),
  });
};
