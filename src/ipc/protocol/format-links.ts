/** Formats links for pasting elsewhere, in a given format. Pure. */

import type { Content } from '../../api/content.ts';
import { unreachable } from '../../api/errors.ts';
import { ESCAPES, linkMarkup, mediaUrlOf, oneLine } from '../../common/link-markup.ts';
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
    case 'html':
    case 'bbcode':
      return linkMarkup(content, title, format);
    case 'template':
      return filled(template, valuesOf(item, title));
    default:
      return unreachable(format);
  }
};

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
