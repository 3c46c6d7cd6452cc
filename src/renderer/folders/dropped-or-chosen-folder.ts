/** Opens a folder that only the page can read, because it was dropped into the page or chosen in its file dialog. */

export interface PageEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface PageFolder {
  readonly name: string;
  /** Entries directly in a folder; its path ends with '/', and is '' at the top. Null: it cannot be read. */
  readonly list: (path: string) => Promise<readonly PageEntry[] | null>;
  /** Null: it cannot be read. */
  readonly open: (path: string) => Promise<File | null>;
}

const listed = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((resolve) => entry.file(resolve, () => resolve(null)));

/** A dropped folder. Each of its folders is listed only when it is asked for. */
export const droppedFolder = (top: FileSystemDirectoryEntry): PageFolder => {
  const folders = new Map<string, FileSystemDirectoryEntry>([['', top]]);
  const files = new Map<string, FileSystemFileEntry>();
  return {
    name: top.name,
    list: async (path) => {
      const reader = folders.get(path)?.createReader();
      if (!reader) return null;
      const entries: PageEntry[] = [];
      try {
        // Returns up to a hundred entries per call, and an empty list at the end.
        for (let some = await listed(reader); some.length > 0; some = await listed(reader)) {
          for (const entry of some) {
            const { name, isDirectory } = entry;
            if (isDirectory) folders.set(`${path}${name}/`, entry as FileSystemDirectoryEntry);
            else files.set(path + name, entry as FileSystemFileEntry);
            entries.push({ name, kind: isDirectory ? 'folder' : 'file' });
          }
        }
        return entries;
      } catch {
        return null;
      }
    },
    open: async (path) => {
      const entry = files.get(path);
      return entry ? fileOf(entry) : null;
    },
  };
};

/**
 * A folder from a file dialog: the browser has listed all of its files, each with its path including the folder's name.
 */
export const chosenFolder = (chosen: readonly File[]): PageFolder | null => {
  const name = chosen[0]?.webkitRelativePath.split('/')[0];
  if (!name) return null;
  const files = new Map<string, File>();
  const folders = new Map<string, Map<string, PageEntry>>([['', new Map()]]);
  const enter = (path: string, entry: PageEntry): void => {
    const inside = folders.get(path) ?? new Map<string, PageEntry>();
    folders.set(path, inside.set(entry.name, entry));
  };
  for (const file of chosen) {
    const [, ...names] = file.webkitRelativePath.split('/');
    let path = '';
    for (const [level, part] of names.entries()) {
      const isFile = level === names.length - 1;
      enter(path, { name: part, kind: isFile ? 'file' : 'folder' });
      path += isFile ? part : `${part}/`;
    }
    files.set(path, file);
  }
  return {
    name,
    list: async (path) => [...(folders.get(path)?.values() ?? [])],
    open: async (path) => files.get(path) ?? null,
  };
};
