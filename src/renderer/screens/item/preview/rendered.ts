/** Text as the share page shows it, by the same rules; loaded with the first text that is looked at. */

import type { PasteFormat } from '../../../../contract/content.ts';
import type { NoteText } from '../../../../contract/note.ts';
import { highlight } from '../../../../contract/rendering/highlight.ts';
import {
  type Grammar,
  grammarOfFile,
  grammarOfNote,
  isMarkdownFile,
} from '../../../../contract/rendering/languages.ts';
import {
  codeBlock,
  escapeHtml,
  numberedLines,
  plainBlock,
  readableCode,
} from '../../../../contract/rendering/lines.ts';
import { renderMarkdown } from '../../../../contract/rendering/markdown.ts';

export interface Rendered {
  /** Safe: all text is escaped, and there is nothing in it that runs or is fetched. */
  readonly html: string;
  readonly look: PasteFormat;
}

const code = (text: string, grammar: Grammar | null): Rendered => {
  const readable = readableCode(text);
  const html = (grammar && highlight(readable, grammar)) ?? escapeHtml(readable);
  return { html: codeBlock(numberedLines(html)), look: 'code' };
};

export const renderNote = ({ text, format, language }: Omit<NoteText, 'revision'>, title: string): Rendered => {
  switch (format) {
    case 'markdown':
      return { html: renderMarkdown({ text, title, place: { kind: 'note' } }), look: 'markdown' };
    case 'code':
      return code(text, grammarOfNote(language ?? 'text'));
    default:
      return { html: plainBlock(text), look: 'plain' };
  }
};

/** Its text, as it was written; Markdown too. */
export const renderFile = (path: string, text: string): Rendered =>
  code(text, isMarkdownFile(path) ? 'markdown' : grammarOfFile(path));
