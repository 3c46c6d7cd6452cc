/**
 * Builds the names of downloads and their Content-Disposition header. Also lists the security headers of responses
 * with stored bytes, and whether search engines may index them.
 */
import { mayIndex, type Standing } from '../sharing/access-rules.ts';

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif', 'jpe'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'video/mp4': ['mp4', 'm4v', 'mov'],
  'video/webm': ['webm'],
  'application/zip': ['zip'],
};

/** The file name for saving: the original one, with an extension that fits the detected type. */
export const downloadName = (originalName: string, mime: string): string => {
  const fitting = EXTENSIONS[mime];
  const extension = /\.([^.]+)$/.exec(originalName)?.[1]?.toLowerCase() ?? '';
  return fitting === undefined || fitting.includes(extension) ? originalName : `${originalName}.${fitting[0]}`;
};

/** RFC 8187: everything but its `attr-char` is percent-encoded. */
const extended = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The fallback for old clients: printable ASCII without quotes, backslashes, slashes and percent signs, which some
 * clients unescape.
 */
const plain = (name: string): string => name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%/]/g, '_');

/**
 * Builds Content-Disposition for names in any language (RFC 6266, RFC 8187); escapes names so that they cannot break
 * the header.
 */
export const contentDisposition = (type: 'inline' | 'attachment', name: string): string => {
  const ascii = plain(name);
  const header = `${type}; filename="${ascii}"`;
  return ascii === name ? header : `${header}; filename*=UTF-8''${extended(name)}`;
};

/** A page has its `meta` element instead; what is no page has only this. */
export const robotsHeader = (standing: Standing): Readonly<Record<string, string>> =>
  mayIndex(standing) ? {} : { 'x-robots-tag': 'noindex' };

/** No script, framing or cross-site read of a media response, and no search for what is not public. */
export const mediaHeaders = (standing: Standing): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  ...robotsHeader(standing),
});
