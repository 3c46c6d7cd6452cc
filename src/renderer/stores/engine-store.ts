/**
 * Store of the engine's latest snapshot, whose unchanged parts stay the same objects. Also sends commands to the
 * engine, and shows changes of settings before they are saved.
 */
import { createStore } from 'zustand/vanilla';
import type { Failure, Result } from '../../api/errors.ts';
import type { HostConnectionState, PageTransport } from '../../ipc/client/transport.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { CommandInput, CommandName, CommandOutput, ExactInput } from '../../ipc/protocol/command-table.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Toasts } from './messages/toasts.ts';

// Structural sharing: unchanged parts of a snapshot keep their identity, so that nothing renders again for them.

type Branch = Record<string, unknown> | unknown[];

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

/** Returns a value equal to `next` (plain JSON data) that reuses the equal parts of `previous`. */
export const shareStructure = <T>(previous: unknown, next: T): T => {
  if (Object.is(previous, next)) return next;
  if (!isBranch(previous) || !isBranch(next) || Array.isArray(previous) !== Array.isArray(next)) return next;
  const before = previous as Record<string, unknown>;
  const keys = Object.keys(next);
  const parts = keys.map((key) => [key, shareStructure(before[key], (next as Record<string, unknown>)[key])] as const);
  const isSame =
    keys.length === Object.keys(before).length &&
    parts.every(([key, part]) => key in before && Object.is(part, before[key]));
  if (isSame) return previous as T;
  return (Array.isArray(next) ? parts.map(([, part]) => part) : Object.fromEntries(parts)) as T;
};

interface EngineState {
  /** Null until the first snapshot. */
  readonly app: AppState | null;
  /** Why there is no snapshot. */
  readonly failure: Failure | null;
  /** Whether the engine's host is reachable. */
  readonly link: HostConnectionState;
}

export const createEngineStore = ({ transport, toasts }: { transport: PageTransport; toasts: Toasts }) => {
  const store = createStore<EngineState>(() => ({ app: null, failure: null, link: 'up' }));
  /** As the engine reported them last. */
  let savedSettings: Settings | null = null;
  const newestChanges = new Map<string, Partial<Settings>>();

  const applySnapshot = (app: AppState): void => {
    savedSettings = app.settings;
    store.setState((before) => ({ app: shareStructure(before.app, app), failure: null }));
  };

  transport.on((event) => {
    if (event.type === 'state') applySnapshot(event.state);
  });

  transport.onLink((link) =>
    store.setState(({ app }) => ({ link, app: app && (link === 'up' ? app : withoutWork(app)) })),
  );

  /** Sends a command; the caller shows the error. */
  const ask = <K extends CommandName, I extends CommandInput<K>>(
    command: K,
    input: ExactInput<K, I>,
  ): Promise<Result<CommandOutput<K>>> => transport.call<K, I>(command, input);

  /** Sends a command; shows an error to the user and resolves to null. */
  const run = async <K extends CommandName, I extends CommandInput<K>>(
    command: K,
    input: ExactInput<K, I>,
  ): Promise<CommandOutput<K> | null> => {
    const result = await ask<K, I>(command, input);
    if (result.ok) return result.value;
    toasts.show({ kind: 'failure', failure: result.error });
    return null;
  };

  const patchSettings = (change: Partial<Settings>): void =>
    store.setState(({ app }) => ({ app: app && { ...app, settings: { ...app.settings, ...change } } }));

  return {
    store,
    /** Every event, also those that are no snapshot. */
    on: transport.on,
    ask,
    run,
    /** Fetches the first snapshot; later ones arrive as events. */
    start: async (): Promise<void> => {
      const result = await ask('app.state', {});
      if (result.ok) applySnapshot(result.value);
      else if (store.getState().app === null) store.setState({ failure: result.error });
    },
    /**
     * Applies the change optimistically and reverts it if it could not be saved; resolves to whether it was. Other
     * settings, and those that were changed again meanwhile, stay as they are shown.
     */
    updateSettings: async (change: Partial<Settings>): Promise<boolean> => {
      patchSettings(change);
      for (const name of Object.keys(change)) newestChanges.set(name, change);
      const reply = await run('settings.update', change);
      savedSettings = reply ?? savedSettings;
      const isSettled = ([name]: [string, unknown]): boolean => newestChanges.get(name) === change;
      if (savedSettings) patchSettings(Object.fromEntries(Object.entries(savedSettings).filter(isSettled)));
      return reply !== null;
    },
  };
};

/**
 * Drops running work from the snapshot of a lost host, whose progress is unknown; otherwise a frozen screen could block
 * the page. The snapshot after reconnecting restores it.
 */
const withoutWork = (app: AppState): AppState => ({
  ...app,
  capture: app.capture?.state === 'editing' ? app.capture : null,
  recording: app.recording?.state === 'review' ? app.recording : null,
});

export type EngineStore = ReturnType<typeof createEngineStore>;
