/**
 * The pages at `/account/items`: the list of the account's own items with search and filters, and the confirmation of a
 * deletion. Also what the page of one item shares with the list: an item's address, thumbnail, access and short facts.
 */
import type { ContentType } from '../../../api/content.ts';
import type { AccountRow } from '../../accounts/accounts.ts';
import type { ContentRow } from '../../content/content-rows.ts';
import { OWN_ACCESS, type OwnAccess } from '../../lists/list-store.ts';
import { itemState } from '../../sharing/requester-access.ts';
import { formatDay, formatEnd, formatSize } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import { symbol } from '../icons.ts';
import type { Language } from '../messages.ts';
import { done, renderAccountPage } from './account-layout.ts';
import { ITEMS_MESSAGES } from './items-messages.ts';

export const ITEM_TYPES = ['IMAGE', 'VIDEO', 'PASTE', 'FOLDER'] as const satisfies readonly ContentType[];

/** What the page is limited to. Empty or null: everything. */
export interface ItemsQuery {
  readonly search: string;
  readonly type: ContentType | null;
  readonly access: OwnAccess | null;
  readonly cursor: string | null;
}

/** The address of a page of items. */
export const itemsPath = (query: Partial<ItemsQuery>, more: Readonly<Record<string, string>> = {}): string => {
  const parameters = new URLSearchParams(more);
  if (query.search) parameters.set('q', query.search);
  if (query.type) parameters.set('type', query.type);
  if (query.access) parameters.set('access', query.access);
  if (query.cursor) parameters.set('cursor', query.cursor);
  const text = parameters.toString();
  return `/account/items${text === '' ? '' : `?${text}`}`;
};

export const itemPath = ({ id }: Pick<ContentRow, 'id'>): string => `/account/items/${id}`;

const SYMBOLS = { IMAGE: 'image', VIDEO: 'video', PASTE: 'text', FOLDER: 'folder' } as const;

/** The small picture of an item, or the symbol of its kind. */
export const thumbnail = ({ id, type, previewId, mediaStatus }: ContentRow): Html =>
  previewId !== null && mediaStatus === 'READY'
    ? html`<img src="/api/media/${id}/preview" alt="" loading="lazy" decoding="async">`
    : symbol(SYMBOLS[type]);

/** Who can open it, and what protects it, in words. */
export const accessWords = (row: ContentRow, now: number, language: Language): readonly string[] => {
  const text = ITEMS_MESSAGES[language];
  const { passwordProtected, oneTime, viewLimit } = itemState(row, now);
  const { moderationHold, expiresAt } = row;
  const words = [
    text.visibility[row.visibility],
    passwordProtected && text.password,
    oneTime !== 'no' && (oneTime === 'consumed' ? text.used : text.oneTime),
    viewLimit === 'reached' && text.noViewsLeft,
    expiresAt !== null && `${text.until} ${formatEnd(expiresAt, now, language)}`,
    moderationHold !== null && text[moderationHold],
  ];
  return words.filter((word) => word !== false);
};

/** Kind, size, day and views. */
export const itemDetails = (row: ContentRow, language: Language): readonly string[] => {
  const text = ITEMS_MESSAGES[language];
  const facts = [
    text.typeOf[row.type],
    formatSize(row.size, language),
    formatDay(row.createdAt, language),
    text.views(row.views),
    row.mediaStatus === 'PROCESSING' && text.processing,
    row.mediaStatus === 'FAILED' && text.failed,
  ];
  return facts.filter((fact) => fact !== false);
};

