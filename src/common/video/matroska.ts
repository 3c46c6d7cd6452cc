/** Walks the elements of a Matroska or WebM file (RFC 8794) for what the video library does not report. */
import type { ByteSource } from './byte-source.ts';

export const CLUSTER = 0x1f43b675;
const SEGMENT = 0x18538067;
/** Of each element; the others are not read. */
export const ELEMENTS_MAX = 2_000;

export interface Element {
  readonly id: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** The element at `at` of `bytes`; an unknown size ends with `bytes`. */
const elementAt = (bytes: Uint8Array, at: number, limit: number): Element | null => {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeLength = Math.clz32(bytes[at + idLength] ?? 0) - 23;
  const bodyStart = at + idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || bodyStart > bytes.length) return null;
  const id = numberIn(bytes.subarray(at, at + idLength));
  const size = numberIn(bytes.subarray(at + idLength, bodyStart)) & ((1n << BigInt(7 * sizeLength)) - 1n);
  const isUnknown = size === (1n << BigInt(7 * sizeLength)) - 1n;
  return { id: Number(id), bodyStart, end: isUnknown ? limit : bodyStart + Number(size) };
};

export const numberIn = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

export const childrenOf = (bytes: Uint8Array): { readonly id: number; readonly body: Uint8Array }[] => {
  const children: { readonly id: number; readonly body: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length && children.length < ELEMENTS_MAX; ) {
    const element = elementAt(bytes, at, bytes.length);
    if (element === null || element.end > bytes.length) break;
    children.push({ id: element.id, body: bytes.subarray(element.bodyStart, element.end) });
    at = element.end;
  }
  return children;
};

const HEADER_BYTES = 12;

export const readElement = async (file: ByteSource, at: number): Promise<Element | null> => {
  const element = elementAt(await file.read(at, HEADER_BYTES), 0, file.size - at);
  return element && { id: element.id, bodyStart: at + element.bodyStart, end: at + element.end };
};

/** The element that contains all others; null: there is none. */
export const readSegment = async (file: ByteSource): Promise<Element | null> => {
  const first = await readElement(file, 0);
  const segment = first === null || first.id === SEGMENT ? first : await readElement(file, first.end);
  return segment?.id === SEGMENT ? segment : null;
};
