/**
 * The share page of a folder of code: the tree of files with search and README, and a page for each file; all work
 * without a script. Also reads single files for `/raw`.
 */
import { LIMITS } from '../../../../api/limits.ts';
import {
  baseName,
  byName,
  folderAnchor,
  type TreeFile,
  type TreeFolder,
  treeOf,
} from '../../../../common/folder/file-tree.ts';
import { grammarOfFile, isMarkdownFile } from '../../../../common/rendering/code-languages.ts';
import type { ContentRow } from '../../../content/content-rows.ts';
import type { ServerDeps } from '../../../deps.ts';
import type { Renderer, RenderTask } from '../../../rendering/renderer.ts';
import { formatSize } from '../../format.ts';
import { type Html, html, type Part, trusted } from '../../html.ts';
import { icon } from '../../icons.ts';
import { type Language, MESSAGES } from '../../messages.ts';
import { describeFiles } from '../link-preview.ts';
import { LINES_SCRIPT, SEARCH_SCRIPT } from '../scripts.ts';
import { copyButton, copyLinkButton, frameSharePage, itemCard, type SharePage } from '../share-layout.ts';
import { createFolderArchive, type FolderFile, type StoredFolder, storedFolderOf } from './folder-archive.ts';
import { TEXT_MESSAGES } from './messages.ts';
import { TEXT_FRAME } from './styles.ts';
import { type TextQuery, viewLink, wrapSwitch } from './text-view-options.ts';

/** With a trailing slash; empty at the top. */
const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The page of a file, relative to the address of the folder and of its other files. */
const fileHref = (path: string): string => `?file=${encodeURIComponent(path)}`;

/** The row of a folder, whose path ends with a slash, on the page of all files. */
const rowHref = (id: string, path: string): string => `/s/${id}#${encodeURIComponent(folderAnchor(path))}`;

/** The bytes of a file as text. */
const rawHref = (id: string, path: string): string => `/s/${id}/raw?file=${encodeURIComponent(path)}`;

/** Folders are expanded while everything fits on a few screens. */
const OPEN_MAX = 60;

const fileRow = (
  file: TreeFile,
  language: Language,
  { current = null, name = baseName(file.path) }: { readonly current?: string | null; readonly name?: string } = {},
): Html =>
  html`<li><a class="file" href="${fileHref(file.path)}"${file.path === current && html` aria-current="page"`}><span>${name}</span><small>${formatSize(file.size, language)}</small></a></li>\n`;

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
)}${files.map((file) => fileRow(file, language))}</ul>`;

/** Renders the tree of a folder as HTML that expands and collapses without a script. */
const renderTree = (files: readonly FolderFile[], language: Language): Html =>
  rows(treeOf(files), language, files.length <= OPEN_MAX ? html` open` : null);

/** The files of one folder, flat, with the current one marked. */
const renderBeside = (files: readonly FolderFile[], path: string, language: Language): Html => {
  const directory = directoryOf(path);
  const beside = files.filter((file) => directoryOf(file.path) === directory);
  return html`<ul>
${beside.toSorted((a, b) => byName(a.path, b.path)).map((file) => fileRow(file, language, { current: path }))}</ul>`;
};

/** Shorter lists are seen at a glance. */
const SEARCH_MIN = 8;

/** Names from macOS have letters such as й as two characters, which most texts and keyboards write as one. */
const compose = (text: string): string => text.normalize('NFC');

/** The file of exactly this path, or else of its composed form. */
const fileAt = (files: readonly FolderFile[], path: string): FolderFile | undefined => {
  const composed = compose(path);
  return files.find((file) => file.path === path) ?? files.find((file) => compose(file.path) === composed);
};

/** The files whose path contains every word. */
const filesNamed = <File extends TreeFile>(files: readonly File[], query: string): readonly File[] => {
  const words = [...new Set(compose(query).toLowerCase().split(/\s+/))];
  return files.filter((file) => {
    const path = compose(file.path).toLowerCase();
    return words.every((word) => path.includes(word));
  });
};

/** A flat list by whole paths. */
const renderFound = (files: readonly FolderFile[], language: Language): Html => html`<ul class="found">
${files.toSorted((a, b) => byName(a.path, b.path)).map((file) => fileRow(file, language, { name: file.path }))}</ul>`;

/** Filters the tree while the reader types; without a script, and above files that were found, the server answers. */
const searchForm = ({ id }: ContentRow, query: string, found: number, language: Language): Html => {
  const words = TEXT_MESSAGES[language];
  const answer = query === '' ? '' : found === 0 ? words.noneFound : `${words.found} ${found}`;
  return html`<form class="search" role="search" method="get" action="/s/${id}">
