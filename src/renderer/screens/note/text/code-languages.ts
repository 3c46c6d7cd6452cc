/** Syntax highlighting for each language of the service; every grammar is a chunk loaded on demand. */

import { LanguageDescription, LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { PasteLanguage } from '../../../../api/content.ts';
import { grammarOfFence } from '../../../../common/rendering/languages.ts';
import type { Kind } from '../note-state.ts';

const stream = <State>(parser: StreamParser<State>): LanguageSupport =>
  new LanguageSupport(StreamLanguage.define(parser));

const LOADERS: Readonly<Record<Exclude<PasteLanguage, 'text'>, () => Promise<LanguageSupport>>> = {
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  python: async () => (await import('@codemirror/lang-python')).python(),
  bash: async () => stream((await import('@codemirror/legacy-modes/mode/shell')).shell),
  css: async () => (await import('@codemirror/lang-css')).css(),
  // Most text called XML is HTML, and this parser reads both.
  xml: async () => (await import('@codemirror/lang-html')).html({ autoCloseTags: false, matchClosingTags: false }),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  rust: async () => (await import('@codemirror/lang-rust')).rust(),
  go: async () => (await import('@codemirror/lang-go')).go(),
  c: async () => (await import('@codemirror/lang-cpp')).cpp(),
  cpp: async () => (await import('@codemirror/lang-cpp')).cpp(),
  csharp: async () => stream((await import('@codemirror/legacy-modes/mode/clike')).csharp),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
};

const FENCES = new Map(
  Object.entries(LOADERS).map(([name, load]) => [name, LanguageDescription.of({ name, load })] as const),
);

/** The grammar of a fenced code block in Markdown, by the names share pages support. */
const ofFence = (info: string): LanguageDescription | null =>
  FENCES.get(grammarOfFence(info.trim().split(/\s/, 1)[0] ?? '') ?? '') ?? null;

const markdown = async (): Promise<Extension> => {
  const { markdown: support, markdownLanguage } = await import('@codemirror/lang-markdown');
  return support({ base: markdownLanguage, codeLanguages: ofFence, completeHTMLTags: false });
};

/** Empty for text without highlighting. */
export const loadLanguage = async ({ format, language }: Kind): Promise<Extension> => {
  if (format === 'markdown') return markdown();
  return format === 'code' && language !== null && language !== 'text' ? LOADERS[language]() : [];
};
