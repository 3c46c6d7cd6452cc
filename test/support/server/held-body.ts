/** A request that withholds its last byte, so that a test can act between its start and its end. */
import { onTestFinished } from 'vitest';
import { type RawRequest, rawRequest } from './raw-http.ts';

export interface HeldBody<T> {
  readonly request: RawRequest;
  /** Sends the last byte and resolves with the response. */
  finish(): Promise<{ readonly status: number; readonly body: T }>;
}

/** Resolves once the server has accepted the request and asks for its body. */
export const holdBody = async <T>(
  url: string,
  requestLine: string,
  {
    key,
    headers,
    body,
  }: { readonly key: string; readonly headers?: Record<string, string>; readonly body: Uint8Array },
): Promise<HeldBody<T>> => {
  const request = rawRequest(url, requestLine, {
    authorization: `Bearer ${key}`,
    'content-length': String(body.length),
    expect: '100-continue',
    ...headers,
  });
  onTestFinished(() => void request.socket.destroy());
  await new Promise((resolve) => request.socket.once('data', resolve));
  request.send(body.subarray(0, -1));
  return {
    request,
    finish: async () => {
      request.send(body.subarray(-1));
      const answer = await request.answer;
      return { status: answer.status, body: JSON.parse(answer.body) as T };
    },
  };
};
