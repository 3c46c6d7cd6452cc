/**
 * Opens the git repository that contains a folder, or that begins at it, with its ignore rules and tracked paths. Also
 * reads the .gitignore of a folder. Rejects where a part of them exists and cannot be read; git would then list more.
 */
import { isUtf8 } from 'node:buffer';
import { dirname, join, relative, sep } from 'node:path';
import type { IgnoreRule } from '../../api/folder-result.ts';
import { isSystemError } from '../../base/node/system-error.ts';
import { composeName } from '../../common/folder/compose-name.ts';
import { type IgnoreFile, readIgnoreFile, textOf } from '../../common/folder/gitignore-file.ts';
import type { Letters } from '../../common/folder/gitignore-glob.ts';
import { type IgnoreLayer, ignoredBy } from '../../common/folder/gitignore-layers.ts';
import { GITIGNORE } from '../../common/folder/select-files.ts';
import { type GitAccess, type GitSettings, type Names, readGitSettings } from './git-config.ts';
import { readIndex, type Tracked } from './git-index.ts';
import { openIfThere, readIfThere, readRulesIfThere, statIfThere } from './optional-files.ts';
import { pathFrom, type Reach } from './reach.ts';

/** Git's view of one folder. Paths are byte strings relative to the top of the repository. */
export interface GitView {
  /** Path of the folder, with a trailing '/'; '' at the top. */
  readonly path: string;
  /** Highest precedence first. */
  readonly layers: readonly IgnoreLayer[];
  readonly tracked: Tracked;
  readonly letters: Letters;
  readonly names: Names;
  /** Outside of a repository ignore files still apply, and a repository may start in any subfolder. */
  readonly isInRepository: boolean;
}

const NOTHING: Tracked = { has: () => false, hasIn: () => false, isSubmodule: () => false };

const byteStringOf = (path: string): string => Buffer.from(path).toString('latin1');

const composed = (name: string): string => {
  const bytes = Buffer.from(name, 'latin1');
  return isUtf8(bytes) ? byteStringOf(composeName(bytes.toString())) : name;
};

/** An entry of the view's folder as git knows it. */
interface GitEntry {
  readonly path: string;
  /** The rule that ignores it, unless it is tracked. */
  readonly ignoredAs: (kind: 'file' | 'folder') => IgnoreRule | null;
}

/** `name` is a byte string, as it is listed. */
export const gitEntry = ({ path: folder, layers, names }: GitView, name: string): GitEntry => {
  const path = folder + (names === 'listed' ? name : composed(name));
  const ways = names === 'either' ? [path, folder + name] : [path];
  return {
    path,
    ignoredAs: (kind) => {
      for (const way of ways) {
        const rule = ignoredBy(layers, way, kind);
        if (rule) return rule;
      }
      return null;
    },
  };
};

/** git follows a link to the user's file and to `info/exclude`, but not one at a `.gitignore`. */
export const readGitignore = (folder: string, reach: Reach): Promise<Buffer | null> =>
  readRulesIfThere(join(folder, GITIGNORE), reach, 'not followed');

const layerOf = (base: string, name: string, bytes: Buffer | null, letters: Letters): readonly IgnoreLayer[] =>
  bytes ? [{ base, name, file: readIgnoreFile(bytes, letters) }] : [];

const EXCLUDE = '.git/info/exclude';
/** The user's global ignore file, under git's name for it. */
const PERSONAL = 'core.excludesFile';

/**
 * One layer, which excludes what any of the files does: where more than one is known, it is unknown which git reads. It
 * must be the last one, because it takes nothing back in.
 */
const readPersonal = async ({ excludesFiles, letters }: GitSettings): Promise<readonly IgnoreLayer[]> => {
  const read = await Promise.all(excludesFiles.map(({ path, reach }) => readRulesIfThere(path, reach)));
  const files = read.filter((bytes) => bytes !== null).map((bytes) => readIgnoreFile(bytes, letters));
  const judge: IgnoreFile['judge'] = (...asked) =>
    files.map((file) => file.judge(...asked)).find((verdict) => verdict?.decision === 'out') ?? null;
  return [{ base: '', name: PERSONAL, file: { judge } }];
};

/** The path that a file of git names, if it is within reach. */
const namedPath = async (folder: string, written: string, reach: Reach): Promise<string> => {
  const path = pathFrom(folder, written);
  await reach(path);
  return path;
};

