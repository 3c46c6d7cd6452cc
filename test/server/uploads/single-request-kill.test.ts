/**
 * SIGKILL of a real server during single-request uploads of files and folders: a repeat with the same key publishes
 * exactly once.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { lengthOf, seedOf } from '../../support/campaign.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { isWindows } from '../../support/only-on.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type ServerProcess, serverCommand, startServerProcess } from '../../support/server/server.ts';
import { type SingleRequest, sendFile } from '../../support/server/single-request-upload.ts';
import { objectFiles, ownedObjects, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILES = lengthOf('WHOLE_FILES', { short: 4, long: 6 });
/** After so many kills the file is uploaded without kills, so that every file completes. */
const KILLS_OF_ONE = lengthOf('WHOLE_FILE_KILLS', { short: 1, long: 3 });
const SEED = seedOf(11);
const random = seededRandom(SEED);

it(`every file that was sent with a key is there once (seed ${SEED})`, async () => {
  const data = join(temporaryFolder('kill-whole'), 'data');
  const config = { ...ANY_BITRATE, limits: { requestsPerMinute: 100_000 } };
  await serverCommand('account', 'add', 'k', '--plan', 'free', '--data', data);
  const { apiKey: key = '' } = await serverCommand(
    ...['key', 'add', '--account', 'k', '--scopes', 'content:write', '--data', data],
  );
  let service: ServerProcess = await startServerProcess(data, { config });
  let kills = 0;

  const carry = async (request: SingleRequest): Promise<string> => {
    for (let round = 0; ; round += 1) {
      const sent = sendFile(service.url, request).catch(() => undefined);
      if (round < KILLS_OF_ONE) {
        await new Promise((resolve) => setTimeout(resolve, random() * 500));
        await service.end('SIGKILL');
        kills += 1;
        service = await startServerProcess(data, { config });
      }
      const answer = await sent;
      if (answer?.status === 201) return answer.body.id;
    }
  };

  const ids = new Set<string>();
  try {
    for (let file = 0; file < FILES; file += 1) {
      const folder = zipOf({ 'a.txt': randomUUID(), 'b/c.txt': 'x'.repeat(100_000) });
      ids.add(
        await carry(
          file % 2 === 0
            ? { key, bytes: await mp4Bytes((1 + file) * 1024 ** 2), idempotencyKey: randomUUID() }
            : { key, path: '/api/v1/folders', filename: 'a.zip', bytes: folder, idempotencyKey: randomUUID() },
        ),
      );
    }
  } finally {
    await service.end('SIGKILL');
  }

  expect(kills).toBeGreaterThanOrEqual(FILES);
  const items = await queryData<{ id: string; size: number }>(data, 'SELECT id, size FROM content');
  expect(items.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const [account] = await queryData<{ storageUsed: number }>(data, 'SELECT storageUsed FROM accounts');
  expect(account?.storageUsed).toBe(items.reduce((sum, { size }) => sum + size, 0));

  // Another start sweeps what the kills left behind.
  service = await startServerProcess(data, { config });
  const strays = async () => ({ held: await objectFiles(data), owned: await ownedObjects(data) });
  await expect.poll(strays).toSatisfy(({ held, owned }) => isDeepStrictEqual(held, owned));
  expect((await ownedObjects(data)).permanent.length).toBeGreaterThanOrEqual(FILES);
  // On Windows a signal ends it at once.
  expect(await service.end('SIGTERM')).toBe(isWindows ? null : 0);
});
