/** React component of the note's text editor (`code-editor.ts`): applies its props and reports changes. */

import { useEffect, useEffectEvent, useRef } from 'react';
import type { Kind } from '../note-editor-state.ts';
import { type CodeEditor, type CodeWords, createCodeEditor } from './code-editor.ts';
import styles from './code-editor-field.module.css';
import type { OnDropped } from './file-drop.ts';

interface CodeFieldProps {
  readonly words: CodeWords;
  readonly text: string;
  readonly kind: Kind;
  readonly lines: 'wrapped' | 'long';
  readonly editable: 'editable' | 'still';
  readonly onChange: (text: string) => void;
  readonly onDropped: OnDropped;
  /** Called with the editor once it is mounted; null after unmounting. */
  readonly onReady: (field: CodeEditor | null) => void;
}

export const CodeEditorField = ({
  words,
  text,
  kind,
  lines,
  editable,
  onChange,
  onDropped,
  onReady,
}: CodeFieldProps) => {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<CodeEditor>(null);
  const reportChange = useEffectEvent(onChange);
  const reportDropped = useEffectEvent(onDropped);
  const ready = useEffectEvent(onReady);
  const make = useEffectEvent((element: HTMLElement) => {
    const editor = createCodeEditor({ host: element, text, words, onChange: reportChange, onDropped: reportDropped });
    editor.setLines(lines);
    editor.setKind(kind);
    return editor;
  });

  // Labels keep the language in which the editor was opened; recreating it would lose text and history.
  useEffect(() => {
    if (host.current === null) return;
    const editor = make(host.current);
    field.current = editor;
    ready(editor);
    return () => {
      field.current = null;
      ready(null);
      editor.destroy();
    };
  }, []);
  useEffect(() => field.current?.setText(text), [text]);
  useEffect(() => field.current?.setKind(kind), [kind]);
  useEffect(() => field.current?.setLines(lines), [lines]);
  useEffect(() => field.current?.setEditable(editable), [editable]);

  return <div ref={host} className={styles.field} data-typing />;
};
