/** `server doctor` on a computer where no node has run yet finds what the start of a further node would be refused for. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { messageOf } from '../../../src/base/common/error-text.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { diagnose } from '../../../src/server/operations/doctor.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { startPgBouncer, whyNoOldPgBouncer } from '../../support/engines/pgbouncer.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { startS3Double } from '../../support/server/s3-double.ts';
import { startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const whyNoOldPool = whyNot ?? whyNoOldPgBouncer();
const unless = (why: string | null): string => (why === null ? '' : ` [skipped: ${why}]`);
const newKey = (): string => randomBytes(32).toString('base64url');

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.skipIf(whyNot !== null)(`the doctor of a new node${unless(whyNot)}`, () => {
  const startFirst = async (name: string) => {
    const double = await startS3Double();
    ends.push(double.close);
    const [keyText, url] = [newKey(), await runPostgresUrl(name)];
    const config = { database: { url }, objects: { s3: double.settings } };
    const first = await startServer({ keyText, config });
    ends.push(first.stop);
    const { apiKey: key } = await first.user();
    const body = { text: 'A note', format: 'plain' };
    expect((await ask(first.url, { method: 'POST', path: '/api/v1/pastes', key, body })).status).toBe(201);
    const data = join(temporaryFolder('doctor'), 'data');
    const examine = async (own: string | null, s3: object = {}) => {
      const settings = { ...config, objects: { s3: { ...double.settings, ...s3 } } };
      const checks = await diagnose({ data, config: parseConfig(settings), keyText: own });
      return { checks, failed: checks.filter(({ ok }) => !ok) };
    };
    return { url, data, double, keyText, examine };
  };

  it('compares its key and its store with the records, tries an object, and leaves nothing behind', async () => {
    const { data, double, keyText, examine } = await startFirst('doctor_new');
    const before = [...double.objects.keys()];
    const fine = await examine(keyText);
    expect(fine.failed).toEqual([]);
    const details = Object.fromEntries(fine.checks.map(({ name, detail }) => [name, detail]));
    expect(details).toMatchObject({
      'object store': expect.stringContaining('those of these records'),
      'master key': 'The key is the one that the stored files need.',
      objects: 'An object was written, read, inspected and removed.',
    });
    expect((await examine(newKey())).failed).toMatchObject([
      { name: 'master key', detail: expect.stringMatching(/^Stored files need the master key [0-9a-f]{32}, which/) },
    ]);
    expect((await examine(null)).failed).toMatchObject([
      { name: 'master key', detail: expect.stringContaining('No master key is configured here') },
    ]);
    expect((await examine(keyText, { prefix: 'another' })).failed).toMatchObject([
      { name: 'object store', detail: expect.stringContaining('are not in the bucket linkshot-test, below "another"') },
    ]);
    expect([existsSync(data), existsSync(`${data}.key`)]).toEqual([false, false]);
    expect([...double.objects.keys()]).toEqual(before);
  });

  it('says in the words of the start that the files are in the other kind of store, and that a server beside it may not run', async () => {
    const { url, keyText, examine } = await startFirst('doctor_kind');
    const data = join(temporaryFolder('doctor'), 'data');
    const config = { database: { url } };
    const refused = async (): Promise<unknown> =>
      await startServer({ data, keyText, config }).then(
        (service) => service.stop(),
        (error: unknown) => messageOf(error),
      );
    const failed = async () => (await diagnose({ data, config: parseConfig(config), keyText })).filter(({ ok }) => !ok);
    const inS3 = 'The files of these records are in an S3 store; configure objects.s3 as before.';
    const beside = await refused();
    expect(beside).toContain('this server has its files in a data folder');
    expect(await failed()).toMatchObject([
      { name: 'object store', detail: inS3 },
      { name: 'other servers', detail: beside },
    ]);
    await ends.pop()?.();
    expect(await refused()).toBe(inS3);
    expect(await failed()).toMatchObject([{ name: 'object store', detail: inS3 }]);
    expect((await examine(keyText)).failed).toEqual([]);
  });

  it('finds records with files in a folder in order beside their own server, and refuses a store or a server for them', async () => {
    const double = await startS3Double();
    ends.push(double.close);
    const [keyText, url, data] = [newKey(), await runPostgresUrl('doctor_folder'), temporaryFolder('doctor-folder')];
    const config = { database: { url } };
    const first = await startServer({ data, keyText, config });
    ends.push(first.stop);
    const { apiKey: key } = await first.user();
    const body = { text: 'A note', format: 'plain' };
    expect((await ask(first.url, { method: 'POST', path: '/api/v1/pastes', key, body })).status).toBe(201);
    const failed = async (settings: object, folder = data) =>
      (await diagnose({ data: folder, config: parseConfig(settings), keyText })).filter(({ ok }) => !ok);
    expect(await failed(config)).toEqual([]);
    const other = join(temporaryFolder('doctor'), 'data');
    expect((await failed(config, other)).map(({ name }) => name)).toContain('other servers');
    await ends.pop()?.();
    const withS3 = { ...config, objects: { s3: double.settings } };
    const inFolder =
      'The files of these records are in a data folder; start without objects.s3, on the folder that has them.';
    await expect(startServer({ data: other, keyText, config: withS3 })).rejects.toThrow(inFolder);
    expect(await failed(withS3, other)).toMatchObject([{ name: 'object store', detail: inFolder }]);
  });

  it.skipIf(whyNoOldPool !== null)(
    `names a pooler that mixes up prepared statements, as the fault of the database alone${unless(whyNoOldPool)}`,
    async () => {
      const { url, double, keyText } = await startFirst('doctor_pooled');
      const pooled = new URL(url);
      const bouncer = await startPgBouncer(Number(pooled.port));
      ends.push(bouncer.stop);
      pooled.port = String(bouncer.port);
      const failed = async (prepared: boolean) => {
        const config = parseConfig({ database: { url: pooled.href, prepared }, objects: { s3: double.settings } });
        const checks = await diagnose({ data: join(temporaryFolder('doctor'), 'data'), config, keyText });
        return checks.filter(({ ok }) => !ok);
      };
      expect(await failed(true)).toEqual([
        { name: 'database', ok: false, detail: expect.stringContaining('set database.prepared to false') },
      ]);
      expect(await failed(false)).toEqual([]);
    },
  );

  it('names a user of PostgreSQL who may not create the tables', async () => {
    const { url, examine, keyText } = await startFirst('doctor_rights');
    await ends.pop()?.();
    await queryPostgres(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const empty = await examine(keyText, { prefix: 'fresh' });
    expect(empty.failed).toEqual([]);
    await queryPostgres(url, 'CREATE ROLE doctor_weak LOGIN; GRANT USAGE ON SCHEMA public TO doctor_weak');
    onTestFinished(async () => void (await queryPostgres(url, 'DROP OWNED BY doctor_weak; DROP ROLE doctor_weak')));
    const weak = new URL(url);
    weak.username = 'doctor_weak';
    const data = join(temporaryFolder('doctor'), 'data');
    const checks = await diagnose({ data, config: parseConfig({ database: { url: weak.href } }), keyText });
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([
      { name: 'database', detail: expect.stringContaining('may not create tables') },
    ]);
  });

  it('names the tables that a user of PostgreSQL may not read and write, as after a restore by another user', async () => {
    const { url, keyText, double } = await startFirst('doctor_tables');
    await queryPostgres(url, 'CREATE ROLE doctor_stranger LOGIN');
    onTestFinished(
      async () => void (await queryPostgres(url, 'DROP OWNED BY doctor_stranger; DROP ROLE doctor_stranger')),
    );
    const stranger = new URL(url);
    stranger.username = 'doctor_stranger';
    const failed = async () => {
      const config = parseConfig({ database: { url: stranger.href }, objects: { s3: double.settings } });
      const checks = await diagnose({ data: join(temporaryFolder('doctor'), 'data'), config, keyText });
      return checks.filter(({ ok }) => !ok);
    };
    expect(await failed()).toMatchObject([
      { name: 'database', detail: expect.stringMatching(/lacks a right .*schemaVersion.* own those of the server\.$/) },
    ]);
    await queryPostgres(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO doctor_stranger');
    await queryPostgres(url, 'GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO doctor_stranger');
    await queryPostgres(url, 'REVOKE INSERT, UPDATE, DELETE ON "schemaVersion" FROM doctor_stranger');
    await queryPostgres(url, 'CREATE TABLE "another" ("id" TEXT)');
    expect(await failed()).toEqual([]);
    await queryPostgres(
      url,
      'REVOKE UPDATE ON "keys" FROM doctor_stranger; REVOKE ALL ON "slots" FROM doctor_stranger',
    );
    expect(await failed()).toMatchObject([
      { name: 'database', detail: expect.stringContaining('may not read and write keys, slots; make it the owner') },
    ]);
  });
});
