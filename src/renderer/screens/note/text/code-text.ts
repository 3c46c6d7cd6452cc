/** The text field of a note: CodeMirror in a shadow root, so that its styles pass a policy without inline styles. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { Kind } from '../note-state.ts';
import { loadLanguage } from './code-languages.ts';
import { CODE_LOOK } from './code-theme.ts';
import { shadowOf } from './shadow-root.ts';

/** Names for screen readers and the words of the search, by the field's own English ones. */
export interface CodeWords {
  readonly label: string;
  /** How the keyboard leaves the text. */
  readonly leave: string;
  readonly empty: string;
  readonly phrases: Readonly<Record<string, string>>;
}

/** Left alone, Chromium dresses what is typed over a selection in its styles, inline, which the policy refuses. */
const typingOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const isOver = inputType === 'insertText' && !isComposing && !view.state.selection.main.empty;
    if (!isOver || data === null || view.state.readOnly) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** What every text of a note can do, also where two are compared. */
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
  // `tabindex` says what holds for an editable text anyway: what scrolls around it knows only that.
  EditorView.contentAttributes.of({
    ...{ 'aria-label': label, 'aria-description': leave },
    ...{ spellcheck: 'true', tabindex: '0' },
  }),
  CODE_LOOK,
];

/** How a text of this kind is laid out and coloured; the colours follow once their grammar is there. */
export const createKindParts = () => {
  const [layout, grammar, wrapping] = [new Compartment(), new Compartment(), new Compartment()];
  let wanted = '';
  const layoutOf = ({ format }: Kind): Extension =>
    format === 'code' ? [lineNumbers(), EditorView.contentAttributes.of({ spellcheck: 'false' })] : [];
  const wrapOf = (lines: 'wrapped' | 'long'): Extension => (lines === 'wrapped' ? EditorView.lineWrapping : []);
  return {
    parts: [layout.of([]), grammar.of([]), wrapping.of([])] as Extension,
    setLines: (view: EditorView, lines: 'wrapped' | 'long'): void =>
      view.dispatch({ effects: wrapping.reconfigure(wrapOf(lines)) }),
    setKind: async (view: EditorView, kind: Kind): Promise<void> => {
      const name = `${kind.format} ${kind.language}`;
      if (name === wanted) return;
      wanted = name;
      view.dispatch({ effects: layout.reconfigure(layoutOf(kind)) });
      const support = await loadLanguage(kind);
      if (wanted === name) view.dispatch({ effects: grammar.reconfigure(support) });
    },
  };
};

interface CodeTextDeps {
  readonly host: HTMLElement;
  readonly text: string;
  readonly words: CodeWords;
  readonly onChange: (text: string) => void;
  /** Files that are no text were dropped on it. */
  readonly onFiles: (files: readonly File[]) => void;
}

export interface CodeText {
  focus(): void;
  /** Opens the search, with the keyboard in it. */
  find(): void;
  setText(text: string): void;
  setKind(kind: Kind): void;
  setLines(lines: 'wrapped' | 'long'): void;
  setEditable(editable: 'editable' | 'still'): void;
  /** For the next moments Tab leaves the text instead of indenting it. */
  freeTab(ms: number): void;
  /** Whether a key that was pressed was meant for the text itself. */
  holds(event: Event): boolean;
  /** Calls back with the part that is scrolled away, 0 to 1. */
  onScroll(listener: (part: number) => void): void;
  destroy(): void;
}

const isText = ({ type, name }: File): boolean =>
  type.startsWith('text/') || type === '' || /\.(json|md|ya?ml)$/.test(name);

export const createCodeText = ({ host, text, words, onChange, onFiles }: CodeTextDeps): CodeText => {
  const root = shadowOf(host);
  const kinds = createKindParts();
  const stillness = new Compartment();
  /** As the owner knows it, so that its own words are not told to it. */
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
      EditorView.domEventHandlers({
        drop(event) {
          const files = [...(event.dataTransfer?.files ?? [])];
          if (files.length === 0 || files.every(isText)) return false;
          onFiles(files);
          return true;
        },
      }),
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
    holds: (event) => event.composedPath().includes(view.contentDOM),
    onScroll(listener) {
      const { scrollDOM } = view;
      scrollDOM.addEventListener('scroll', () => {
        const room = scrollDOM.scrollHeight - scrollDOM.clientHeight;
        if (room > 0) listener(scrollDOM.scrollTop / room);
      });
    },
    destroy: () => view.destroy(),
  };
};
