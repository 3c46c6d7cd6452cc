/** A page sees what a folder that it was given would send; only another process of the person may name a path. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SourceToken } from '../../src/contract/ids.ts';
import { writeTree } from '../support/git-repository.ts';
import { openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('bridge-folder');
const { signal } = new AbortController();
const folder = join(root, 'project');
writeTree(folder, { 'a.ts': 'code', '.env': 'A=1', 'node_modules/x.js': '1' });

const SHOWN = {
  ok: true,
  value: {
    name: 'project',
    goes: [{ path: 'a.ts', size: 4 }],
    skipped: [
      { path: '.env', reason: 'secret', files: 1, size: 3 },
      { path: 'node_modules/', reason: 'dependencies', files: null, size: null },
    ],
    files: 1,
    textBytes: 4,
    refusal: null,
  },
};

it('shows a page the folder of a token, again and again until it is added', async () => {
  const host = await openTestHost(join(root, 'page'));
  const token = host.sources.offer({
    source: { owner: 'person', path: folder },
    name: 'project',
    job: { kind: 'folder' },
  });
  const ask = (of: SourceToken) => host.dispatcher.dispatch('page', 'folder.preview', { token: of }, signal);
  expect(await ask(token)).toMatchObject(SHOWN);
  expect(await ask(token)).toMatchObject(SHOWN);
  expect(host.engine.state().queue.items).toEqual([]);
  const added = await host.dispatcher.dispatch('page', 'queue.add', { tokens: [token] }, signal);
  expect(added).toMatchObject({ ok: true });
  expect(host.engine.state().queue.items).toMatchObject([{ job: { kind: 'folder' }, name: 'project' }]);
  expect(await ask(token)).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
});

it('shows an owner the folder at a path, and adds it as one', async () => {
  const host = await openTestHost(join(root, 'owner'));
  const give = (command: string, input: unknown) => host.dispatcher.dispatch('owner', command, input, signal);
  expect(await give('folder.previewPath', { path: folder })).toMatchObject(SHOWN);
  expect(await give('folder.previewPath', { path: join(root, 'none') })).toMatchObject({
    error: { code: 'SOURCE_MISSING' },
  });
  const file = join(root, 'file.txt');
  writeFileSync(file, '1');
  expect(await give('folder.previewPath', { path: file })).toMatchObject({ error: { code: 'SOURCE_NOT_A_FOLDER' } });
  expect(await give('queue.addPaths', { paths: [folder, file] })).toMatchObject({ ok: true });
  expect(host.engine.state().queue.items.map(({ name, job }) => [name, job.kind])).toEqual([
    ['project', 'folder'],
    ['file.txt', 'file'],
  ]);
});
