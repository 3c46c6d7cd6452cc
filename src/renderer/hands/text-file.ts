/** Whether a file is text, by its beginning: text becomes a note, and everything else is the queue's to judge. */

/** A name such as `main.ts` is a stream of MPEG to a browser, so only what the service takes as a file is believed. */
const MEDIA = /^(?:image\/|video\/(?:mp4|webm|quicktime))/;

/** Enough to tell text from anything else that has a name of text. */
const LOOKED_AT_BYTES = 65_536;

/** UTF-16, by its mark. */
const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** False where the file is empty, cannot be read, or is a picture, a video or a document of another program. */
export const isTextFile = async (file: File): Promise<boolean> => {
  if (file.size === 0 || MEDIA.test(file.type)) return false;
  try {
    const bytes = new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer());
    if (isWide(bytes)) return true;
    // A character may be cut in two where the look ends.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: file.size > bytes.length });
    return !text.includes('\0') && !text.startsWith('%PDF-') && !text.startsWith('{\\rtf');
  } catch {
    return false;
  }
};
