/**
 * Sends commands and receives events over a WebSocket. Every call gets a result, even when the host dies. Reconnects
 * automatically, unless the host refuses the page: then by `retry`. A command larger than COMMAND_BYTES is not sent: NOTE_TOO_LONG, or
 * COMMAND_INVALID.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type {
  AppEvent,
  CommandInput,
  CommandName,
  CommandOutput,
  EventFrame,
  ReplyFrame,
} from '../protocol/command-table.ts';
import { COMMAND_BYTES } from '../protocol/preload-api.ts';
import type { HostConnectionState, Transport } from './transport.ts';

/** Pauses before each reconnection; the last one repeats. */
const BACKOFF_MS = [100, 250, 500, 1_000, 2_000] as const;
/** Timeout of a call that waits for a connection. */
const PATIENCE_MS = 10_000;
/** Close code of a host that does not know this page: the transport must not retry. */
const REFUSED = 4401;

const LOST = failure('APP_FAILED', 'The connection to Linkshot was lost before it responded. Try again.');
const OFFLINE = failure('APP_FAILED', 'Linkshot is not responding. Start it again, then reload this page.');
const STRANGER = failure('APP_FAILED', 'This page is from a previous session. Open the new address.');

/** The host would end the connection. Of the commands of notes only the text can be so long. */
const tooLarge = (command: CommandName): Failure =>
  command.startsWith('note.')
    ? failure('NOTE_TOO_LONG', 'The text is longer than a note can be.')
    : failure('COMMAND_INVALID', 'The command is too large.');

const isTooLarge = (frame: string): boolean =>
  frame.length > COMMAND_BYTES || new TextEncoder().encode(frame).length > COMMAND_BYTES;

export interface WebSocketTransport extends Transport {
  onLink(listener: (link: HostConnectionState) => void): () => void;
  /** Connects again once the host has refused the page, which it may be about to do. */
  retry(): void;
  close(): void;
}

/** `connect` creates a new socket; the host sends the full state as soon as it is open. */
export const createWebSocketTransport = (connect: () => WebSocket): WebSocketTransport => {
  const listeners = new Set<(event: AppEvent) => void>();
  const linkListeners = new Set<(link: HostConnectionState) => void>();
  const pending = new Map<number, (reply: Result<unknown>) => void>();
  const waiting = new Set<() => void>();
  let socket: WebSocket | null = null;
  let lastState: AppEvent | null = null;
  let link: HostConnectionState = 'down';
  let nextId = 1;
  let failures = 0;
  let hasBeenUp = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** By `retry`, while a socket connects that was made before. */
  let triesAgain = false;
  let isClosed = false;

  const setLink = (next: HostConnectionState): void => {
    if (next === link) return;
    link = next;
    for (const listener of linkListeners) listener(link);
    if (link !== 'down') for (const wake of waiting) wake();
  };

  const settle = (frame: ReplyFrame): void => {
    pending.get(frame.id)?.(frame.ok ? ok(frame.output) : err(frame.error));
    pending.delete(frame.id);
  };

  const emit = (event: AppEvent): void => {
    for (const listener of listeners) listener(event);
  };

  const receive = (text: string): void => {
    const frame = JSON.parse(text) as ReplyFrame | EventFrame;
    if ('event' in frame) {
      if (frame.event.type === 'state') lastState = frame.event;
      emit(frame.event);
    } else settle(frame);
  };

  const drop = (code: number): void => {
    socket = null;
    for (const reply of pending.values()) reply(err(LOST));
    pending.clear();
    if (isClosed) return;
    if (code === REFUSED && triesAgain) {
      triesAgain = false;
      setLink('down');
      open();
      return;
    }
    setLink(code === REFUSED ? 'refused' : 'down');
    if (code === REFUSED) return;
    timer = setTimeout(open, BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)]);
    failures += 1;
  };

  const open = (): void => {
    const fresh = connect();
    // The first message is the state, so a host that refuses the page never counts as connected.
    fresh.addEventListener('message', ({ data }) => {
      if (isClosed) return;
      socket = fresh;
      failures = 0;
      triesAgain = false;
      receive(String(data));
      if (link === 'up') return;
      setLink('up');
      if (hasBeenUp) emit({ type: 'library' });
      hasBeenUp = true;
    });
    fresh.addEventListener('close', ({ code }) => drop(code));
  };
  open();

  const connected = (): Promise<WebSocket | null> =>
    new Promise((resolve) => {
      const finish = (): void => {
        waiting.delete(finish);
        clearTimeout(limit);
        resolve(socket);
      };
      const limit = setTimeout(finish, PATIENCE_MS);
      if (socket || link === 'refused' || isClosed) finish();
      else waiting.add(finish);
    });

  return {
    call: async <K extends CommandName>(command: K, input: CommandInput<K>) => {
      const live = await connected();
      if (live?.readyState !== 1) return err(link === 'refused' ? STRANGER : OFFLINE);
      const id = nextId++;
      const frame = JSON.stringify({ id, command, input });
      if (isTooLarge(frame)) return err(tooLarge(command));
      const reply = new Promise<Result<unknown>>((resolve) => {
        pending.set(id, resolve);
      });
      live.send(frame);
      return (await reply) as Result<CommandOutput<K>>;
    },
    on: (listener) => {
      listeners.add(listener);
      if (lastState) listener(lastState);
      return () => listeners.delete(listener);
    },
    onLink: (listener) => {
      linkListeners.add(listener);
      listener(link);
      return () => linkListeners.delete(listener);
    },
    retry: () => {
      if (link === 'up' || isClosed) return;
      if (link === 'down') {
        triesAgain = true;
        return;
      }
      setLink('down');
      open();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const wake of waiting) wake();
      socket?.close();
    },
  };
};
