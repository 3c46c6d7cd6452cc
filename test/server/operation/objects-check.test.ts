/** `objects check` finds what is missing in the store and what is too much, in files and in S3. */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { openSqlite } from '../../../src/server/database/sqlite.ts';
import { checkObjects } from '../../../src/server/operations/check-objects.ts';
import { itAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, longPngBytes } from '../../support/media/sample-bytes.ts';
import { publish } from '../../support/server/items.ts';
import { type S3Double, startS3Double } from '../../support/server/s3-double.ts';
import { type ConfigFile, type RunningServer, serverCommand, startServer } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 ** 2;

let double: S3Double;
beforeAll(async () => {
  double = await startS3Double();
});
afterAll(() => double.close());

const fill = async (server: RunningServer): Promise<readonly string[]> => {
  const user = await server.user({ plan: 'pro' });
  for (const size of [3 * MIB, 80_000]) await publish(server, user, {}, await longPngBytes(size));
  await expect.poll(() => queryData(server.data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  return (await queryData<{ id: string }>(server.data, 'SELECT objectId AS id FROM content ORDER BY seq')).map(
    ({ id }) => id,
  );
};

const check = (data: string, config: ConfigFile, deleteOrphans = false) =>
  checkObjects({ data, config: parseConfig(config), deleteOrphans, log: () => {} });

describe('objects check', () => {
  it('compares files with their rows beside a running server, and removes orphans only when asked', async () => {
    const server = await startServer({ config: ANY_BITRATE });
    const { data } = server;
    try {
      const [large = '', small = ''] = await fill(server);
      const pathOf = (id: string): string => join(data, 'objects/permanent', id.slice(0, 2), id);
      const whole = await check(data, ANY_BITRATE);
      expect(whole).toMatchObject({ ok: true, missing: { count: 0 }, orphans: { count: 0 }, removed: 0 });
      expect(whole.objects).toBeGreaterThanOrEqual(2);
      const { ok } = await serverCommand('objects', 'check', '--data', data);
      expect(ok).toBe(true);

      const orphan = randomUUID();
      mkdirSync(dirname(pathOf(orphan)), { recursive: true });
      writeFileSync(pathOf(orphan), 'abandoned');
      rmSync(pathOf(small));
      truncateSync(pathOf(large), 1_000);
      const broken = await check(data, ANY_BITRATE);
      expect(broken).toMatchObject({
        ok: false,
        missing: { count: 2, ids: [large, small].sort() },
        orphans: { count: 1, ids: [orphan], bytes: 9 },
        removed: 0,
      });
      expect(await check(data, ANY_BITRATE, true)).toMatchObject({ ok: false, removed: 1 });
      expect(await check(data, ANY_BITRATE)).toMatchObject({ missing: { count: 2 }, orphans: { count: 0 } });
      await expect(serverCommand('objects', 'check', '--data', data)).rejects.toMatchObject({ code: 1 });
    } finally {
      await server.stop();
    }
  });

  it('compares an S3 store with the rows, and leaves the keys of other programs alone', async () => {
    const config = { ...ANY_BITRATE, objects: { s3: { ...double.settings, prefix: '' } } };
    const server = await startServer({ config });
    const { data } = server;
    try {
      const [large = '', small = ''] = await fill(server);
      expect(await check(data, config)).toMatchObject({ ok: true, missing: { count: 0 }, orphans: { count: 0 } });

      const orphans = Array.from({ length: 150 }, () => randomUUID()).sort();
      for (const id of orphans) for (const chunk of [0, 1]) double.objects.set(`${id}/${chunk}`, Buffer.alloc(10));
      double.objects.set('backups/2026', Buffer.from('of another program'));
      double.objects.delete(`${large}/1`);
      double.objects.set(`${small}/0`, Buffer.alloc(7));
      const broken = await check(data, config);
      expect(broken).toMatchObject({
        ok: false,
        missing: { count: 2, ids: [large, small].sort() },
        orphans: { count: 150, ids: orphans.slice(0, 100), bytes: 3_000 },
        removed: 0,
      });
      expect(await check(data, config, true)).toMatchObject({ missing: { count: 2 }, removed: 150 });
      expect(await check(data, config)).toMatchObject({ missing: { count: 2 }, orphans: { count: 0 } });
      expect(double.objects.has('backups/2026')).toBe(true);
    } finally {
      await server.stop();
    }
  });

  it('counts no object as an orphan that a server is deleting', async () => {
    const config = { ...ANY_BITRATE, objects: { s3: { ...double.settings, prefix: 'deleting' } } };
    const server = await startServer({ config });
    try {
      await fill(server);
      // It was listed before its last chunk was deleted, and looked up after its row was.
      const key = `deleting/${randomUUID()}/0`;
      double.objects.set(key, Buffer.alloc(10));
      let listings = 0;
      double.fault((method, asked) => {
        if (method === 'GET' && asked === '' && ++listings === 2) double.objects.delete(key);
        return null;
      });
      expect(await check(server.data, config)).toMatchObject({ ok: true, orphans: { count: 0 } });
    } finally {
      double.fault(() => null);
      await server.stop();
    }
  });

  itAbout('SQLite', 'local files')(
    'counts no file as an orphan that an item or an upload needs, and that the next start gives a row',
    async () => {
      const data = temporaryFolder('objects-check');
      const server = await startServer({ data, config: ANY_BITRATE });
      const [, small = ''] = await fill(server);
      const bytes = await longPngBytes(3 * MIB);
      const [part = bytes] = partsOf(bytes);
      const api = uploader(server.url, await server.user());
      const upload = (await api.start(bytes)).body;
      expect((await api.part(upload.id, 0, part)).status).toBe(200);
      await server.stop();
      const orphan = join(data, 'objects/staged', randomUUID());
      writeFileSync(orphan, 'abandoned');
      const database = new Database(join(data, 'linkshot.sqlite'));
      const needed = database
        .prepare<[], string>("SELECT objectId FROM uploads WHERE state = 'UPLOADING'")
        .pluck()
        .all()
        .concat(small, database.prepare<[], string>('SELECT max(previewId) FROM content').pluck().all())
        .sort();
      const forget = database.prepare('DELETE FROM objects WHERE id = ?');
      for (const id of needed) forget.run(id);
      database.close();

      const lines: string[] = [];
      const unsure = { data, config: parseConfig(ANY_BITRATE), log: (line: string) => void lines.push(line) };
      const { unregistered, ...found } = await checkObjects({ ...unsure, deleteOrphans: true });
      expect(found).toMatchObject({ ok: false, missing: { count: 0 }, orphans: { count: 1 }, removed: 1 });
      expect({ ...unregistered, ids: [...unregistered.ids].sort() }).toEqual({ count: 3, ids: needed });
      expect(lines.join('\n')).toContain('3 files that items or uploads need have no row');
      expect(existsSync(orphan)).toBe(false);

      const again = await startServer({ data, config: ANY_BITRATE });
      await again.stop();
      expect(await check(data, ANY_BITRATE, true)).toMatchObject({ ok: true, removed: 0 });
    },
  );

  it('deletes nothing when no stored object has a row, and names a bucket that it may not list', async () => {
    const config = { ...ANY_BITRATE, objects: { s3: double.settings } };
    const data = temporaryFolder('objects-check');
    const server = await startServer({ data, config });
    await fill(server);
    await server.stop();
    const before = double.objects.size;
    const database = new Database(join(data, 'linkshot.sqlite'));
    database.exec('DELETE FROM objects; UPDATE content SET objectId = NULL, previewId = NULL');
    database.close();
    await expect(check(data, config, true)).rejects.toThrow('No object in the store has a row, so nothing was deleted');
    expect(double.objects.size).toBe(before);
    double.fault((method, key) =>
      method === 'GET' && key === '' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : null,
    );
    await expect(check(data, config)).rejects.toThrow('cannot be listed (403 AccessDenied)');
    double.fault(() => null);
  });

  itAbout('SQLite', 'local files')(
    'finds the text that a backup of a running server lacks, until the steps of docs/server.md are repeated',
    async () => {
      const server = await startServer();
      try {
        const user = await server.user();
        const call = (method: 'POST' | 'PATCH', path: string, body: unknown) =>
          ask<Content>(server.url, { method, path, key: user.apiKey, body });
        const { id } = (await call('POST', '/api/v1/pastes', { text: 'A', format: 'plain' })).body;
        const edit = async (text: string, revision: number): Promise<void> => {
          expect((await call('PATCH', `/api/v1/content/${id}`, { text, revision })).status).toBe(200);
          await expect.poll(() => queryData(server.data, 'SELECT 1 FROM deletions')).toEqual([]);
        };
        const backup = join(temporaryFolder('backup'), 'data');
        const copyObjects = () => cpSync(join(server.data, 'objects'), join(backup, 'objects'), { recursive: true });
        const copyDatabase = async (): Promise<void> => {
          const database = new Database(join(server.data, 'linkshot.sqlite'), { readonly: true });
          await database.backup(join(backup, 'linkshot.sqlite'));
          database.close();
        };
        copyObjects();
        await edit('B', 1);
        await copyDatabase();
        const [row] = await queryData<{ objectId: string }>(server.data, 'SELECT objectId FROM content');
        await edit('C', 2);
        copyObjects();
        expect((await check(backup, {})).missing).toEqual({ count: 1, ids: [row?.objectId] });

        copyObjects();
        await copyDatabase();
        copyObjects();
        expect((await check(backup, {})).missing.count).toBe(0);
      } finally {
        await server.stop();
      }
    },
  );

  it('works before the first start, and creates nothing where no server has its records', async () => {
    const fresh = join(temporaryFolder('objects-check'), 'new');
    await expect(check(fresh, {})).rejects.toThrow(`${fresh} is no data folder of a server; name one with --data.`);
    expect(existsSync(fresh)).toBe(false);
    mkdirSync(fresh);
    await openSqlite(join(fresh, 'linkshot.sqlite')).close();
    expect(await check(fresh, {})).toMatchObject({ ok: true, objects: 0 });
  });

  it('says what is wrong with the store where its bucket or its secret is another one', async () => {
    const config = { ...ANY_BITRATE, objects: { s3: { ...double.settings, prefix: 'refused' } } };
    const data = temporaryFolder('objects-check');
    const server = await startServer({ data, config });
    await fill(server);
    await server.stop();
    const checkWith = (s3: object) => check(data, { ...config, objects: { s3: { ...config.objects.s3, ...s3 } } });
    await expect(checkWith({ secretAccessKey: 'another' })).rejects.toThrow('correct objects.s3.secretAccessKey');
    await expect(checkWith({ bucket: 'another-bucket' })).rejects.toThrow('has no bucket another-bucket');
    await expect(checkWith({ prefix: 'another' })).rejects.toThrow('below "another": correct objects.s3');
  });
});