interface ItemsPage {
  readonly language: Language;
  readonly nonce: string;
  readonly account: AccountRow;
  readonly rows: readonly ContentRow[];
  readonly query: ItemsQuery;
  readonly nextCursor: string | null;
  /** The result of the last action: the number of deleted items, or that none was selected. */
  readonly notice: number | 'none-selected' | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const option = (value: string, words: string, chosen: string | null): Html =>
  html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${words}</option>`;

const filterForm = ({ language, query }: ItemsPage): Html => {
  const text = ITEMS_MESSAGES[language];
  return html`<form class="filter" method="get" action="/account/items" role="search">
<div class="field wide"><label for="q">${text.searchLabel}</label><input id="q" name="q" type="search" maxlength="200" autocomplete="off" value="${query.search}"></div>
<div class="field"><label for="type">${text.type}</label><select id="type" name="type">${option('', text.anyType, query.type)}${ITEM_TYPES.map((type) => option(type, text.types[type], query.type))}</select></div>
<div class="field"><label for="access">${text.access}</label><select id="access" name="access">${option('', text.anyAccess, query.access)}${OWN_ACCESS.map((access) => option(access, text.accesses[access], query.access))}</select></div>
<button class="button" type="submit">${text.search}</button>
</form>`;
};

const entry = (row: ContentRow, { language, now }: ItemsPage): Html => {
  const text = ITEMS_MESSAGES[language];
  const [visibility, ...protection] = accessWords(row, now, language);
  return html`<li class="entry"><label class="pick"><input type="checkbox" name="id" value="${row.id}" aria-label="${text.select(row.title)}"></label>
<a class="shown" href="${itemPath(row)}"><span class="thumb">${thumbnail(row)}</span><span class="words"><strong>${row.title}</strong><span class="hint">${itemDetails(row, language).join(' · ')}</span></span></a>
<ul class="chips"><li>${visibility}</li>${protection.map((word) => html`<li class="tag">${word}</li>`)}</ul></li>`;
};

const emptyWords = ({ language, query }: ItemsPage): Html => {
  const text = ITEMS_MESSAGES[language];
  const isFiltered = query.search !== '' || query.type !== null || query.access !== null || query.cursor !== null;
  return isFiltered
    ? html`<p class="hint">${text.noneFound} <a href="/account/items">${text.clearSearch}</a></p>`
    : html`<p class="hint">${text.none}</p>`;
};

const listForm = (page: ItemsPage): Html => {
  const { language, rows, query } = page;
  const text = ITEMS_MESSAGES[language];
  return html`<form method="post" action="/account/items/delete">
<input type="hidden" name="back" value="${itemsPath(query)}">
<div class="row"><label class="check all" hidden><input type="checkbox">${text.selectAll}</label><button class="button danger" type="submit">${text.deleteSelected}</button></div>
<ul class="entries" aria-label="${text.items}">${rows.map((row) => entry(row, page))}</ul>
</form>`;
};

const pageLinks = ({ language, query, nextCursor }: ItemsPage): Part => {
  const text = ITEMS_MESSAGES[language];
  if (query.cursor === null && nextCursor === null) return null;
  return html`<nav class="actions" aria-label="${text.pages}">
${query.cursor !== null && html`<a class="button" href="${itemsPath({ ...query, cursor: null })}">${text.newest}</a>`}
${nextCursor !== null && html`<a class="button" href="${itemsPath({ ...query, cursor: nextCursor })}" rel="next">${text.older}</a>`}
</nav>`;
};

const noticeOf = ({ language, notice }: ItemsPage): Part => {
  const text = ITEMS_MESSAGES[language];
  if (notice === null) return null;
  return notice === 'none-selected'
    ? html`<p class="wrong" role="alert">${text.noneSelected}</p>`
    : done(text.deleted(notice));
};

export const itemsPage = (page: ItemsPage): string => {
  const { language, nonce, account, rows } = page;
  const text = ITEMS_MESSAGES[language];
  return renderAccountPage({
    language,
    account,
    nonce,
    section: 'items',
    body: html`<section class="card stack" aria-labelledby="items-title"><h1 id="items-title">${text.items}</h1>
${noticeOf(page)}
${filterForm(page)}
${rows.length === 0 ? emptyWords(page) : listForm(page)}
${pageLinks(page)}</section>`,
  });
};

interface DeletePage {
  readonly language: Language;
  readonly nonce: string;
  readonly account: AccountRow;
  readonly rows: readonly ContentRow[];
  /** Where to go afterwards; a path of this server. */
  readonly back: string;
}

/** Asks before items are deleted. */
export const deletePage = ({ language, nonce, account, rows, back }: DeletePage): string => {
  const text = ITEMS_MESSAGES[language];
  const title = text.deleteTitle(rows.length);
  return renderAccountPage({
    language,
    account,
    nonce,
    title,
    section: 'items',
    body: html`<section class="card stack" aria-labelledby="delete-title"><h1 id="delete-title">${title}</h1>
<p>${text.deleteText(rows.length)}</p>
<ul class="entries" aria-labelledby="delete-title">${rows.map((row) => html`<li class="entry"><div class="shown"><span class="thumb">${thumbnail(row)}</span><span class="words"><strong>${row.title}</strong><span class="hint">${itemDetails(row, language).join(' · ')}</span></span></div></li>`)}</ul>
<form method="post" action="/account/items/delete">
<input type="hidden" name="confirmed" value="yes"><input type="hidden" name="back" value="${back}">
${rows.map(({ id }) => html`<input type="hidden" name="id" value="${id}">`)}
<div class="actions"><button class="button danger" type="submit">${text.delete}</button><a class="button" href="${back}">${text.cancel}</a></div>
</form></section>`,
  });
};
