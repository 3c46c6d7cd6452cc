/** An acknowledged part is never written again, however late a repeat arrives (API decisions 1). */
import { randomBytes, randomUUID } from 'node:crypto';
import fs, { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ResumableUpload } from '../../../src/api/resumable-upload.ts';
import { describeAbout, itAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { unless } from '../../support/only-on.ts';
import { holdBody } from '../../support/server/held-body.ts';
import { holdSyncs, remoteDisk } from '../../support/server/held-disk.ts';
import { sealedParts } from '../../support/server/sealed-parts.ts';
import {
  type RunningServer,
  type ServerProcess,
  serverCommand,
  startServer,
  startServerProcess,
  type User,
} from '../../support/server/server.ts';
import { partsOf, uploader } from '../../support/server/service-client.ts';
import { storedBytes } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const config = {
  ...ANY_BITRATE,
  limits: { partStallSeconds: 60, uploadRequestsPerMinute: 10_000, partsPerMinute: 10_000 },
};

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config });
});
afterAll(() => service.stop());

/** A request for a part that withholds its last byte. */
const openPart = (
  url: string,
  { apiKey }: Pick<User, 'apiKey'>,
  { id, index, bytes }: { readonly id: string; readonly index: number; readonly bytes: Uint8Array },
) =>
  holdBody<ResumableUpload & { readonly code?: string }>(url, `PUT /api/v1/uploads/resumable/${id}/parts/${index}`, {
    key: apiKey,
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });

/**
 * One request stores part 0 of a new upload, and its row is pending; another request for it has arrived meanwhile,
 * without its last byte.
 */
const twoRequests = async (size: number) => {
  const user = await service.user();
  const bytes = await mp4Bytes(size);
  const parts = partsOf(bytes);
  const [first] = parts as [Uint8Array];
  const api = uploader(service.url, user);
  const { body } = await api.start(bytes);
  const syncs = await holdSyncs();
  const older = api.part(body.id, 0, first);
  await expect.poll(syncs.held).toBe(1);
  const late = await openPart(service.url, user, { id: body.id, index: 0, bytes: first });
  return { api, bytes, parts, id: body.id, disk: await sealedParts(service.data, body.id), syncs, older, late };
};

/** How many open write handles this process has for files whose name contains `text`. */
const openForWriting = (text: string): number => {
  const isOpen = (fd: string): boolean => {
    try {
      const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
      return readlinkSync(`/proc/self/fd/${fd}`).includes(text) && (Number.parseInt(flags, 8) & 3) !== 0;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isOpen).length;
};

describeAbout('a store that waits on request')('a part that comes once more', () => {
  it('fault 45: after it was acknowledged is answered, and its bytes on the disk are unchanged', async () => {
    const { id, api, disk, syncs, older, late } = await twoRequests(5 * MIB);
    syncs.release();
    expect((await older).status).toBe(200);
    const acknowledged = await disk.part(0);
    const { status, body } = await late.finish();
    expect([status, body.received]).toEqual([200, [0]]);
    expect(await disk.part(0)).toBe(acknowledged);
    expect((await api.status(id)).body).toMatchObject({ received: [0], receivedBytes: 2 * MIB });
  });

  it('fault 45: after its upload was published is answered with the item, whose file is unchanged', async () => {
    const { id, api, bytes, parts, disk, syncs, older, late } = await twoRequests(5 * MIB);
    syncs.release();
    await older;
    for (const index of [1, 2]) await api.part(id, index, parts[index] as Uint8Array);
    const done = await api.complete(id, randomUUID());
    expect(done.body.state).toBe('COMPLETED');
    const published = await disk.whole();
    const { status, body } = await late.finish();
    expect([status, body.state, body.content?.id]).toEqual([200, 'COMPLETED', done.body.content?.id]);
    expect(await disk.whole()).toBe(published);
    expect((await storedBytes(service.data, id)).equals(bytes)).toBe(true);
  });

  it('waits for the request that is being stored, and is not written beside it', async () => {
    const { id, api, disk, syncs, older, late } = await twoRequests(5 * MIB);
    const stored = await disk.part(0);
    const finished = late.finish();
    // Another part shows that the server has had time to write: its own sync waits behind the first.
    await expect.poll(async () => (await api.status(id)).status).toBe(200);
    syncs.release();
    expect((await older).status).toBe(200);
    expect((await finished).status).toBe(200);
    expect(await disk.part(0)).toBe(stored);
  });

  itAbout('local files')('is stored when the request before it could not be', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(3 * MIB);
    const [first, second] = partsOf(bytes) as [Uint8Array, Uint8Array];
    const api = uploader(service.url, user);
    const { body } = await api.start(bytes);
    const { writev } = fs;
    const failing = Promise.withResolvers<(error: Error) => void>();
    const use = (one: unknown): void => {
      fs.writev = one as typeof writev;
      syncBuiltinESMExports();
    };
    onTestFinished(() => use(writev));
    use((...parameters: Parameters<typeof writev>) => {
      const [, buffers] = parameters;
      // A smaller write is of an earlier test.
      if (buffers.reduce((sum, { byteLength }) => sum + byteLength, 0) < first.length) return writev(...parameters);
      use(writev);
      failing.resolve(parameters.at(-1) as unknown as (error: Error) => void);
    });
    const older = api.part(body.id, 0, first);
    const fail = await failing.promise;
    const newer = await openPart(service.url, user, { id: body.id, index: 0, bytes: first });
    const finished = newer.finish();
    fail(Object.assign(new Error('ENOSPC: no space left on device, writev'), { code: 'ENOSPC' }));
    expect((await older).status).toBe(503);
    expect((await finished).status).toBe(200);
    await api.part(body.id, 1, second);
    expect((await api.complete(body.id, randomUUID())).body.state).toBe('COMPLETED');
    expect((await storedBytes(service.data, body.id)).equals(bytes)).toBe(true);
  });

  it('after its upload was cancelled is 410 UPLOAD_GONE', async () => {
    const { id, api, syncs, older, late } = await twoRequests(5 * MIB);
    expect((await api.cancel(id)).status).toBe(204);
    syncs.release();
    expect((await older).problem.code).toBe('UPLOAD_GONE');
    const { status, body } = await late.request.answer.then((answer) => ({ ...answer, body: JSON.parse(answer.body) }));
    expect([status, body.code]).toEqual([410, 'UPLOAD_GONE']);
  });

  it('with other bytes than those that were acknowledged is 400, and changes nothing', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(5 * MIB);
    const [first] = partsOf(bytes) as [Uint8Array];
    const api = uploader(service.url, user);
    const { body } = await api.start(bytes);
    const syncs = await holdSyncs();
    const older = api.part(body.id, 0, first);
    await expect.poll(syncs.held).toBe(1);
    const late = await openPart(service.url, user, { id: body.id, index: 0, bytes: randomBytes(first.length) });
    syncs.release();
    await older;
    const disk = await sealedParts(service.data, body.id);
    const acknowledged = await disk.part(0);
    const { status, body: problem } = await late.finish();
    expect([status, problem.code]).toEqual([400, 'UPLOAD_PART_MISMATCH']);
    expect(await disk.part(0)).toBe(acknowledged);
  });
});

