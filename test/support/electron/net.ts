/** `net`: requests over HTTP by Node's own client. */
import { type ClientRequest, type RequestOptions, request } from 'node:http';
import type * as Electron from 'electron';

/** Takes the options that Electron and Node have in common; the session and the handling of redirects are not doubled. */
const open = (options: Electron.ClientRequestConstructorOptions | string): ClientRequest => {
  if (typeof options === 'string') return request(options);
  const { session, redirect, ...rest } = options;
  return request(rest as RequestOptions);
};

export const net = { request: open as unknown as Electron.Net['request'] } satisfies Partial<Electron.Net>;
