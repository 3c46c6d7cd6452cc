/** A video that does not fit, end to end: from the user's file to the link, with the progress shown. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addFile, connectTo, itemOf, openEngine } from '../../support/engine.ts';
import { FIT_CORPUS, UNDECODABLE } from '../../support/media/fit-corpus.ts';
import { PATIENCE_MS, soon } from '../../support/poll-timeouts.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-video');
const PATIENCE = 600_000;

const ready = async (name: string) => {
  const service = await startServer();
  onTestFinished(() => service.stop());
  const profileDir = join(root, name);
  const { engine } = await openEngine(profileDir, { environment: { PATH: process.env['PATH'] } });
  await connectTo(engine, service.url, (await service.user()).apiKey);
  return { engine, spool: join(profileDir, 'spool') };
};

it('becomes a link, has a summary of the conversion, and leaves the source and no other file', async () => {
  const { engine, spool } = await ready('linked');
  const path = (await FIT_CORPUS['mpeg4.avi']?.()) ?? '';
  const before = createHash('sha256').update(readFileSync(path)).digest('hex');
  const preview = await engine.fit.previewPath({ path, fit: null }, soon());
  expect(preview).toMatchObject({ ok: true, value: { video: { way: 'encode', reasons: ['CONTAINER'] } } });

  const activities = new Set<string>();
  const forget = engine.on((event) => {
    if (event.type === 'state')
      for (const { activity } of Object.values(event.state.queue.live)) activities.add(activity);
  });
  const id = await addFile(engine, path, 'birthday.avi');
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({ ok: true });
  forget();
  const item = itemOf(engine, id);
  expect(item).toMatchObject({
    state: 'linked',
    content: { type: 'VIDEO', mime: 'video/mp4', originalName: 'birthday.mp4', width: 320, height: 180 },
    body: { made: { kind: 'video', way: 'encode', before: { fps: 30 } } },
  });
  expect(item?.size).toBe(item?.body?.size);
  expect(activities).toContain('preparing');
  expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(before);
  await vi.waitFor(() => expect(readdirSync(spool)).toEqual([]), { timeout: PATIENCE_MS });
});

it('waits for the user where nothing in it can be read, and stays in the queue', async () => {
  const { engine } = await ready('unreadable');
  const id = await addFile(engine, (await UNDECODABLE['cut before its index.mp4']?.()) ?? '', 'cut.mp4');
  expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
    ok: false,
    error: { code: 'VIDEO_UNREADABLE' },
  });
  expect(itemOf(engine, id)).toMatchObject({ state: 'queued', error: { retryAt: null } });
});
