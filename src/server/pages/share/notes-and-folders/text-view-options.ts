/**
 * Controls on a text's share page that work without JavaScript: a link that switches between rendered Markdown and its
 * source, and a checkbox that wraps long lines. Also reads the chosen file, view and search words from the page's
 * query.
 */
import { cutSearch } from '../../../content/title-and-tags.ts';
import { type Html, html } from '../../html.ts';
import type { Language } from '../../messages.ts';
import { TEXT_MESSAGES } from './messages.ts';

/** The requested part of a page: `/s/{id}?file=path&view=source&q=words`. */
export interface TextQuery {
  /** Of a folder. */
  readonly file?: string;
  /** `source`: Markdown as plain source. */
  readonly view?: string;
  /** Words of the names of files in a folder. */
  readonly q?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A repeated parameter is invalid; a longer search is cut. */
export const textQuery = (query: unknown): TextQuery => {
  const { file, view, q } = query as Record<string, unknown>;
  return {
    ...(isText(file) && { file }),
    ...(isText(view) && { view }),
    ...(isText(q) && { q: cutSearch(q) }),
  };
};

/** A link to the other view of Markdown. `address`: of the rendered view, with its `?`. */
export const viewLink = (view: 'source' | 'rendered', address: string, language: Language): Html => {
  const words = TEXT_MESSAGES[language];
  const separator = address.endsWith('?') ? '' : '&';
  return view === 'source'
    ? html`<a class="button" href="${address}${separator}view=source">${words.source}</a>`
    : html`<a class="button" href="${address}">${words.rendered}</a>`;
};

/** The style sheet wraps the lines of the text while it is on. */
export const wrapSwitch = (language: Language): Html =>
  html`<label class="wrap"><input type="checkbox" autocomplete="off">${TEXT_MESSAGES[language].wrap}</label>`;
