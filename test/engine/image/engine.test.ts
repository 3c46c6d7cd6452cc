/** Images end to end: added to the engine, fitted, sent to the real server, and read back from it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addFile, connectTo, fastClock, openEngine } from '../../support/engine.ts';
import { ACCEPTED_CORPUS, FOREIGN_CORPUS, moving, SECRET } from '../../support/media/image-corpus.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-images');

const ready = async (name: string) => {
  const service = await startServer({ clock: fastClock });
  onTestFinished(() => service.stop());
  const user = await service.user();
  const { engine } = await openEngine(join(root, name), { environment: { PATH: process.env['PATH'] } });
  await connectTo(engine, service.url, user.apiKey);
  /** Publishes the bytes and answers the item with what the service gives back of it. */
  const publish = async (file: string, bytes: Buffer) => {
    const path = join(root, file);
    writeFileSync(path, bytes);
    const settled = await engine.queue.waitFor({ id: await addFile(engine, path, file), patienceMs: 600_000 }, soon());
    if (!settled.ok || settled.value.state !== 'linked')
      throw new Error(settled.ok ? 'not linked' : settled.error.detail);
    const { content, body, source } = settled.value;
    const headers = { authorization: `Bearer ${user.apiKey}` };
    const served = await fetch(`${service.url}${content.mediaUrl}?download=1`, { headers });
    return { content, body, source, served: Buffer.from(await served.arrayBuffer()) };
  };
  return { engine, publish };
};

it('what the service stores contains no personal data or locations, unless the user wants that', async () => {
  const { engine, publish } = await ready('private');
  const photo = (await ACCEPTED_CORPUS['photo-6.jpg']?.()) ?? Buffer.alloc(0);
  const { content, served, body } = await publish('photo.jpg', photo);
  expect(content).toMatchObject({ type: 'IMAGE', width: 64, height: 96, originalName: 'photo.jpg' });
  expect([served.length, served.includes(SECRET)]).toEqual([body?.size, false]);
  expect(body?.made).toMatchObject({ kind: 'image', done: ['metadata-removed'] });
  engine.settings.update({ stripMetadata: false });
  const open = await publish('open.jpg', photo);
  expect([open.body, open.served.equals(photo)]).toEqual([null, true]);
});

it('a bitmap arrives as a picture, and a GIF that moves as a video', async () => {
  const { publish } = await ready('converted');
  const bitmap = await publish('paint.bmp', (await FOREIGN_CORPUS['paint.bmp']?.()) ?? Buffer.alloc(0));
  expect(bitmap.content).toMatchObject({ type: 'IMAGE', mime: 'image/png', originalName: 'paint.png', width: 120 });
  const loop = await publish(
    'loop.gif',
    await moving()
      .gif({ delay: [100, 100, 100] })
      .toBuffer(),
  );
  expect(loop.content).toMatchObject({ type: 'VIDEO', width: 64, height: 48, hasAudio: false });
  expect(loop.body?.made.kind).toBe('video');
});
