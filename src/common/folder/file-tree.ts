/**
 * The files of a shared folder as a tree, folders first; a folder that contains only one folder is merged with it into
 * one row. Pure.
 */

export interface TreeFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export interface TreeFolder {
  /** One segment or several: `src/main/java`. */
  readonly name: string;
  /** With a trailing slash; empty for the top. */
  readonly path: string;
  /** Of all files in it, at any depth, in bytes. */
  readonly size: number;
  readonly folders: readonly TreeFolder[];
  readonly files: readonly TreeFile[];
}

/** `localeCompare` would make one for each comparison, which takes thirty times as long. */
const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const byName: (a: string, b: string) => number = NAMES.compare;

/** The subtree at `path`, children sorted by name. */
export const treeOf = (files: readonly TreeFile[], path = '', name = ''): TreeFolder => {
  const own: TreeFile[] = [];
  const below = new Map<string, TreeFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/', path.length);
    if (slash === -1) {
      own.push(file);
      continue;
    }
    const step = file.path.slice(path.length, slash);
    const beside = below.get(step);
    if (beside === undefined) below.set(step, [file]);
    else beside.push(file);
  }
  const folders = [...below]
    .map(([step, inside]) => joined(treeOf(inside, `${path}${step}/`, step)))
    .sort((a, b) => byName(a.name, b.name));
  return {
    ...{ name, path, folders },
    files: own.sort((a, b) => byName(a.path, b.path)),
    size: files.reduce((sum, { size }) => sum + size, 0),
  };
};

const joined = (folder: TreeFolder): TreeFolder => {
  const [only] = folder.folders;
  if (only === undefined || folder.folders.length > 1 || folder.files.length > 0) return folder;
  return { ...only, name: `${folder.name}/${only.name}` };
};

/**
 * The anchor of a folder's row on the page of all files; browsers expand its closed parents. The same for a name of
 * macOS and its composed form.
 */
export const folderAnchor = (path: string): string => `in-${path.slice(0, -1).normalize('NFC')}`;

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
