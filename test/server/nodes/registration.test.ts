/** The rows by which nodes know of each other: of copied folders, of nodes that were silent, and of master keys. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { openPostgres } from '../../../src/server/database/postgres.ts';
import { createSharedClock } from '../../../src/server/database/shared-clock.ts';
import { disownLostNodes, registerNode } from '../../../src/server/operations/node-registry.ts';
import { rotateKeys } from '../../../src/server/operations/rotate-keys.ts';
import { KeyError } from '../../../src/server/storage/load-master-keys.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { overtake } from '../../support/engines/hold-transaction.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { startS3Double } from '../../support/server/s3-double.ts';
import { type ConfigFile, type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const newKey = (): string => randomBytes(32).toString('base64url');

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const configOf = async (url: string): Promise<ConfigFile> => {
  const double = await startS3Double();
  ends.push(double.close);
  return { database: { url }, objects: { s3: double.settings } };
};

const start = async (config: ConfigFile, data: string, keyText: string): Promise<RunningServer> => {
  const service = await startServer({ config, data, keyText });
  ends.push(service.stop);
  return service;
};

const OTHER_NODE = `INSERT INTO "nodes"
    ("id", "name", "role", "version", "keyIds", "hasLocalFiles", "startedAt", "seenAt")
  SELECT 'other', 'other', 'all', '0', 'older', 0, 0, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - $1::bigint`;

describe.skipIf(whyNot !== null)(`nodes on one PostgreSQL${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  const register = async (
    url: string,
    { hasLocalFiles = false, id = 'self', place = 'here', keyIds = ['key'], checkKeys = async () => {} } = {},
  ) => {
    const records = await openPostgres({ url, poolSize: 2, prepared: false });
    const [logged, refusals]: [string[], string[]] = [[], []];
    const registration = await registerNode({
      ...{ records, hasLocalFiles, clock: createSharedClock(movableClock()), log: (line) => void logged.push(line) },
      ...{ checkKeys, refused: (sentence) => void refusals.push(sentence) },
      self: { name: id, role: 'all', version: '0', keyIds },
      folder: { id, place, renew: () => 'renewed' },
    });
    onTestFinished(async () => {
      await registration.end();
      await records.close();
    });
    return { records, registration, logged, refusals };
  };

  it('give a copy of the folder of a running one a name of its own, which it keeps', async () => {
    const url = await runPostgresUrl('registration_copy');
    const [config, key] = [await configOf(url), newKey()];
    const [data, copy] = [temporaryFolder('original'), temporaryFolder('copy')];
    const names = async () =>
      (await queryPostgres<{ id: string }>(url, 'SELECT "id" FROM "nodes"')).map(({ id }) => id);
    const original = await start(config, data, key);
    const [name] = await names();
    cpSync(data, copy, { recursive: true, force: true });
    const second = await start(config, copy, key);
    const both = await names();
    expect(both).toHaveLength(2);
    expect(second.logged.join()).toContain('is a copy of one that a running server uses');
    await original.stop();
    await second.stop();
    await start(config, copy, key);
    expect(await names()).toEqual(both.filter((id) => id !== name));
  });

  it('forget one that has ended after a day, and one that was only silent enters again', async () => {
    const url = await runPostgresUrl('registration_silent');
    const { records, registration, logged, refusals } = await register(url);
    const setSilent = (ms: number) => queryPostgres(url, 'UPDATE "nodes" SET "seenAt" = "seenAt" - $1::bigint', [ms]);
    const count = async () => (await queryPostgres(url, 'SELECT 1 FROM "nodes"')).length;
    await setSilent(23 * HOUR);
    await disownLostNodes(records);
    expect(await count()).toBe(1);
    await setSilent(2 * HOUR);
    await disownLostNodes(records);
    expect(await count()).toBe(0);
    await registration.renew();
    expect(await count()).toBe(1);
    // The answer to its entry was lost.
    await queryPostgres(url, 'UPDATE "nodes" SET "startedAt" = 0');
    await registration.renew();
    expect([logged, refusals]).toEqual([[], []]);
    await queryPostgres(url, `UPDATE "nodes" SET "startedAt" = 0, "folder" = 'elsewhere'`);
    await registration.renew();
    expect(refusals.join()).toContain('Another server runs with a copy of the data folder and has its name');
  });

  it('are checked again after they were silent, and stop where they may not run beside those started meanwhile', async () => {
    const silence = (url: string, id: string) =>
      queryPostgres(url, 'UPDATE "nodes" SET "seenAt" = "seenAt" - 31000 WHERE "id" = $1', [id]);
    const files = await runPostgresUrl('registration_files');
    const first = await register(files, { hasLocalFiles: true });
    await silence(files, 'self');
    const second = await register(files, { hasLocalFiles: true, id: 'second', place: 'there' });
    await first.registration.renew();
    await first.registration.renew();
    expect(first.refusals).toEqual([expect.stringContaining('Another server, "second", runs on these records')]);
    await second.registration.renew();
    expect(second.refusals).toEqual([]);

    const keys = await runPostgresUrl('registration_silent_keys');
    const older = await register(keys, { keyIds: ['old', 'new'] });
    await silence(keys, 'self');
    const newer = await register(keys, { keyIds: ['new'], id: 'newer', place: 'there' });
    await older.registration.renew();
    expect(older.refusals).toEqual([expect.stringContaining('does not have the newest master key')]);
    await newer.registration.end();
    const checkKeys = () => Promise.reject(new KeyError('Stored files need the master key new.'));
    const alone = await register(keys, { keyIds: ['old'], id: 'alone', checkKeys });
    await alone.registration.renew();
    expect(alone.refusals).toEqual([]);
    await silence(keys, 'alone');
    await alone.registration.renew();
    expect(alone.refusals).toEqual([expect.stringContaining('Stored files need the master key new.')]);
  });

  it('stop by themselves with a sentence when they are refused', async () => {
    const url = await runPostgresUrl('registration_stops');
    const service = await start({ database: { url }, objects: { s3: null } }, temporaryFolder('silent'), newKey());
    await queryPostgres(url, 'UPDATE "nodes" SET "seenAt" = "seenAt" - 31000');
    await queryPostgres(url, OTHER_NODE, [0]);
    expect(await service.server.refused).toContain('Another server, "other", runs on these records');
    await expect(ask(service.url, { path: '/livez' })).rejects.toThrow();
    expect(service.logged.join()).toContain('This server did not respond for a while and cannot go on.');
  });

  it('enter again by the name that a copied folder got', async () => {
    const url = await runPostgresUrl('registration_renamed');
    await register(url);
    const copy = await register(url, { place: 'there' });
    expect(copy.registration.id).toBe('renewed');
    await queryPostgres(url, `UPDATE "nodes" SET "seenAt" = "seenAt" - 31000 WHERE "id" = 'renewed'`);
    await copy.registration.renew();
    expect(copy.refusals).toEqual([]);
    const seen = await queryPostgres(url, `SELECT "seenAt" - "startedAt" AS "for" FROM "nodes" WHERE "id" = 'renewed'`);
    expect(seen).toEqual([{ for: 0 }]);
  });

  it('follow the clock of PostgreSQL', async () => {
    const records = await openPostgres({
      url: await runPostgresUrl('registration_clock'),
      poolSize: 1,
      prepared: false,
    });
    onTestFinished(() => records.close());
    const clock = createSharedClock({ now: () => Date.now() });
    clock.follow(Date.now() + HOUR, Date.now());
    const { end } = await registerNode({
      ...{ records, hasLocalFiles: false, clock, checkKeys: async () => {}, refused: () => {}, log: () => {} },
      self: { name: 'self', role: 'all', version: '0', keyIds: ['key'] },
      folder: { id: 'self', place: 'here', renew: () => 'renewed' },
    });
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(HOUR / 2);
    await end();
  });

  it('rotate the master key only when none may still write with another one', async () => {
    const url = await runPostgresUrl('registration_rotate');
    const [config, data, key] = [await configOf(url), temporaryFolder('rotate'), newKey()];
    const service = await start(config, data, key);
    const user = await service.user();
    const body = { text: 'A note', format: 'plain' };
    expect((await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).status).toBe(
      201,
    );
    const rotate = () => rotateKeys({ data, config: parseConfig(config), keyText: key });
    await queryPostgres(url, OTHER_NODE, [9 * MINUTE]);
    await expect(rotate()).rejects.toThrow('The server "other", which encrypts with another key, does not respond');
    await queryPostgres(url, `UPDATE "nodes" SET "seenAt" = "seenAt" - $1::bigint WHERE "id" = 'other'`, [2 * MINUTE]);
    expect(await rotate()).toMatchObject({ done: true });
    await queryPostgres(url, `DELETE FROM "nodes" WHERE "id" = 'other'`);
    await expect(overtake(url, [[OTHER_NODE, 0]], rotate)).rejects.toThrow('The server "other" still encrypts');
  });
});

it('a shared clock shows the time of the clock that it follows, as that of this computer goes on', () => {
  const [clock, computer] = [movableClock(), movableClock()];
  const shared = createSharedClock(clock, computer);
  expect(shared.now()).toBe(clock.now());
  const asked = computer.now();
  computer.advance(20);
  shared.follow(asked + 10 + HOUR, asked);
  expect(shared.now()).toBe(clock.now() + HOUR);
  clock.advance(MINUTE);
  expect(shared.now()).toBe(clock.now() + HOUR);
});
