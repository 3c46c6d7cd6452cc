/** Names captures by the user's template, in a form that every file system accepts. Pure. */
import type { CaptureMode } from './capture.ts';
import { timestampOf } from './file-name-timestamp.ts';

export interface NameParts {
  /** Milliseconds since 1970-01-01 UTC; formatted in local time. */
  readonly at: number;
  readonly mode: CaptureMode;
  readonly width: number;
  readonly height: number;
  /** Title of the window; empty without one. */
  readonly title: string;
  /** The number of captures, including this one. */
  readonly n: number;
}

export const countsIn = (template: string): boolean => template.includes('{n}');

/** Without an extension; never empty, and short enough for every file system with one. */
export const nameBy = (template: string, facts: NameParts): string => {
  const values: Readonly<Record<string, string>> = {
    ...timestampOf(new Date(facts.at)),
    mode: facts.mode,
    width: String(facts.width),
    height: String(facts.height),
    title: facts.title,
    n: String(facts.n),
  };
  return (
    fileName(
      template.replace(/\{(\w+)\}/g, (placeholder, key: string) =>
        Object.hasOwn(values, key) ? (values[key] ?? placeholder) : placeholder,
      ),
    ) || 'Screenshot'
  );
};

/** File systems accept 255; an extension and a number for duplicates are appended. */
const NAME_BYTES = 200;
/** Device names that Windows reserves, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const fileName = (text: string): string => {
  const plain = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may have.
    .replace(/[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '-')
    .replace(/\s+/g, ' ');
  return trimmed(shortened(trimmed(plain))).replace(DEVICE, '$1_');
};

const shortened = (text: string): string => {
  const characters = [...text];
  while (bytesOf(characters) > NAME_BYTES) characters.length = Math.floor(characters.length * 0.95);
  return characters.join('');
};

/** Length in UTF-8. */
const bytesOf = (characters: readonly string[]): number =>
  characters.reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0;
    return sum + (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4);
  }, 0);

/** A leading dot hides a file, and Windows drops trailing dots. */
const trimmed = (text: string): string => text.replace(/^[\s.]+|[\s.]+$/g, '');
