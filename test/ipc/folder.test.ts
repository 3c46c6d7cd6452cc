/** A page previews folders that it was given; only another process of the user may name a path. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { IntakeId, Sha256, SourceToken } from '../../src/api/ids.ts';
import { BUNDLE_MAX } from '../../src/common/folder/bundle-format.ts';
import { bundleOf } from '../support/folder/folder-bundle.ts';
import { writeTree } from '../support/folder/git-repository.ts';
import { shownMode } from '../support/only-on.ts';
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
    source: { owner: 'user', path: folder },
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

it('adds a folder again whose item was cancelled, and one that could not be added before', async () => {
  const host = await openTestHost(join(root, 'again'));
  const give = (command: string, input: object) => host.dispatcher.dispatch('page', command, input, signal);
  const path = join(root, 'again-project');
  const token = host.sources.offer({ source: { owner: 'user', path }, name: 'project', job: { kind: 'folder' } });
  expect(await give('queue.add', { tokens: [token] })).toMatchObject({ error: { code: 'SOURCE_MISSING' } });
  mkdirSync(path);
  expect(await give('queue.add', { tokens: [token] })).toMatchObject({ ok: true });
  expect(await give('queue.add', { tokens: [token] })).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
  expect(await give('folder.putBack', { token })).toEqual({ ok: true, value: {} });
  expect(await give('queue.add', { tokens: [token] })).toMatchObject({ ok: true });
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

it('accepts the files that a page has chosen in a folder as one, and deletes those that are not added', async () => {
  const host = await openTestHost(join(root, 'streamed'));
  const give = (command: string, input: unknown) => host.dispatcher.dispatch('page', command, input, signal);
  const stream = async (bytes: Buffer): Promise<SourceToken> => {
    const opened = await host.intake.open({ name: 'project', size: bytes.length, kind: 'folder' });
    if (!opened.ok) throw new Error(opened.error.detail);
    await host.intake.write(opened.value.id, 0, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex') as string as Sha256;
    const finished = await host.intake.finish(opened.value.id, sha256);
    if (!finished.ok) throw new Error(finished.error.detail);
    return finished.value.token;
  };
  const token = await stream(bundleOf({ 'a.ts': 'code' }, { skippedFiles: 3 }));
  const left = await stream(bundleOf({ 'b.ts': 'more' }));
  expect(await give('folder.preview', { token })).toMatchObject({
    value: { name: 'project', goes: [{ path: 'a.ts', size: 4 }], skippedFiles: 3 },
  });
  expect(await give('queue.add', { tokens: [token] })).toMatchObject({ ok: true });
  const [item] = host.engine.state().queue.items;
  expect(item).toMatchObject({ job: { kind: 'folder' }, name: 'project', source: { owner: 'spool' } });
  expect(statSync(item?.source.path ?? '').mode & 0o777).toBe(shownMode(0o600));
  const leftPath = host.sources.look(left)?.source.path ?? '';
  expect(existsSync(leftPath)).toBe(true);
  await host.sources.close();
  expect(readdirSync(host.engine.spoolDir)).toEqual([basename(item?.source.path ?? '')]);
});

it('takes no folder that is larger than any that could be shared', async () => {
  const host = await openTestHost(join(root, 'large'));
  const open = { name: 'project', size: BUNDLE_MAX + 1, kind: 'folder' } as const;
  expect(await host.intake.open(open)).toMatchObject({ error: { code: 'FOLDER_TOO_LARGE' } });
  expect(host.intake.state('00000000-0000-4000-8000-000000000000' as IntakeId)).toMatchObject({ ok: false });
});

it('stops reading a folder when the page cancels', async () => {
  const host = await openTestHost(join(root, 'stopped'));
  const job = { kind: 'folder' } as const;
  const token = host.sources.offer({ source: { owner: 'user', path: folder }, name: 'project', job });
  const give = (command: string) => host.dispatcher.dispatch('page', command, { token }, signal);
  const reading = give('folder.preview');
  expect(await give('folder.progress')).toMatchObject({ value: { progress: { share: null } } });
  await give('folder.stop');
  expect(await reading).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(await give('folder.progress')).toMatchObject({ value: { progress: null } });
  expect(await give('folder.preview')).toMatchObject(SHOWN);
});
