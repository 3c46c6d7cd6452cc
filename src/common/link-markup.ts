/**
 * Writes the link of an item as Markdown, HTML or BBCode: as an embedded picture for an image that anyone may load,
 * otherwise as a text link. Titles are escaped for each format, so that untrusted text never becomes markup or changes
 * the address. Also exports these escapes, and the address of an item's media. Pure.
 */

import type { Content } from '../api/content.ts';
import { unreachable } from '../api/errors.ts';

export const LINK_MARKUPS = ['markdown', 'html', 'bbcode'] as const;
export type LinkMarkup = (typeof LINK_MARKUPS)[number];

/** `mediaUrl` is a path on the same origin as the share page. */
export const mediaUrlOf = ({ mediaUrl, url }: Pick<Content, 'mediaUrl' | 'url'>): string =>
  URL.parse(mediaUrl, url)?.href ?? url;

/** Whether other sites can show the item as a picture: an image that needs no password, opening or sign-in. */
export const isEmbeddable = (content: Content): boolean =>
  content.type === 'IMAGE' &&
  content.visibility !== 'private' &&
  !content.passwordProtected &&
  !content.oneTime &&
  (content.viewLimit ?? null) === null &&
  (content.moderationHold ?? null) === null;

export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const ESCAPES = {
  html: (text: string) => oneLine(text).replace(/[&<>"']/g, (character) => HTML[character] ?? ''),
  /**
   * Escapes every character that could start or end markup; CommonMark accepts a backslash before any of its
   * punctuation.
   */
  markdown: (text: string) => oneLine(text).replace(/[\\`*_{}[\]<>&~|!$]/g, '\\$&'),
  /** Forums share no escape syntax, so brackets become round: no forum reads the text as a tag. */
  bbcode: (text: string) => oneLine(text).replaceAll('[', '(').replaceAll(']', ')'),
  url: (text: string) => encodeURIComponent(oneLine(text).toWellFormed()),
} as const;

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** The host of an IPv6 address keeps its brackets. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?/i;

/** From the service; escaped as well, because users trust what they paste. */
const address = (url: string): string => {
  const origin = ORIGIN.exec(url)?.[0] ?? '';
  return origin + url.slice(origin.length).replace(/[\s()<>[\]"'\\`{}|^*]/gu, percent);
};

/** `title` replaces an empty title of the item. */
export const linkMarkup = (content: Content, title: string, markup: LinkMarkup): string => {
  const isPicture = isEmbeddable(content);
  const target = address(isPicture ? mediaUrlOf(content) : content.url);
  switch (markup) {
    case 'markdown':
      return `${isPicture ? '!' : ''}[${ESCAPES.markdown(title)}](${target})`;
    case 'html':
      return isPicture
        ? `<img src="${ESCAPES.html(target)}" alt="${ESCAPES.html(title)}">`
        : `<a href="${ESCAPES.html(target)}">${ESCAPES.html(title)}</a>`;
    case 'bbcode':
      return isPicture ? `[img]${target}[/img]` : `[url=${target}]${ESCAPES.bbcode(title)}[/url]`;
    default:
      return unreachable(markup);
  }
};
