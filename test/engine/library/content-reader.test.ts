/** Owners can view everything they shared, including private and one-time items, without using up views. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import { connectTo } from '../../support/engine.ts';
import { writeTree } from '../../support/folder/git-repository.ts';
import { image } from '../../support/media/media.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { browser, read, remove } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkedItem, openScene, publishNote, type Scene } from './library-scenario.ts';

const root = temporaryFolder('engine-looking');
const UNKNOWN = '00000000-0000-4000-8000-000000000000' as ItemId;

/** Without the proxy between, which carries texts only. */
const openDirectly = async (): Promise<Scene> => {
  const scene = await openScene(root);
  await connectTo(scene.engine, scene.service.url, scene.user.apiKey);
  return scene;
};

const share = async ({ engine }: Scene, path: string, name: string, job?: 'folder') => {
  const [id] = must(
    await engine.queue.add([{ source: { owner: 'user', path }, name, ...(job && { job: { kind: job } }) }]),
  );
  return await linkedItem(engine, id as ItemId);
};

describe('the bytes of an item', () => {
  it('are those that were shared, whole and by range, also when only their owner may have them', async () => {
    const scene = await openDirectly();
    const { engine, service, user } = scene;
    const path = await image('png');
    const bytes = readFileSync(path);
    const { id, content } = await share(scene, path, 'shot.png');
    for (const change of [{ visibility: 'private' as const }, { visibility: 'unlisted' as const, oneTime: true }]) {
      await engine.library.update({ ids: [id], change }, soon());
      const whole = must(await engine.library.media(id, 'file', null, soon()));
      expect(whole).toMatchObject({ status: 200, type: 'image/png', length: bytes.length });
      expect(await buffer(whole.body)).toEqual(bytes);
      const part = must(await engine.library.media(id, 'file', 'bytes=10-19', soon()));
      expect(part).toMatchObject({ status: 206, length: 10, range: `bytes 10-19/${bytes.length}` });
      expect(await buffer(part.body)).toEqual(bytes.subarray(10, 20));
      const beyond = must(await engine.library.media(id, 'file', `bytes=${bytes.length}-`, soon()));
      expect(beyond.status).toBe(416);
      beyond.body.destroy();
    }
    expect((await read(service, user, content.id)).body).toMatchObject({ views: 0, consumedAt: null, oneTime: true });
    // The one guest that the link is for still gets in.
    expect((await browser(service).open(content.id)).status).toBe(200);
  });

  it('are refused with the error of the service, and unknown items without a request', async () => {
    const { engine, service, user } = await openDirectly();
    const { id, content } = await publishNote(engine, 'a\n');
    await remove(service, user, content.id);
    expect(await engine.library.media(id, 'file', null, soon())).toMatchObject({
      error: { code: 'SHARE_UNAVAILABLE' },
    });
    expect(await engine.library.media(UNKNOWN, 'file', null, soon())).toMatchObject({
      error: { code: 'COMMAND_INVALID' },
    });
  });
});

describe('a shared folder', () => {
  it('is listed from its archive, and each file is read from its own range', async () => {
    const scene = await openDirectly();
    const { engine } = scene;
    const folder = join(root, 'folder/project');
    const long = Array.from({ length: 3_000 }, (_, line) => `line ${line} of a long file\n`).join('');
    writeTree(folder, {
      'README.md': '# Hello\n',
      'src/main.ts': 'export const answer = 42;\n',
      'src/empty.txt': '',
      'src/long.txt': long,
      'данные/файл.txt': 'привет\n',
    });
    const { id } = await share(scene, folder, 'project', 'folder');
    const { files } = must(await engine.library.folder({ id }, soon()));
    expect(files.map(({ path, size }) => [path, size]).toSorted()).toEqual([
      ['README.md', 8],
      ['src/empty.txt', 0],
      ['src/long.txt', long.length],
      ['src/main.ts', 26],
      ['данные/файл.txt', 13],
    ]);
    expect(must(await engine.library.folderFile({ id, path: 'данные/файл.txt' }, soon())).text).toBe('привет\n');
    expect(must(await engine.library.folderFile({ id, path: 'src/long.txt' }, soon())).text).toBe(long);
    expect(must(await engine.library.folderFile({ id, path: 'src/empty.txt' }, soon())).text).toBe('');
    expect(await engine.library.folderFile({ id, path: '../secret' }, soon())).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  it('that is invalid is reported instead of showing something', async () => {
    const scene = await openDirectly();
    const { id } = await publishNote(scene.engine, 'no archive at all\n');
    expect(await scene.engine.library.folder({ id }, soon())).toMatchObject({
      error: { code: 'FOLDER_ARCHIVE_INVALID' },
    });
  });
});

describe('views by day', () => {
  it('count what guests have opened today', async () => {
    // At noon: no day ends between the views and the question.
    const { engine, service } = await openScene(root, { plan: 'pro', serverClock: movableClock() });
    const { id, content } = await publishNote(engine, 'a\n');
    await browser(service).open(content.id);
    await browser(service).open(content.id);
    const { days } = must(await engine.library.views({ id, days: 7 }, soon()));
    expect(days.map(({ views }) => views)).toEqual([0, 0, 0, 0, 0, 0, 2]);
  });

  it('need a plan that includes them, which is checked before a request', async () => {
    const { engine, proxy } = await openScene(root);
    const { id } = await publishNote(engine, 'a\n');
    const before = proxy.requests.length;
    expect(await engine.library.views({ id, days: 30 }, soon())).toMatchObject({
      error: { code: 'PLAN_FEATURE_REQUIRED', params: { feature: 'view_stats', trial: 'available' } },
    });
    expect(proxy.requests.slice(before).filter(({ path }) => path.includes('/views'))).toEqual([]);
  });
});
