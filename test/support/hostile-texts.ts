/** Texts that take highlight.js minutes, each another one. */

/** Short lines: no limit of a line's length keeps it out. */
export const hostileCode = (mark: number): string => `${mark}\n${'a\n'.repeat(99_000)}`;
