/** What a page can do with notes, published items and their links through commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ItemId } from '../../src/api/ids.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../src/ipc/protocol/command-table.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { PATIENCE_MS, soon } from '../support/poll-timeouts.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('published');
let host: OpenedHost;
let service: RunningServer;

const from =
  (sender: 'page' | 'owner') =>
  async <K extends CommandName>(command: K, input: CommandInput<K>): Promise<CommandOutput<K>> => {
    const answer = await host.dispatcher.dispatch(sender, command, input, soon());
    if (!answer.ok) throw new Error(`${command}: ${answer.error.code} ${answer.error.detail}`);
    return answer.value as CommandOutput<K>;
  };
const page = from('page');
const owner = from('owner');

const publish = async (text: string): Promise<ItemId> => {
  const { id } = await page('note.add', { text });
  expect(await owner('queue.waitFor', { id, patienceMs: PATIENCE_MS })).toMatchObject({ state: 'linked' });
  return id;
};

beforeAll(async () => {
  service = await startServer();
  host = await openTestHost(join(root, 'profile'));
  await page('connection.connect', { server: service.url, key: (await service.user()).apiKey });
});
afterAll(() => service.stop());

it('a note is guessed, shared, found, read, edited and deleted', async () => {
  const text = 'SELECT id\nFROM content\nWHERE size > 1;\n';
  expect(await page('note.guess', { text })).toEqual({ format: 'code', language: 'sql' });
  const id = await publish(text);
  const { items } = await page('library.search', { text: 'select', kinds: ['PASTE'], state: 'live' });
  expect(items.map((item) => item.id)).toEqual([id]);
  const { item } = await page('library.find', { link: items[0]?.content.url ?? '' });
  expect(item?.id).toBe(id);

  const { note } = await page('note.read', { id });
  expect(note).toMatchObject({ text, language: 'sql', revision: 1 });
  await page('note.saveDraft', { id, text: 'half', revision: 1 });
  expect((await page('note.read', { id })).draft?.text).toBe('half');
  await page('note.dropDraft', { id });
  expect(await page('note.edit', { id, text: 'SELECT 1;\n', revision: 1 })).toMatchObject({ outcome: 'saved' });

  const deleted = await page('library.delete', { ids: [id], when: 'after-undo' });
  expect(deleted.answers[0]?.item?.deletingAt).toBeGreaterThan(0);
  expect((await page('library.undelete', { ids: [id] })).answers[0]?.item?.deletingAt).toBeNull();
  expect((await page('library.delete', { ids: [id], when: 'now' })).answers).toEqual([
    { id, item: null, failure: null },
  ]);
});

it('many items are changed, looked at and linked at once, and presets are kept', async () => {
  const ids = [await publish('one\n'), await publish('two\n')];
  const changed = await page('library.update', { ids, change: { visibility: 'private' } });
  expect(changed.answers.map(({ failure, item }) => [failure, item?.content.visibility])).toEqual([
    [null, 'private'],
    [null, 'private'],
  ]);
  expect((await page('library.refresh', { ids })).answers).toHaveLength(2);
  expect((await page('link.format', { ids, template: '{title}' })).text).toBe('one\ntwo');
  expect((await page('link.copy', { id: ids[0] as ItemId, format: 'bbcode' })).text).toMatch(
    /^\[url=.*\]one\[\/url\]$/,
  );
  expect(await page('library.sync', {})).toEqual({ added: 0, changed: 0, gone: 0 });

  const preset = await page('preset.save', { name: 'A week', link: { ttl: 'week' } });
  await page('preset.makeDefault', { id: preset.id });
  expect(host.engine.state().settings).toMatchObject({ presets: [preset], defaultPreset: preset.id });
  await page('preset.remove', { id: preset.id });
  expect(host.engine.state().settings).toMatchObject({ presets: [], defaultPreset: null });
});

it('settings of items that wait are changed, and files become notes for their owner only', async () => {
  const path = join(root, 'plan.md');
  writeFileSync(path, '# The plan\n');
  await page('queue.pauseAll', {});
  const { ids } = await owner('note.addPaths', { paths: [path] });
  expect((await page('queue.setShare', { ids, change: { tags: ['x'] } })).answers).toEqual([
    { id: ids[0], failure: null },
  ]);
  await page('queue.resumeAll', {});
  const linked = await owner('queue.waitFor', { id: ids[0] as ItemId, patienceMs: PATIENCE_MS });
  expect(linked).toMatchObject({ state: 'linked', content: { title: 'plan', tags: ['x'], pasteFormat: 'markdown' } });
  await expect(page('note.addPaths', { paths: ['/etc/passwd'] })).rejects.toThrow('COMMAND_INVALID');
});
