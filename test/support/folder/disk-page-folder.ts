/** A folder on disk as a page sees a dropped one: names and bytes, without symbolic links. */
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PageFolder } from '../../../src/renderer/folders/dropped-or-chosen-folder.ts';

export const diskPageFolder = (root: string): PageFolder => ({
  name: basename(root),
  list: async (path) => {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null);
    // Chromium omits symbolic links.
    const seen = entries?.filter((entry) => !entry.isSymbolicLink()) ?? null;
    return seen?.map((entry) => ({ name: entry.name, kind: entry.isDirectory() ? 'folder' : 'file' })) ?? null;
  },
  open: async (path) => {
    const blob = await openAsBlob(join(root, path)).catch(() => null);
    return blob && new File([blob], basename(path));
  },
});
