/** Ignored files are reported with the line of the ignore file that matched. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { initRepository, writeTree } from '../../support/folder/git-repository.ts';
import { preview } from '../../support/folder/packed-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder('folder-rules');

it('names the file, the line and the pattern', async () => {
  const place = { root: join(dir, 'project'), home: join(dir, 'home'), spool: join(dir, 'spool') };
  writeTree(place.root, {
    'main.ts': '1',
    '.gitignore': '# logs\n*.log\n\nmédia/\n100%\n',
    'a.log': '1',
    '100%': '1',
    'média/x.txt': '1',
    'src/.gitignore': 'generated/\n*.tmp\n!kept.tmp\n',
    'src/generated/x.ts': '1',
    'src/a.tmp': '1',
    'src/kept.tmp': '1',
  });
  writeTree(place.home, { '.none': '' });
  initRepository(place.root, place.home);
  writeTree(place.root, { '.git/info/exclude': '*.local\n', 'x.local': '1' });
  const { skipped, goes } = await preview(place);
  expect(goes.map(({ path }) => path)).toEqual(['main.ts', 'src/.gitignore', 'src/kept.tmp']);
  const ignored = skipped.filter(({ reason }) => reason === 'gitignore').map(({ path, rule }) => [path, rule]);
  expect(Object.fromEntries(ignored)).toEqual({
    '.gitignore': undefined,
    'a.log': { file: '.gitignore', line: 2, pattern: '*.log' },
    'média/': { file: '.gitignore', line: 4, pattern: 'média/' },
    '100%': { file: '.gitignore', line: 5, pattern: '100%' },
    'src/generated/': { file: 'src/.gitignore', line: 1, pattern: 'generated/' },
    'src/a.tmp': { file: 'src/.gitignore', line: 2, pattern: '*.tmp' },
    'x.local': { file: '.git/info/exclude', line: 1, pattern: '*.local' },
  });
});
