/**
 * A proxy to a real server that gives every request the cookies of one visitor, so that a browser which runs no scripts, and fills
 * no forms, sees the pages of a signed-in user or of somebody who has opened a link.
 */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VisitorProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface SentForm {
  /** Where it is sent to. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** `forms`: by the paths at which the proxy shows the answer to a sent form. */
export const startVisitorProxy = async (
  target: string,
  cookie: string,
  forms: ReadonlyMap<string, SentForm> = new Map(),
): Promise<VisitorProxy> => {
  const server = createServer((request, reply) => {
    const { url = '/', headers } = request;
    const sent = forms.get(url);
    const form = sent && new URLSearchParams(sent.fields).toString();
    const onward = send(
      new URL(sent?.action ?? url, target),
      {
        method: form === undefined ? request.method : 'POST',
        headers: {
          ...headers,
          ...(cookie !== '' && { cookie }),
          ...(form !== undefined && {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(form)),
            'sec-fetch-site': 'same-origin',
          }),
        },
      },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      },
    );
    onward.on('error', () => reply.destroy());
    if (form === undefined) request.pipe(onward);
    else onward.end(form);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
