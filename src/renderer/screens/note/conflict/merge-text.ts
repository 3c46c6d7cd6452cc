/**
 * Diff view of two versions of a note, side by side or in one column. The user's version is editable and can take over
 * parts of the other.
 */

import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Kind } from '../note-state.ts';
import { type CodeWords, createKindParts, textParts } from '../text/code-text.ts';
import { shadowOf, sheetOf } from '../text/shadow-root.ts';

const SHEET = sheetOf(`
.room { position: absolute; inset: 0; overflow: auto; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; }
.cm-mergeView { display: flex; min-height: 100%; }
.cm-mergeViewEditors { flex: 1; min-width: 0; }
.cm-mergeView .cm-mergeViewEditor + .cm-merge-revert, .cm-mergeView .cm-merge-revert { width: 2.25rem; background: var(--surface-sunken); }
.cm-mergeView .cm-merge-revert button {
  left: 0.125rem; width: 2rem; height: 1.75rem; padding: 0; border: 1px solid var(--line-strong);
  border-radius: var(--radius-small); background: var(--surface); color: var(--text); font: 600 1rem/1 var(--font);
}
.cm-mergeView .cm-merge-revert button:hover { background: var(--surface-hover); }
button:focus-visible, .cm-mergeView:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 1px; }
`);

/** Not by colour alone: deleted text is struck through, inserted text underlined. */
const MARKS = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, & .cm-deletedChunk': { background: 'var(--code-removed)' },
  '&.cm-merge-b .cm-changedLine, & .cm-insertedLine': { background: 'var(--code-added)' },
  '&.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText': {
    background: 'none',
    textDecoration: 'line-through var(--bad) 2px',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline var(--good) 2px' },
  '&.cm-merge-a .cm-changedLineGutter, & .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--good)' },
  '&.cm-merge-a .cm-gutters, &.cm-merge-b .cm-gutters': { border: 'none' },
  '& .cm-collapsedLines': { color: 'var(--text-quiet)', background: 'var(--surface-sunken)' },
  // Aligned with the lines of the text.
  '& .cm-deletedChunk': { paddingLeft: 'var(--space-4)' },
  // In a line of their own, so that a button does not cover the words it concerns.
  '& .cm-deletedChunk .cm-chunkButtons': {
    position: 'static',
    display: 'flex',
    flexWrap: 'wrap',
    gap: 'var(--space-1)',
    padding: 'var(--space-1) 0',
  },
  '& .cm-deletedChunk .cm-chunkButtons button': {
    minHeight: '1.5rem',
    margin: '0',
    padding: '0 var(--space-2)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: '500 var(--size-small) / 1 var(--font)',
  },
});

interface MergeTextDeps {
  readonly host: HTMLElement;
  readonly layout: 'beside' | 'column';
  readonly theirs: string;
  readonly mine: string;
  readonly kind: Kind;
  /** Labels of both texts, and of the button that accepts a change. */
  readonly words: { readonly theirs: string; readonly mine: CodeWords; readonly takePart: string };
  readonly onChange: (text: string) => void;
}

export interface MergeText {
  /** Replaces the text of the user's version. */
  setText(text: string): void;
  destroy(): void;
}

export const createMergeText = ({ host, layout, theirs, mine, kind, words, onChange }: MergeTextDeps): MergeText => {
  const root = shadowOf(host, [SHEET]);
  const container = document.createElement('div');
  container.className = 'room';
  root.replaceChildren(container);
  let known = mine;
  const [own, other] = [createKindParts(), createKindParts()];
  const shared: Extension = [MARKS, EditorView.lineWrapping];
  const ownParts: Extension = [
    textParts(words.mine),
    own.parts,
    shared,
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      known = state.doc.toString();
      onChange(known);
    }),
  ];
  const setTextOf =
    (view: EditorView) =>
    (text: string): void => {
      if (text !== known) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    };

  if (layout === 'column') {
    const view = new EditorView({
      root,
      parent: container,
      doc: mine,
      extensions: [ownParts, unifiedMergeView({ original: theirs })],
    });
    void own.setKind(view, kind);
    return { setText: setTextOf(view), destroy: () => view.destroy() };
  }

  const takePart = (): HTMLElement => {
    const button = document.createElement('button');
    button.type = 'button';
    button.ariaLabel = words.takePart;
    button.title = words.takePart;
    button.textContent = '→';
    return button;
  };
  const merge = new MergeView({
    root,
    parent: container,
    a: {
      doc: theirs,
      extensions: [
        textParts({ ...words.mine, label: words.theirs }),
        other.parts,
        shared,
        EditorState.readOnly.of(true),
      ],
    },
    b: { doc: mine, extensions: ownParts },
    revertControls: 'a-to-b',
    renderRevertControl: takePart,
    collapseUnchanged: { margin: 3, minSize: 8 },
  });
  void own.setKind(merge.b, kind);
  void other.setKind(merge.a, kind);
  return { setText: setTextOf(merge.b), destroy: () => merge.destroy() };
};
