/** Whether a file is text, by its beginning: text becomes a note unless it is a secret, and all else is the queue's to judge. */

import { holdsPrivateKey, isSecretName } from '../../common/folder/secrets.ts';

/** A name such as `main.ts` is a stream of MPEG to a browser, so only what the service takes as a file is believed. */
const MEDIA = /^(?:image\/|video\/(?:mp4|webm|quicktime))/;

/** Enough to tell text from anything else that has a name of text. */
const LOOKED_AT_BYTES = 65_536;

/** UTF-16, by its mark. */
const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const isText = (bytes: Uint8Array, isWhole: boolean): boolean => {
  if (isWide(bytes)) return true;
  try {
    // A character may be cut in two where the look ends.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return !text.includes('\0') && !text.startsWith('%PDF-') && !text.startsWith('{\\rtf');
  } catch {
    return false;
  }
};

/**
 * `other` where the file is empty, cannot be read, or is a picture, a video or a document of another program. `secret` by the
 * rules that keep files out of a shared folder: a note is public to whoever has its link, and is read at once.
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
