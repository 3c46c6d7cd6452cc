/**
 * Keeps the files of a shared folder from leading to another computer. Windows proves the user's password to every host
 * whose files it opens, so that a folder of a stranger need only name one.
 */
import { readlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** Rejects with a system error, EREMOTE, if a path or a link in it leads to another computer; else it may be opened. */
export type Reach = (path: string) => Promise<void>;

/** For the user's own settings, and what they name. */
export const ANYWHERE: Reach = async () => {};

/** Also devices, such as `\\?\UNC\host`. Windows takes either slash. */
const REMOTE = /^[\\/](?:[\\/]|\?\?[\\/])/;
const SHARE = /^[\\/]{2}([^\\/?.][^\\/]*)[\\/]+([^\\/]+)/;

const shareOf = (path: string): string | null => {
  const [, host, share] = SHARE.exec(path) ?? [];
  return host === undefined || share === undefined ? null : `${host}/${share}`.toLowerCase();
};

/** The path that a file in `folder` writes as `path`. A remote one stays as it is written. */
export const pathFrom = (folder: string, path: string): string =>
  isAbsolute(path) && REMOTE.test(path) ? path : resolve(folder, path);

const refused = (code: 'EREMOTE' | 'ELOOP', what: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${what}, open '${path}'`), { code, syscall: 'open', path });

/** Those of one path; Linux has the same limit, Windows a larger one. */
const LINKS_MAX = 40;

/**
 * For what the shared folder names. On Windows it reaches this computer and the shares that the `known` paths are on,
 * such as that of the folder itself.
 */
export const createReach = (known: readonly string[], platform: NodeJS.Platform): Reach => {
  if (platform !== 'win32') return ANYWHERE;
  const shares = new Set(known.map(shareOf));
  const folders = new Map<string, string>();

  const check = (path: string): void => {
    const share = shareOf(path);
    if (REMOTE.test(path) && (share === null || !shares.has(share)))
      throw refused('EREMOTE', 'leads to another computer', path);
  };

  /** The path without its links: the system would follow them before anything could be checked. */
  const follow = async (path: string, budget: { links: number }): Promise<string> => {
    const above = dirname(path);
    if (above === path) return path;
    const at = join(await followFolder(above, budget), basename(path));
    const target = await readlink(at).catch(() => null);
    if (target === null) return at;
    budget.links -= 1;
    if (budget.links < 0) throw refused('ELOOP', 'too many links', path);
    const next = pathFrom(dirname(at), target);
    check(next);
    return follow(next, budget);
  };
  const followFolder = async (path: string, budget: { links: number }): Promise<string> => {
    const real = folders.get(path) ?? (await follow(path, budget));
    folders.set(path, real);
    return real;
  };

  return async (path) => {
    check(path);
    await follow(path, { links: LINKS_MAX });
  };
};
