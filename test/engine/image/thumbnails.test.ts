import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemId } from '../../../src/api/ids.ts';
import { createThumbnails } from '../../../src/engine/library/thumbnails.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { addFile, connectTo, openEngine, until, wait } from '../../support/engine.ts';
import { FOREIGN_CORPUS } from '../../support/media/image-corpus.ts';
import { goodMp4, video } from '../../support/media/media.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-thumbnails');
const ENVIRONMENT = { PATH: process.env['PATH'] };

describe('a small picture in the list', () => {
  it('is made of videos too, upright, and never larger than they are', async () => {
    const { engine } = await openEngine(join(root, 'videos'), { environment: ENVIRONMENT });
    const large = await video('tall.mkv', { size: '320x640', seconds: 1, sounds: 0, args: ['-c:v', 'libx264'] });
    for (const [source, width, height] of [
      [await goodMp4(), 320, 180],
      [large, 160, 320],
    ] as const) {
      const id = await addFile(engine, source, 'film');
      await until(() => engine.library.thumbnail(id) !== null);
      expect(await sharp(engine.library.thumbnail(id) ?? '').metadata()).toMatchObject({
        format: 'webp',
        width,
        height,
      });
    }
  });

  it('shows the prepared file when the picture itself cannot be decoded', async () => {
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { engine } = await openEngine(join(root, 'bodies'), { environment: ENVIRONMENT });
    const path = join(root, 'paint.bmp');
    writeFileSync(path, (await FOREIGN_CORPUS['paint.bmp']?.()) ?? '');
    const id = await addFile(engine, path, 'paint.bmp');
    await wait(50);
    expect(engine.library.thumbnail(id)).toBeNull();
    await connectTo(engine, server.url, (await server.user()).apiKey);
    const settled = await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon());
    expect(settled).toMatchObject({ ok: true, value: { state: 'linked', body: { name: 'paint.png' } } });
    await until(() => engine.library.thumbnail(id) !== null);
    const body = settled.ok ? (settled.value.body?.path ?? '') : '';
    await until(() => !existsSync(body));
    expect(await sharp(engine.library.thumbnail(id) ?? '').metadata()).toMatchObject({ width: 120, height: 80 });
  });

  it('is missing where ffmpeg is, and nothing else is', async () => {
    const { engine } = await openEngine(join(root, 'no-ffmpeg'), { environment: { LINKSHOT_FFMPEG: '/nowhere' } });
    const path = join(root, 'film.mp4');
    copyFileSync(await goodMp4(), path);
    const film = await addFile(engine, path, 'film.mp4');
    const picture = join(root, 'after.png');
    await sharp({ create: { width: 20, height: 10, channels: 3, background: '#246' } })
      .png()
      .toFile(picture);
    const after = await addFile(engine, picture, 'after.png');
    await until(() => engine.library.thumbnail(after) !== null);
    expect(engine.library.thumbnail(film)).toBeNull();
    expect(engine.state().thumbnails).toEqual([after]);
  });

  it('is taken from the service for what a command has published, once the app runs', async () => {
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { apiKey } = await server.user();
    const secrets = createMemoryKeyStore();
    const profile = join(root, 'by-command');
    const command = await openEngine(profile, { environment: ENVIRONMENT, secrets, delivery: 'by command' });
    await connectTo(command.engine, server.url, apiKey);
    const path = join(root, 'published.png');
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#642' } })
      .png()
      .toFile(path);
    const id = await addFile(command.engine, path, 'published.png');
    expect(await command.engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).toMatchObject({
      ok: true,
    });
    expect(command.engine.library.thumbnail(id)).toBeNull();
    await command.engine.close();

    const { engine } = await openEngine(profile, { environment: ENVIRONMENT, secrets });
    await engine.queue.dismiss({ ids: [id] });
    await until(() => engine.library.thumbnail(id) !== null);
    // Only the library has the item: lists that show it learn that it has a thumbnail now.
    expect(engine.state().thumbnails).toEqual([id]);
    expect(await sharp(engine.library.thumbnail(id) ?? '').metadata()).toMatchObject({
      format: 'webp',
      width: 60,
      height: 40,
    });
  });

  it('of items that are removed while theirs are still being made does not stay', async () => {
    const profileDir = join(root, 'removed');
    const path = join(root, 'removed.png');
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#462' } })
      .png()
      .toFile(path);
    const thumbnails = createThumbnails({
      ...{ profileDir, clock: systemClock, openSource },
      ffmpeg: () => Promise.resolve(null),
      onMade: () => {},
    });
    const ids = [1, 2, 3].map(() => systemRandom.uuid() as ItemId);
    for (const id of ids) thumbnails.make(id, path, 'now');
    for (const id of ids) await thumbnails.remove(id);
    await thumbnails.made();
    expect(ids.filter(thumbnails.has)).toEqual([]);
    expect(readdirSync(join(profileDir, 'thumbnails'))).toEqual([]);
  });

  it('of an item in progress is made once its link exists', async () => {
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { engine } = await openEngine(join(root, 'linked-first'), { environment: ENVIRONMENT });
    await connectTo(engine, server.url, (await server.user()).apiKey);
    const path = join(root, 'first-the-link.png');
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#264' } })
      .png()
      .toFile(path);
    const id = await addFile(engine, path, 'first-the-link.png');
    expect(await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon())).toMatchObject({
      ok: true,
    });
    await until(() => engine.library.thumbnail(id) !== null);
  });
});
