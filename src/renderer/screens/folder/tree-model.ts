/**
 * Builds the tree of a folder's included and excluded files with totals per subfolder, and flattens it into visible
 * rows. Also filters it and sums the excluded files by reason.
 */
import type { ExcludedEntry, ExclusionReason, FolderPreview } from '../../../common/folder/folder-preview.ts';

export interface Node {
  /** Relative to the shared folder, without a trailing slash; '' is the folder itself. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Folders first, each group by name. */
  readonly children: Node[];
  /** Bytes of an included file, or of all included files in a folder. */
  size: number;
  /** Number of included files. */
  files: number;
  /** Why it is excluded; null: it is included, or it is a folder that may contain included files. */
  out: ExcludedEntry | null;
}

export type Shown = 'all' | 'goes' | 'out' | ExclusionReason;

export interface Query {
  readonly shown: Shown;
  /** Composed, as macOS does not write names, and in lower case. */
  readonly text: string;
}

export interface Row {
  readonly node: Node;
  /** Starts at 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Null: it cannot be expanded. */
  readonly isOpen: boolean | null;
}

const makeNode = (path: string, kind: Node['kind']): Node => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  kind,
  children: [],
  size: 0,
  files: 0,
  out: null,
});

const byName = new Intl.Collator(undefined, { numeric: true });

const sort = (node: Node): void => {
  node.children.sort((a, b) => (a.kind === b.kind ? byName.compare(a.name, b.name) : a.kind === 'folder' ? -1 : 1));
  for (const child of node.children) if (child.kind === 'folder') sort(child);
};

/** The root node with all included and excluded entries. */
export const treeOf = ({ goes, skipped }: Pick<FolderPreview, 'goes' | 'skipped'>): Node => {
  const root = makeNode('', 'folder');
  const folders = new Map<string, Node>([['', root]]);
  const folderAt = (path: string): Node => {
    const known = folders.get(path);
    if (known) return known;
    const node = makeNode(path, 'folder');
    folders.set(path, node);
    folderAt(parentOf(path)).children.push(node);
    return node;
  };
  for (const { path, size } of goes) {
    const file = { ...makeNode(path, 'file'), size, files: 1 };
    folderAt(parentOf(path)).children.push(file);
    for (let at = parentOf(path); ; at = parentOf(at)) {
      const folder = folderAt(at);
      folder.size += size;
      folder.files += 1;
      if (at === '') break;
    }
  }
  for (const out of skipped) {
    if (out.path === '') continue;
    if (out.path.endsWith('/')) {
      const folder = folderAt(out.path.slice(0, -1));
      folder.out ??= out;
    } else folderAt(parentOf(out.path)).children.push({ ...makeNode(out.path, 'file'), out });
  }
  sort(root);
  return root;
};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const isAsked = ({ kind, out }: Node, shown: Shown): boolean => {
  switch (shown) {
    case 'all':
      return true;
    case 'goes':
      return kind === 'file' && out === null;
    case 'out':
      return out !== null;
    default:
      return out?.reason === shown;
  }
};

const isPlain = ({ shown, text }: Query): boolean => shown === 'all' && text === '';

/** The part of the tree that matches a query, with the folders above each match. Null: no match. */
export const narrow = (node: Node, query: Query): Node | null => {
  if (isPlain(query)) return node;
  const children = node.children.flatMap((child) => narrow(child, query) ?? []);
  const answers = isAsked(node, query.shown) && node.path.normalize('NFC').toLowerCase().includes(query.text);
  if (children.length === 0 && !(answers && node.path !== '')) return null;
  return { ...node, children };
};

/** Trees up to this number of entries start expanded, larger ones collapsed. */
const SMALL = 120;

const countOf = (node: Node): number => node.children.reduce((sum, child) => sum + 1 + countOf(child), 0);

/** Which folders are expanded: the default, except for those the user toggled. */
export interface Opening {
  readonly byDefault: 'open' | 'closed';
  readonly changed: ReadonlySet<string>;
}

export const openingOf = (root: Node, query: Query): Opening => ({
  byDefault: !isPlain(query) || countOf(root) <= SMALL ? 'open' : 'closed',
  changed: new Set(),
});

export const isOpenIn = ({ byDefault, changed }: Opening, path: string): boolean =>
  (byDefault === 'open') !== changed.has(path);

/** The visible rows from top to bottom. */
export const rowsOf = (root: Node, opening: Opening): readonly Row[] => {
  const rows: Row[] = [];
  const add = (nodes: readonly Node[], level: number): void => {
    for (const [index, node] of nodes.entries()) {
      const isOpen = node.children.length === 0 ? null : isOpenIn(opening, node.path);
      rows.push({ node, level, position: index + 1, siblings: nodes.length, isOpen });
      if (isOpen) add(node.children, level + 1);
    }
  };
  add(root.children, 1);
  return rows;
};

/** Excluded entries of one reason; the most important reason comes first. */
export interface ReasonSum {
  readonly reason: ExclusionReason;
  /** Number of files. */
  readonly files: number;
  /** Number of folders that were skipped without listing their files. */
  readonly folders: number;
  readonly size: number;
}

/** Secrets first, then what the user may want to fix, then what is always excluded. */
const ORDER: readonly ExclusionReason[] = [
  ...(['secret', 'unreadable', 'large', 'binary', 'name', 'path', 'duplicate', 'encoding'] as const),
  ...(['link', 'special', 'repository', 'gitignore', 'dependencies', 'build', 'service'] as const),
];

export const reasonsOf = (skipped: readonly ExcludedEntry[]): readonly ReasonSum[] => {
  const sums = new Map<ExclusionReason, ReasonSum>();
  for (const { reason, files, size } of skipped) {
    const sum = sums.get(reason) ?? { reason, files: 0, folders: 0, size: 0 };
    sums.set(reason, {
      reason,
      files: sum.files + (files ?? 0),
      folders: sum.folders + (files === null ? 1 : 0),
      size: sum.size + (size ?? 0),
    });
  }
  return ORDER.flatMap((reason) => sums.get(reason) ?? []);
};

/** The largest top-level folders by included size, largest first. */
export const biggest = (root: Node, most: number): readonly Node[] =>
  root.children
    .filter(({ kind, size }) => kind === 'folder' && size > 0)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, most);
