/**
 * States of an upload over time (API decisions 1, "States"): cancellation, expiry, a full disk, and recovery after a
 * stop.
 */
import { randomUUID } from 'node:crypto';
import fs, { copyFileSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentId, UploadId } from '../../../src/api/ids.ts';
import { uploadStore } from '../../../src/server/uploads/upload-store.ts';
import { ENGINES, openRecordsOf } from '../../support/engines/engines.ts';
import { describeAbout, itAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { partsOf, uploader } from '../../support/server/service-client.ts';
import { changeData, objectFiles, queryData, readObject, storedBytes } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const DAY = 86_400_000;

/** A clock that the test controls. */
const movable = () => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (ms: number) => {
      ahead += ms;
    },
  };
};

const clock = movable();
let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ clock, config: { ...ANY_BITRATE, limits: { uploadRequestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());

const objectOf = async (id: string): Promise<string> =>
  (await queryData<{ objectId: string }>(service.data, 'SELECT objectId FROM uploads WHERE id = ?', id))[0]?.objectId ??
  '';

describe('cancelling', () => {
  it('is 204, also when repeated; the upload is CANCELLED and its bytes go', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await mp4Bytes(5 * MIB);
    const { body } = await api.start(bytes);
    await api.part(body.id, 0, partsOf(bytes)[0] as Buffer);
    const object = await objectOf(body.id);
    expect((await objectFiles(service.data)).staged).toContain(object);
    expect((await api.cancel(body.id)).status).toBe(204);
    expect((await api.cancel(body.id)).status).toBe(204);
    expect((await api.status(body.id)).body.state).toBe('CANCELLED');
    await expect.poll(async () => (await objectFiles(service.data)).staged).not.toContain(object);
    expect((await api.part(body.id, 1, partsOf(bytes)[1] as Buffer)).problem.code).toBe('UPLOAD_GONE');
    expect((await api.complete(body.id, randomUUID())).status).toBe(410);
  });

  it('after completion is 409: the item is deleted instead', async () => {
    const api = uploader(service.url, await service.user());
    const { body } = await api.publish(await pngBytes());
    const answer = await api.cancel(body.id);
    expect([answer.status, answer.problem.code]).toEqual([409, 'COMPLETE_CONFLICT']);
    expect((await api.status(body.id)).body.state).toBe('COMPLETED');
  });

  it('of an unknown upload or that of another account is 404', async () => {
    const { body } = await uploader(service.url, await service.user()).start(await pngBytes());
    const stranger = uploader(service.url, await service.user());
    expect((await stranger.cancel(body.id)).status).toBe(404);
    expect((await stranger.cancel(randomUUID())).status).toBe(404);
    expect((await stranger.status(body.id)).status).toBe(404);
  });
});

describe('24 hours', () => {
  it('turn a pending upload EXPIRED: parts and completion are 410, its bytes go, its place is free', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push((await api.start(await pngBytes())).body.id);
    const id = ids[0] ?? '';
    const object = await objectOf(id);
    clock.advance(DAY + 1_000);
    expect((await api.status(id)).body.state).toBe('EXPIRED');
    expect((await api.part(id, 0, bytes)).problem.code).toBe('UPLOAD_GONE');
    expect((await api.complete(id, randomUUID())).problem.code).toBe('UPLOAD_GONE');
    expect((await api.list()).body.items).toEqual([]);
    expect((await api.start(await pngBytes())).status).toBe(200);
    await expect.poll(async () => (await objectFiles(service.data)).staged).not.toContain(object);
  });

  it('leave a completed upload unchanged', async () => {
    const api = uploader(service.url, await service.user());
    const { body } = await api.publish(await pngBytes());
    clock.advance(2 * DAY);
    expect((await api.status(body.id)).body).toMatchObject({ state: 'COMPLETED', content: { id: body.content?.id } });
  });

  it('end an item that was to live a day: a repeat of its completion is 410, whatever its fields', async () => {
    const api = uploader(service.url, await service.user());
    const [id, key] = [await api.send(await pngBytes()), randomUUID()];
    const asked = { ttl: 'day', title: 'One' };
    expect((await api.complete(id, key, asked)).status).toBe(200);
    expect((await api.complete(id, key, { ...asked, title: 'Other' })).problem.code).toBe('COMPLETE_CONFLICT');
    clock.advance(DAY);
    for (const fields of [asked, { ...asked, title: 'Other' }])
      expect((await api.complete(id, key, fields)).problem.code).toBe('CONTENT_GONE');
  });
});

/** Makes every write of a part fail as on a full disk; returns a function that ends that. */
const fillDisk = (): (() => void) => {
  const { writev } = fs;
  const refuse = (...parameters: readonly unknown[]) => {
    const done = parameters.at(-1) as (error: Error) => void;
    done(Object.assign(new Error('ENOSPC: no space left on device, writev'), { code: 'ENOSPC' }));
  };
  const use = (one: unknown): void => {
    fs.writev = one as typeof writev;
    syncBuiltinESMExports();
  };
  use(refuse);
  return () => use(writev);
};

