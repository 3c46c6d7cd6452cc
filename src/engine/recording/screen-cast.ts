/**
 * Opens a PipeWire stream of one screen through the ScreenCast portal of a Wayland desktop. Stores in the profile the
 * token that the desktop returns for each screen, so that the desktop need not ask the user again.
 */
import Type from 'typebox';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { PointerChoice } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { Output } from '../wayland/compositor.ts';
import { askPortal, closePortalSession, type PortalRefusal } from '../wayland/desktop-portal.ts';
import { openSessionBus, type SessionBus } from '../wayland/session-bus.ts';
import { desktopName, type Environment } from '../wayland/session-environment.ts';
import { cancelled } from './recording-errors.ts';

/** By which the desktop knows that the user has agreed, for each screen by its name. */
export interface ScreenCastTokens {
  read(screen: string): string | null;
  note(screen: string, token: string): void;
}

export const createScreenCastTokens = (profile: Profile): ScreenCastTokens => {
  const persisted = createPersistedValue(profile, 'screenCastTokens', Type.Record(Type.String(), Type.String()));
  return {
    read: (screen) => persisted.read()?.[screen] ?? null,
    note: (screen, token) => persisted.note({ ...persisted.read(), [screen]: token }),
  };
};

export interface ScreenCast {
  /** Of PipeWire, which sends the frames. */
  readonly node: number;
  close(): Promise<void>;
}

export interface ScreenCastRequest {
  readonly environment: Environment;
  readonly tokens: ScreenCastTokens;
  readonly output: Output;
  readonly pointer: PointerChoice;
}

const MONITORS = 1;
const POINTER_MODES = { hide: 1, show: 2 } as const;
/** Until the user revokes it. */
const PERSISTENT = 2;

/** Errors: CAPTURE_UNAVAILABLE with what to do, CANCELLED. */
export const openScreenCast = async (request: ScreenCastRequest, signal: AbortSignal): Promise<Result<ScreenCast>> => {
  const { environment, output, tokens } = request;
  try {
    const bus = await openSessionBus(environment, signal);
    if (bus === null) return err(refusal({ why: 'missing', detail: 'no session bus' }, environment));
    const opened = await share(bus, request, signal).catch(async (error: unknown) => {
      await bus.close();
      throw error;
    });
    if (!opened.ok) {
      await bus.close();
      return err(refusal(opened.error, environment));
    }
    const { session, node, position, token } = opened.value;
    const close = async (): Promise<void> => {
      await closePortalSession(bus, session);
      await bus.close();
    };
    if (position && (position[0] !== output.logical.x || position[1] !== output.logical.y)) {
      await close();
      return err(otherScreen(output, environment));
    }
    if (token !== null) tokens.note(output.name, token);
    return ok({ node, close });
  } catch (error) {
    if (signal.aborted) return err(cancelled());
    throw error;
  }
};

interface Shared {
  readonly session: string;
  readonly node: number;
  /** In the coordinates of the compositor; null: not told. */
  readonly position: readonly [number, number] | null;
  readonly token: string | null;
}

const share = async (
  bus: SessionBus,
  { tokens, output, pointer }: ScreenCastRequest,
  signal: AbortSignal,
): Promise<Result<Shared, PortalRefusal>> => {
  const { Variant } = await import('dbus-native');
  const ask = (
    member: string,
    signature: string,
    body: readonly unknown[],
    options: Readonly<Record<string, unknown>>,
  ) => askPortal(bus, { portal: 'ScreenCast', member, signature, body, options }, signal);
  const created = await ask('CreateSession', '', [], { session_handle_token: new Variant('s', 'linkshot') });
  if (!created.ok) return created;
  const session = String(created.value['session_handle']);
  const token = tokens.read(output.name);
  const chosen = await ask('SelectSources', 'o', [session], {
    types: new Variant('u', MONITORS),
    multiple: new Variant('b', false),
    cursor_mode: new Variant('u', POINTER_MODES[pointer]),
    persist_mode: new Variant('u', PERSISTENT),
    ...(token !== null && { restore_token: new Variant('s', token) }),
  });
  if (!chosen.ok) return chosen;
  const started = await ask('Start', 'os', [session, ''], {});
  if (!started.ok) return started;
  const { streams, restore_token: next } = started.value;
  const [first] = Array.isArray(streams) ? streams : [];
  if (!Array.isArray(first)) return err({ why: 'failed', detail: 'it shared no screen' });
  const [node, told] = first as [number, Readonly<Record<string, unknown>>];
  const position = told['position'];
  return ok({
    ...{ session, node, token: typeof next === 'string' ? next : null },
    position: Array.isArray(position) ? (position as unknown as readonly [number, number]) : null,
  });
};

const unavailable = (detail: string): Failure => failure('CAPTURE_UNAVAILABLE', detail);

const otherScreen = ({ name }: Output, environment: Environment): Failure =>
  unavailable(
    `${desktopName(environment)} was told to share another screen than ${name}, on which the area lies. Start the recording again, and choose ${name}.`,
  );

const refusal = ({ why, detail }: PortalRefusal, environment: Environment): Failure => {
  const name = desktopName(environment);
  switch (why) {
    case 'refused':
      return unavailable(`${name} was told not to share the screen. Start the recording again, and choose Share.`);
    case 'missing':
      return unavailable(
        `${name} lets programs record only through its portal, which does not answer. linkshot doctor shows what to install.`,
      );
    case 'gone':
      return unavailable(`${name} did not share the screen: ${detail}. Start the recording again.`);
    case 'failed':
      return unavailable(`${name} did not share the screen (${detail}). Start the recording again.`);
  }
};
