/**
 * One connection of a page or of another process of the user: receives commands and sends their replies and the events,
 * as JSON frames over any transport of text.
 */

import { type EventFrame, type ReplyFrame, RequestFrame } from '../protocol/command-table.ts';
import { createValidator } from '../protocol/create-validator.ts';
import type { Dispatcher, Sender } from './dispatcher.ts';

export interface RpcSession {
  /** Handles one frame; false: it is invalid, and the caller ends the connection. */
  receive(text: string): boolean;
  /** Stops the events and cancels pending commands. */
  close(): void;
}

const isRequest = createValidator(RequestFrame);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const openRpcSession = (dispatcher: Dispatcher, sender: Sender, send: (text: string) => void): RpcSession => {
  const ending = new AbortController();
  const post = (frame: ReplyFrame | EventFrame): void => {
    if (!ending.signal.aborted) send(JSON.stringify(frame));
  };
  const stop = dispatcher.on((event) => post({ event }));
  return {
    receive: (text) => {
      const frame = parse(text);
      if (!isRequest(frame)) return false;
      void dispatcher.dispatch(sender, frame.command, frame.input, ending.signal).then((result) => {
        post(
          result.ok
            ? { id: frame.id, ok: true, output: result.value }
            : { id: frame.id, ok: false, error: result.error },
        );
      });
      return true;
    },
    close: () => {
      stop();
      ending.abort();
    },
  };
};
