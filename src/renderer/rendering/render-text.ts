/**
 * Renders the text of a note or code file to HTML by the rules of the share page. Runs in a worker, because some texts
 * take long, including malicious ones.
 */

import type { PasteFormat } from '../../api/content.ts';
import type { NoteText } from '../../api/note.ts';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../common/rendering/code-html.ts';
import { type Grammar, grammarOfFile, grammarOfNote, isMarkdownFile } from '../../common/rendering/code-languages.ts';
import { highlight } from '../../common/rendering/highlight.ts';
import { renderMarkdown } from '../../common/rendering/markdown.ts';

/** A note, published or still being written, or a file of a shared folder. */
export type Source =
  | { readonly kind: 'note'; readonly note: NoteText; readonly title: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

export interface Rendered {
  /** All text is escaped; the markup contains no scripts and loads nothing. */
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
