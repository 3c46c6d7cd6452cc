/** Detects whether a WebM file contains all the bytes that its Segment element announces (RFC 8794; RFC 9559, 5.1). */
import { type ByteSource, viewOf } from './byte-source.ts';

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
const HEAD_BYTES = 4_096;

/** A variable-length number at `at`: its length in bytes and its value; null value: "unknown size". */
const readVint = (head: Uint8Array, at: number): { length: number; value: number | null } | null => {
  const first = head[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > head.length) return null;
  let value = first & (0xff >> length);
  let unknown = value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = head[at + index] ?? 0;
    unknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { length, value: unknown ? null : value };
};

/** Whether the file is truncated. A live recording gives no size and is accepted. */
export const isSegmentCut = async (file: ByteSource): Promise<boolean> => {
  const head = await file.read(0, HEAD_BYTES);
  let at = 0;
  while (at + 4 <= head.length) {
    const id = viewOf(head).getUint32(at);
    const data = readVint(head, at + 4);
    if (data === null) return true;
    const start = at + 4 + data.length;
    if (id === SEGMENT_ID) return data.value !== null && start + data.value > file.size;
    if (id !== EBML_ID || data.value === null) return true;
    at = start + data.value;
  }
  return true;
};
