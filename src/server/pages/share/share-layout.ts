/**
 * What all share pages have in common: the page layout, the card with the item and its author, the buttons to copy and
 * share, and the link preview.
 */

import type { ContentRow } from '../../content/content-rows.ts';
import { authorOf, shareUrl, tagsOf } from '../../content/present-content.ts';
import { formatDay, formatEnd, formatTimeLeft, isNear } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { linkPreview } from './link-preview.ts';
import { PAGE_SCRIPT } from './scripts.ts';

/** The inputs of a page, independent of the item. */
export interface SharePage {
  readonly language: Language;
  readonly nonce: string;
  readonly origin: string;
  /** The visitor: an owner's visit is not counted. */
  readonly as: 'owner' | 'viewer';
  /** Whether link previews may describe the item (API decisions 6). */
  readonly preview: 'full' | 'none';
  /** By search engines. */
  readonly mayIndex: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where to report the item; null: the operator names no address. */
  readonly reportUrl: string | null;
  /** Whether the page of the author may be opened: profiles are for signed-in visitors. */
  readonly isSignedIn: boolean;
}

/** What a button copies. */
type Copied =
  | { readonly words: string }
  | { readonly of: string }
  | { readonly from: string }
  /** An `img`. */
  | { readonly picture: string }
  /** The link of a video, which starts it at its current second. */
  | { readonly moment: string };

const sourceOf = (copied: Copied): Html => {
  if ('words' in copied) return html`data-copy="${copied.words}"`;
  if ('of' in copied) return html`data-copy-of="${copied.of}"`;
  if ('from' in copied) return html`data-copy-from="${copied.from}"`;
  if ('picture' in copied) return html`data-copy-picture="${copied.picture}"`;
  return html`data-copy="${copied.moment}" data-moment="${copied.moment}"`;
};

/** Hidden until the script shows it. */
export const copyButton = (copied: Copied, label: string, drawn: Html, language: Language): Html =>
  html`<button class="button copy" type="button" ${sourceOf(copied)} data-done="${MESSAGES[language].copied}" data-failed="${MESSAGES[language].notCopied}" hidden>${drawn}<span aria-live="polite">${label}</span></button>`;

/** The page of an author, for signed-in visitors. */
export const authorPath = (username: string): string => `/u/${encodeURIComponent(username)}`;

/** When a one-time link that this visitor has opened stops showing the item to them; null: no such link. */
const oneTimeEnd = (row: ContentRow, { as }: SharePage): number | null => (as === 'viewer' ? row.readExpiresAt : null);

/** A one-time link that was opened, or one whose views are used up: it opens nothing for anybody else. */
const isUsedUp = ({ oneTime, consumedAt, viewLimit, views }: ContentRow): boolean =>
  (oneTime === 1 && consumedAt !== null) || (viewLimit !== null && views >= viewLimit);

/** The link to copy; null where it is used up. */
export const linkOf = (row: ContentRow, page: SharePage): URL | null =>
  isUsedUp(row) ? null : new URL(shareUrl({ webOrigin: () => page.origin }, row));

/** Copies or shares the link. `file`: of a folder, which the link then opens. */
export const copyLinkButton = (row: ContentRow, page: SharePage, file?: string): Part => {
  const link = linkOf(row, page);
  if (link === null) return null;
  if (file !== undefined) link.searchParams.set('file', file);
  const text = MESSAGES[page.language];
  return [
    copyButton({ words: link.href }, text.copyLink, icon('link'), page.language),
    html`<button class="button system-share" type="button" data-url="${link.href}" data-failed="${text.notShared}" hidden>${icon('share')}<span aria-live="polite">${text.share}</span></button>`,
  ];
};

/** Until when this visitor can see the item: its own end, or that of a one-time opening. */
const endFact = (row: ContentRow, page: SharePage): Html | null => {
  const { language, now } = page;
  const text = MESSAGES[language];
  const opened = oneTimeEnd(row, page);
  if (opened !== null && opened <= (row.expiresAt ?? opened)) {
    const left = opened - now;
    return html`${text.visibleFor} <time data-left="${left}">${formatTimeLeft(left, language)}</time>`;
  }
  if (row.expiresAt === null) return null;
  const end = new Date(row.expiresAt).toISOString();
  const precision = isNear(row.expiresAt, now) ? html`data-exact` : html`data-day`;
  return html`${text.until} <time datetime="${end}" ${precision}>${formatEnd(row.expiresAt, now, language)}</time>`;
};

export const itemCard = (
  row: ContentRow,
  page: SharePage,
  { facts, actions }: { readonly facts: readonly (string | null)[]; readonly actions: Part },
): Html => {
  const { language } = page;
  const author = authorOf(row);
  const name = html`<strong>${author.name}</strong> @${author.username}`;
  const chips = [
    ...[...facts, endFact(row, page)].filter((fact) => fact !== null).map((fact) => html`<li>${fact}</li>`),
    ...tagsOf(row).map((tag) => html`<li class="tag">#${tag}</li>`),
  ];
  return html`<section class="card about">
<div>
<h1>${row.title}</h1>
<div class="by"><span class="initial" aria-hidden="true">${[...author.name][0]?.toUpperCase()}</span><p>${page.isSignedIn ? html`<a href="${authorPath(author.username)}">${name}</a>` : name}<br><time datetime="${new Date(row.createdAt).toISOString()}" data-day>${formatDay(row.createdAt, language)}</time></p></div>
${chips.length > 0 && html`<ul class="chips">${chips}</ul>\n`}</div>
<div class="actions">
${actions}
</div>
</section>`;
};

export interface ShareFrame {
  /** The beginning of a text, for chats; null for media. */
  readonly description: string | null;
  readonly head?: Part;
  /** Precedes the item's title: the file of a folder. */
  readonly place?: string;
  /** `prose` limits the line length; media have a width of their own. */
  readonly width?: 'prose' | 'wide';
  /** The content is not ready yet: seconds until the page polls again. */
  readonly lookAgain?: number;
  /** After that of every page. */
  readonly script?: Html;
  readonly content: Part;
}

export const frameSharePage = (row: ContentRow, page: SharePage, frame: ShareFrame): string =>
  renderPage({
    language: page.language,
    palette: row.authorPalette,
    title: `${frame.place === undefined ? '' : `${frame.place} · `}${row.title} · Linkshot`,
    ...(page.mayIndex && { indexing: 'allowed' as const }),
    head: [
      frame.head,
      frame.lookAgain !== undefined &&
        html`<noscript><meta http-equiv="refresh" content="${frame.lookAgain}"></noscript>\n`,
      page.preview === 'full' && linkPreview(row, page, frame.description),
    ],
    body: html`<main class="stage"${page.as === 'viewer' && html` data-open="/api/share/${row.id}/open"`}${frame.lookAgain !== undefined && html` data-again="${frame.lookAgain}"`}><article class="item ${frame.width}">
${frame.content}
${page.reportUrl !== null && page.as === 'viewer' && html`<p class="report"><a href="${page.reportUrl}" rel="nofollow noreferrer">${MESSAGES[page.language].report}</a></p>\n`}</article></main>
<script nonce="${page.nonce}">${PAGE_SCRIPT}</script>${frame.script && html`\n<script nonce="${page.nonce}" type="module">${frame.script}</script>`}`,
  });
