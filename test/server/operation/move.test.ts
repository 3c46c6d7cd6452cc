/**
 * A data folder is moved to PostgreSQL and S3: killed at every stage and repeated, it ends with everything there, byte for
 * byte, and the folder as it was.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import { runServerCommandLine } from '../../../src/server/command-line/run-server-command-line.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { checkObjects } from '../../../src/server/operations/check-objects.ts';
import { move } from '../../../src/server/operations/move/move.ts';
import { rotateKeys } from '../../../src/server/operations/rotate-keys.ts';
import { objectPaths } from '../../../src/server/storage/local-objects.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { startTcpFaultProxy } from '../../support/engines/tcp-fault-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { ANY_BITRATE, longPngBytes, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { SERVER_CLI } from '../../support/programs.ts';
import { publish, ready, remove } from '../../support/server/items.ts';
import { type S3Double, startS3Double } from '../../support/server/s3-double.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const MIB = 1024 ** 2;
const keyText = randomBytes(32).toString('base64url');
const EARLIER_TITLE = 'before\0after';

/** A folder with an item of every kind and an upload that is not finished. */
interface Filled {
  readonly user: User;
  /** Bytes by id of the item. */
  readonly media: ReadonlyMap<string, Buffer>;
  readonly note: string;
  readonly upload: { readonly id: string; readonly parts: readonly Uint8Array[]; readonly bytes: Buffer };
  readonly storageUsed: number;
}

let double: S3Double;
let master: string;
let filled: Filled;

const usedBy = async (server: RunningServer, user: User): Promise<number> =>
  (await ask<Account>(server.url, { path: '/api/v1/account', key: user.apiKey })).body.user.storageUsed;

const fill = async (data: string): Promise<Filled> => {
  const server = await startServer({ data, keyText, config: ANY_BITRATE });
  const user = await server.user({ plan: 'pro' });
  const media = new Map<string, Buffer>();
  for (const bytes of [await longPngBytes(5 * MIB + 777), await longPngBytes(90_000), await mp4Bytes(4 * MIB)]) {
    const { id } = await publish(server, user, {}, bytes);
    media.set(id, bytes);
    await ready(server, user, id);
  }
  const note = await ask<{ content: Content }>(server.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey },
    body: { text: 'package main\n', format: 'code', language: 'go' },
  });
  const folder = await sendFile(server.url, {
    ...{ path: '/api/v1/folders', key: user.apiKey, filename: 'project.zip' },
    bytes: zipOf({ 'project/a.ts': 'console.log(1);\n' }),
  });
  expect([note.status, folder.status]).toEqual([201, 201]);
  const gone = await publish(server, user, {}, await longPngBytes(70_000));
  await remove(server, user, gone.id);
  const bytes = await longPngBytes(5 * MIB);
  const parts = partsOf(bytes);
  const api = uploader(server.url, user);
  const { id } = (await api.start(bytes)).body;
  for (const index of [0, 2]) expect((await api.part(id, index, parts[index] ?? bytes)).status).toBe(200);
  await eventually(async () =>
    expect(await queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]),
  );
  const storageUsed = await usedBy(server, user);
  await server.stop();
  // As an earlier version has left it: an object without its key in the row, a title that PostgreSQL cannot store.
  const database = new Database(join(data, 'linkshot.sqlite'));
  database.exec('UPDATE objects SET keyId = NULL, wrappedKey = NULL WHERE rowid = 1');
  database.prepare('UPDATE content SET title = ? WHERE id = ?').run(EARLIER_TITLE, note.body.content.id);
  database.close();
  return { user, media, note: note.body.content.id, upload: { id, parts, bytes }, storageUsed };
};

