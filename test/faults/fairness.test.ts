/** An account that sends the most expensive known images, videos, folders and notes does not slow down others. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../support/folder/forge-zip.ts';
import { hostileCode } from '../support/hostile-texts.ts';
import { goodWebm, image } from '../support/media/media.ts';
import { interlacedPng, manyScansJpeg } from '../support/media/worst-files.ts';
import { browser } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask, uploader } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';

const PLENTY = 1_000_000;
const limits = { requestsPerMinute: PLENTY, uploadRequestsPerMinute: PLENTY, guestRequestsPerMinute: PLENTY };
const PICTURES = 5;
const NOTES = 4;

describe('One account among others', () => {
  let server: RunningServer;
  let attacker: User;
  let other: User;
  beforeAll(async () => {
    server = await startServer({ config: { limits, rendering: { secondsAtFirst: 5, seconds: 5 } } });
    attacker = await server.user();
    other = await server.user();
  });
  afterAll(() => server.stop());

  const note = async (user: User, body: Readonly<Record<string, string>>): Promise<string> => {
    const path = '/api/v1/pastes';
    const answer = await ask<{ id: string }>(server.url, { method: 'POST', path, key: user.apiKey, body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  };

  it('publishes a picture and opens a note at the server while another account sends the most expensive files', async () => {
    const slow = interlacedPng(5_000, 4_000);
    const small = await readFile(await image('png'));
    let answered = 0;
    const api = uploader(server.url, attacker);
    const sent: string[] = [];
    while (sent.length < PICTURES) sent.push(await api.send(slow));
    const film = await api.send(await readFile(await goodWebm()));
    const notes = await Promise.all(
      Array.from({ length: NOTES }, (_, index) =>
        note(attacker, { text: hostileCode(index), format: 'code', language: 'csharp' }),
      ),
    );
    const complete = async (id: string): Promise<number> => {
      const { status } = await api.complete(id, randomUUID());
      answered += 1;
      return status;
    };
    const pictures = sent.map(complete);
    const opened = notes.map((id) => browser(server).page(id));
    const bytes = zipOf({ 'a.txt': 'x'.repeat(500_000) });
    const folder = sendFile(server.url, { path: '/api/v1/folders', key: attacker.apiKey, bytes, filename: 'a.zip' });
    const filmed = api.complete(film, randomUUID());

    const published = await uploader(server.url, other).publish(small, {});
    expect(published.status).toBe(200);
    // One behind the other, it would have been the last.
    expect(answered).toBeLessThan(PICTURES);
    const id = await note(other, { text: '**bold**', format: 'markdown' });
    expect((await browser(server).page(id)).body).toContain('<strong>bold</strong>');

    expect(new Set(await Promise.all(pictures))).toEqual(new Set([200]));
    expect((await folder).status).toBe(201);
    expect((await filmed).status).toBe(200);
    for (const page of await Promise.all(opened)) expect(page.status).toBe(200);
  });

  it('gets an error for a picture of thousands of scans, damaged or too complex, and nothing of it is stored', async () => {
    const { status, problem } = await uploader(server.url, attacker).publish(manyScansJpeg(6_320, 14_000), {});
    expect(status).toBe(400);
    expect(problem).toMatchObject({
      code: 'UPLOAD_FORMAT_UNSUPPORTED',
      detail: expect.stringContaining('too complex'),
    });
  });
});