<label for="q">${words.search}</label>
<input id="q" name="q" type="search" value="${query}" maxlength="${LIMITS.searchMaxCharacters}" autocomplete="off" spellcheck="false">
<button class="button" type="submit">${icon('search')}${words.find}</button>
<p role="status" data-found="${words.found}" data-none="${words.noneFound}">${answer}</p>
${query !== '' && html`<a href="/s/${id}">${words.allFiles}</a>`}
</form>`;
};

/** 404: the folder has no such file. 303: it is a folder in it, whose row is at `location`. */
export type FolderAnswer =
  | { readonly status: 200 | 404; readonly markup: string }
  | { readonly status: 303; readonly location: string };

const README = /^readme(?:\.(?:md|markdown|txt))?$/i;

const taskOf = (path: string, text: string, view: string | undefined): RenderTask =>
  isMarkdownFile(path) && view !== 'source'
    ? { kind: 'markdown', text, title: '', place: { kind: 'folder', directory: directoryOf(path) } }
    : { kind: 'code', text, grammar: grammarOfFile(path) };

/** The breadcrumb of a file; each step links to its row in the list. */
const breadcrumb = ({ id, title }: ContentRow, path: string, language: Language): Html => {
  const steps = directoryOf(path).split('/').slice(0, -1);
  const folders = steps.map((step, index) => {
    const path = `${steps.slice(0, index + 1).join('/')}/`;
    return html`<li><a href="${rowHref(id, path)}">${step}</a></li>\n`;
  });
  return html`<nav class="path" aria-label="${TEXT_MESSAGES[language].path}"><ol>
<li><a href="/s/${id}">${title}</a></li>
${folders}<li aria-current="page">${baseName(path)}</li>
</ol></nav>`;
};

const mayDownload = (row: ContentRow, { as }: SharePage): boolean => as === 'owner' || row.allowDownload === 1;

const downloadAll = (row: ContentRow, page: SharePage): Part =>
  mayDownload(row, page) &&
  html`<a class="button primary" href="/api/media/${row.id}?download=1" download>${icon('download')}${TEXT_MESSAGES[page.language].downloadAll}</a>`;

/** `answer` is null: the folder was deleted. It rejects when a file cannot be read, also because of that. */
export const createFolderPage = (deps: ServerDeps, renderer: Renderer) => {
  const archive = createFolderArchive(deps);

  const show = async (folder: StoredFolder, file: FolderFile, view: string | undefined, signal: AbortSignal) => {
    const bytes = await archive.readFile(folder, file, signal);
    const task = taskOf(file.path, bytes.toString('utf8'), view);
    const key = JSON.stringify([folder.objectId, file.path, task.kind]);
    const markup = trusted(await renderer.render({ accountId: folder.accountId, key }, task));
    return { kind: task.kind, markup };
  };

  const head = (row: ContentRow, page: SharePage, files: readonly FolderFile[]): Html => {
    const words = TEXT_MESSAGES[page.language];
    const textBytes = files.reduce((sum, { size }) => sum + size, 0);
    return itemCard(row, page, {
      facts: [words.folder, words.files(files.length), formatSize(textBytes, page.language)],
      actions: [copyLinkButton(row, page), downloadAll(row, page)],
    });
  };

  const treePage = async (
    row: ContentRow,
    page: SharePage,
    folder: StoredFolder,
    { files, q = '' }: { readonly files: readonly FolderFile[] } & Pick<TextQuery, 'q'>,
    signal: AbortSignal,
  ): Promise<string> => {
    const words = TEXT_MESSAGES[page.language];
    const query = q.trim();
    const found = filesNamed(files, query);
    const isSearchable = files.length >= SEARCH_MIN || query !== '';
    const readmes = files.filter(({ path }) => README.test(path));
    const readme = readmes.find(({ path }) => isMarkdownFile(path)) ?? readmes[0];
    const shown = readme && query === '' && (await show(folder, readme, undefined, signal));
    return frameSharePage(row, page, {
      ...TEXT_FRAME,
      description: describeFiles(files.map(({ path }) => path)),
      width: 'wide',
      ...(isSearchable && query === '' && { script: SEARCH_SCRIPT }),
      content: [
        head(row, page, files),
        isSearchable && searchForm(row, query, found.length, page.language),
        (query === '' || found.length > 0) &&
          html`<nav class="card tree" aria-label="${words.fileList}">${query === '' ? renderTree(files, page.language) : renderFound(found, page.language)}</nav>`,
        readme &&
          shown &&
          html`<section class="card text ${shown.kind}" aria-labelledby="readme"><h2 class="name" id="readme">${readme.path}</h2>${shown.markup}</section>`,
      ],
    });
  };

  const filePage = async (
    row: ContentRow,
    page: SharePage,
    {
      folder,
      files,
      file,
      view,
    }: {
      readonly folder: StoredFolder;
      readonly files: readonly FolderFile[];
      readonly file: FolderFile;
      readonly view: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<string> => {
    const { language } = page;
    const words = TEXT_MESSAGES[language];
    const { kind, markup } = await show(folder, file, view, signal);
    const raw = rawHref(row.id, file.path);
    const other: Part =
      isMarkdownFile(file.path) && viewLink(kind === 'markdown' ? 'source' : 'rendered', fileHref(file.path), language);
    return frameSharePage(row, page, {
      ...TEXT_FRAME,
      description: describeFiles([file.path]),
      place: file.path,
      width: 'wide',
      ...(kind === 'code' && { script: LINES_SCRIPT }),
      content: html`<div class="within">${breadcrumb(row, file.path, language)}<div class="by"><p>${MESSAGES[language].by} <strong>${row.authorName}</strong> @${row.authorUsername}</p><div class="actions">${copyLinkButton(row, page, file.path)}${downloadAll(row, page)}</div></div></div>
