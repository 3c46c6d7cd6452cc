/** A repository created by git itself, with only the user settings that a test gives. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Writes files by their paths, with all folders that they need. */
export const writeTree = (folder: string, tree: Tree): void => {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
};

export interface GitRepository {
  readonly run: (...args: readonly string[]) => string;
  /** What git considers part of the project, tracked or not: paths relative to `folder`. */
  readonly listed: (folder?: string) => readonly string[];
}

/** Initialises a repository in a folder. `home` is the user's home folder; the environment is that of each command. */
export const initRepository = (
  folder: string,
  home: string,
  environment: Readonly<Record<string, string>> = { GIT_CONFIG_NOSYSTEM: '1' },
): GitRepository => {
  mkdirSync(folder, { recursive: true });
  mkdirSync(home, { recursive: true });
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
  const env = { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C', ...environment };
  const call = (cwd: string, args: readonly string[]): string =>
    execFileSync('git', [...who, ...args], { cwd, env, stdio: 'pipe', maxBuffer: 256 * 1024 * 1024 }).toString();
  // Without the sample hooks: a test may make a hundred repositories.
  call(folder, ['init', '-q', '-b', 'main', '--template=']);
  writeTree(folder, { '.git/info/exclude': '' });
  return {
    run: (...args) => call(folder, args),
    listed: (within = folder) =>
      call(within, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'])
        .split('\0')
        .filter(Boolean),
  };
};
