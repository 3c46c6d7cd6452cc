/**
 * Makes what a service says safe to show and to keep: texts lose control and bidirectional characters and are bounded, and
 * values that are nested deeper than any answer of the API are refused. Every answer and every error passes here once.
 */

import { WEB_ADDRESS } from '../../api/address.ts';

/** Longer than any field of the API but the text of a note. */
const TEXT_MAX = 4_096;
/** Answers of the API are at most six deep. */
const DEPTH_MAX = 24;
/** Members of an object or an array. A list of received parts is the longest, with 2,048. */
const MEMBERS_MAX = 65_536;

const UNSAFE = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u;
const CONTROLS = /\p{Cc}|[\u2028\u2029]/gu;
const BIDI = /\p{Bidi_Control}/gu;

/** One line of text that does nothing to a terminal, a clipboard or a page. */
export const cleanText = (text: string): string => {
  const bounded = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  // A cut may not leave half of a character.
  const whole = bounded.isWellFormed() ? bounded : bounded.toWellFormed();
  return UNSAFE.test(whole) ? whole.replace(CONTROLS, ' ').replace(BIDI, '') : whole;
};

const ADDRESS = new RegExp(WEB_ADDRESS);

/** Whether a link of the answer cannot be printed, copied or opened safely. */
export const hasUnsafeAddress = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  depth <= DEPTH_MAX &&
  Object.entries(value).some(([key, each]) =>
    key === 'url' && typeof each === 'string' ? !isWebAddress(each) : hasUnsafeAddress(each, depth + 1),
  );

const isWebAddress = (text: string): boolean => ADDRESS.test(text) && URL.canParse(text);

const TOO_DEEP = Symbol('too deep');

const cleaned = (value: unknown, exempt: string | null, depth: number): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) throw TOO_DEEP;
  if (Array.isArray(value)) {
    if (value.length > MEMBERS_MAX) throw TOO_DEEP;
    return value.map((each) => cleaned(each, exempt, depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length > MEMBERS_MAX) throw TOO_DEEP;
  return Object.fromEntries(
    entries.map(([key, each]) => [
      cleanText(key),
      key === exempt && depth === 0 && typeof each === 'string' ? each : cleaned(each, exempt, depth + 1),
    ]),
  );
};

/** `exempt`: the one member of the answer whose text is kept as it is. Undefined: no schema accepts it. */
export const cleanReply = (value: unknown, exempt: string | null): unknown => {
  try {
    return cleaned(value, exempt, 0);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    return undefined;
  }
};
