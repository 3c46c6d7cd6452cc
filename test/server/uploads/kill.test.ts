/**
 * SIGKILL of a real server at random moments: acknowledged parts survive, no item is duplicated, no bytes are wrong.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { ResumableUpload } from '../../../src/api/resumable-upload.ts';
import { lengthOf, seedOf } from '../../support/campaign.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { isWindows } from '../../support/only-on.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type ServerProcess, serverCommand, startServerProcess } from '../../support/server/server.ts';
import { type Answer, partsOf, uploader } from '../../support/server/service-client.ts';
import { objectFiles, ownedObjects, queryData, storedBytes } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const FILES = lengthOf('KILLED_FILES', { short: 2, long: 6 });
/** After so many kills a file is uploaded without kills, so that every file completes. */
const KILLS_OF_ONE = lengthOf('PART_KILLS', { short: 2, long: 3 });
const SEED = seedOf(7);
const random = seededRandom(SEED);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Undefined when the server was killed before it replied. */
const attempt = (request: Promise<Answer>): Promise<Answer | undefined> => request.catch(() => undefined);

it(`every acknowledged part survives and every file is published once (seed ${SEED})`, async () => {
  const data = join(temporaryFolder('kill'), 'data');
  const config = { ...ANY_BITRATE, limits: { uploadRequestsPerMinute: 100_000, partsPerMinute: 100_000 } };
  const { id: accountId } = await serverCommand('account', 'add', 'k', '--plan', 'free', '--data', data);
  const { apiKey } = await serverCommand(
    ...['key', 'add', '--account', 'k', '--scopes', 'content:write', '--data', data],
  );
  const user = { accountId: accountId as never, apiKey: apiKey ?? '' };

  let service: ServerProcess = await startServerProcess(data, { config });
  let kills = 0;
  const restart = async (): Promise<void> => {
    await service.end('SIGKILL');
    kills += 1;
    service = await startServerProcess(data, { config });
  };
  const api = () => uploader(service.url, user);

  /** Uploads one file from start to item while the server is killed at random moments. */
  const carry = async (bytes: Buffer): Promise<ResumableUpload> => {
    const parts = partsOf(bytes);
    const idempotencyKey = randomUUID();
    const completeKey = randomUUID();
    const acknowledged = new Set<number>();
    for (let round = 0; ; round += 1) {
      const killing =
        round < KILLS_OF_ONE ? new Promise((resolve) => setTimeout(resolve, random() * 120)).then(restart) : null;
      const started = await attempt(api().start(bytes, { idempotencyKey }));
      const id = started?.body.id;
      if (id !== undefined && started?.body.state === 'UPLOADING') {
        for (const index of acknowledged) expect(started.body.received).toContain(index);
        const missing = [...parts.keys()].filter((index) => !started.body.received.includes(index));
        const sent = await Promise.all(
          [...missing]
            .slice(0, 3)
            .map(async (index) => [index, await attempt(api().part(id, index, parts[index] as Buffer))] as const),
        );
        for (const [index, answer] of sent) if (answer?.status === 200) acknowledged.add(index);
      }
      const done = id === undefined ? undefined : await attempt(api().complete(id, completeKey));
      await killing;
      if (done?.status === 200) return done.body;
    }
  };

  const contents = new Map<string, string>();
  try {
    for (let file = 0; file < FILES; file += 1) {
      const bytes = await mp4Bytes((1 + 2 * file) * MIB + 12_345);
      const upload = await carry(bytes);
      expect((await api().status(upload.id)).body.content?.id).toBe(upload.content?.id);
      expect(sha256(await storedBytes(data, upload.id))).toBe(sha256(bytes));
      contents.set(upload.content?.id ?? '', upload.id);
    }
  } finally {
    await service.end('SIGKILL');
  }

  expect(kills).toBeGreaterThanOrEqual(FILES);
  const items = await queryData<{ id: string; size: number }>(data, 'SELECT id, size FROM content');
  expect(items.map(({ id }) => id).sort()).toEqual([...contents.keys()].sort());
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
