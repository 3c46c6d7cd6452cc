/** An `AbortSignal` for the end of a response, also for one that has ended before anybody listens. */
import type { ServerResponse } from 'node:http';

/** Aborts when the response is sent or its connection is closed; at once if that has happened already. */
export const closedSignal = (response: ServerResponse): AbortSignal => {
  if (response.destroyed || response.closed) return AbortSignal.abort();
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
};
