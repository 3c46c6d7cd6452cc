/** Shows both versions of a note after an edit conflict. The user keeps one of them or merges parts of both. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Alert } from '../../components/alert.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { shadowOf, sheetOf } from '../../rendering/shadow-root.ts';
import styles from './conflict-comparison.module.css';
import type { Conflict, Kind } from './note-editor-state.ts';
import { type CodeWords, createKindParts, textParts } from './text/code-editor.ts';
import { fileDrop, type OnDropped } from './text/file-drop.ts';

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
  readonly onDropped: OnDropped;
}

interface MergeText {
  /** Replaces the text of the user's version. */
  setText(text: string): void;
  destroy(): void;
}

/**
 * Diff view of two versions of a note, side by side or in one column. The user's version is editable and can take over
 * parts of the other.
 */
const createMergeText = (deps: MergeTextDeps): MergeText => {
  const { host, layout, theirs, mine, kind, words, onChange, onDropped } = deps;
  const root = shadowOf(host, [SHEET]);
  const container = document.createElement('div');
  container.className = 'room';
  root.replaceChildren(container);
  let known = mine;
  const [own, other] = [createKindParts(), createKindParts()];
  const shared: Extension = [MARKS, EditorView.lineWrapping, fileDrop(onDropped)];
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

/** Minimum width in pixels for showing two texts side by side. */
const BESIDE_FROM = 720;

interface ComparisonProps {
  readonly conflict: Conflict;
  readonly onMerge: (text: string) => void;
}

const chosenOf = ({ mine, theirs, merged }: Conflict): 'mine' | 'theirs' | 'both' => {
  if (merged === mine.text) return 'mine';
  return merged === theirs.text ? 'theirs' : 'both';
};

/** Follows the available width. */
const useLayout = () => {
  const container = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<'beside' | 'column' | null>(null);
  useEffect(() => {
    if (container.current === null) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setLayout(entry.contentRect.width < BESIDE_FROM ? 'column' : 'beside');
    });
    watcher.observe(container.current);
    return () => watcher.disconnect();
  }, []);
  return { container, layout };
};

export const ConflictComparison = ({ conflict, onMerge }: ComparisonProps) => {
  const { t, language } = useLocale();
  const { container, layout } = useLayout();
  const { mine, theirs } = conflict;
  const chosen = chosenOf(conflict);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.comparison} aria-labelledby="note-conflict">
      <h2 ref={heading} id="note-conflict" tabIndex={-1} className={styles.heading}>
        {t.note.conflict.title}
      </h2>
      <Alert tone="warn" title={t.note.conflict.happened} sentences={[t.note.conflict.advice]} />
      <RadioChoice
        look="segments"
        label={t.note.conflict.saves}
        value={chosen}
        options={[
          { value: 'mine', title: t.note.conflict.mine },
          { value: 'theirs', title: t.note.conflict.theirs },
          { value: 'both', title: t.note.conflict.both },
        ]}
        onChange={(choice) => {
          if (choice !== 'both') onMerge(choice === 'mine' ? mine.text : theirs.text);
        }}
      />
      <div ref={container} className={styles.texts}>
        {layout === 'beside' && (
          <div className={styles.names} aria-hidden>
            <span>{t.note.conflict.theirsName}</span>
            <span>{t.note.conflict.mineName}</span>
          </div>
        )}
        {layout !== null && (
          <Texts key={`${layout} ${language}`} layout={layout} conflict={conflict} onMerge={onMerge} />
        )}
      </div>
    </section>
  );
};

const Texts = ({ layout, conflict, onMerge }: ComparisonProps & { readonly layout: 'beside' | 'column' }) => {
  const { t } = useLocale();
  const { takeDropped } = useFileInput();
  const host = useRef<HTMLDivElement>(null);
  const text = useRef<MergeText>(null);
  const reportMerge = useEffectEvent(onMerge);
  const make = useEffectEvent((element: HTMLElement): MergeText => {
    const { mine, theirs, merged } = conflict;
    const words = { label: t.note.conflict.mineName, leave: t.note.leaveHint, empty: '', phrases: t.note.phrases };
    return createMergeText({
      ...{ host: element, layout, theirs: theirs.text, mine: merged, kind: mine },
      ...{ onChange: reportMerge, onDropped: takeDropped },
      words: { theirs: t.note.conflict.theirsName, mine: words, takePart: t.note.conflict.takePart },
    });
  });
  useEffect(() => {
    if (host.current === null) return;
    const view = make(host.current);
    text.current = view;
    return () => {
      text.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => text.current?.setText(conflict.merged), [conflict.merged]);
  return <div ref={host} className={styles.host} data-typing />;
};
