/** The master key is replaced without changing a stored file, also for the files of an earlier version. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { rotateKeys } from '../../../src/server/operations/rotate-keys.ts';
import { ENGINES, readS3, s3KeysOf, withEngines } from '../../support/engines/engines.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type RunningServer, serverCommand, startServer, type User } from '../../support/server/server.ts';
import { uploader } from '../../support/server/service-client.ts';
import { changeData, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const newKey = (): string => randomBytes(32).toString('base64url');
/** Nodes on one database may each have an empty folder, so there the records say which keys are needed. */
const OTHER_KEY =
  ENGINES.records === 'sqlite'
    ? 'is not the one that this data folder was encrypted with'
    : /Stored files need the master key [0-9a-f]{32}, which is not configured/;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
let running: RunningServer | null = null;
afterEach(async () => await running?.stop());

const start = async (data: string, keyText: string): Promise<RunningServer> => {
  await running?.stop();
  running = null;
  running = await startServer({ data, keyText, config: ANY_BITRATE });
  return running;
};

const publish = async (service: RunningServer, user: User) => {
  const bytes = await mp4Bytes(3 * 1024 * 1024);
  const { body } = await uploader(service.url, user).publish(bytes);
  await expect.poll(() => queryData(service.data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  return { id: body.content?.id ?? '', bytes };
};

const expectServed = async (
  service: RunningServer,
  user: User,
  item: { readonly id: string; readonly bytes: Buffer },
) => {
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const media = await fetch(`${service.url}/api/media/${item.id}`, { headers });
  expect(media.status).toBe(200);
  expect(Buffer.from(await media.arrayBuffer()).equals(item.bytes)).toBe(true);
};

/** SHA-256 of all stored files or chunks by path. */
const storedFiles = async (data: string) => {
  if (ENGINES.objects === 's3') {
    const keys = (await s3KeysOf(data)).filter((key) => !key.startsWith('probe/')).toSorted();
    return await Promise.all(keys.map(async (key) => [key, sha256(await readS3(data, key))]));
  }
  return readdirSync(join(data, 'objects/permanent'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, sha256(readFileSync(path))]);
};

it('rotates while the server runs, and afterwards the new key alone opens everything', async () => {
  const data = temporaryFolder('rotate');
  const [old, next] = [newKey(), newKey()];
  const both = `${next},${old}`;
  let service = await start(data, old);
  const user = await service.user();
  const early = await publish(service, user);
  await service.stop();
  // As an earlier version has left it: without the key in the row.
  await changeData(
    data,
    'UPDATE objects SET keyId = NULL, wrappedKey = NULL WHERE id = (SELECT objectId FROM content LIMIT 1)',
  );
  const config = parseConfig(await withEngines(data, {}));

  await expect(rotateKeys({ data, config, keyText: both })).rejects.toThrow(
    'No server has been started with the new key',
  );
  service = await start(data, both);
  const late = await publish(service, user);
  const before = await storedFiles(data);
  expect(before.length).toBeGreaterThanOrEqual(2);
  const first = await rotateKeys({ data, config, keyText: both });
  expect(first).toMatchObject({ done: true, left: 0 });
  expect(first.rotated).toBeGreaterThanOrEqual(1);
  expect(await rotateKeys({ data, config, keyText: both })).toMatchObject({ done: true, rotated: 0, left: 0 });
  for (const item of [early, late]) await expectServed(service, user, item);
  expect(await storedFiles(data)).toEqual(before);

  service = await start(data, next);
  for (const item of [early, late]) await expectServed(service, user, item);
  await service.stop();
  running = null;
  await expect(start(data, old)).rejects.toThrow(OTHER_KEY);
});

it('does not start without a key that something stored needs, before the rotation', async () => {
  const data = temporaryFolder('rotate');
  const [old, next] = [newKey(), newKey()];
  const first = await start(data, old);
  const user = await first.user();
  const early = await publish(first, user);
  const second = await start(data, `${next},${old}`);
  const late = await publish(second, user);
  await second.stop();
  running = null;
  await expect(start(data, old)).rejects.toThrow(
    /Stored files need the master key [0-9a-f]{32}, which is not configured/,
  );
  await expect(start(data, next)).rejects.toThrow(OTHER_KEY);
  const third = await start(data, `${old},${next}`);
  for (const item of [early, late]) await expectServed(third, user, item);
});

it('makes no key of its own where no server has been started', async () => {
  const data = temporaryFolder('rotate-fresh');
  await serverCommand('account', 'add', 'early', '--plan', 'free', '--data', data);
  const config = parseConfig(await withEngines(data, {}));
  await expect(rotateKeys({ data, config, keyText: null })).rejects.toThrow('There is no master key here');
  expect(existsSync(`${data}.key`)).toBe(false);
});
