/** An upload whose completion was answered by nobody, and which the service has forgotten since, is one item. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { Session } from '../../../src/engine/account/account-session.ts';
import { findPublishedFile } from '../../../src/engine/upload/find-published-file.ts';
import type { LinkSettings } from '../../../src/ipc/protocol/link-settings.ts';
import { startFaultProxy } from '../../faults/fault-proxy.ts';
import { connectTo, itemOf, openEngine, until } from '../../support/engine.ts';
import { folderPublishing } from '../../support/folder/folder-publishing.ts';
import { noise, pngOf } from '../../support/media/pixels.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { makeContent, makeItem } from '../../support/window/app-state.ts';

const { dir, service, published, items } = folderPublishing('engine-find-published');
const COMPLETE = /^\/api\/v1\/uploads\/resumable\/[^/]+\/complete$/;
const SIDE = 900;
const READ = /^\/api\/v1\/uploads\/resumable\/[^/]+$/;
const FORGOTTEN = {
  do: 'answer',
  status: 404,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ type: 'x', title: 'x', status: 404, detail: 'x', code: 'NOT_FOUND', requestId: '1' }),
} as const;

/** Of two parts: noise does not compress. */
const noisePng = (): Promise<Buffer> => pngOf(noise(SIDE, SIDE, 1));

const open = async () => {
  const proxy = await startFaultProxy(service().url);
  onTestFinished(() => proxy.close());
  const user = await service().user();
  const profile = join(dir, `profile-${user.username}`);
  const start = async (folder = profile) => {
    const { engine } = await openEngine(folder);
    await connectTo(engine, proxy.url, user.apiKey);
    return engine;
  };
  const engine = await start();
  const path = join(dir, `${randomUUID()}.png`);
  writeFileSync(path, await noisePng());
  const add = async (to = engine, share: LinkSettings = {}) => {
    const added = await to.queue.add([{ source: { owner: 'user', path }, name: 'film.png', share }]);
    if (!added.ok || !added.value[0]) throw new Error('It was not taken.');
    return added.value[0];
  };
  return { proxy, user, engine, start, add };
};

test('it was published: the item of the account is found, though another one has its name and size', async () => {
  const { proxy, user, engine: first, start, add } = await open();
  const other = await published(first, await add());
  proxy.fault = ({ path }) =>
    COMPLETE.test(path) ? { do: 'lose-answer' } : READ.test(path) ? { do: 'reset', at: 0 } : null;
  const id = await add();
  await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');
  await first.close();

  proxy.fault = ({ path }) => (READ.test(path) ? FORGOTTEN : null);
  const engine = await start();
  engine.queue.retry({ ids: [id] });
  const { content } = await published(engine, id);
  expect(new Set((await items(user)).map((one) => one.id))).toEqual(new Set([content.id, other.content.id]));
});

test.each(['50%22 screen.png', 'two%0D%0Alines.png', 'two\r\nlines.png', 'plain.png'])(
  'it was published in a form: it is found, though the service reads marks and line breaks back (%j)',
  async (name) => {
    const filename = name.replaceAll('%22', '"').replace(/%0[AD]|[\r\n]/g, '');
    const content = makeContent(1, { originalName: filename });
    const call = async (operation: string) =>
      ok(operation === 'listContent' ? { items: [content], nextCursor: null } : content);
    const session = { client: { call, serviceTime: (at: number) => at } } as unknown as Session;
    const deps = { take: () => true, passwords: { all: () => [] } };
    expect(await findPublishedFile(makeItem('posting', 1, { name }), session, deps, 'IMAGE', soon())).toEqual(
      ok(content),
    );
  },
);

test('it was not published: it is uploaded again', async () => {
  const { proxy, user, engine: first, start, add } = await open();
  proxy.fault = ({ path }) => (COMPLETE.test(path) ? { do: 'reset', at: 0 } : null);
  const id = await add();
  await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');
  await first.close();

  let forgotten = 0;
  proxy.fault = ({ path }) => (READ.test(path) && forgotten++ === 0 ? FORGOTTEN : null);
  const engine = await start();
  engine.queue.retry({ ids: [id] });
  const { content } = await published(engine, id);
  expect((await items(user)).map((one) => one.id)).toEqual([content.id]);
});

test('it was not published, and another program has published its file without its password: it is uploaded again', async () => {
  const { proxy, user, engine: first, start, add } = await open();
  const other = await start(join(dir, randomUUID()));
  const unprotected = await published(other, await add(other));
  proxy.fault = ({ path }) => (COMPLETE.test(path) ? { do: 'reset', at: 0 } : null);
  const id = await add(first, { password: 'correct horse' });
  await until(() => itemOf(first, id)?.error?.failure.code === 'NETWORK_FAILED');

  let forgotten = 0;
  proxy.fault = ({ path }) => (READ.test(path) && forgotten++ === 0 ? FORGOTTEN : null);
  first.queue.retry({ ids: [id] });
  const { content } = await published(first, id);
  expect(content.passwordProtected).toBe(true);
  expect(new Set((await items(user)).map((one) => one.id))).toEqual(new Set([content.id, unprotected.content.id]));
});
