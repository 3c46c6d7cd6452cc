/** What another node commits while a request of this one waits for the same row decides, and no answer is a 500. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Album } from '../../../src/api/albums.ts';
import type { Content } from '../../../src/api/content.ts';
import { createPasswords } from '../../../src/server/passwords.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { overtake } from '../../support/engines/hold-transaction.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { formBrowser, PASSWORD, userWithPassword } from '../../support/server/signed-in.ts';

const whyNot = whyNoPostgres();

describe.skipIf(whyNot !== null)(
  `a request that another node overtakes${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`,
  () => {
    let url = '';
    let service: RunningServer;
    let user: User;
    beforeAll(async () => {
      url = await runPostgresUrl('overtaken');
      service = await startServer({ keyText: randomBytes(32).toString('base64url'), config: { database: { url } } });
    });
    beforeEach(async () => {
      user = await userWithPassword(service);
    });
    afterAll(() => service.stop());

    const overtaken = <T>(statement: readonly [string, ...unknown[]], request: () => Promise<T>): Promise<T> =>
      overtake(url, [statement], request);

    const note = async (fields: object = {}): Promise<Content> => {
      const body = { text: 'A note', format: 'plain', visibility: 'public', ...fields };
      return (await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).body;
    };
    const album = async (): Promise<Album> => {
      const body = { title: 'An album', visibility: 'unlisted' };
      return (await ask<Album>(service.url, { method: 'POST', path: '/api/v1/albums', key: user.apiKey, body })).body;
    };
    const deletion = (table: 'content' | 'albums', id: string) =>
      [`DELETE FROM "${table}" WHERE "id" = $1`, id] as const;

    it('tries a password of an item that is deleted: it is missing', async () => {
      const { id } = await note({ password: PASSWORD });
      const path = `/api/share/${id}/open`;
      const open = () => ask(service.url, { method: 'POST', path, body: { password: 'wrong horse battery' } });
      const { status, problem } = await overtaken(deletion('content', id), open);
      expect([status, problem.code]).toEqual([404, (await open()).problem.code]);
    });

    it('starts an upload whose object the sweep took meanwhile: it is to be started again', async () => {
      const bytes = await pngBytes();
      const api = uploader(service.url, user);
      const idempotencyKey = randomUUID();
      const locked: readonly [string, ...unknown[]] = [
        'UPDATE "accounts" SET "name" = "name" WHERE "id" = $1',
        user.accountId,
      ];
      const takeObject = async (): Promise<void> => {
        await queryPostgres(
          url,
          `INSERT INTO "deletions" ("objectId", "attempts", "dueAt")
            SELECT "id", 0, 0 FROM "objects" WHERE "state" = 'staged'`,
        );
      };
      const { status, headers } = await overtake(url, [locked], () => api.start(bytes, { idempotencyKey }), takeObject);
      expect([status, headers['retry-after']]).toEqual([503, '2']);
      expect(await queryPostgres(url, 'SELECT "id" FROM "uploads"')).toEqual([]);
      const again = await api.start(bytes, { idempotencyKey });
      expect(again.status).toBe(200);
      for (const [index, part] of partsOf(bytes).entries())
        expect((await api.part(again.body.id, index, part)).status).toBe(200);
    });

    it('marks an item that is deleted as a favorite: it is missing', async () => {
      const { id } = await note();
      const mark = () => ask(service.url, { method: 'PUT', path: `/api/v1/content/${id}/favorite`, key: user.apiKey });
      const { status, problem } = await overtaken(deletion('content', id), mark);
      expect([status, problem.code]).toEqual([404, (await mark()).problem.code]);
    });

    it.each(['content', 'albums'] as const)(
      'adds an item to an album while one of %s is deleted: it is missing',
      async (table) => {
        const [item, list] = [await note(), await album()];
        const add = () =>
          ask(service.url, { method: 'PUT', path: `/api/v1/albums/${list.id}/content/${item.id}`, key: user.apiKey });
        const { status, problem } = await overtaken(deletion(table, table === 'albums' ? list.id : item.id), add);
        expect([status, problem.code]).toEqual([404, (await add()).problem.code]);
      },
    );

    it('names an album that is made private: it stays private', async () => {
      const { id } = await album();
      const path = `/api/v1/albums/${id}`;
      const rename = () =>
        ask<Album>(service.url, { method: 'PATCH', path, key: user.apiKey, body: { title: 'Another title' } });
      const { status, body } = await overtaken(
        [`UPDATE "albums" SET "visibility" = 'private' WHERE "id" = $1`, id],
        rename,
      );
      expect([status, body.title, body.visibility]).toEqual([200, 'Another title', 'private']);
    });

    it('changes a password that was just changed: the other change stays', async () => {
      const thief = formBrowser(service);
      await thief.signIn(user.username);
      const owners = await createPasswords().hash('the password of the owner');
      const form = { current: PASSWORD, wanted: 'the password of a thief', repeated: 'the password of a thief' };
      const { status } = await overtaken(
        [`UPDATE "accounts" SET "passwordHash" = $1 WHERE "id" = $2`, owners, user.accountId],
        () => thief.post('/account/password', form),
      );
      expect(status).toBe(400);
      expect((await formBrowser(service).signIn(user.username, 'the password of a thief')).status).toBe(401);
      expect((await formBrowser(service).signIn(user.username, 'the password of the owner')).status).toBe(303);
    });
  },
);
