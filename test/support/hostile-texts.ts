/** Texts, all different, that occupy highlight.js for minutes. */

/** Short lines: a limit on line length does not exclude it. */
export const hostileCode = (mark: number): string => `${mark}\n${'a\n'.repeat(99_000)}`;
