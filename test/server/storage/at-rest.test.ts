/** A stolen data folder contains no readable item content, with the server running or stopped. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HEADER_BYTES, SEGMENT_BYTES } from '../../../src/server/storage/sealed-format.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';

const data = mkdtempSync(join(tmpdir(), 'linkshot-at-rest-'));
let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ data, config: ANY_BITRATE });
});
afterAll(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
  rmSync(`${data}.key`, { force: true });
});

const files = (): string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Null: the running server has removed the file meanwhile, such as a staged preview. */
const ifThere = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Files of the data folder that contain `bytes` in plain form. */
const holders = (bytes: Buffer | string): string[] =>
  files().filter((path) => ifThere(() => readFileSync(path))?.includes(bytes) === true);

it('shows no byte of a note, a folder, an image or a video, staged or permanent', async () => {
  const user = await service.user({ plan: 'pro' });
  const marker = `marker-${randomUUID()}`;
  const note = await ask(service.url, {
    path: '/api/v1/pastes',
    method: 'POST',
    key: user.apiKey,
    body: { format: 'plain', text: `${'x'.repeat(200)} ${marker}`, title: 'A note' },
  });
  expect(note.status).toBe(201);

  const archive = zipOf({ 'read.me': `${marker} in a file`, 'b.txt': 'b' });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)]), 'code.zip');
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const folder = await fetch(`${service.url}/api/v1/folders`, { method: 'POST', headers, body: form });
  expect(folder.status).toBe(201);

  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123456' } })
    .withExif({ IFD0: { ImageDescription: marker } })
    .jpeg()
    .toBuffer();
  expect(picture.includes(marker)).toBe(true);
  const client = uploader(service.url, user);
  expect((await client.publish(picture)).status).toBe(200);
  const video = await mp4Bytes(5 * 1024 * 1024);
  video.write(marker, 1_000_000);
  const upload = (await client.start(video)).body.id;
  expect((await client.part(upload, 0, video.subarray(0, 2 * 1024 * 1024))).status).toBe(200);
  expect((await objectFiles(data)).staged).not.toEqual([]);

  const pieces = [marker, picture.subarray(-64), video.subarray(0, 64), 'read.me'];
  for (const piece of pieces) expect(holders(piece)).toEqual([]);
  await service.stop();
  for (const piece of pieces) expect(holders(piece)).toEqual([]);
  service = await startServer({ data, config: ANY_BITRATE });
});

it('holds no key that opens it, and all its files are for its owner alone', () => {
  const key = readFileSync(`${data}.key`, 'utf8').trim();
  expect(key).toHaveLength(43);
  expect(holders(key)).toEqual([]);
  expect(holders(Buffer.from(key, 'base64url'))).toEqual([]);
  const modes = files()
    .filter((file) => file.includes('/objects/'))
    .flatMap((path) => ifThere(() => statSync(path).mode & 0o777) ?? []);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

it('that was tampered with answers an error, or ends in the middle, and never gives wrong bytes', async () => {
  const user = await service.user({ plan: 'pro' });
  const noise = { width: 600, height: 600, channels: 3 } as const;
  const bytes = await sharp(randomBytes(600 * 600 * 3), { raw: noise })
    .png()
    .toBuffer();
  const content = (await uploader(service.url, user).publish(bytes)).body.content;
  const [row] = await queryData<{ objectId: string }>(data, 'SELECT objectId FROM content WHERE id = ?', content?.id);
  const path = join(data, 'objects/permanent', row?.objectId.slice(0, 2) ?? '', row?.objectId ?? '');
  const media = (range: string) =>
    fetch(`${service.url}/api/media/${content?.id}`, { headers: { authorization: `Bearer ${user.apiKey}`, range } });
  expect(Buffer.from(await (await media('bytes=0-')).arrayBuffer()).equals(bytes)).toBe(true);

  const file = readFileSync(path);
  file[HEADER_BYTES + 2 * SEGMENT_BYTES] = (file[HEADER_BYTES + 2 * SEGMENT_BYTES] ?? 0) ^ 1;
  writeFileSync(path, file);
  const first = await media(`bytes=0-${SEGMENT_BYTES - 1}`);
  expect(Buffer.from(await first.arrayBuffer()).equals(bytes.subarray(0, SEGMENT_BYTES))).toBe(true);
  await expect(media('bytes=0-').then((answer) => answer.arrayBuffer())).rejects.toThrow();
  const damaged = await media(`bytes=${SEGMENT_BYTES + 10}-`);
  expect([damaged.status, ((await damaged.json()) as { code: string }).code]).toEqual([500, 'INTERNAL']);
  expect(service.logged.join()).toContain('DamagedObjectError');
});
