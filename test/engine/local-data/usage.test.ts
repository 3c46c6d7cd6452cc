/** Local data is counted, reported without secrets, and erased from the disk when cleared. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/engine/engine.ts';
import { addFile, connectTo, openEngine, until } from '../../support/engine.ts';
import { image } from '../../support/media/media.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { publishNote } from '../library/library-scenario.ts';

const root = temporaryFolder('profile-usage');
let service: RunningServer;
let user: User;
beforeAll(async () => {
  service = await startServer();
  user = await service.user();
});
afterAll(() => service.stop());

/** A profile with one link, published as a file of that name. */
const used = async (name: string): Promise<{ engine: Engine; dir: string; url: string }> => {
  const dir = join(root, name);
  const { engine } = await openEngine(dir, { environment: { ...process.env, HOME: root } });
  await connectTo(engine, service.url, user.apiKey);
  const id = await addFile(engine, await image('png'), `${name}.png`);
  const settled = await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon());
  if (!settled.ok || settled.value.state !== 'linked') throw new Error('not linked');
  await until(() => engine.library.thumbnail(id) !== null);
  return { engine, dir, url: settled.value.content.url };
};

/** All bytes that the database and its copies hold. */
const databases = (dir: string): string =>
  readdirSync(dir)
    .filter((file) => file.startsWith('profile.sqlite'))
    .map((file) => readFileSync(join(dir, file), 'latin1'))
    .join('\n');

describe('the disk usage', () => {
  it('is counted part by part, and with it what the account has published by kind', async () => {
    const { engine, dir } = await used('counted');
    mkdirSync(join(dir, 'recordings', 'one'), { recursive: true });
    writeFileSync(join(dir, 'recordings', 'one', '0.mp4'), 'x'.repeat(700));
    writeFileSync(join(dir, 'profile.sqlite.damaged-1'), 'x'.repeat(300));
    const { folder, captures, parts, links, published, hasLastRegion } = must(await engine.profile.usage());
    expect([folder, captures, links, hasLastRegion]).toEqual([dir, join(root, 'Pictures', 'Linkshot'), 1, false]);
    expect(parts.recordings).toEqual({ bytes: 700, files: 1 });
    expect(parts.leftovers).toEqual({ bytes: 300, files: 1 });
    expect(parts.thumbnails.files).toBe(1);
    expect(parts.database.bytes).toBeGreaterThan(10_000);
    expect(published).toMatchObject([{ kind: 'IMAGE', items: 1 }]);
    expect(published[0]?.bytes).toBeGreaterThan(0);
  });

  it('that is unused is deleted, and nothing else', async () => {
    const { engine, dir } = await used('leftovers');
    mkdirSync(join(dir, 'recordings', 'lost.damaged'), { recursive: true });
    writeFileSync(join(dir, 'recordings', 'lost.damaged', '0.mp4'), 'x');
    writeFileSync(join(dir, 'profile.sqlite.damaged-1'), 'x');
    const { parts } = must(await engine.profile.clear({ what: 'leftovers' }));
    expect(parts.leftovers).toEqual({ bytes: 0, files: 0 });
    expect(existsSync(join(dir, 'profile.sqlite'))).toBe(true);
    expect(parts.thumbnails.files).toBe(1);
    expect(must(await engine.profile.clear({ what: 'thumbnails' })).parts.thumbnails).toEqual({ bytes: 0, files: 0 });
    expect(must(engine.library.search({ text: '' })).total).toBe(1);
  });
});

describe('the history', () => {
  it('is deleted from list, library and disk, with the copies; the link still works', async () => {
    const { engine, dir, url } = await used('forgotten-name');
    await publishNote(engine, 'whispered plans\n');
    const { id } = await publishNote(engine, 'lasting\n');
    must(engine.note.saveDraft({ id, text: 'lasting, and more\n', revision: 1 }));
    // Each is one word of the search index, which shortens a word by the beginning that it shares with the one before.
    const words = ['orgotten', 'hispered'];
    for (const word of words) expect(databases(dir)).toContain(word);
    const left = must(await engine.profile.clear({ what: 'history' }));
    expect([left.links, left.parts.thumbnails.files]).toEqual([1, 0]);
    expect(engine.state().queue.items).toEqual([]);
    expect(must(engine.library.search({ text: 'forgotten' })).total).toBe(0);
    await engine.close();
    for (const word of words) expect(databases(dir)).not.toContain(word);
    expect((await fetch(url)).status).toBe(200);
  });

  it('leaves what waits, and its small picture', async () => {
    const { engine } = await used('waiting');
    engine.queue.pauseAll();
    const id = await addFile(engine, await image('jpeg'), 'later.jpg');
    await until(() => engine.library.thumbnail(id) !== null);
    await engine.profile.clear({ what: 'history' });
    expect(engine.state().queue.items.map(({ name }) => name)).toEqual(['later.jpg']);
    await until(() => engine.library.thumbnail(id) !== null);
  });

  it('is imported from the service when the library is read again', async () => {
    const { engine } = await used('again');
    await engine.profile.clear({ what: 'history' });
    expect(await engine.library.sync({}, soon())).toMatchObject({ ok: true });
    expect(must(engine.library.search({ text: 'again' })).total).toBe(1);
  });
});

it('the report contains numbers and codes, and no key, name, address or path', async () => {
  const { engine, dir, url } = await used('secret-plans');
  engine.settings.update({
    saveFolder: '/home/mira/private',
    nameTemplate: 'mine {n}',
    presets: [{ id: 'p', name: 'For Anna', link: {} }],
    theme: 'dark',
  });
  const report = must(await engine.profile.report()).text;
  for (const word of [
    'Linkshot test',
    'Connection: connected',
    'Queue: linked 1',
    'theme: "dark"',
    'presets: (changed)',
  ])
    expect(report).toContain(word);
  const { host } = new URL(url);
  for (const secret of [user.apiKey, user.username, 'secret-plans', host, dir, root, 'private', 'mine', 'Anna'])
    expect(report).not.toContain(secret);
});
