/** The bitmap of an upload's confirmed parts: one bit per part, least significant first. Pure. */

export const emptyBitmap = (parts: number): Buffer => Buffer.alloc(Math.ceil(parts / 8));

export const hasPart = (bitmap: Uint8Array, index: number): boolean =>
  ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

/** A copy with part `index` added. */
export const withPart = (bitmap: Uint8Array, index: number): Buffer => {
  const copy = Buffer.from(bitmap);
  copy[index >> 3] = (copy[index >> 3] ?? 0) | (1 << (index & 7));
  return copy;
};

/** The numbers of the confirmed (`present`) or unconfirmed (`missing`) parts, in order. */
export const partNumbers = (bitmap: Uint8Array, parts: number, which: 'present' | 'missing'): number[] => {
  const wanted = which === 'present';
  const numbers: number[] = [];
  for (let index = 0; index < parts; index += 1) if (hasPart(bitmap, index) === wanted) numbers.push(index);
  return numbers;
};
