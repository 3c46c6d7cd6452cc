/** The faults that the proxy can apply to a request: the ways in which networks, proxies and portals really fail. */

/** No fault uses milliseconds: each waits for a promise, or for one of the two sides to time out. */
export type Fault =
  /** The connection breaks with a reset once `at` bytes of the body were passed on. */
  | { readonly do: 'reset'; readonly at: number }
  /** After `at` bytes nothing moves any more, in neither direction; the client is left waiting, and the server too. */
  | { readonly do: 'stall'; readonly at: number }
  /** The client's whole body is read, but only `at` bytes of it reach the server. The server's answer is forwarded. */
  | { readonly do: 'stall-behind'; readonly at: number }
  /** The server sees the sender disconnect after `at` bytes; so does the client. */
  | { readonly do: 'truncate'; readonly at: number }
  /** Everything reaches the server; its answer never arrives, and the connection stays open. */
  | { readonly do: 'swallow' }
  /** Everything reaches the server; the connection breaks instead of the answer. */
  | { readonly do: 'lose-answer' }
  /** The answer breaks off after `at` bytes of its body. */
  | { readonly do: 'cut-answer'; readonly at: number }
  /** Something in between answers; the server sees nothing. */
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The server's answer passes with other headers or another body. */
  | { readonly do: 'rewrite-answer'; readonly change: (answer: Answer) => Answer }
  /** Byte `at` of the body is another one when it arrives. */
  | { readonly do: 'corrupt'; readonly at: number }
  /** The server gets the request twice at the same time; the client sees the first answer. */
  | { readonly do: 'duplicate' }
  /** The request reaches the server with these headers instead of its own. */
  | { readonly do: 'rewrite'; readonly headers: Readonly<Record<string, string>> }
  /** Accepts the whole body immediately, and forwards it later, unless the client has cancelled by then. */
  | { readonly do: 'store'; readonly until: Promise<unknown> }
  /** Waits before the request, or before its answer, passes. */
  | { readonly do: 'hold'; readonly until: Promise<unknown> }
  | { readonly do: 'hold-answer'; readonly until: Promise<unknown> };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Operation = 'account' | 'start' | 'list' | 'status' | 'part' | 'complete' | 'cancel' | 'other';

/** A request in progress. */
export interface Passing {
  readonly operation: Operation;
  /** How many requests of this operation came before. */
  readonly nth: number;
  /** Number of the part; null for all other operations. */
  readonly index: number | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Names what a request asks of the API. */
export const operationOf = (method: string, path: string): Operation => {
  const [, rest] = /\/api\/v1\/(.*?)(?:\?|$)/.exec(path) ?? [];
  if (rest === 'account') return 'account';
  if (rest === 'uploads/resumable') return method === 'POST' ? 'start' : 'list';
  if (!rest?.startsWith('uploads/resumable/')) return 'other';
  if (rest.includes('/parts/')) return 'part';
  if (rest.endsWith('/complete')) return 'complete';
  return method === 'DELETE' ? 'cancel' : 'status';
};
