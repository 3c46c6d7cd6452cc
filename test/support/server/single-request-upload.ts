/** Sends files in one `multipart/form-data` request, as an ordinary client does. */
import type { Problem } from '../../../src/api/errors.ts';
import type { CreatedFolder } from '../../../src/api/single-request-upload.ts';
import type { Answer } from './service-client.ts';

export interface SingleRequest {
  readonly path?: '/api/v1/uploads' | '/api/v1/folders';
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of either route; only folders have `folder`. */
export type SingleRequestAnswer = Answer<CreatedFolder>;

export const sendForm = async (
  url: string,
  {
    path,
    key,
    form,
    headers,
  }: { path: string; key: string; form: FormData; headers?: Readonly<Record<string, string>> },
): Promise<SingleRequestAnswer> => {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  });
  const json = (await answer.json()) as CreatedFolder & Problem;
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: json, problem: json };
};

export const formOf = (
  bytes: Uint8Array,
  filename: string,
  fields: Readonly<Record<string, string>> = {},
): FormData => {
  const form = new FormData();
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), filename);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

export const sendFile = (url: string, request: SingleRequest): Promise<SingleRequestAnswer> => {
  const { path = '/api/v1/uploads', key, bytes, filename = 'picture.png', fields, idempotencyKey, headers } = request;
  return sendForm(url, {
    path,
    key,
    form: formOf(bytes, filename, fields),
    headers: { ...headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
  });
};
