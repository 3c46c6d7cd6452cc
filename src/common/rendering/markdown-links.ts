/**
 * Decides which targets a Markdown link may have: addresses with http, https or mailto, a heading of its own text, or a
 * file or a directory of its folder. Also limits the total length of the targets in a text.
 */
import type { Token } from 'markdown-it';
import { decodePercent } from '../../base/common/decode-percent.ts';
import { folderAnchor } from '../folder/file-tree.ts';
import type { HeadingIds } from './heading-ids.ts';

/** Where the Markdown is from: a note, or a file in `directory` of a shared folder (`docs/`; empty at its top). */
export type Place = { readonly kind: 'note' } | { readonly kind: 'folder'; readonly directory: string };

/** What the links of one text share. */
export interface LinkContext {
  readonly place: Place;
  /** Of the whole text. */
  readonly headings: Pick<HeadingIds, 'linkTo'>;
  /** From `createLinkBudget`. */
  readonly budget: (link: Token) => boolean;
}

const LINK_MAX = 2_048;
const ABSOLUTE = /^(?:https?:\/\/|mailto:)/i;
const HAS_SCHEME = /^[\s\p{Cc}]*[a-z][a-z0-9+.-]*:/iu;

/** False makes the parser keep the source as text, so that a reader sees what was tried. */
export const isSafeLink = (href: string): boolean =>
  href.length <= LINK_MAX && (ABSOLUTE.test(href) || !HAS_SCHEME.test(href));

/** The `href` to write, or null for a link without an allowed target, of which only the text is shown. */
export const targetOf = (href: string, { place, headings }: LinkContext): string | null => {
  if (!isSafeLink(href)) return null;
  if (ABSOLUTE.test(href)) return href;
  if (href.startsWith('#')) return href.length > 1 ? headings.linkTo(href.slice(1)) : null;
  return place.kind === 'note' ? null : fileOf(href, place.directory);
};

/** Maps `../src/a.ts#L3` of `docs/` to `?file=src%2Fa.ts#L3`, and `../src/` to its row on the page of all files. */
const fileOf = (href: string, directory: string): string | null => {
  const base = directory.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const url = /^[^?#]/.test(href) ? URL.parse(href, `http://folder/${base}`) : null;
  const path = url?.host === 'folder' ? decodePercent(url.pathname.slice(1)) : null;
  if (url === null || path === null) return null;
  if (path === '') return '?';
  if (path.endsWith('/')) return `?#${encodeURIComponent(folderAnchor(path))}`;
  return `?file=${encodeURIComponent(path)}${/^#L\d{1,6}$/.test(url.hash) ? url.hash : ''}`;
};

const FREE_CHARACTERS = 100_000;

/**
 * Limits the total output of links by the length of the text: thousands of references can use one definition, each
 * repeating its address. False: show the text of this link without the link.
 */
export const createLinkBudget = (textLength: number): ((link: Token) => boolean) => {
  let left = FREE_CHARACTERS + 2 * textLength;
  return (link) => {
    for (const [, value] of link.attrs ?? []) left -= String(value).length;
    return left >= 0;
  };
};
