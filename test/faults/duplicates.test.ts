/** A request that arrives twice, concurrently or later, has one effect, and both replies are equal. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { partsOf, uploader } from '../support/server/service-client.ts';
import { faultScenes, uploadsOf } from './scene.ts';

const scene = faultScenes();

it('fault 24: a start that arrives twice is one upload', async () => {
  const { proxy, picture, add, linked, service, user, expectPublished } = await scene();
  proxy.fault = ({ operation }) => (operation === 'start' ? { do: 'duplicate' } : null);
  const file = await picture(2);
  await linked(await add(file));
  expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
  await expectPublished(file);
});

it('fault 24: a start whose answer is lost is repeated with its key, and is the same upload', async () => {
  const { proxy, picture, add, linked, service, user, count, expectPublished } = await scene();
  proxy.fault = ({ operation, nth }) => (operation === 'start' && nth < 2 ? { do: 'lose-answer' } : null);
  const file = await picture(1);
  await linked(await add(file));
  expect(count('start')).toBe(3);
  const keys = proxy.requests
    .filter(({ operation }) => operation === 'start')
    .map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
  expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
  await expectPublished(file);
});

it('fault 25: a completion that arrives twice at the same time publishes one item', async () => {
  const { proxy, picture, add, linked, expectPublished } = await scene();
  proxy.fault = ({ operation }) => (operation === 'complete' ? { do: 'duplicate' } : null);
  const file = await picture(1);
  await linked(await add(file));
  await expectPublished(file);
});

it('fault 26: parts that arrive twice at the same time count once', async () => {
  const { proxy, picture, add, linked, service, user, expectPublished } = await scene();
  proxy.fault = ({ operation }) => (operation === 'part' ? { do: 'duplicate' } : null);
  const file = await picture(4);
  await linked(await add(file));
  expect(await uploadsOf(service.data, user.accountId)).toMatchObject([
    { state: 'COMPLETED', receivedBytes: file.size },
  ]);
  await expectPublished(file);
});

it('fault 26: parts and completions that arrive again after the item is published change nothing', async () => {
  const { proxy, picture, service, user, expectPublished } = await scene({ connect: 'later' });
  const file = await picture(2);
  const bytes = readFileSync(file.path);
  const api = uploader(proxy.url, user);
  const completeKey = randomUUID();
  const id = await api.send(bytes);
  const first = await api.complete(id, completeKey);
  for (const [index, part] of partsOf(bytes).entries()) {
    expect(await api.part(id, index, part)).toMatchObject({ status: 200, body: { state: 'COMPLETED' } });
    expect((await api.part(id, index, Buffer.alloc(part.length))).status).toBe(400);
  }
  const { content } = (await api.complete(id, completeKey)).body;
  // The preview may have been made between the two.
  expect(content).toEqual({ ...first.body.content, previewUrl: content?.previewUrl });
  expect((await api.complete(id, randomUUID())).status).toBe(409);
  expect(await uploadsOf(service.data, user.accountId)).toHaveLength(1);
  await expectPublished(file);
});