describe.skipIf(process.platform !== 'linux')(`the file of an upload${unless('list of open files in /proc')}`, () => {
  itAbout('local files')('is open while a part of it is stored', async () => {
    const { disk, syncs, older } = await twoRequests(3 * MIB);
    expect(openForWriting(disk.objectId)).toBe(1);
    syncs.release();
    await older;
  });

  itAbout('local files')('is closed once the upload is published', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send(await mp4Bytes(3 * MIB));
    const { objectId } = await sealedParts(service.data, id);
    expect((await api.complete(id, randomUUID())).body.state).toBe('COMPLETED');
    expect(openForWriting(objectId)).toBe(0);
  });

  itAbout('local files')('is closed once the upload is cancelled', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send(await pngBytes());
    const { objectId } = await sealedParts(service.data, id);
    expect((await api.cancel(id)).status).toBe(204);
    await expect.poll(() => openForWriting(objectId)).toBe(0);
  });
});

itAbout('local files')(
  'fault 45: a late part and the death of the server leave acknowledged and published bytes intact',
  async () => {
    const data = join(temporaryFolder('late-part'), 'data');
    const { id: accountId } = await serverCommand('account', 'add', 'k', '--plan', 'free', '--data', data);
    const { apiKey } = await serverCommand('key', 'add', '--account', 'k', '--scopes', 'content:write', '--data', data);
    const user = { accountId: accountId as never, apiKey: apiKey ?? '' };
    const disk = remoteDisk(temporaryFolder('late-part-hook'));
    let server: ServerProcess = await startServerProcess(data, { config, nodeArgs: disk.nodeArgs });
    onTestFinished(async () => {
      await server.end('SIGKILL');
    });

    /** An upload of one acknowledged part, with a late request for it that lacks its last byte. */
    const acknowledged = async () => {
      const api = uploader(server.url, user);
      const bytes = await mp4Bytes(2 * MIB);
      const { body } = await api.start(bytes);
      disk.holdSyncs();
      const said = server.stderr().length;
      const older = api.part(body.id, 0, bytes);
      await expect.poll(() => server.stderr().slice(said)).toContain('sync held');
      const late = await openPart(server.url, user, { id: body.id, index: 0, bytes });
      disk.release();
      expect((await older).status).toBe(200);
      return { id: body.id, bytes, late, part: await (await sealedParts(data, body.id)).part(0) };
    };
    const published = await acknowledged();
    expect((await uploader(server.url, user).complete(published.id, randomUUID())).body.state).toBe('COMPLETED');
    const unpublished = await acknowledged();

    disk.tearWrites();
    const torn = expect.poll(server.stderr).toContain('write torn');
    torn.catch(() => {});
    await Promise.race([torn, Promise.all([published.late.finish(), unpublished.late.finish()])]);
    await server.end('SIGKILL');
    disk.release();

    server = await startServerProcess(data, { config, nodeArgs: disk.nodeArgs });
    for (const { id, part } of [published, unpublished]) expect(await (await sealedParts(data, id)).part(0)).toBe(part);
    expect((await uploader(server.url, user).complete(unpublished.id, randomUUID())).body.state).toBe('COMPLETED');
    for (const { id, bytes } of [published, unpublished])
      expect((await storedBytes(data, id)).equals(bytes)).toBe(true);
  },
);