/** A `.git` that is a file contains the path of the git folder. */
const POINTER = /^gitdir: (.+?)\r?\n?$/;
const POINTER_MAX = 4_096;

const followPointer = async (path: string, reach: Reach): Promise<string | null> => {
  const file = await openIfThere(path, reach);
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(POINTER_MAX), 0, POINTER_MAX, 0);
    const target = POINTER.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
    return target === undefined ? null : await namedPath(dirname(path), target, reach);
  } finally {
    await file.close();
  }
};

/** The git folder of a work tree; null when `top` is not the top of one. */
const gitDirOf = async (top: string, reach: Reach): Promise<string | null> => {
  const path = join(top, '.git');
  const stats = await statIfThere(path, reach);
  const dir = stats?.isDirectory() ? path : stats?.isFile() ? await followPointer(path, reach) : null;
  const head = dir && (await statIfThere(join(dir, 'HEAD'), reach, 'not followed'));
  return head ? dir : null;
};

/** Whether a folder is the top of a repository's work tree; an error where it cannot be looked into. */
export const isRepository = async (folder: string, reach: Reach): Promise<boolean | NodeJS.ErrnoException> => {
  try {
    return (await gitDirOf(folder, reach)) !== null;
  } catch (error) {
    if (isSystemError(error)) return error;
    throw error;
  }
};

/** A view of the top of a repository, before its own .gitignore is applied. */
const openTop = async (top: string, gitDir: string, access: GitAccess): Promise<GitView> => {
  const { reach } = access;
  const pointer = await readIfThere(join(gitDir, 'commondir'), reach);
  const common = pointer === null ? gitDir : await namedPath(gitDir, pointer.toString().trim(), reach);
  const settings = await readGitSettings(access, { top, gitDir, common });
  const exclude = await readRulesIfThere(join(common, 'info', 'exclude'), reach);
  return {
    path: '',
    layers: [...layerOf('', EXCLUDE, exclude, settings.letters), ...(await readPersonal(settings))],
    tracked: await readIndex(join(gitDir, 'index'), reach),
    letters: settings.letters,
    names: settings.names,
    isInRepository: true,
  };
};

const findTop = async (
  folder: string,
  reach: Reach,
): Promise<{ readonly top: string; readonly gitDir: string } | null> => {
  const gitDir = await gitDirOf(folder, reach);
  if (gitDir !== null) return { top: folder, gitDir };
  const parent = dirname(folder);
  return parent === folder ? null : findTop(parent, reach);
};

const outside = async (folder: string, access: GitAccess): Promise<GitView> => {
  const settings = await readGitSettings(access, { top: folder, gitDir: join(folder, '.git'), common: null });
  return {
    path: '',
    layers: await readPersonal(settings),
    tracked: NOTHING,
    letters: settings.letters,
    names: settings.names,
    isInRepository: false,
  };
};

/** The view of a subfolder; `gitignore` are the bytes of its .gitignore, null without one. */
export const within = (above: GitView, path: string, gitignore: Buffer | null): GitView => ({
  ...above,
  path,
  layers: [...layerOf(path, textOf(path) + GITIGNORE, gitignore, above.letters), ...above.layers],
});

/**
 * Opens the repository that contains a folder, at any level above it. A folder ignored by its repository is treated as
 * outside of it, because the user shares it on purpose. `folder` is absolute, with its links resolved.
 */
export const openRepository = async (folder: string, access: GitAccess): Promise<GitView> => {
  const found = await findTop(folder, access.reach);
  if (!found) return outside(folder, access);
  let view = await openTop(found.top, found.gitDir, access);
  let at = found.top;
  for (const name of relative(found.top, folder).split(sep).filter(Boolean)) {
    view = within(view, view.path, await readGitignore(at, access.reach));
    const { path, ignoredAs } = gitEntry(view, byteStringOf(name));
    if (ignoredAs('folder') && !view.tracked.hasIn(path)) return outside(folder, access);
    at = join(at, name);
    view = { ...view, path: `${path}/` };
  }
  return view;
};

/** The view of a folder that is the top of its own repository; null when it is not. */
export const openNested = async (folder: string, access: GitAccess): Promise<GitView | null> => {
  const gitDir = await gitDirOf(folder, access.reach);
  return gitDir === null ? null : openTop(folder, gitDir, access);
};
