/** Rules of the Content record that hold across its kinds. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { goodMp4, image } from '../support/media/media.ts';
import { movableClock } from '../support/movable-clock.ts';
import { change, read } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';

const DAY = 86_400_000;
const clock = movableClock();
let service: RunningServer;
let user: User;
beforeAll(async () => {
  service = await startServer({ clock });
  user = await service.user({ plan: 'pro' });
});
afterAll(() => service.stop());

const note = async (fields: Record<string, unknown> = {}): Promise<Content> => {
  const body = { text: 'a', format: 'code', language: 'json', ...fields };
  return (await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).body;
};

it('each kind of content has its type and mime, and fields of other kinds are null', async () => {
  const file = async (
    bytes: Buffer,
    filename: string,
    path: '/api/v1/uploads' | '/api/v1/folders' = '/api/v1/uploads',
  ) => (await sendFile(service.url, { key: user.apiKey, path, bytes, filename })).body;
  const noNote = { pasteFormat: null, pasteLanguage: null };
  expect(await file(await readFile(await image('png')), 'a.png')).toMatchObject({
    ...{
      type: 'IMAGE',
      mime: 'image/png',
      width: 320,
      height: 200,
      folderFiles: null,
      durationMs: null,
      videoCodec: null,
    },
    ...noNote,
  });
  expect(await file(await readFile(await goodMp4()), 'a.mp4')).toMatchObject({
    ...{
      type: 'VIDEO',
      mime: 'video/mp4',
      width: 320,
      height: 180,
      folderFiles: null,
      videoCodec: 'h264',
      hasAudio: true,
    },
    ...noNote,
  });
  expect(await file(zipOf({ 'a.txt': 'a', 'b.txt': 'b' }), 'a.zip', '/api/v1/folders')).toMatchObject({
    ...{ type: 'FOLDER', mime: 'application/zip', folderFiles: 2, width: null, height: null, durationMs: null },
    ...noNote,
  });
  expect(await note()).toMatchObject({
    ...{ type: 'PASTE', pasteFormat: 'code', pasteLanguage: 'json', folderFiles: null, width: null, videoCodec: null },
  });
});

it('a view limit is 1 to 1,000,000 or null, and anything else is 400', async () => {
  const { id } = await note();
  for (const viewLimit of [1, 1_000_000, null]) {
    expect((await change(service, user, id, { viewLimit })).body.viewLimit).toBe(viewLimit);
  }
  for (const viewLimit of [0, -1, 1_000_001, 1.5, '5']) {
    const refused = await change(service, user, id, { viewLimit });
    expect([refused.status, refused.problem.code]).toEqual([400, 'INVALID_INPUT']);
  }
  expect((await read(service, user, id)).body.viewLimit).toBeNull();
});

it('a month is 30 days, a week 7, a day 1, from the request on', async () => {
  const lifeOf = async (ttl: string): Promise<number | null> => {
    const { expiresAt } = await note({ ttl });
    return expiresAt == null ? null : (Date.parse(expiresAt) - clock.now()) / DAY;
  };
  expect(await lifeOf('month')).toBe(30);
  clock.advance(DAY / 2);
  expect([await lifeOf('week'), await lifeOf('day'), await lifeOf('forever')]).toEqual([7, 1, null]);
});
