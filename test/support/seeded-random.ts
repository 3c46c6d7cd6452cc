/** Mulberry32: a small seeded random source, so that a failing run can be repeated. */
export const seededRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * Bytes that no compression shortens, always the same for a seed: random ones are a video by their first bytes, once in
 * a thousand runs.
 */
export const seededBytes = (seed: string, length: number): Buffer => {
  let number = 0;
  for (const char of seed) number = (Math.imul(number, 31) + (char.codePointAt(0) ?? 0)) | 0;
  const random = seededRandom(number);
  const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => random() * 2 ** 32);
  return Buffer.from(words.buffer, 0, length);
};
