/** Text as the share page shows it, by the same rules. Runs beside the page: some texts take long, and some were made to. */

import type { PasteFormat } from '../../../../api/content.ts';
import type { NoteText } from '../../../../api/note.ts';
import { highlight } from '../../../../common/rendering/highlight.ts';
import { type Grammar, grammarOfFile, grammarOfNote, isMarkdownFile } from '../../../../common/rendering/languages.ts';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../../../common/rendering/lines.ts';
import { renderMarkdown } from '../../../../common/rendering/markdown.ts';

/** A note as it was published, or a file of a folder as it was written. */
export type Source =
  | { readonly kind: 'note'; readonly note: NoteText; readonly title: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

export interface Rendered {
  /** All text is escaped, and there is nothing in it that runs or is fetched. */
  readonly html: string;
  readonly look: PasteFormat;
}

const code = (text: string, grammar: Grammar | null): Rendered => {
  const readable = readableCode(text);
  const html = (grammar && highlight(readable, grammar)) ?? escapeHtml(readable);
  return { html: codeBlock(numberedLines(html)), look: 'code' };
};

export const renderSource = (source: Source): Rendered => {
  if (source.kind === 'file') {
    const { path, text } = source;
    return code(text, isMarkdownFile(path) ? 'markdown' : grammarOfFile(path));
  }
  const { note, title } = source;
  switch (note.format) {
    case 'markdown':
      return { html: renderMarkdown({ text: note.text, title, place: { kind: 'note' } }), look: 'markdown' };
    case 'code':
      return code(note.text, grammarOfNote(note.language ?? 'text'));
    default:
      return { html: plainBlock(note.text), look: 'plain' };
  }
};
