/** The promise: what an account has published elsewhere comes into the library once, and what is gone there is shown so. */
import { expect, it } from 'vitest';
import { itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/patience.ts';
import { remove } from '../../support/server/items.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, must, openScene, publishNote } from './scene.ts';

const root = temporaryFolder('engine-sync');

it('takes over every page, leaves own items as they are, and changes nothing the second time', async () => {
  const scene = await openScene(root);
  const { engine, service, person } = scene;
  const own = await publishNote(engine, 'own\n');
  for (let index = 0; index < 30; index++) {
    const body = { text: `elsewhere ${index}\n`, format: 'plain' };
    await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: person.apiKey, body });
  }
  expect(must(await engine.syncLibrary(soon()))).toEqual({ added: 30, changed: 0, gone: 0 });
  expect(must(await engine.syncLibrary(soon()))).toEqual({ added: 0, changed: 0, gone: 0 });
  expect(engine.search({ text: '' }).total).toBe(31);
  expect(engine.search({ text: 'own' }).items).toMatchObject([{ id: own.id }]);
  expect(engine.search({ text: '', sort: 'oldest' }).items[0]?.id).toBe(own.id);

  const [item] = engine.search({ text: 'elsewhere 7' }).items;
  if (!item) throw new Error('not found');
  await remove(service, person, item.content.id);
  expect(must(await engine.syncLibrary(soon()))).toEqual({ added: 0, changed: 0, gone: 1 });
  expect(engine.search({ text: '', state: 'gone' }).items.map(({ id }) => id)).toEqual([item.id]);
  expect((await engine.updateItems([own.id], { title: 'Still mine' }, soon()))[0]?.failure).toBeNull();
});

it('an item that is listed before the queue has heard of its publication is here once', async () => {
  const { engine, proxy } = await openScene(root);
  proxy.fault = ({ path }) => {
    if (path !== '/api/v1/pastes') return null;
    engine.pause(engine.state().queue.items.map(({ id }) => id));
    return { do: 'lose-answer' };
  };
  const id = must(await engine.addNote({ text: 'told late\n', share: {} }));
  await until(() => itemOf(engine, id)?.trouble?.failure.code === 'NETWORK_FAILED');
  proxy.fault = () => null;
  expect(must(await engine.syncLibrary(soon()))).toEqual({ added: 1, changed: 0, gone: 0 });
  engine.resume([id]);
  await linkedItem(engine, id);
  expect(engine.search({ text: 'told late' })).toMatchObject({ total: 1, items: [{ id }] });
});

it('marks nothing as gone where the service could not be read to its end', async () => {
  const scene = await openScene(root);
  await publishNote(scene.engine, 'own\n');
  scene.proxy.fault = ({ path }) => (path.startsWith('/api/v1/content') ? { do: 'lose-answer' } : null);
  expect((await scene.engine.syncLibrary(soon())).ok).toBe(false);
  expect(scene.engine.search({ text: '', state: 'gone' }).total).toBe(0);
});
