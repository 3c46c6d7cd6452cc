/**
 * Formats published items for the terminal, as lines and as a page, and as JSON: what each is, who may open it, and its
 * link. Prints lists of them, and has the names of their kinds.
 */

import type { ContentType } from '../../api/content.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Report } from './command-output.ts';
import { columns, formatBytes, formatDuration, formatTime, printable, type Style, shortened } from './format.ts';

export const KINDS = { image: 'IMAGE', video: 'VIDEO', note: 'PASTE', folder: 'FOLDER' } as const satisfies Record<
  string,
  ContentType
>;
const formatKind = (type: ContentType): string =>
  Object.entries(KINDS).find(([, one]) => one === type)?.[0] ?? type.toLowerCase();

/** The JSON of a published item in list, show, set and edit. */
export const libraryLine = ({ id: itemId, name, content, goneAt }: LibraryItem): object => ({
  id: content.id,
  url: content.url,
  itemId,
  title: content.title,
  name,
  type: content.type,
  size: content.size,
  visibility: content.visibility,
  passwordProtected: content.passwordProtected,
  oneTime: content.oneTime,
  tags: content.tags,
  views: content.views,
  viewLimit: content.viewLimit ?? null,
  createdAt: content.createdAt,
  expiresAt: content.expiresAt ?? null,
  revision: content.revision,
  gone: goneAt !== null,
});

const TITLE_CELLS = 36;

/** Who may open it, in one or two words. */
const formatAccess = ({ content, goneAt }: LibraryItem, style: Style): string => {
  if (goneAt !== null) return style.dim('gone');
  const words = [
    content.visibility,
    ...(content.passwordProtected ? ['password'] : []),
    ...(content.oneTime ? [content.consumedAt ? 'one-time, used' : 'one-time'] : []),
  ];
  return words.join(', ');
};

export const reportLibrary = (report: Report, items: readonly LibraryItem[]): void => {
  const { style } = report;
  const lines = columns(
    items.map((item) => [
      style.dim(formatTime(new Date(item.content.createdAt))),
      formatKind(item.content.type),
      style.bold(shortened(printable(item.content.title || item.name), TITLE_CELLS)),
      style.dim(formatBytes(item.content.size)),
      formatAccess(item, style),
      item.goneAt === null ? style.good(item.content.url) : style.dim(item.content.url),
    ]),
  );
  for (const [index, item] of items.entries()) report.say(libraryLine(item), lines[index] ?? null);
};

export const itemPage = (item: LibraryItem, style: Style): string => {
  const { content, name } = item;
  const size = content.width && content.height ? `${content.width} x ${content.height}` : null;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Link', style.good(content.url)],
    [
      'Kind',
      formatKind(content.type) + (content.pasteFormat ? `, ${content.pasteLanguage ?? content.pasteFormat}` : ''),
    ],
    ['Name', printable(name)],
    ['Size', formatBytes(content.size) + (content.folderFiles ? `, ${content.folderFiles} files` : '')],
    ['Pixels', size],
    ['Length', content.durationMs ? formatDuration(content.durationMs / 1000) : null],
    ['Open to', formatAccess(item, style)],
    ['Tags', content.tags.length > 0 ? printable(content.tags.join(', ')) : null],
    ['Views', `${content.views}${content.viewLimit ? ` of ${content.viewLimit}` : ''}`],
    ['Published', formatTime(new Date(content.createdAt))],
    ['Ends', content.expiresAt ? formatTime(new Date(content.expiresAt)) : null],
    ['Revision', content.type === 'PASTE' ? String(content.revision) : null],
    ['State', content.mediaStatus && content.mediaStatus !== 'READY' ? content.mediaStatus.toLowerCase() : null],
    ['Id', style.dim(content.id)],
  ];
  const shown = facts.flatMap(([term, value]) => (value === null ? [] : [[style.dim(term), value]]));
  return [style.bold(printable(content.title || name)), ...columns(shown)].join('\n');
};
