/**
 * Text editor of a note: CodeMirror in a shadow root, so that its styles work under a content security policy without
 * inline styles. Also the parts of its configuration that the comparison of two versions shares.
 */

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  indentOnInput,
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
} from '@codemirror/language';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { PasteLanguage } from '../../../../api/content.ts';
import { grammarOfFence } from '../../../../common/rendering/code-languages.ts';
import { shadowOf } from '../../../rendering/shadow-root.ts';
import type { Kind } from '../note-editor-state.ts';
import { CODE_THEME } from './code-theme.ts';
import { fileDrop, type OnDropped } from './file-drop.ts';

// Syntax highlighting for each language of the service; every grammar is a chunk loaded on demand.

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
const loadLanguage = async ({ format, language }: Kind): Promise<Extension> => {
  if (format === 'markdown') return markdown();
  return format === 'code' && language !== null && language !== 'text' ? LOADERS[language]() : [];
};

/** Accessible names, and translations of the search panel keyed by CodeMirror's English phrases. */
export interface CodeWords {
  readonly label: string;
  /** Explains how to leave the text with the keyboard. */
  readonly leave: string;
  readonly empty: string;
  readonly phrases: Readonly<Record<string, string>>;
}

/** By default Chromium adds inline styles to text typed over a selection, which the content security policy blocks. */
const typingOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const isOver = inputType === 'insertText' && !isComposing && !view.state.selection.main.empty;
    if (!isOver || data === null || view.state.readOnly) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Features of every note editor, including the diff view. */
export const textParts = ({ label, leave, phrases }: Omit<CodeWords, 'empty'>): Extension => [
  history(),
  drawSelection(),
  dropCursor(),
  highlightSpecialChars(),
  bracketMatching(),
  indentOnInput(),
  typingOver,
  highlightSelectionMatches({ minSelectionLength: 3 }),
  search({ top: true }),
  EditorState.phrases.of(phrases),
  EditorState.tabSize.of(4),
  // Esc, then Tab, leaves the text (WCAG 2.1.2).
  keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  // Editable text is focusable anyway, but scroll containers around it only check for `tabindex`.
  EditorView.contentAttributes.of({
    ...{ 'aria-label': label, 'aria-description': leave },
    ...{ spellcheck: 'true', tabindex: '0' },
  }),
  CODE_THEME,
];

const LIST_ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))\s+(?:\[[ xX]\]\s+)?/;

/** Enter in a list begins its next item; in an empty item it ends the list. */
const continueList = (view: EditorView): boolean => {
  const { doc, selection, readOnly } = view.state;
  const { head, empty } = selection.main;
  if (!empty || readOnly) return false;
  const { from, text } = doc.lineAt(head);
  const [prefix, indent = '', bullet, number, end] = LIST_ITEM.exec(text) ?? [];
  if (prefix === undefined || head - from < prefix.length) return false;
  const isEmpty = text.length === prefix.length;
  const mark = bullet ?? `${Number(number) + 1}${end}`;
  const insert = isEmpty ? '' : `\n${indent}${mark} `;
  const start = isEmpty ? from : head;
  view.dispatch({
    ...{ changes: { from: start, to: head, insert }, selection: { anchor: start + insert.length } },
    ...{ scrollIntoView: true, userEvent: 'input' },
  });
  return true;
};

/** Before the usual keys, and after those of a grammar, which knows its lists better. */
const PROSE_KEYS = Prec.high(keymap.of([{ key: 'Enter', run: continueList }]));

/** Layout and highlighting by kind; highlighting starts once its grammar is loaded. */
export const createKindParts = () => {
  const [layout, grammar, wrapping] = [new Compartment(), new Compartment(), new Compartment()];
  let wanted = '';
  const layoutOf = ({ format }: Kind): Extension =>
    format === 'code' ? [lineNumbers(), EditorView.contentAttributes.of({ spellcheck: 'false' })] : PROSE_KEYS;
  const wrapOf = (lines: 'wrapped' | 'long'): Extension => (lines === 'wrapped' ? EditorView.lineWrapping : []);
  return {
    parts: [grammar.of([]), layout.of([]), wrapping.of([])] as Extension,
    setLines: (view: EditorView, lines: 'wrapped' | 'long'): void =>
      view.dispatch({ effects: wrapping.reconfigure(wrapOf(lines)) }),
    setKind: async (view: EditorView, kind: Kind): Promise<void> => {
      const name = `${kind.format} ${kind.language}`;
      if (name === wanted) return;
      wanted = name;
      view.dispatch({ effects: layout.reconfigure(layoutOf(kind)) });
      const support = await loadLanguage(kind).catch(() => null);
      if (wanted !== name) return;
      view.dispatch({ effects: grammar.reconfigure(support ?? []) });
      // The host did not serve it: the next choice loads it again.
      if (support === null) wanted = '';
    },
  };
};

interface CodeTextDeps {
  readonly host: HTMLElement;
  readonly text: string;
  readonly words: CodeWords;
  readonly onChange: (text: string) => void;
  readonly onDropped: OnDropped;
}

export interface CodeEditor {
  focus(): void;
  /** Opens the search panel with focus. */
  find(): void;
  setText(text: string): void;
  setKind(kind: Kind): void;
  setLines(lines: 'wrapped' | 'long'): void;
  setEditable(editable: 'editable' | 'still'): void;
  /** For the given time Tab leaves the text instead of indenting it. */
  freeTab(ms: number): void;
  /** Whether a key event targets the text itself. */
  isInText(event: Event): boolean;
  /** Calls back with the scroll position, 0 to 1. */
  onScroll(listener: (part: number) => void): void;
  destroy(): void;
}

export const createCodeEditor = ({ host, text, words, onChange, onDropped }: CodeTextDeps): CodeEditor => {
  const root = shadowOf(host);
  const kinds = createKindParts();
  const stillness = new Compartment();
  /** The text the owner knows, so that its own changes are not reported back. */
  let known = text;
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      textParts(words),
      placeholder(words.empty),
      kinds.parts,
      stillness.of([]),
      fileDrop(onDropped),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        known = state.doc.toString();
        onChange(known);
      }),
    ],
  });
  return {
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    setText(next) {
      if (next === known) return;
      known = next;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    setKind: (kind) => void kinds.setKind(view, kind),
    setLines: (lines) => kinds.setLines(view, lines),
    setEditable: (editable) =>
      view.dispatch({ effects: stillness.reconfigure(EditorState.readOnly.of(editable === 'still')) }),
    freeTab: (ms) => view.setTabFocusMode(ms),
    isInText: (event) => event.composedPath().includes(view.contentDOM),
    onScroll(listener) {
      const { scrollDOM } = view;
      scrollDOM.addEventListener('scroll', () => {
        const scrollable = scrollDOM.scrollHeight - scrollDOM.clientHeight;
        if (scrollable > 0) listener(scrollDOM.scrollTop / scrollable);
      });
    },
    destroy: () => view.destroy(),
  };
};
