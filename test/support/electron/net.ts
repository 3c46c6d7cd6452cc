/** `net`: requests over HTTP by Node's own client. */
import { type ClientRequest, type RequestOptions, request } from 'node:http';
import type * as Electron from 'electron';

/** Accepts the options that Electron and Node have in common; session and redirects are not emulated. */
const open = (options: Electron.ClientRequestConstructorOptions | string): ClientRequest => {
  if (typeof options === 'string') return request(options);
  const { session, redirect, ...rest } = options;
  return request(rest as RequestOptions);
};

export const net = { request: open as unknown as Electron.Net['request'] } satisfies Partial<Electron.Net>;