<div class="beside">
<section class="card text ${kind}">
<header class="bar"><h1 class="name">${baseName(file.path)} <small>${formatSize(file.size, language)}</small></h1><div class="actions">${other}${kind === 'code' && wrapSwitch(language)}${copyButton({ from: raw }, words.copyText, icon('copy'), language)}<a class="button" href="${raw}">${icon('text')}${words.raw}</a>${mayDownload(row, page) && html`<a class="button" href="${raw}&download=1" download>${icon('download')}${MESSAGES[language].download}</a>`}</div></header>
${markup}
</section>
<nav class="card tree" aria-label="${words.filesBeside}"><a class="all" href="/s/${row.id}">${words.allFiles}</a>${renderBeside(files, file.path, language)}</nav>
</div>`,
    });
  };

  const missingPage = (row: ContentRow, page: SharePage, files: readonly FolderFile[]): string => {
    const words = TEXT_MESSAGES[page.language];
    return frameSharePage(row, page, {
      ...TEXT_FRAME,
      description: null,
      width: 'wide',
      content: html`${head(row, page, files)}
<section class="card notice"><h2>${words.noFileTitle}</h2><p>${words.noFileText}</p><a class="button" href="/s/${row.id}">${words.allFiles}</a></section>`,
    });
  };

  const readFile = async (row: ContentRow, path: string, signal: AbortSignal): Promise<Buffer | null> => {
    const folder = storedFolderOf(row);
    const file = folder && fileAt(await archive.list(folder, signal), path);
    return folder && file ? archive.readFile(folder, file, signal) : null;
  };

  const answer = async (
    row: ContentRow,
    page: SharePage,
    query: TextQuery,
    signal: AbortSignal,
  ): Promise<FolderAnswer | null> => {
    const folder = storedFolderOf(row);
    if (folder === null) return null;
    const files = await archive.list(folder, signal);
    const { file: wanted, view } = query;
    if (wanted === undefined)
      return { status: 200, markup: await treePage(row, page, folder, { files, ...query }, signal) };
    const file = fileAt(files, wanted);
    if (file) return { status: 200, markup: await filePage(row, page, { folder, files, file, view }, signal) };
    // A README links to a folder without a slash as often as with one.
    const directory = compose(wanted.endsWith('/') ? wanted : `${wanted}/`);
    return files.some(({ path }) => compose(path).startsWith(directory))
      ? { status: 303, location: rowHref(row.id, directory) }
      : { status: 404, markup: missingPage(row, page, files) };
  };

  return {
    answer,
    /** The text of one file; null: the folder has no such file. Throws when the folder is deleted meanwhile. */
    readFile,
  };
};
