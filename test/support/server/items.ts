/** Publishes items on a test server and reads them as their owner, as another account, or as a browser. */
import { readFile } from 'node:fs/promises';
import type { Content } from '../../../src/api/content.ts';
import { eventually } from '../eventually.ts';
import { image } from '../media/media.ts';
import { PATIENCE_MS } from '../poll-timeouts.ts';
import type { RunningServer, User } from './server.ts';
import { type Answer, type Ask, ask, uploader } from './service-client.ts';
import { changeData, queryData } from './stored-bytes.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const publish = async (server: RunningServer, user: User, fields: Fields = {}, bytes?: Uint8Array) => {
  const answer = await uploader(server.url, user).publish(bytes ?? (await readFile(await image('png'))), fields);
  if (answer.body.content == null) throw new Error(`publish: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.content;
};

export const change = (server: RunningServer, user: User, id: string, body: Fields): Promise<Answer<Content>> =>
  ask<Content>(server.url, { method: 'PATCH', path: `/api/v1/content/${id}`, key: user.apiKey, body });

export const read = (server: RunningServer, user: User, id: string): Promise<Answer<Content>> =>
  ask<Content>(server.url, { path: `/api/v1/content/${id}`, key: user.apiKey });

export const remove = (server: RunningServer, user: User, id: string): Promise<Answer<unknown>> =>
  ask(server.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: user.apiKey });

/** Waits until a video is READY, within the normal request budget. */
export const ready = async (server: RunningServer, user: User, id: string): Promise<Content> => {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = 200; performance.now() < end; pause = Math.min(2_000, pause * 1.2)) {
    const { body } = await read(server, user, id);
    if (body.mediaStatus === 'READY') return body;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`The video ${id} never became READY.`);
};

/** The header Cookie of a browser that has got these answers, in this order. */
export const cookiesAfter = (...answers: readonly Pick<Answer<unknown>, 'headers'>[]): string => {
  const jar = new Map<string, string>();
  for (const { headers } of answers)
    for (const set of [headers['set-cookie'] ?? []].flat()) {
      const cookie = set.split(';')[0] ?? '';
      jar.set(cookie.split('=')[0] ?? '', cookie);
    }
  return [...jar.values()].join('; ');
};

/** A browser, reduced to cookies. */
export const browser = (server: RunningServer) => {
  const answers: Answer<unknown>[] = [];
  const cookies = () => cookiesAfter(...answers);
  const send = async <T = unknown>(question: Ask): Promise<Answer<T>> => {
    const cookie = cookies();
    const headers = { ...(cookie !== '' && { cookie }), ...question.headers };
    const answer = await ask<T>(server.url, { ...question, headers });
    if (answer.headers['set-cookie'] !== undefined) answers.push(answer);
    return answer;
  };
  return {
    send,
    cookie: cookies,
    open: (id: string, password?: string) =>
      send<Content>({
        method: 'POST',
        path: `/api/share/${id}/open`,
        ...(password !== undefined && { body: { password } }),
      }),
    page: (id: string) => send<string>({ path: `/s/${id}` }),
    media: (id: string, headers: Record<string, string> = {}) => send<string>({ path: `/api/media/${id}`, headers }),
  };
};

/**
 * Makes an item one that is still being processed, once its own preview is made: by another node, or the server would take it
 * up itself with its next job.
 */
export const keepProcessing = async (server: Pick<RunningServer, 'data'>, id: string): Promise<void> => {
  await eventually(async () => {
    const waiting = await queryData(server.data, 'SELECT id FROM content WHERE id = ? AND previewWanted = 1', id);
    if (waiting.length > 0) throw new Error(`${id} waits for its preview.`);
  });
  await changeData(
    server.data,
    "UPDATE content SET mediaStatus = 'PROCESSING', jobBy = 'another node', jobUntil = ? WHERE id = ?",
    Number.MAX_SAFE_INTEGER,
    id,
  );
};

/** Changes rows directly in the database, for states that only an operator or time can cause. */
export const editRow = (
  server: Pick<RunningServer, 'data'>,
  sql: string,
  ...values: readonly (string | number | null)[]
): Promise<void> => changeData(server.data, sql, ...values);
