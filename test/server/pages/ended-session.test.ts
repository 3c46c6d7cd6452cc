/** A form of the account pages whose session ends while the server works on it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { read } from '../../support/server/items.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { formBrowser, userWithPassword } from '../../support/server/signed-in.ts';

/** What happens before the next password is hashed. */
const hashing = vi.hoisted(() => ({ before: async (): Promise<unknown> => null }));
vi.mock('@node-rs/argon2', async (original) => {
  const argon = await original<typeof import('@node-rs/argon2')>();
  const hash: typeof argon.hash = async (...args) => {
    await hashing.before();
    return await argon.hash(...args);
  };
  return { ...argon, hash };
});

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({});
});
afterAll(() => service.stop());

it('the settings of an item are not saved when the session ends while a password is hashed', async () => {
  const user = await userWithPassword(service, { plan: 'pro' });
  const [visitor, ended] = [formBrowser(service), formBrowser(service)];
  for (const one of [visitor, ended]) await one.signIn(user.username);
  const body = { text: 'words', format: 'plain', visibility: 'private', title: 'A note' };
  const { id } = (await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body }))
    .body;
  const page = (await visitor.get(`/account/items/${id}`)).body;
  const fields = {
    ...{ version: /name="version" value="([^"]*)"/.exec(page)?.[1] ?? '', title: 'A note', tags: '' },
    ...{ visibility: 'public', password: 'correct horse', ttl: '', expiresAt: '', viewLimit: '' },
  };
  hashing.before = async () => {
    hashing.before = async () => null;
    await visitor.post('/account/sessions/end-others');
  };
  const { status, headers } = await ended.post(`/account/items/${id}`, fields);
  expect([status, headers['location']]).toEqual([303, '/sign-in?next=%2Faccount']);
  expect((await read(service, user, id)).body).toMatchObject({ visibility: 'private', passwordProtected: false });
  // With its session the same form saves them.
  await visitor.post(`/account/items/${id}`, fields);
  expect((await read(service, user, id)).body).toMatchObject({ visibility: 'public', passwordProtected: true });
});
