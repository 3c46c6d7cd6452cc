/**
 * Builds the preview that chats show for the link of an item: Open Graph and Twitter tags, and the oEmbed response.
 * Callers first ask `mayPreview` whether the item may have a preview.
 */

import type { ContentRow } from '../../content/content-rows.ts';
import { authorOf } from '../../content/present-content.ts';
import { previewSize } from '../../media/inspector-protocol.ts';
import { type Html, html } from '../html.ts';
import { type Language, MESSAGES } from '../messages.ts';

const DESCRIPTION_MAX = 200;
/** The beginning of a text in which its description is searched. */
const SEARCHED = 4_000;

/** At most 200 characters, cut at a word where there is one. */
export const shorten = (text: string): string => {
  const characters = [...text];
  if (characters.length <= DESCRIPTION_MAX) return text;
  const cut = characters.slice(0, DESCRIPTION_MAX - 1).join('');
  return `${cut.replace(/\s\S{0,30}$/u, '')}…`;
};

/** The first lines of a note without the marks of Markdown blocks and without a first line that repeats the title. */
export const describeText = (text: string, title: string, format: 'markdown' | 'other'): string => {
  const lines = text
    .slice(0, SEARCHED)
    .toWellFormed()
    .split(/[\r\n]+/)
    .map((line) =>
      format === 'markdown' ? line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$|[-=*_]{3,}\s*$)/, '') : line,
    )
    .map((line) => line.replace(/[\s\p{Cc}\p{Bidi_C}]+/gu, ' ').trim())
    .filter((line) => line !== '');
  return shorten((lines[0] === title ? lines.slice(1) : lines).join(' '));
};

/** The names of the first files of a folder. */
export const describeFiles = (paths: readonly string[]): string => shorten(paths.slice(0, 50).join(', '));

interface PreviewImage {
  readonly url: string;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

/** What WhatsApp loads. */
const IMAGE_MAX_BYTES = 300_000;

/**
 * A JPEG of at most 640 pixels: the one format that every chat shows, and small enough for all of them. Links are often
 * pasted before it is made: its route waits for it. A picture of which none can be made is shown itself, where every
 * chat shows it.
 */
const imageOf = ({ id, mime, width, height, ...row }: ContentRow, origin: string): PreviewImage | null => {
  if (row.mediaStatus !== 'READY' || width === null || height === null) return null;
  const media = `${origin}/api/media/${id}`;
  if (row.previewId !== null || row.previewWanted === 1)
    return { url: `${media}/preview.jpg`, mime: 'image/jpeg', ...previewSize(width, height) };
  const isShownEverywhere = ['image/jpeg', 'image/png'].includes(mime) && row.size <= IMAGE_MAX_BYTES;
  return isShownEverywhere ? { url: media, mime, width, height } : null;
};

/** The author, as far as the owner lets previews name one. */
const authorName = (row: ContentRow): string | null => {
  const author = authorOf(row);
  return row.previewAuthor === 1 ? `${author.name} (@${author.username})` : null;
};

interface PreviewPage {
  readonly language: Language;
  readonly origin: string;
}

const meta = (property: string, content: string | number | null): Html | false =>
  content !== null && html`<meta property="${property}" content="${content}">\n`;

const isVideo = (row: ContentRow): boolean => row.type === 'VIDEO' && row.mediaStatus === 'READY';

/** Only for items of which `mayPreview` allows a preview. `description`: of a text; null for media. */
export const linkPreview = (row: ContentRow, { language, origin }: PreviewPage, description: string | null): Html => {
  const { siteDescription, by } = MESSAGES[language];
  const name = authorName(row);
  const image = imageOf(row, origin);
  const page = `${origin}/s/${row.id}`;
  const isMedia = row.type === 'IMAGE' || row.type === 'VIDEO';
  return html`${[
    meta('og:site_name', 'Linkshot'),
    meta('og:type', isMedia ? (row.type === 'VIDEO' ? 'video.other' : 'website') : 'article'),
    meta('og:title', row.title),
    meta('og:description', description || (name === null ? siteDescription : `${by} ${name}`)),
    meta('og:url', page),
    meta('og:locale', language === 'ru' ? 'ru_RU' : 'en_US'),
    image !== null && [
      meta('og:image', image.url),
      meta('og:image:type', image.mime),
      meta('og:image:width', image.width),
      meta('og:image:height', image.height),
      meta('og:image:alt', row.title),
    ],
    isVideo(row) && [
      meta('og:video', `${origin}/api/media/${row.id}`),
      meta('og:video:type', row.mime),
      meta('og:video:width', row.width),
      meta('og:video:height', row.height),
    ],
  ]}<meta name="twitter:card" content="${isMedia ? 'summary_large_image' : 'summary'}">
${name !== null && html`<meta name="author" content="${name}">\n`}${
  // Mastodon prefers oEmbed, whose link type has no description: only pictures announce it.
  row.type === 'IMAGE' &&
  image !== null &&
  html`<link rel="alternate" type="application/json+oembed" href="${origin}/oembed?format=json&url=${encodeURIComponent(page)}" title="${row.title}">\n`
}`;
};

export interface OEmbed {
  readonly version: '1.0';
  readonly type: 'photo' | 'link';
  readonly title: string;
  readonly provider_name: 'Linkshot';
  readonly provider_url: string;
  readonly author_name?: string;
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
}

/** For an item of which `mayPreview` allows a preview. `fits`: whether a picture may have this size. */
export const oEmbedOf = (
  row: ContentRow,
  origin: string,
  fits: (size: { readonly width: number; readonly height: number }) => boolean,
): OEmbed => {
  const image = imageOf(row, origin);
  const name = authorName(row);
  const common = {
    version: '1.0',
    title: row.title,
    provider_name: 'Linkshot',
    provider_url: origin,
    ...(name !== null && { author_name: name }),
  } as const;
  if (image === null || !fits(image)) return { ...common, type: 'link' };
  const { url, width, height } = image;
  const thumbnail = { thumbnail_url: url, thumbnail_width: width, thumbnail_height: height };
  return row.type === 'IMAGE'
    ? { ...common, type: 'photo', url, width, height, ...thumbnail }
    : { ...common, type: 'link', ...thumbnail };
};
