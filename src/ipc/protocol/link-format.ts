/**
 * Formats a link for pasting elsewhere. Titles and names are escaped for each format, so that untrusted text never
 * becomes markup or changes the address. Pure.
 */

import type { Content } from '../../api/content.ts';
import { unreachable } from '../../api/errors.ts';
import type { LinkFormat } from './link-settings.ts';

export interface FormatOptions {
  readonly format: LinkFormat;
  /** For the format `template`. */
  readonly template: string;
}

export interface LinkItem {
  readonly name: string;
  readonly content: Content;
}

/** Several items make one text: a list in Markdown and HTML, lines elsewhere. */
export const formatLinks = (items: readonly LinkItem[], options: FormatOptions): string => {
  const links = items.map((item) => formatLink(item, options));
  if (links.length < 2) return links.join('');
  switch (options.format) {
    case 'markdown':
      return links.map((link) => `- ${link}`).join('\n');
    case 'html':
      return `<ul>\n${links.map((link) => `  <li>${link}</li>`).join('\n')}\n</ul>`;
    case 'plain':
    case 'bbcode':
    case 'direct':
    case 'template':
      return links.join('\n');
    default:
      return unreachable(options.format);
  }
};

const formatLink = (item: LinkItem, { format, template }: FormatOptions): string => {
  const { content } = item;
  const title = content.title.trim() || item.name;
  switch (format) {
    case 'plain':
      return content.url;
    case 'direct':
      return mediaUrlOf(content);
    case 'markdown':
      return `[${ESCAPES.markdown(title)}](${address(content.url)})`;
    case 'html':
      return `<a href="${ESCAPES.html(address(content.url))}">${ESCAPES.html(title)}</a>`;
    case 'bbcode':
      return `[url=${address(content.url)}]${ESCAPES.bbcode(title)}[/url]`;
    case 'template':
      return filled(template, valuesOf(item, title));
    default:
      return unreachable(format);
  }
};

/** `mediaUrl` is a path on the same origin as the share page. */
const mediaUrlOf = ({ mediaUrl, url }: Content): string => URL.parse(mediaUrl, url)?.href ?? url;

/** From the service; escaped as well, because users trust what they paste. */
const address = (url: string): string => url.replace(/[\s()<>[\]"'\\`{}|^*]/gu, percent);

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const ESCAPES = {
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

const valuesOf = ({ name, content }: LinkItem, title: string): Readonly<Record<string, string>> => ({
  url: content.url,
  mediaUrl: mediaUrlOf(content),
  title,
  name,
  id: content.id,
  type: content.type.toLowerCase(),
  size: String(content.size),
  visibility: content.visibility,
  tags: content.tags.join(', '),
  date: content.createdAt.slice(0, 10),
  time: content.createdAt.slice(11, 16),
  expires: content.expiresAt?.slice(0, 10) ?? '',
});

/** Unknown placeholders are kept, so that braces of other languages do no harm. */
const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(
    /\{(\w+)(?:\|(html|markdown|bbcode|url))?\}/g,
    (placeholder, name: string, escaping?: keyof typeof ESCAPES) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return placeholder;
      return escaping ? ESCAPES[escaping](value) : oneLine(value);
    },
  );