/** SHA-256 of all stored files, and all rows of all tables. */
const contentOf = async (data: string) => {
  const files = readdirSync(join(data, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]);
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`;
  const rows: unknown[] = [];
  for (const { name } of await queryData<{ name: string }>(data, sql))
    rows.push([name, await queryData(data, `SELECT * FROM "${name}"`)]);
  return { files, rows };
};

beforeAll(async () => {
  double = await startS3Double();
  master = temporaryFolder('move-source');
  filled = await fill(master);
});
afterAll(() => double.close());

const ends: (() => Promise<void>)[] = [];
beforeEach(() => {
  double.objects.clear();
  double.fault(() => null);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A folder of its own with the same content. */
const sourceFolder = (): string => {
  const data = temporaryFolder('move');
  cpSync(master, data, { recursive: true });
  return data;
};

const targetOf = (url: string) => ({ ...ANY_BITRATE, database: { url }, objects: { s3: double.settings } });
const lines: string[] = [];
const moveTo = (from: string, url: string, skipDamaged = false, key = keyText) =>
  move({ from, config: parseConfig(targetOf(url)), keyText: key, skipDamaged, log: (line) => lines.push(line) });

const start = async (options: Parameters<typeof startServer>[0]): Promise<RunningServer> => {
  const server = await startServer({ keyText, ...options });
  ends.push(server.stop);
  return server;
};

const mediaOf = async ({ url }: RunningServer, id: string) => {
  const answer = await fetch(`${url}/api/media/${id}`, { headers: { authorization: `Bearer ${filled.user.apiKey}` } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

const expectAllServed = async (server: RunningServer, title: string): Promise<void> => {
  const { user, media, note, storageUsed } = filled;
  for (const [id, bytes] of media) {
    const answer = await mediaOf(server, id);
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
    const item = await ask<Content>(server.url, { path: `/api/v1/content/${id}`, key: user.apiKey });
    if (item.body.type !== 'IMAGE') continue;
    const preview = await fetch(`${server.url}${item.body.previewUrl}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    expect(preview.status).toBe(200);
  }
  const text = await ask<{ text: string }>(server.url, { path: `/api/v1/content/${note}/text`, key: user.apiKey });
  expect(text.body.text).toBe('package main\n');
  const read = await ask<Content>(server.url, { path: `/api/v1/content/${note}`, key: user.apiKey });
  expect(read.body.title).toBe(title);
  expect(await usedBy(server, user)).toBe(storageUsed);
};

/** Starts the command in a process of its own. */
const startMove = (from: string, url: string): ChildProcess => {
  const config = join(temporaryFolder('move-config'), 'config.json');
  writeFileSync(config, JSON.stringify(targetOf(url)));
  return spawn(process.execPath, [SERVER_CLI, 'move', '--from', from, '--config', config], {
    stdio: 'ignore',
    env: { ...process.env, LINKSHOT_SERVER_KEY: keyText },
  });
};

/** Ends the process by SIGKILL at the n-th request that `matches`. */
const killAt = async (child: ChildProcess, n: number, matches: (method: string, key: string) => boolean) => {
  let count = 0;
  double.fault((method, key) => {
    if (!key.includes('/probe/') && matches(method, key)) {
      count += 1;
      if (count === n) child.kill('SIGKILL');
    }
    return null;
  });
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  double.fault(() => null);
};

