/** Renders the tree of a folder as HTML that expands and collapses without a script. */
import { baseName, byName, type TreeFile, type TreeFolder, treeOf } from '../../../../common/folder/tree.ts';
import { type Html, html } from '../../html.ts';
import { formatSize, type Language } from '../../messages.ts';
import type { FolderFile } from './folder-archive.ts';

/** With a trailing slash; empty at the top. */
export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The page of a file. Relative, so that it works behind any path prefix. */
export const fileHref = (path: string): string => `?file=${encodeURIComponent(path)}`;
/** The anchor of a folder's row; browsers expand its closed parents automatically. */
export const folderAnchor = (path: string): string => `in-${path.slice(0, -1)}`;

/** Folders are expanded while everything fits on a few screens. */
const OPEN_MAX = 60;

const fileRow = (file: TreeFile, language: Language, current: string | null): Html =>
  html`<li><a class="file" href="${fileHref(file.path)}"${file.path === current && html` aria-current="page"`}><span>${baseName(file.path)}</span><small>${formatSize(file.size, language)}</small></a></li>\n`;

/** Every step of a joined row has an anchor. */
const nameOf = ({ name, path }: TreeFolder): readonly Html[] => {
  const outside = path.slice(0, -name.length - 1);
  const steps = name.split('/');
  return steps.map((step, index) => {
    const inside = steps.slice(0, index + 1).join('/');
    return html`${index > 0 && '/'}<b id="${folderAnchor(`${outside}${inside}/`)}">${step}</b>`;
  });
};

const rows = ({ folders, files }: TreeFolder, language: Language, state: Html | null): Html =>
  html`<ul>
${folders.map(
  (folder) =>
    html`<li><details${state}><summary><span>${nameOf(folder)}</span></summary>${rows(folder, language, state)}</details></li>\n`,
)}${files.map((file) => fileRow(file, language, null))}</ul>`;

export const renderTree = (files: readonly FolderFile[], language: Language): Html =>
  rows(treeOf(files), language, files.length <= OPEN_MAX ? html` open` : null);

/** The files of one folder, flat, with the current one marked. */
export const renderBeside = (files: readonly FolderFile[], path: string, language: Language): Html => {
  const directory = directoryOf(path);
  const beside = files.filter((file) => directoryOf(file.path) === directory);
  return html`<ul>
${beside.toSorted((a, b) => byName(a.path, b.path)).map((file) => fileRow(file, language, path))}</ul>`;
};