describeAbout('local files')('a full disk', () => {
  it('fault 22: is 503 UPLOAD_SERVER_BUSY with Retry-After, and the upload continues when there is space', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await mp4Bytes(3 * MIB);
    const parts = partsOf(bytes);
    const { body } = await api.start(bytes);
    const makeRoom = fillDisk();
    const full = await api.part(body.id, 1, parts[1] as Buffer).finally(makeRoom);
    expect([full.status, full.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    expect(Number(full.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await api.status(body.id)).body).toMatchObject({ state: 'UPLOADING', received: [], receivedBytes: 0 });

    expect((await api.part(body.id, 1, parts[1] as Buffer)).status).toBe(200);
    expect((await api.part(body.id, 0, parts[0] as Buffer)).status).toBe(200);
    expect((await api.complete(body.id, randomUUID())).body.state).toBe('COMPLETED');
    expect((await storedBytes(service.data, body.id)).equals(bytes)).toBe(true);
  });
});

describe('a new start of the server', () => {
  it('fault 8: finds every confirmed part, continues an interrupted completion, and removes orphans', async () => {
    const data = temporaryFolder('restart');
    const first = await startServer({ data, config: ANY_BITRATE });
    const user = await first.user();
    const bytes = await mp4Bytes(5 * MIB);
    const parts = partsOf(bytes);
    const id = await uploader(first.url, user).send(bytes);
    const half = (await uploader(first.url, user).start(await mp4Bytes(5 * MIB))).body.id;
    await first.stop();

    await changeData(data, `UPDATE uploads SET state = 'COMPLETING' WHERE id = ?`, id);
    const orphan = randomUUID();
    // Only SQLite may lose a row in a power cut: elsewhere each file has one.
    const mayBeOrphan = ENGINES.records === 'sqlite' && ENGINES.objects === 'files';
    if (mayBeOrphan) symlinkSync('/dev/null', join(data, 'objects/staged', orphan));

    const second = await startServer({ data, config: ANY_BITRATE });
    try {
      const api = uploader(second.url, user);
      expect((await api.status(id)).body).toMatchObject({ state: 'UPLOADING', received: [0, 1, 2] });
      expect((await api.complete(id, randomUUID())).body.state).toBe('COMPLETED');
      expect((await storedBytes(data, id)).equals(bytes)).toBe(true);
      expect((await api.status(half)).body).toMatchObject({ state: 'UPLOADING', received: [] });
      expect((await api.part(half, 1, parts[1] as Buffer)).status).toBe(400);
      await expect.poll(async () => (await objectFiles(data)).staged).not.toContain(orphan);
    } finally {
      await second.stop();
    }
  });

  itAbout('SQLite', 'local files')(
    'on a backup takes the parts that its database lacks, of an upload that was completed before its files were copied',
    async () => {
      const original = await startServer({ config: ANY_BITRATE });
      const user = await original.user({ plan: 'pro' });
      const published = await mp4Bytes(MIB);
      const bytes = await mp4Bytes(5 * MIB);
      const parts = partsOf(bytes);
      const api = uploader(original.url, user);
      const itemId = (await api.publish(published)).body.content?.id ?? '';
      const { id } = (await api.start(bytes)).body;
      for (const index of [0, 1]) expect((await api.part(id, index, parts[index] ?? bytes)).status).toBe(200);
      const backup = join(temporaryFolder('backup'), 'data');
      cpSync(join(original.data, 'objects'), join(backup, 'objects'), {
        recursive: true,
        filter: (path) => basename(dirname(path)) !== 'staged',
      });
      const database = new Database(join(original.data, 'linkshot.sqlite'), { readonly: true });
      await database.backup(join(backup, 'linkshot.sqlite'));
      database.close();
      expect((await api.part(id, 2, parts[2] ?? bytes)).status).toBe(200);
      expect((await api.complete(id, randomUUID())).status).toBe(200);
      cpSync(join(original.data, 'objects'), join(backup, 'objects'), { recursive: true });
      copyFileSync(`${original.data}.key`, `${backup}.key`);
      await original.stop();

      const restored = await startServer({ data: backup, config: ANY_BITRATE });
      try {
        const again = uploader(restored.url, user);
        expect((await again.status(id)).body).toMatchObject({ state: 'UPLOADING', receivedBytes: 4 * MIB });
        expect((await again.part(id, 2, parts[2] ?? bytes)).status).toBe(200);
        expect((await again.complete(id, randomUUID())).status).toBe(200);
        const objects = await queryData<{ id: string; objectId: string }>(
          backup,
          'SELECT id, objectId FROM content ORDER BY seq',
        );
        expect(objects[0]?.id).toBe(itemId);
        for (const [at, whole] of [published, bytes].entries())
          expect((await readObject(backup, objects[at]?.objectId ?? '')).equals(whole)).toBe(true);
      } finally {
        await restored.stop();
      }
    },
  );

  it('leaves the completion of another node alone until its lease ends, and fences that node off', async () => {
    const data = temporaryFolder('leases');
    const server = await startServer({ data, config: ANY_BITRATE });
    try {
      const user = await server.user();
      const api = uploader(server.url, user);
      const id = await api.send(await mp4Bytes(5 * MIB));
      const lend = (until: number): Promise<void> =>
        changeData(
          data,
          `UPDATE uploads SET state = 'COMPLETING', lease = 'other:1', leaseUntil = ? WHERE id = ?`,
          until,
          id,
        );
      await lend(Date.now() + 600_000);
      expect((await api.cancel(id)).status).toBe(409);
      const records = await openRecordsOf(data);
      const late = records.transaction((tx) =>
        uploadStore(tx).complete(id as UploadId, 'item' as ContentId, 'other:0', Date.now()),
      );
      await expect(late).rejects.toThrow('Another server completes this upload');
      await records.close();
      let isOver = false;
      const completion = api.complete(id, randomUUID()).finally(() => {
        isOver = true;
      });
      await api.status(id);
      await api.status(id);
      expect(isOver).toBe(false);
      expect((await api.status(id)).body.state).toBe('COMPLETING');
      await lend(Date.now() - 1);
      expect((await completion).body.state).toBe('COMPLETED');
    } finally {
      await server.stop();
    }
  });

  it('reopens what a node completed that ended and does not return, also for a cancellation before that', async () => {
    const data = temporaryFolder('lost-leases');
    const first = await startServer({ data, config: ANY_BITRATE });
    const user = await first.user();
    const lend = (id: string, until: number): Promise<void> =>
      changeData(
        data,
        `UPDATE uploads SET state = 'COMPLETING', lease = 'gone:1', leaseUntil = ? WHERE id = ?`,
        until,
        id,
      );
    const before = uploader(first.url, user);
    const [cancelled, kept, running, ahead] = await Promise.all(
      [1, 2, 3, 4].map(async () => (await before.start(await mp4Bytes(5 * MIB))).body.id),
    );
    if (cancelled === undefined || kept === undefined || running === undefined || ahead === undefined)
      throw new Error('Nothing was started.');
    // Another node may take over at the end of the lease; the first one may only be late.
    await lend(cancelled, Date.now() - 1_000);
    expect((await before.cancel(cancelled)).problem.code).toBe('COMPLETE_CONFLICT');
    await lend(cancelled, Date.now() - 60_000);
    expect((await before.cancel(cancelled)).status).toBe(204);
    expect((await before.status(cancelled)).body.state).toBe('CANCELLED');
    await first.stop();
    await lend(kept, Date.now() - 60_000);
    await lend(running, Date.now() + 600_000);
    // The clock was set back since.
    await lend(ahead, Date.now() + 24 * 3_600_000);
    const second = await startServer({ data, config: ANY_BITRATE });
    try {
      const api = uploader(second.url, user);
      expect((await api.status(kept)).body.state).toBe('UPLOADING');
      expect((await api.cancel(kept)).status).toBe(204);
      expect((await api.status(running)).body.state).toBe('COMPLETING');
      expect((await api.status(ahead)).body.state).toBe('UPLOADING');
    } finally {
      await second.stop();
    }
  });

  it('is not needed to cancel what a failed completion of this node could not reopen', async () => {
    const data = temporaryFolder('own-lost-lease');
    const server = await startServer({ data, config: ANY_BITRATE });
    try {
      const api = uploader(server.url, await server.user());
      const { id } = (await api.start(await mp4Bytes(5 * MIB))).body;
      const lease = `${readFileSync(join(data, 'node-id'), 'utf8').trim()}:1`;
      const lend = (until: number): Promise<void> =>
        changeData(
          data,
          `UPDATE uploads SET state = 'COMPLETING', lease = ?, leaseUntil = ? WHERE id = ?`,
          lease,
          until,
          id,
        );
      // A completion that runs may be late with one renewal.
      await lend(Date.now() - 1_000);
      expect((await api.cancel(id)).problem.code).toBe('COMPLETE_CONFLICT');
      await lend(Date.now() - 60_000);
      expect((await api.cancel(id)).status).toBe(204);
      expect((await api.status(id)).body.state).toBe('CANCELLED');
    } finally {
      await server.stop();
    }
  });

  it('is refused while another server runs on the folder', async () => {
    await expect(startServer({ data: service.data })).rejects.toThrow('Another server is running on this data folder');
  });
});