describe.skipIf(whyNot !== null)(`server move${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it('ends with everything on the new engines when it is killed at every stage and repeated', async () => {
    const from = sourceFolder();
    const before = await contentOf(from);
    const url = await runPostgresUrl('move_killed');
    for (const n of [1, 3, 4]) await killAt(startMove(from, url), n, (method) => method === 'PUT');
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toEqual([]);
    await killAt(startMove(from, url), 5, (method) => method === 'GET');
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toEqual([]);

    const proxy = await startTcpFaultProxy(Number(new URL(url).port));
    ends.push(proxy.close);
    const throughProxy = url.replace(/:\d+\//, `:${proxy.port}/`);
    void proxy.loseAnswerTo('INSERT INTO "content"');
    await expect(moveTo(from, throughProxy)).rejects.toThrow();
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toEqual([]);
    // The end of the text, and not a word of the isolation level.
    void proxy.loseAnswerTo('COMMIT\0');
    await expect(moveTo(from, throughProxy)).rejects.toThrow();
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toHaveLength(1);

    const outcome = await moveTo(from, url);
    expect(outcome).toMatchObject({ done: true, rows: null, damaged: [], written: 0 });
    const again = await moveTo(from, url);
    expect(again).toMatchObject({ done: true, rows: null, objects: outcome.objects, written: 0 });
    expect(await contentOf(from)).toEqual(before);

    const owned = await queryPostgres<{ n: number }>(url, 'SELECT count(*)::int AS n FROM "objects"');
    expect(owned).toEqual([{ n: outcome.objects }]);
    const cluster = await start({ config: targetOf(url) });
    await expectAllServed(cluster, 'before\uFFFDafter');
    await expect(moveTo(from, url)).rejects.toThrow('is running on the database');

    // The upload goes on where it was, and new items come after those of the folder.
    const { upload, user } = filled;
    const api = uploader(cluster.url, user);
    expect((await api.status(upload.id)).body.received).toEqual([0, 2]);
    expect((await api.part(upload.id, 1, upload.parts[1] ?? upload.bytes)).status).toBe(200);
    const completed = (await api.complete(upload.id, randomUUID())).body.content?.id ?? '';
    expect((await mediaOf(cluster, completed)).bytes.equals(upload.bytes)).toBe(true);
    const newest = await ask<{ items: Content[] }>(cluster.url, { path: '/api/v1/content', key: user.apiKey });
    expect(newest.body.items[0]?.id).toBe(completed);
    for (const id of [...filled.media.keys(), completed]) expect((await remove(cluster, user, id)).status).toBe(204);
    // Both at once: a preview of a removed item that was being made may come and go meanwhile.
    const left = async () => {
      const rows = await queryPostgres(url, 'SELECT "id" FROM "objects"');
      return { rows: rows.length, stored: double.objectKeys().length };
    };
    await expect.poll(left).toEqual({ rows: 2, stored: 2 });

    await cluster.stop();
    await expect(moveTo(from, url)).rejects.toThrow('The database has accounts already');

    const old = await start({ data: from, config: ANY_BITRATE });
    await expectAllServed(old, EARLIER_TITLE);
  });

  it('gives the statements that write the records as long as they need', async () => {
    const url = await runPostgresUrl('move_patient');
    await (await startServer({ keyText, config: targetOf(url) })).stop();
    await queryPostgres(
      url,
      `CREATE TABLE "seen" ("limit" TEXT);
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO "seen" VALUES (current_setting('statement_timeout'));
        RETURN NULL;
      END $$;
      CREATE TRIGGER "seeing" AFTER INSERT ON "accounts" EXECUTE FUNCTION see()`,
    );
    await moveTo(sourceFolder(), url);
    expect(await queryPostgres(url, 'SELECT "limit" FROM "seen"')).toEqual([{ limit: '0' }]);
  });

  it('moves an unfinished upload of a restored backup that has its whole file, so that it goes on', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_restored');
    const [{ id } = { id: '' }] = await queryData<{ id: string }>(
      from,
      "SELECT objectId AS id FROM uploads WHERE state = 'UPLOADING'",
    );
    const { staged, permanent } = objectPaths(join(from, 'objects'), id as ObjectId);
    mkdirSync(dirname(permanent), { recursive: true });
    renameSync(staged, permanent);
    await moveTo(from, url);
    expect(await queryPostgres(url, `SELECT "state" FROM "objects" WHERE "id" = '${id}'`)).toEqual([
      { state: 'staged' },
    ]);
    const api = uploader((await start({ config: targetOf(url) })).url, filled.user);
    const { upload } = filled;
    expect((await api.part(upload.id, 1, upload.parts[1] ?? upload.bytes)).status).toBe(200);
    expect((await api.complete(upload.id, randomUUID())).status).toBe(200);
  });

  it('copies what was published, and removes what was deleted, between two attempts', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_changed');
    await killAt(startMove(from, url), 9, (method) => method === 'GET');
    const server = await startServer({ data: from, keyText, config: ANY_BITRATE });
    const [gone = ''] = filled.media.keys();
    await remove(server, filled.user, gone);
    const bytes = await longPngBytes(3 * MIB);
    const { id } = await publish(server, filled.user, {}, bytes);
    await ready(server, filled.user, id);
    await expect.poll(() => queryData(from, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
    await server.stop();

    const outcome = await moveTo(from, url);
    expect(outcome.written).toBeLessThan(outcome.objects);
    const { staged, permanent } = await objectFiles(from);
    const ids = new Set(double.objectKeys().map((key) => key.split('/').at(-2)));
    expect([...ids].filter((name) => name !== 'probe').sort()).toEqual([...staged, ...permanent].sort());
    const cluster = await start({ config: targetOf(url) });
    expect((await mediaOf(cluster, gone)).status).toBe(404);
    expect((await mediaOf(cluster, id)).bytes.equals(bytes)).toBe(true);
  });

  it('writes again what the store has lost or changed', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_lost');
    await killAt(startMove(from, url), 3, (method) => method === 'GET');
    const keys = double.objectKeys();
    double.objects.delete(keys[0] ?? '');
    double.objects.set(keys[1] ?? '', randomBytes(10));
    await moveTo(from, url);
    await expectAllServed(await start({ config: targetOf(url) }), 'before\uFFFDafter');
  });

  it('needs the new master key alone after the folder was rotated between two attempts', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_rotated');
    await killAt(startMove(from, url), 3, (method) => method === 'GET');
    const newKey = randomBytes(32).toString('base64url');
    const both = `${newKey},${keyText}`;
    await (await startServer({ data: from, keyText: both, config: ANY_BITRATE })).stop();
    const rotation = await rotateKeys({ data: from, config: parseConfig(ANY_BITRATE), keyText: both });
    expect(rotation).toMatchObject({ done: true, left: 0 });
    await moveTo(from, url, false, newKey);
    expect(await queryPostgres(url, 'SELECT DISTINCT "keyId" FROM "objects"')).toEqual([{ keyId: rotation.newest }]);
    await expectAllServed(await start({ config: targetOf(url), keyText: newKey }), 'before\uFFFDafter');
  });

  it('names damaged objects and writes no records, or leaves them out when asked', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_damaged');
    const { id } = (await queryData<{ id: string }>(from, 'SELECT max(objectId) AS id FROM content'))[0] ?? { id: '' };
    truncateSync(join(from, 'objects/permanent', id.slice(0, 2), id), 100);
    await expect(moveTo(from, url)).rejects.toThrow(`In the folder 1 objects are missing or damaged (${id})`);
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toEqual([]);
    expect((await moveTo(from, url, true)).damaged).toEqual([id]);
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toHaveLength(1);
  });

  it('leaves damaged and lost objects out of the cluster so that the check of its store names them', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_left_out');
    const [large, lost, preview] = (
      await queryData<{ id: string }>(
        from,
        `SELECT id FROM (SELECT objectId AS id, size FROM content ORDER BY size DESC LIMIT 2)
          UNION ALL SELECT max(previewId) FROM content`,
      )
    ).map(({ id }) => ({ id, path: join(from, 'objects/permanent', id.slice(0, 2), id) }));
    if (large === undefined || lost === undefined || preview === undefined)
      throw new Error('The folder has too little.');
    // Its chunks before the damaged one are copied.
    const bytes = readFileSync(large.path);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(large.path, bytes);
    rmSync(lost.path);
    rmSync(preview.path);
    const ids = [large.id, lost.id, preview.id].sort();
    expect((await moveTo(from, url, true)).damaged).toEqual(ids);
    const orphan = randomUUID();
    double.objects.set(`${[double.settings.prefix, orphan].filter(Boolean).join('/')}/0`, Buffer.alloc(10));
    const check = (deleteOrphans: boolean) =>
      checkObjects({
        ...{ data: temporaryFolder('move-check'), config: parseConfig(targetOf(url)), deleteOrphans },
        log: () => {},
      });
    expect(await check(true)).toMatchObject({
      ...{ ok: false, missing: { count: 3, ids }, unregistered: { count: 0 } },
      ...{ orphans: { count: 1, ids: [orphan] }, removed: 1 },
    });
    const cluster = await start({ config: targetOf(url) });
    expect(await check(false)).toMatchObject({ missing: { count: 3, ids } });
    for (const id of filled.media.keys()) expect((await remove(cluster, filled.user, id)).status).toBe(204);
    await expect.poll(() => check(false)).toMatchObject({ ok: true, missing: { count: 0 } });
  });

  it('names objects that were damaged after an earlier attempt had copied them', async () => {
    const from = sourceFolder();
    const url = await runPostgresUrl('move_rotten');
    await killAt(startMove(from, url), 2, (method) => method === 'GET');
    const [rotten] = await queryPostgres<{ id: string }>(
      url,
      `SELECT "id" FROM "objects" WHERE "state" = 'permanent' AND "size" > 1000 ORDER BY "size" LIMIT 1`,
    );
    const id = rotten?.id ?? '';
    const path = join(from, 'objects/permanent', id.slice(0, 2), id);
    const bytes = readFileSync(path);
    const rot = Buffer.from(bytes);
    rot[rot.length - 100] = (rot[rot.length - 100] ?? 0) ^ 1;
    writeFileSync(path, rot);
    await expect(moveTo(from, url)).rejects.toThrow(`In the folder 1 objects are missing or damaged (${id})`);
    expect(await queryPostgres(url, 'SELECT "id" FROM "accounts"')).toEqual([]);
    lines.length = 0;
    expect(await moveTo(from, url, true)).toMatchObject({ done: true, damaged: [id] });
    expect(lines).toContain('All objects are as in the folder, except 1 that are missing or damaged there.');
    expect(lines).not.toContain('All objects are as in the folder.');
    writeFileSync(path, bytes);
    expect(await moveTo(from, url)).toMatchObject({ done: true, rows: null, damaged: [] });
    expect(lines).toContain('All objects are as in the folder.');
  });

  it('says what to do when it cannot begin', async () => {
    const url = await runPostgresUrl('move_refused');
    const from = sourceFolder();
    const server = await start({ data: from, config: ANY_BITRATE });
    await expect(moveTo(from, url)).rejects.toThrow('A server is running on');
    await server.stop();
    const config = parseConfig({ database: { url } });
    const options = { from, config, keyText, skipDamaged: false, log: () => {} };
    await expect(move(options)).rejects.toThrow('Specify the target');
    const missing = join(temporaryFolder('move-none'), 'data');
    await expect(moveTo(missing, url)).rejects.toThrow('is no data folder of a server');
    expect(existsSync(missing)).toBe(false);
    const other = randomBytes(32).toString('base64url');
    await expect(move({ ...options, config: parseConfig(targetOf(url)), keyText: other })).rejects.toThrow(
      'is not the one that this data folder was encrypted with',
    );
    const stderr: string[] = [];
    const terminal = { print: () => {}, log: (line: string) => stderr.push(line), environment: {} };
    expect(await runServerCommandLine(['move'], terminal)).toBe(2);
    expect(stderr.join('\n')).toContain('"move" needs --from');
  });
});
