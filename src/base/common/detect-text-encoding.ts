/** Detects the encoding of a text by its byte order mark. Pure. */

/** UTF-8 without another mark; `>` of Windows PowerShell writes UTF-16. */
export const detectTextEncoding = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};
