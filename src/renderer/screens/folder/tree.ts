/** The tree of a folder: what goes and what stays out side by side, summed up per folder, and the rows that are seen of it. */
import type { FolderPreview, StayReason, StaysOut } from '../../../common/folder/preview.ts';

export interface Node {
  /** From the top on, without a slash at the end; '' is the folder itself. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Folders first, each in its order of names. */
  readonly children: Node[];
  /** Of a file that goes its bytes, of a folder those of all that goes in it. */
  size: number;
  /** Files that go. */
  files: number;
  /** Why it stays out; null: it goes, or it is a folder in which something may. */
  out: StaysOut | null;
}

export type Shown = 'all' | 'goes' | 'out' | StayReason;

export interface Query {
  readonly shown: Shown;
  /** In lower case. */
  readonly text: string;
}

export interface Row {
  readonly node: Node;
  /** From one on. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Null: there is nothing to open. */
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

/** The folder itself, with all that is known of it. */
export const treeOf = ({ goes, skipped }: Pick<FolderPreview, 'goes' | 'skipped'>): Node => {
  const root = makeNode('', 'folder');
  const folders = new Map<string, Node>([['', root]]);
  const folderAt = (path: string): Node => {
    const known = folders.get(path);
    if (known) return known;
    const made = makeNode(path, 'folder');
    folders.set(path, made);
    folderAt(parentOf(path)).children.push(made);
    return made;
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

/** The part of the tree that is asked for: what answers, and the folders that lead there. Null: nothing does. */
export const narrow = (node: Node, query: Query): Node | null => {
  if (isPlain(query)) return node;
  const children = node.children.flatMap((child) => narrow(child, query) ?? []);
  const answers = isAsked(node, query.shown) && node.path.toLowerCase().includes(query.text);
  if (children.length === 0 && !(answers && node.path !== '')) return null;
  return { ...node, children };
};

/** Folders that are open at first: all of a small tree, none of a large one. */
const SMALL = 120;

const countOf = (node: Node): number => node.children.reduce((sum, child) => sum + 1 + countOf(child), 0);

/** What is open: by default, except for the folders that a person has changed. */
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

/** The rows that are seen, from the top. */
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

/** What stays out, by its reason, the most telling first. */
export interface ReasonSum {
  readonly reason: StayReason;
  /** Files that were counted. */
  readonly files: number;
  /** Whole folders that nobody looked into. */
  readonly folders: number;
  readonly size: number;
}

/** Secrets before all, then what a person may want to mend, then what stays out of every folder. */
const ORDER: readonly StayReason[] = [
  ...(['secret', 'unreadable', 'large', 'binary', 'name', 'path', 'duplicate', 'encoding'] as const),
  ...(['link', 'special', 'repository', 'gitignore', 'dependencies', 'build', 'service'] as const),
];

export const reasonsOf = (skipped: readonly StaysOut[]): readonly ReasonSum[] => {
  const sums = new Map<StayReason, ReasonSum>();
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

/** The largest folders at the top of what goes, largest first. */
export const biggest = (root: Node, most: number): readonly Node[] =>
  root.children
    .filter(({ kind, size }) => kind === 'folder' && size > 0)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, most);
