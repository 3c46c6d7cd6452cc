/**
 * Detects text files by their first bytes: text becomes a note unless it is a secret; the queue handles everything
 * else.
 */

import { holdsPrivateKey, isSecretName } from '../../common/folder/secrets.ts';

/** Browsers report `main.ts` as an MPEG stream, so only media types the service accepts are trusted. */
const MEDIA = /^(?:image\/|video\/(?:mp4|webm|quicktime))/;

/** Enough to tell text from binary formats with a text file's name. */
const LOOKED_AT_BYTES = 65_536;

/** UTF-16, by its byte order mark. */
const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const isText = (bytes: Uint8Array, isComplete: boolean): boolean => {
  if (isWide(bytes)) return true;
  try {
    // The sample may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isComplete });
    return !text.includes('\0') && !text.startsWith('%PDF-') && !text.startsWith('{\\rtf');
  } catch {
    return false;
  }
};

/**
 * `other`: empty, unreadable, an image, a video, or another program's document. `secret`: by the rules that exclude
 * files from shared folders, because a note is readable for everyone with its link.
 */
export const kindOfText = async (file: File): Promise<'text' | 'secret' | 'other'> => {
  if (file.size === 0 || MEDIA.test(file.type)) return 'other';
  const bytes = await file
    .slice(0, LOOKED_AT_BYTES)
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer))
    .catch(() => null);
  if (!bytes || !isText(bytes, file.size === bytes.length)) return 'other';
  return isSecretName(file.name) || holdsPrivateKey(bytes) ? 'secret' : 'text';
};
