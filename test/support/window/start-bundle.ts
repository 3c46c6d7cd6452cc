/** Files a built page loads before its first render, by the build manifest; lazy chunks are excluded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export interface StartBundle {
  /** Bytes after gzip of the page, its scripts and its styles, each packed for itself, as they travel. */
  readonly bytes: number;
  readonly files: readonly string[];
}

/** `folder`: a window that was built with its manifest. `page`: such as `index.html`. It uses one language. */
export const startBundle = (folder: string, page: string, language: 'en' | 'ru' = 'ru'): StartBundle => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const files = new Set([page]);
  const visited = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The manifest has no ${name}.`);
    if (visited.has(name)) return;
    visited.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  visit(page);
  visit(`locales/${language}.ts`);
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  return { bytes, files: [...files] };
};
