/** A folder bundle from a page is shared like any other folder, and cannot refer to paths outside of it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExcludedEntry } from '../../../src/common/folder/folder-preview.ts';
import { previewFolder } from '../../../src/engine/folder/preview-folder-upload.ts';
import { bundleOf } from '../../support/folder/folder-bundle.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('folder-bundle');
let made = 0;
const preview = (bytes: Buffer) => {
  made += 1;
  mkdirSync(root, { recursive: true });
  const path = join(root, `${made}.folder`);
  writeFileSync(path, bytes);
  return previewFolder({ owner: 'spool', path }, { gitHome: null, times: null }, () => {}, soon());
};

describe('a streamed folder', () => {
  it('is validated again, and lists the files that stayed in the page too', async () => {
    const skipped: ExcludedEntry[] = [{ path: 'node_modules/', reason: 'dependencies', files: null, size: null }];
    const account = { skipped, skippedFiles: 7, uncountedFolders: 1, gitignore: 'applied' as const };
    const key = '-----BEGIN PRIVATE KEY-----\n';
    const read = await preview(bundleOf({ 'a.ts': 'code', 'deep/b.ts': 'more', '.env': 'A=1', key }, account));
    expect(read).toMatchObject({
      ok: true,
      value: {
        goes: [
          { path: 'a.ts', size: 4 },
          { path: 'deep/b.ts', size: 4 },
        ],
        skipped: [
          { path: '.env', reason: 'secret' },
          { path: 'key', reason: 'secret' },
          { path: 'node_modules/', reason: 'dependencies' },
        ],
        skippedFiles: 9,
        uncountedFolders: 1,
        gitignore: 'applied',
        refusal: null,
      },
    });
  });

  it.each(['../up.ts', '/etc/passwd', 'a/../../b', 'a//b', './a', 'a\\b', 'a\0b', '', '..'])(
    'with the path %j is not taken at all',
    async (path) => {
      expect(await preview(bundleOf({ 'a.ts': 'code', [path]: 'x' }))).toMatchObject({
        error: { code: 'SOURCE_UNREADABLE' },
      });
    },
  );

  it('whose head does not fit its bytes is not taken', async () => {
    const whole = bundleOf({ 'a.ts': 'code' });
    const twice = [{ path: 'a.ts', size: 2 }];
    for (const broken of [
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.from('more')]),
      whole.subarray(0, 6),
      Buffer.from('a picture, not a folder'),
      bundleOf({ 'a.ts': 'code' }, {}, { files: [...twice, ...twice] }),
      bundleOf({ 'a.ts': 'code' }, {}, { files: [{ path: 'a.ts', size: -1 }] }),
    ])
      expect(await preview(broken)).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } });
  });

  it('that no longer exists is reported', async () => {
    const source = { owner: 'spool', path: join(root, 'none.folder') } as const;
    expect(await previewFolder(source, { gitHome: null, times: null }, () => {}, soon())).toMatchObject({
      error: { code: 'SOURCE_MISSING' },
    });
  });

  const previewAt = (name: string) =>
    previewFolder({ owner: 'spool', path: join(root, name) }, { gitHome: null, times: null }, () => {}, soon());

  itWith('links without a right of their own')('that cannot be opened is not taken for a missing one', async () => {
    mkdirSync(root, { recursive: true });
    symlinkSync('loop.folder', join(root, 'loop.folder'));
    expect(await previewAt('loop.folder')).toMatchObject({
      error: { code: 'SOURCE_UNREADABLE', params: { system: 'ELOOP' } },
    });
  });

  it('that can be opened and not read is reported', async () => {
    mkdirSync(join(root, 'a-folder.folder'), { recursive: true });
    expect(await previewAt('a-folder.folder')).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } });
  });
});
