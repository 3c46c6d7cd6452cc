import { createCipheriv, createHash } from 'node:crypto';

/** Mulberry32: a small seeded random source, so that a failing run can be repeated. */
export const seededRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * Bytes that no compression shortens, always the same for a seed: random ones are a video by their first bytes, once in
 * a thousand runs. The key stream of a cipher, because drawing megabytes number by number takes longer than uploading them.
 */
export const seededBytes = (seed: string, length: number): Buffer => {
  const key = createHash('sha256').update(seed).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
};
