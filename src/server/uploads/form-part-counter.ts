/**
 * Counts the parts of a `multipart/form-data` body by its delimiters (RFC 2046, 5.1.1), in constant memory. The parser
 * of forms says nothing of a part whose head it cannot read; a count beside it reveals that one is missing.
 */
import { MIMEType } from 'node:util';

export interface FormPartCounter {
  /** Takes the body in order, in chunks of any size. */
  readonly see: (chunk: Buffer) => void;
  /** The parts that have begun so far; what follows the closing delimiter has none. */
  readonly count: () => number;
}

const LINE = '\r\n';
const CLOSING = '--';

/** `contentType` is that of a form; without a boundary there are no parts. */
export const createFormPartCounter = (contentType: string): FormPartCounter => {
  const boundary = new MIMEType(contentType).params.get('boundary');
  const delimiter = Buffer.from(`${LINE}--${boundary}`);
  let parts = 0;
  let isOver = boundary === null;
  // The first delimiter needs no line before it.
  let rest = Buffer.from(LINE);

  /** Counts the delimiters in `bytes`, and returns from where they are needed again with the next chunk. */
  const scan = (bytes: Buffer): number => {
    let from = 0;
    for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, from)) {
      from = at + delimiter.length;
      const next = bytes.toString('latin1', from, from + CLOSING.length);
      if (next.length < CLOSING.length) return at;
      isOver = next === CLOSING;
      if (isOver) break;
      parts += 1;
    }
    return Math.max(from, bytes.length - delimiter.length + 1);
  };

  return {
    see: (chunk) => {
      if (isOver) return;
      const bytes = Buffer.concat([rest, chunk]);
      rest = bytes.subarray(scan(bytes));
    },
    count: () => parts,
  };
};
