/**
 * Counts the parts of a `multipart/form-data` body by its delimiters (RFC 2046, 5.1.1), and reads the charset that each
 * names (RFC 7578, 4.5), in constant memory. The parser of forms says nothing of a part whose head it cannot read; a
 * count beside it reveals that one is missing. It also keeps the charset to itself.
 */
import { MIMEType } from 'node:util';

export interface FormPartCounter {
  /** Takes the body in order, in chunks of any size. */
  readonly see: (chunk: Buffer) => void;
  /** The parts that have begun so far; what follows the closing delimiter has none. */
  readonly count: () => number;
  /** By the number of a part, from 0, that has ended; null: it names none. */
  readonly charsetOf: (part: number) => string | null;
}

const LINE = '\r\n';
const CLOSING = '--';
/** As much as the parser reads of a head. */
const HEAD_BYTES = 80 * 1024;
/** More parts than a form may have. */
const CHARSETS_MAX = 64;

/** Of a part without its delimiter. A line of its head may be folded. */
const charsetIn = (part: string): string | null => {
  const [head = ''] = part.split(`${LINE}${LINE}`, 1);
  const type = /^content-type:(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  return /;\s*charset\s*=\s*["']?([^\s;"']{1,64})/i.exec(type)?.[1] ?? null;
};

/** `contentType` is that of a form; without a boundary there are no parts. */
export const createFormPartCounter = (contentType: string): FormPartCounter => {
  const boundary = new MIMEType(contentType).params.get('boundary');
  const delimiter = Buffer.from(`${LINE}--${boundary}`);
  let parts = 0;
  let isOver = boundary === null;
  // The first delimiter needs no line before it.
  let rest = Buffer.from(LINE);
  const charsets: (string | null)[] = [];
  /** The first bytes of the current part. */
  let begin: string | null = null;

  const keep = (bytes: Buffer): void => {
    if (begin !== null) begin += bytes.toString('latin1', 0, HEAD_BYTES - begin.length);
  };
  const endPart = (): void => {
    if (begin !== null && charsets.length < CHARSETS_MAX) charsets.push(charsetIn(begin));
    begin = null;
  };

  /** Counts the delimiters in `bytes`, and returns from where they are needed again with the next chunk. */
  const scan = (bytes: Buffer): number => {
    let from = 0;
    for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, from)) {
      keep(bytes.subarray(from, at));
      endPart();
      from = at + delimiter.length;
      const next = bytes.toString('latin1', from, from + CLOSING.length);
      if (next.length < CLOSING.length) return at;
      isOver = next === CLOSING;
      if (isOver) break;
      parts += 1;
      begin = '';
    }
    const end = Math.max(from, bytes.length - delimiter.length + 1);
    keep(bytes.subarray(from, end));
    return end;
  };

  return {
    see: (chunk) => {
      if (isOver) return;
      const bytes = Buffer.concat([rest, chunk]);
      rest = bytes.subarray(scan(bytes));
    },
    count: () => parts,
    charsetOf: (part) => charsets[part] ?? null,
  };
};
