/**
 * Encodes the body of a `multipart/form-data` request: text fields and one streamed file, with a length that is known
 * in advance. Also converts link settings to such text fields (API document, "POST /api/v1/folders").
 */

import type { ShareFields } from '../../api/content.ts';
import type { Result } from '../../api/errors.ts';

/** The opened file of a form; its size in bytes. */
interface FormFile {
  readonly size: number;
  /** Fills `into` from `position`, and returns the part of it inside the file. */
  read(into: Buffer, position: number): Promise<Result<Buffer>>;
}

export interface Form {
  /** Must not occur in the bytes; a uuid does not. */
  readonly boundary: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly type: string; readonly source: FormFile };
}

export interface BodySlice {
  readonly bytes: Uint8Array;
  /** How many of them are the file's: none in what a form puts around it. */
  readonly fileBytes: number;
}

export interface EncodedForm {
  readonly headers: Readonly<Record<string, string>>;
  /** Throws when the file has changed since it was opened. */
  readonly slices: (sliceBytes: number) => AsyncGenerator<BodySlice>;
}

/** As browsers encode it (the HTML standard, "multipart form data"). */
const quoted = (text: string): string =>
  `"${text.replace(/["\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}"`;

const LINE = '\r\n';

/** Fields precede the file: the service accepts any order, but then knows them before the first file bytes. */
export const encodeForm = ({ boundary, fields, file }: Form): EncodedForm => {
  const open = `--${boundary}${LINE}content-disposition: form-data; name=`;
  const texts = Object.entries(fields).map(([name, value]) => `${open}${quoted(name)}${LINE}${LINE}${value}${LINE}`);
  const fileHead = `${open}"file"; filename=${quoted(file.name)}${LINE}content-type: ${file.type}${LINE}${LINE}`;
  const head = Buffer.from(texts.join('') + fileHead);
  const tail = Buffer.from(`${LINE}--${boundary}--${LINE}`);
  const { source } = file;
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + source.size + tail.length),
    },
    async *slices(sliceBytes) {
      yield { bytes: head, fileBytes: 0 };
      for (let at = 0; at < source.size; at += sliceBytes) {
        // A new buffer each time: the socket may still use the previous one.
        const slice = await source.read(Buffer.allocUnsafe(Math.min(sliceBytes, source.size - at)), at);
        if (!slice.ok) throw new Error(slice.error.detail);
        yield { bytes: slice.value, fileBytes: slice.value.byteLength };
      }
      yield { bytes: tail, fileBytes: 0 };
    },
  };
};

// Encodes link settings as the text fields of a form (API document, "POST /api/v1/folders").

export const formFieldsOf = ({ tags, oneTime, ...texts }: ShareFields): Record<string, string> => ({
  ...(tags !== undefined && { tags: JSON.stringify(tags) }),
  ...(oneTime !== undefined && { oneTime: String(oneTime) }),
  ...Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)),
});
