/** Derives the default title of a note: its first line with text, without Markdown syntax. */
import MarkdownIt, { type Token } from 'markdown-it';
import type { PasteFormat } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';

const UNTITLED = 'Untitled note';
/** UTF-16 units that are read, after leading blank lines; a title is far shorter. */
const LOOK_AT = 4_000;

const markdown = new MarkdownIt({ html: true, maxNesting: 20 });

/** At most 180 code points on one line, never empty. A longer line is cut and ends with an ellipsis. */
export const titleOf = (text: string, format: PasteFormat): string => {
  const beginning = text
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .slice(0, LOOK_AT)
    .toWellFormed();
  const line = format === 'markdown' ? firstMarkdownLine(beginning) : firstLine(beginning);
  return line === '' ? UNTITLED : cut(line);
};

/** Prefers a line with a letter or a digit over one of punctuation only. */
const firstLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter((line) => line !== '');
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines[0] ?? '';
};

const firstMarkdownLine = (text: string): string => {
  for (const token of markdown.parse(text, {})) {
    const line = firstLine(token.type === 'html_block' ? token.content.replace(/<[^>]*>/g, '') : textOf(token));
    if (line !== '') return line;
  }
  return firstLine(text);
};

const textOf = (token: Token): string => {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'html_inline':
      return '';
    default:
      return token.children === null ? token.content : token.children.map(textOf).join('');
  }
};

const cut = (line: string): string => {
  const characters = [...line];
  const { titleMaxCharacters } = LIMITS;
  if (characters.length <= titleMaxCharacters) return line;
  return `${characters
    .slice(0, titleMaxCharacters - 1)
    .join('')
    .trimEnd()}…`;
};
