/** A character and the marks after it, and the letters of a Hangul syllable. */
const SEQUENCE = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;

/**
 * A file name of macOS as git composes it there before it compares names: `й` of two characters becomes one. A single
 * character stays, even if Unicode composes it to another one.
 */
export const composeName = (name: string): string => name.replace(SEQUENCE, (sequence) => sequence.normalize('NFC'));
