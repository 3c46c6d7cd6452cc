/** Content-Disposition with names of any language (RFC 6266, RFC 8187); a name can never break out of the header. */

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif', 'jpe'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'video/mp4': ['mp4', 'm4v', 'mov'],
  'video/webm': ['webm'],
  'application/zip': ['zip'],
};

/** The name under which a file is saved: its own, with an extension that fits what the bytes are. */
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

/** A form for clients that know no other: printable ASCII without what a quoted string or a file system trips over. */
const plain = (name: string): string => name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%/]/g, '_');

export const contentDisposition = (type: 'inline' | 'attachment', name: string): string => {
  const ascii = plain(name);
  const header = `${type}; filename="${ascii}"`;
  return ascii === name ? header : `${header}; filename*=UTF-8''${extended(name)}`;
};
