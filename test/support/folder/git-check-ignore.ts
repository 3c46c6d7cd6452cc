/** Asks git itself which paths a .gitignore excludes, independent of the machine's git configuration. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };

/** Opens an empty repository in a new folder; the caller removes `folder`. */
export const createGitJudge = () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkshot-git-'));
  execFileSync('git', ['init', '-q'], { cwd: folder, env });

  const excluded = (gitignore: string | Uint8Array, paths: readonly string[]): ReadonlySet<string> => {
    writeFileSync(join(folder, '.gitignore'), gitignore);
    const run = spawnSync(
      'git',
      ['-c', 'core.ignorecase=false', 'check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'],
      { cwd: folder, env, input: paths.map((path) => `${path}\0`).join(''), maxBuffer: 256 * 1024 * 1024 },
    );
    if (run.status === null || run.status > 1) throw new Error(`git check-ignore failed: ${run.stderr}`);
    const fields = run.stdout.toString().split('\0');
    const answer = new Set<string>();
    for (let at = 0; at + 3 < fields.length; at += 4) {
      const [source, , pattern, path] = fields.slice(at, at + 4) as [string, string, string, string];
      if (source !== '' && !pattern.startsWith('!')) answer.add(path);
    }
    return answer;
  };
  /** Paths of all files of some installed packages, as a large real tree. */
  const tree = (packages: readonly string[]): readonly string[] =>
    packages.flatMap((name) =>
      readdirSync(join('node_modules', name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative('node_modules', join(entry.parentPath, entry.name))),
    );
  return { folder, excluded, tree };
};
